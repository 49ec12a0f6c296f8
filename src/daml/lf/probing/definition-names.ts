/** The names of definitions: which ones the Daml compiler generated, and to which definition of the source a lifted one belongs. */
import type { LfPackage } from '../../archive/lf-package.js';
import { splitTypeId, type TypeId } from '../../model/types.js';
import type { CompiledDefinition } from '../lowering/instrument.js';
import { unescaped } from '../lowering/script-name.js';

/** Part of a definition that the compiler lifted to the top level: `$sc_transfer_3`. */
const LIFTED = /^\$\$sc_(.*)_\d+$/;
/** The method of an instance, with a number that makes it unique: `$cshow12`. */
const METHOD = /^\$c(.*?)\d*$/;
/** Methods that the compiler derives, or writes for each template. */
const DERIVED_METHODS = new Set([
  ...['==', '/=', 'compare', '<', '<=', '>', '>=', 'max', 'min', 'showsPrec', 'show', 'showList'],
  ...['succ', 'pred', 'toEnum', 'fromEnum', 'enumFrom', 'enumFromThen', 'enumFromTo'],
  ...['enumFromThenTo', 'minBound', 'maxBound', 'archive', '_isInterfaceType'],
  ...['unsafeFromInterface', 'fromInterface', 'getField', 'setField'],
]);

/** Whether it is part of another definition of the source. */
export const isLiftedName = (name: string): boolean => LIFTED.test(unescaped(name));

/** Whether it is part of another definition of the source, or the method of an instance or a template. */
export const isPartName = (name: string): boolean =>
  isLiftedName(name) || METHOD.test(unescaped(name));

/** Whether no code of the source belongs to a top-level value: instances, selectors, constructors, derived methods. */
export function isGenerated(name: string): boolean {
  const plain = unescaped(name);
  const lifted = LIFTED.exec(plain);
  if (lifted !== null) return isGenerated(lifted[1]!);
  if (!plain.startsWith('$')) return false;
  const method = METHOD.exec(plain)?.[1];
  return method === undefined || plain.startsWith('$con2tag') || DERIVED_METHODS.has(method);
}

/** A definition as its source shows it. */
export interface SourceDefinition {
  readonly module: string;
  /** The template or interface; empty for a function. */
  readonly owner: string;
  /** The choice, the function, or the part of a template, such as `signatories`; never a lifted definition. */
  readonly name: string;
}

/** Remembers which definition uses a lifted one. */
export class DefinitionNames {
  private readonly users = new Map<TypeId, CompiledDefinition>();

  /** Called for each use of a value. @param id of the value */
  uses(definition: CompiledDefinition, id: TypeId): void {
    const { packageId, entity } = splitTypeId(id);
    if (packageId !== definition.lf.id || this.users.has(id)) return;
    if (isPartName(entity) && !isItself(definition, id)) this.users.set(id, definition);
  }

  /** As far as the definitions that use it are known. */
  sourceOf(definition: CompiledDefinition): SourceDefinition {
    let at = definition;
    // A chain of users has no circle of parts, except in hostile archives.
    for (let steps = 0; at.isValue && steps < 100; steps += 1) {
      const user = this.users.get(idOf(at.lf, at.module, at.name));
      if (user === undefined) break;
      at = user;
    }
    return sourceDefinition(at);
  }
}

const idOf = (lf: LfPackage, module: string, name: string): TypeId =>
  `${lf.id}:${module}:${name}` as TypeId;

const isItself = ({ lf, module, name, isValue }: CompiledDefinition, id: TypeId): boolean =>
  isValue && idOf(lf, module, name) === id;

/** The interface in the code of its implementation. */
const INTERFACE = /^[0-9a-f]{64}:/;

function sourceDefinition({ module, name, isValue }: CompiledDefinition): SourceDefinition {
  if (isValue) {
    const plain = unescaped(name);
    const lifted = LIFTED.exec(plain)?.[1] ?? plain;
    return { module, owner: '', name: METHOD.exec(lifted)?.[1] ?? lifted };
  }
  const [owner = '', ...parts] = name.split(' ');
  const last = parts.at(-1);
  const own = last === 'update' && parts.length > 1 ? parts.slice(0, -1) : parts;
  return {
    module,
    owner: unescaped(owner),
    name: unescaped(own.map((part) => part.replace(INTERFACE, '')).join(' ')),
  };
}
