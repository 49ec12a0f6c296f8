/** Suggestions for unknown names, in explanations only. Responses to clients do not change. */
import { nearest } from '../errors/edit-distance.js';
import type { PackageLookup } from '../model/package.js';
import { packageIdOf, qualifiedNameOf, type TypeId } from '../model/types.js';

/** The maximum number of names in a list. */
const MAX_LISTED = 12;

/** ` Did you mean x?`, or the list of names if it is short; otherwise empty. */
export function didYouMean(given: string, names: readonly string[]): string {
  const near = nearest(given, names);
  if (near !== undefined) return ` Did you mean ${near}?`;
  return names.length === 0 || names.length > MAX_LISTED ? '' : ` There are: ${names.join(', ')}.`;
}

/** @param text a text that is not a reference */
export function formHint(packages: PackageLookup, text: string): string {
  const owner = packages.packageNames?.().find((name) => {
    const id = packages.packageIdForName(name);
    const found = id === undefined ? undefined : packages.package(id);
    return found?.templates.has(text) || found?.interfaces.has(text);
  });
  return owner === undefined
    ? 'A template is named as #package-name:Module:Entity.'
    : `Did you mean #${owner}:${text}?`;
}

/** @param id of an unknown template or interface */
export function templateHint(packages: PackageLookup, id: TypeId): string {
  const packageId = packageIdOf(id);
  const found = packages.package(packageId);
  if (found !== undefined) {
    const names = [...found.templates.keys(), ...found.interfaces.keys()].sort();
    const wanted = qualifiedNameOf(id);
    return `${found.name} has no ${wanted}.${didYouMean(wanted, names)}`;
  }
  return packages.packageIdForName(packageId) === undefined
    ? 'No package of that id is known here: upload its DAR, or name it as #package-name.'
    : `What stands before the first colon is a package id. Of a name it is #${packageId}.`;
}

/** @param name of an unknown package */
export function packageHint(packages: PackageLookup, name: string): string {
  const names = packages.packageNames?.() ?? [];
  const near = nearest(name, names);
  const remedy =
    'Upload a DAR with this package, or define it in TypeScript and pass it as `packages`.';
  return near === undefined ? remedy : `Did you mean #${near}? Else: ${remedy}`;
}
