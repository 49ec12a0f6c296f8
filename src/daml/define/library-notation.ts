/** The notation in which {@link ./standard-library.ts} declares the packages of the standard library. */
import type { DamlType, PackageId } from '../model/types.js';
import type { LibraryValue } from '../writing/library-values.js';
import type { CodeType } from '../writing/tables.js';

export type Members = readonly (readonly [name: string, type: CodeType])[];

export interface LibraryType {
  readonly name: string;
  readonly params?: readonly string[];
  readonly body: 'record' | 'variant' | readonly string[];
  readonly members?: Members;
  /** Whether its values are serializable; true by default. */
  readonly serializable?: false;
}

export interface Library {
  /** The name of the package. The part after a prefix such as `daml-prim-` gives the name of its module. */
  readonly name: string;
  readonly id: PackageId;
  readonly types: readonly LibraryType[];
  readonly values?: readonly LibraryValue[];
  readonly exceptions?: readonly string[];
  readonly naturals?: readonly string[];
  readonly dependencies?: readonly PackageId[];
}

export const [TEXT, INT64, BOOL] = [{ kind: 'text' }, { kind: 'int64' }, { kind: 'bool' }] as const;
export const [ANY, TYPE_REP] = [{ kind: 'any' }, { kind: 'typeRep' }] as const;
export const variable = (name: string): CodeType => ({ kind: 'var', name });
export const A = variable('a');
export const list = (of: CodeType): CodeType => ({ kind: 'list', of });
export const arrow = (from: CodeType, to: CodeType): CodeType => ({ kind: 'arrow', from, to });
export const applied = (id: string, ...args: CodeType[]): CodeType => ({
  kind: 'con',
  id,
  args: args as DamlType[],
});

export type Fields = Readonly<Record<string, CodeType>>;
export const record = (
  name: string,
  fields: Fields,
  more: Partial<LibraryType> = {},
): LibraryType => ({
  name,
  body: 'record',
  members: Object.entries(fields),
  ...more,
});
/** A generic type with one parameter. */
export const generic = (
  name: string,
  fields: Fields,
  more: Partial<LibraryType> = {},
): LibraryType => record(name, fields, { params: ['a'], ...more });
export const variant = (
  name: string,
  members: Members,
  more: Partial<LibraryType> = {},
): LibraryType => ({
  name,
  body: 'variant',
  members,
  ...more,
});
export const CODE_ALONE = { serializable: false } as const;

export const make = (of: string): LibraryValue => ({ of });
/** Makes a value of a variant. */
export const construct = (of: string): LibraryValue => ({ of, params: ['x'] });
export const select = (of: string, ...fields: string[]): LibraryValue[] =>
  fields.map((field) => ({ of, field }));
