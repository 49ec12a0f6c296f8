/**
 * In which order an upgrade check goes through the parts of a package: most are maps of Scala, of which the first fault that is met is
 * told (B-PKG-022).
 */
import {
  caseClassHash,
  dottedNameHash,
  scalaOrder,
  textHash,
  type HashOf,
} from '../errors/scala-order.js';
import { referenceHash } from '../model/definition-order.js';
import type { DamlPackage, Template } from '../model/package.js';
import type { QualifiedName, TypeId } from '../model/types.js';

export const moduleOf = (name: QualifiedName): string => name.slice(0, name.indexOf(':'));
export const entityOf = (name: QualifiedName): string => name.slice(name.indexOf(':') + 1);

/** @param keys of the earlier map, in the order in which they were added */
interface Keys<Key> {
  readonly keys: readonly Key[];
  readonly hashOf: HashOf<Key>;
}

/** Those that are no more. What is left of a large map has the order of one. */
export function removedOf<Key>({ keys, hashOf }: Keys<Key>, isKept: (key: Key) => boolean) {
  const removed = keys.filter((key) => !isKept(key));
  return scalaOrder(removed, hashOf, keys.length);
}

/** Those that both have: a map of its own, made in the order of the earlier one. */
export function keptOf<Key>({ keys, hashOf }: Keys<Key>, isKept: (key: Key) => boolean) {
  return scalaOrder(scalaOrder(keys, hashOf).filter(isKept), hashOf);
}

/** A module is there whatever it holds; of a package that has no archive, those that hold something. */
export function modulesOf(of: DamlPackage): Keys<string> {
  const { modules, dataTypes, templates, interfaces } = of;
  const names = [...dataTypes.keys(), ...templates.keys(), ...interfaces.keys()].map(moduleOf);
  return { keys: modules ?? [...new Set(names.sort())], hashOf: dottedNameHash };
}

export function templatesIn({ templates }: DamlPackage, module: string): Keys<QualifiedName> {
  return { keys: inModule(templates, module), hashOf: entityHash };
}

export function choicesOf({ choices }: Template): Keys<string> {
  return { keys: [...choices.keys()], hashOf: textHash };
}

/** Data types that can be upgraded: the rest of a map that had synonyms and values, too. */
export function typesIn(
  of: DamlPackage,
  module: string,
  isUpgradable: (name: QualifiedName) => boolean,
): Keys<QualifiedName> {
  const definitions = of.definitions?.(module) ?? inModule(of.dataTypes, module);
  const types = scalaOrder(definitions, entityHash).filter((name) => of.dataTypes.has(name));
  return { keys: scalaOrder(types, entityHash).filter(isUpgradable), hashOf: entityHash };
}

export interface Instance {
  readonly template: QualifiedName;
  readonly interfaceId: TypeId;
}

/** Of each template the last first. */
export function instancesIn(of: DamlPackage, module: string): Keys<Instance> {
  const { keys, hashOf } = templatesIn(of, module);
  const instances = scalaOrder(keys, hashOf).flatMap((template) =>
    [...of.templates.get(template)!.implementations.keys()]
      .reverse()
      .map((interfaceId) => ({ template, interfaceId })),
  );
  return { keys: instances, hashOf: instanceHash };
}

export function inModule(
  definitions: ReadonlyMap<QualifiedName, unknown>,
  module: string,
): readonly QualifiedName[] {
  return [...definitions.keys()].filter((name) => moduleOf(name) === module);
}

const entityHash = (name: QualifiedName): number => dottedNameHash(entityOf(name));

function instanceHash({ template, interfaceId }: Instance): number {
  return caseClassHash('Tuple2', [entityHash(template), referenceHash(interfaceId)]);
}
