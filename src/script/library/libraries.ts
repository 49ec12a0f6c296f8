/**
 * The libraries of a script. Up to SDK 3.5, the type `Script` belongs to the library, so that a script has one. From
 * 3.6 on, a separate package has the type, and different SDKs can compile parts of a script. Each question then comes
 * from the library that asks it (B-SCR-001, R-36-086).
 */
import { DarPackage } from '../../daml/dar/dar-package.js';
import type { RuntimeRecord } from '../../daml/lf/runtime/runtime-values.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { ScriptError } from '../failures.js';
import type { ScriptPackages } from '../packages.js';
import { ScriptLibrary } from './library.js';
import { stableTypes } from './stable-types.js';

export const LOW_LEVEL = 'Daml.Script.Internal.LowLevel';
const CAST = 'dangerousCast';
const NAMES: readonly string[] = ['daml-script', 'daml3-script'];

/** Chooses the library of a question. */
export type LibraryOf = (payload: RuntimeRecord) => ScriptLibrary;

/** @throws ScriptError if the package is not a script library of a supported release */
export function onlyLibrary(found: DamlPackage | undefined): LibraryOf {
  const name = found?.name ?? 'no known package';
  if (!NAMES.includes(name) || !(found instanceof DarPackage)) throw noLibrary(name);
  replaceCast(found);
  const only = new ScriptLibrary(found);
  return () => only;
}

/** For a script whose types are the same for all SDKs: all known libraries. */
export function stableLibraries(packages: ScriptPackages): LibraryOf {
  const libraries = new Map<PackageId, ScriptLibrary>();
  for (const name of NAMES)
    for (const each of packages.versionsOf(name)) {
      const types = each instanceof DarPackage ? stableTypes(each, packages) : undefined;
      if (types === undefined) continue;
      replaceCast(each as DarPackage);
      libraries.set(each.id, new ScriptLibrary(each as DarPackage, types));
    }
  const [newest] = libraries.values();
  return (payload) => {
    // All empty payloads are one object. The answers to them do not depend on the library.
    const found = libraries.get(askers.get(payload) ?? '') ?? newest;
    if (found === undefined) throw noLibrary('no known package');
    return found;
  };
}

const noLibrary = (name: string) =>
  new ScriptError(
    `Invalid daml script package name. Expected daml-script or daml3-script, got ${name}`,
  );

/** By the payload of a question, the package that asks it. Values of records do not have the ids of their types. */
const askers = new WeakMap<object, PackageId>();

const replaced = new WeakSet<object>();

/** The library is replaced once for all scripts, because only scripts refer to it. */
function replaceCast(library: DarPackage): void {
  if (replaced.has(library.lf)) return;
  replaced.add(library.lf);
  library.replaceValue(LOW_LEVEL, CAST, (value) => {
    noteAsker(value, library.id);
    return value;
  });
}

/** A library casts each question before it asks. The question is then copied, but its payload is not. */
function noteAsker(value: unknown, id: PackageId): void {
  if (typeof value !== 'object' || value === null) return;
  const { p0: name, p1: version, p2: payload, p4: resume } = value as RuntimeRecord;
  if (typeof name !== 'string' || typeof version !== 'number' || resume === undefined) return;
  if (typeof payload === 'object' && payload !== null) askers.set(payload, id);
}
