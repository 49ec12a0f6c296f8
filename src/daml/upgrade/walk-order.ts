/**
 * The order in which an upgrade check goes through the parts of a package. Most are Scala maps, and the check
 * reports the first error in their order (B-PKG-022).
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

/** @param keys the keys of the earlier map, in insertion order */
interface Keys<Key> {
  readonly keys: readonly Key[];
  readonly hashOf: HashOf<Key>;
}

/** The removed keys. The rest of a large map has the order of a large map. */
export function removedOf<Key>({ keys, hashOf }: Keys<Key>, remains: (key: Key) => boolean) {
  const removed = keys.filter((key) => !remains(key));
  return scalaOrder(removed, hashOf, keys.length);
}

/** The keys in both: a new map, which is built in the order of the earlier map. */
export function remainingOf<Key>({ keys, hashOf }: Keys<Key>, remains: (key: Key) => boolean) {
  return scalaOrder(scalaOrder(keys, hashOf).filter(remains), hashOf);
}

/** The modules of a package, empty modules included. Without an archive, only the modules with definitions. */
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

/** Data types that can be upgraded: the rest of a map that also has synonyms and values. */
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

/** The instances of each template, in reverse order. */
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
