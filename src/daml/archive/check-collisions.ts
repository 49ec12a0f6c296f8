/** Names of a package that would fall together if case did not count: modules, types, their parts, choices. */
import { dottedNameHash, textHash, trieOrder } from '../errors/scala-order.js';
import { entriesInOrder } from '../model/definition-order.js';
import { validationError } from './dar-refusals.js';
import type { LfModule } from './lf-module.js';
import type { LfPackage } from './lf-package.js';

interface NamedEntity {
  /** `record M:T`, as error texts call it. */
  readonly pretty: string;
  readonly resolved: string;
  /** A record `T.C` may share its name with constructor `C` of variant `T`: exactly this one. */
  readonly twin?: string;
}

export function checkCollisions(lfPackage: LfPackage): void {
  const groups = new Map<string, NamedEntity[]>();
  for (const [, module] of entriesInOrder(lfPackage.modules, dottedNameHash)) {
    for (const entity of namedEntities(module)) {
      const group = groups.get(entity.resolved);
      if (group === undefined) groups.set(entity.resolved, [entity]);
      else group.push(entity);
    }
  }
  const collisions = new Map<string, readonly NamedEntity[]>();
  for (const [name, group] of groups) {
    const found = group.length > 1 ? collisionIn(group) : undefined;
    if (found !== undefined) collisions.set(name, found);
  }
  // Only an error needs the order: that of all names, including those that collide.
  if (collisions.size === 0) return;
  const first = trieOrder([...groups.keys()], dottedNameHash).find((name) => collisions.has(name))!;
  const pair = collisions.get(first)!.map(({ pretty }) => pretty);
  throw validationError('ECollision', '', `collision between ${pair.join(' and ')}`);
}

/** The first two that may not share their name. */
function collisionIn(group: readonly NamedEntity[]): readonly NamedEntity[] | undefined {
  for (const [index, one] of group.entries()) {
    const other = group.slice(index + 1).find((each) => !areTwins(one, each));
    if (other !== undefined) return [one, other];
  }
  return undefined;
}

function areTwins(one: NamedEntity, other: NamedEntity): boolean {
  return one.twin !== undefined && one.twin === other.twin && one.pretty !== other.pretty;
}

function* namedEntities(module: LfModule): Iterable<NamedEntity> {
  const of = (kind: string, path: readonly string[], twin?: string): NamedEntity => ({
    pretty: `${kind} ${[module.name, ...path].join(':')}`,
    resolved: [module.name, ...path].join('.').toUpperCase(),
    twin,
  });
  yield of('module', []);
  for (const name of module.definitionNames) {
    if (module.synonyms.has(name)) yield of('type synonym', [name]);
    const body = module.dataTypes.get(name)?.body;
    if (body === undefined) continue;
    const inModule = (path: string): string => `${module.name}:${path}`;
    switch (body.kind) {
      case 'record':
        yield of('record', [name], inModule(name));
        for (const [field] of body.fields) yield of('record field', [name, field]);
        break;
      case 'variant':
        yield of('variant', [name]);
        for (const [constructor] of body.fields) {
          yield of('variant constructor', [name, constructor], inModule(`${name}.${constructor}`));
        }
        break;
      case 'enum':
        yield of('enum', [name]);
        for (const constructor of body.constructors)
          // The real checker calls them this, too.
          yield of('variant constructor', [name, constructor]);
        break;
      case 'interface':
        yield of('interface', [name]);
    }
  }
  for (const [name, { choices }] of entriesInOrder(module.templates, dottedNameHash)) {
    for (const [choice] of entriesInOrder(choices, textHash))
      yield of('template choice', [name, choice]);
  }
  for (const [name, { choices }] of entriesInOrder(module.interfaces, dottedNameHash)) {
    for (const [choice] of entriesInOrder(choices, textHash))
      yield of('interface choice', [name, choice]);
  }
}
