/**
 * Selects the entities to write. From the main packages, and from dependencies with templates or interfaces, it
 * selects all entities with serializable types. From other packages, such as the standard library, it selects the
 * entities that those refer to.
 */
import { invariant } from '../daml/errors/ledger-error.js';
import type { Choice, DamlPackage, Interface, Template } from '../daml/model/package.js';
import {
  packageIdOf,
  qualifiedNameOf,
  type DamlType,
  type DataType,
  type PackageId,
  type TypeId,
} from '../daml/model/types.js';

/** One name of a module. A template's type is its payload. */
export interface Entity {
  readonly id: TypeId;
  readonly type: DataType;
  readonly template?: Template;
  readonly interface?: Interface;
}

export type Packages = ReadonlyMap<PackageId, DamlPackage>;

/** In the order of the packages, and of the definitions in each. */
export function selectEntities(
  main: ReadonlySet<PackageId>,
  packages: Packages,
): ReadonlyMap<TypeId, Entity> {
  const reached = new Set<TypeId>();
  const waiting: TypeId[] = [];
  const reach = (id: TypeId): void => {
    if (reached.has(id) || entityOf(packages, id) === undefined) return;
    reached.add(id);
    waiting.push(id);
  };
  for (const one of packages.values()) {
    const { dataTypes, templates, interfaces } = one;
    const isWhole = main.has(one.id) || templates.size > 0 || interfaces.size > 0;
    if (isWhole) for (const { id } of dataTypes.values()) reach(id);
  }
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
    for (const next of referencesOf(entityOf(packages, id)!)) reach(next);
  const selected = new Map<TypeId, Entity>();
  for (const { dataTypes } of packages.values())
    for (const { id } of dataTypes.values())
      if (reached.has(id)) selected.set(id, entityOf(packages, id)!);
  return selected;
}

/** Undefined if the type is not serializable. */
function entityOf(packages: Packages, id: TypeId): Entity | undefined {
  const name = qualifiedNameOf(id);
  const one = packages.get(packageIdOf(id));
  const type = one?.dataTypes.get(name);
  if (one === undefined || type === undefined) return undefined;
  if (type.body.kind === 'interface') return { id, type, interface: one.interfaces.get(name)! };
  if (!type.serializable) return undefined;
  const template = one.templates.get(name);
  return { id, type, ...(template && { template }) };
}

function* referencesOf({ type, template, interface: definition }: Entity): Iterable<TypeId> {
  const { body } = type;
  if (body.kind === 'record') for (const field of body.fields) yield* namesIn(field.type);
  if (body.kind === 'variant') for (const each of body.constructors) yield* namesIn(each.type);
  if (template !== undefined) {
    yield* template.implementations.keys();
    if (template.key) yield* namesIn(template.key.type);
    yield* namesInChoices(template.choices);
  }
  if (definition !== undefined) {
    yield* definition.requires;
    yield* namesIn(definition.viewType);
    yield* namesInChoices(definition.choices);
  }
}

function* namesInChoices(choices: ReadonlyMap<string, Choice>): Iterable<TypeId> {
  for (const { name, argumentType, returnType } of choices.values()) {
    // Every template has this choice with the same argument, which is typed as a unit.
    if (name === 'Archive') continue;
    yield* namesIn(argumentType);
    yield* namesIn(returnType);
  }
}

function* namesIn(type: DamlType): Iterable<TypeId> {
  switch (type.kind) {
    case 'con':
      yield type.id;
      for (const each of type.args) yield* namesIn(each);
      return;
    case 'contractId':
    case 'optional':
    case 'list':
    case 'textMap':
      return yield* namesIn(type.of);
    case 'genMap':
      yield* namesIn(type.key);
      return yield* namesIn(type.value);
    default:
      return;
  }
}

function packageOf(packages: Packages, id: TypeId): DamlPackage {
  const found = packages.get(packageIdOf(id));
  invariant(found !== undefined, `the package of ${id} is available`);
  return found;
}

/** `#package-name:Module:Entity`. */
export const templateIdOf = (packages: Packages, id: TypeId): string =>
  `#${packageOf(packages, id).name}:${qualifiedNameOf(id)}`;
