/**
 * Checks for errors that prevent the upload of the package's archive to a participant: names that differ only in
 * case, and cycles of modules.
 */
import { DefinitionError, moduleOf } from './names.js';
import type { DamlPackage, Interface, Template } from '../model/package.js';
import { packageIdOf, qualifiedNameOf, type DamlType, type TypeId } from '../model/types.js';

type Built = Pick<DamlPackage, 'name' | 'dataTypes' | 'templates' | 'interfaces'>;

/** @throws DefinitionError */
export function checkPortable(built: Built): void {
  checkNames(built);
  checkModules(built);
}

/** A constructor may share its name with the record of its fields. */
function checkNames(built: Built): void {
  const taken = new Map<string, string>();
  const take = (what: string, name: string, isTwin = false): void => {
    const key = name.replace(':', '.').toUpperCase();
    const other = taken.get(key);
    if (other !== undefined && !isTwin)
      throw new DefinitionError(
        `${what} ${name} and ${other} differ only in case, or not at all, which no participant takes.`,
      );
    taken.set(key, `${what} ${name}`);
  };
  for (const module of new Set([...built.dataTypes.keys()].map(moduleOf))) take('module', module);
  for (const [name, { body }] of built.dataTypes) {
    take('type', name, isConstructorsRecord(built, name));
    if (body.kind === 'record')
      for (const field of body.fields) take('field', `${name}.${field.name}`);
    if (body.kind === 'variant')
      for (const each of body.constructors)
        take('constructor', `${name}.${each.name}`, built.dataTypes.has(`${name}.${each.name}`));
    if (body.kind === 'enum')
      for (const each of body.constructors) take('constructor', `${name}.${each}`);
  }
  for (const [name, { choices }] of [...built.templates, ...built.interfaces])
    for (const choice of choices.keys()) take('choice', `${name}.${choice}`);
}

function isConstructorsRecord({ dataTypes }: Built, name: string): boolean {
  const dot = name.lastIndexOf('.');
  const owner = dataTypes.get(name.slice(0, Math.max(0, dot)))?.body;
  return (
    owner?.kind === 'variant' &&
    owner.constructors.some((each) => each.name === name.slice(dot + 1))
  );
}

function checkModules(built: Built): void {
  const uses = usedModules(built);
  const done = new Set<string>();
  const visit = (module: string, path: readonly string[]): void => {
    const start = path.indexOf(module);
    if (start >= 0) {
      const circle = [...path.slice(start), module].join(', ');
      throw new DefinitionError(
        `The modules of package ${built.name} refer to each other in a circle, which no participant takes: ${circle}.`,
      );
    }
    if (done.has(module)) return;
    for (const next of uses.get(module) ?? []) visit(next, [...path, module]);
    done.add(module);
  };
  for (const module of uses.keys()) visit(module, []);
}

/** The other modules of the package that each module refers to. */
function usedModules(built: Built): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map<string, Set<string>>();
  const use = (from: string, id: TypeId, own: string): void => {
    const to = moduleOf(qualifiedNameOf(id));
    if (packageIdOf(id) !== own || to === from) return;
    uses.set(from, (uses.get(from) ?? new Set()).add(to));
  };
  const type = (from: string, own: string, of: DamlType): void => {
    switch (of.kind) {
      case 'con':
        use(from, of.id, own);
        return of.args.forEach((arg) => type(from, own, arg));
      case 'contractId':
      case 'optional':
      case 'list':
      case 'textMap':
        return type(from, own, of.of);
      case 'genMap':
        type(from, own, of.key);
        return type(from, own, of.value);
      default:
        return;
    }
  };
  const choices = (name: string, { id, choices }: Template | Interface): void => {
    for (const { argumentType, returnType } of choices.values())
      for (const each of [argumentType, returnType]) type(moduleOf(name), packageIdOf(id), each);
  };
  for (const [name, { id, body }] of built.dataTypes) {
    const parts =
      body.kind === 'record' ? body.fields : body.kind === 'variant' ? body.constructors : [];
    for (const part of parts) type(moduleOf(name), packageIdOf(id), part.type);
  }
  for (const [name, template] of built.templates) {
    choices(name, template);
    if (template.key !== undefined)
      type(moduleOf(name), packageIdOf(template.id), template.key.type);
    for (const id of template.implementations.keys())
      use(moduleOf(name), id, packageIdOf(template.id));
  }
  for (const [name, each] of built.interfaces) {
    choices(name, each);
    type(moduleOf(name), packageIdOf(each.id), each.viewType);
    for (const id of each.requires) use(moduleOf(name), id, packageIdOf(each.id));
  }
  return uses;
}
