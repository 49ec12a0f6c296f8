/** Names of a package that would fall together if case did not count: modules, types, their parts, choices. */
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
  const seen = new Map<string, NamedEntity>();
  for (const module of lfPackage.modules.values()) {
    for (const entity of namedEntities(module)) {
      const other = seen.get(entity.resolved);
      if (other === undefined) {
        seen.set(entity.resolved, entity);
      } else if (
        other.twin === undefined ||
        other.twin !== entity.twin ||
        other.pretty === entity.pretty
      ) {
        throw validationError(
          'ECollision',
          '',
          `collision between ${other.pretty} and ${entity.pretty}`,
        );
      }
    }
  }
}

function* namedEntities(module: LfModule): Iterable<NamedEntity> {
  const of = (kind: string, path: readonly string[], twin?: string): NamedEntity => ({
    pretty: `${kind} ${[module.name, ...path].join(':')}`,
    resolved: [module.name, ...path].join('.').toUpperCase(),
    twin,
  });
  yield of('module', []);
  // In the order in which the real decoder reads them. NOTE: of five and more it goes by the hashes of their names.
  for (const name of module.synonyms.keys()) yield of('type synonym', [name]);
  for (const [name, { body }] of module.dataTypes) {
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
  for (const [name, { choices }] of module.templates) {
    for (const choice of choices.keys()) yield of('template choice', [name, choice]);
  }
  for (const [name, { choices }] of module.interfaces) {
    for (const choice of choices.keys()) yield of('interface choice', [name, choice]);
  }
}
