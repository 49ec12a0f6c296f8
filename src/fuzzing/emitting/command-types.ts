/** The types of the values in commands. */
import { choiceOf, template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import { invariant } from '../../daml/errors/ledger-error.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';

export interface CommandTarget {
  /** The type of the choice's argument. */
  readonly type: DamlType;
  readonly isInterface: boolean;
}

/** @param id of a template or an interface */
export function targetOf(packages: PackageLookup, id: TypeId, choice: string): CommandTarget {
  const type = choiceOf(packages, id, choice)?.argumentType;
  invariant(type !== undefined, 'the choice of a generated command exists');
  return { type, isInterface: templateOf(packages, id) === undefined };
}

export function contractKeyType(packages: PackageLookup, id: TypeId): DamlType {
  const type = templateOf(packages, id)?.key?.type;
  invariant(type !== undefined, 'the template of a generated command by key has a key');
  return type;
}
