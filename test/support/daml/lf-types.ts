/** A notation for Daml-LF types in tests: `t.list(t.con('Main:Foo', t.text))`. A type for the encoder. */
export type LfTypeSpec =
  | { tag: 'variable'; name: string }
  | { tag: 'con' | 'syn'; id: string; args: readonly LfTypeSpec[] }
  | { tag: 'builtin'; number: number; args: readonly LfTypeSpec[] }
  | { tag: 'nat'; value: number }
  | { tag: 'forall'; variable: string; body: LfTypeSpec }
  | { tag: 'struct'; fields: Readonly<Record<string, LfTypeSpec>> };

const builtin =
  (number: number) =>
  (...args: LfTypeSpec[]): LfTypeSpec => ({ tag: 'builtin', number, args });

/** `id` is `Module:Entity` of the package itself, or `<package id>:Module:Entity`. */
export const t = {
  unit: builtin(0)(),
  bool: builtin(1)(),
  int64: builtin(2)(),
  date: builtin(3)(),
  timestamp: builtin(4)(),
  party: builtin(6)(),
  text: builtin(7)(),
  any: builtin(13)(),
  bigNumeric: builtin(1002)(),
  builtin: (number: number, ...args: LfTypeSpec[]) => builtin(number)(...args),
  numeric: (scale: number) => builtin(5)({ tag: 'nat', value: scale }),
  contractId: builtin(8),
  optional: builtin(9),
  list: builtin(10),
  genMap: builtin(11),
  arrow: builtin(16),
  textMap: builtin(19),
  con: (id: string, ...args: LfTypeSpec[]): LfTypeSpec => ({ tag: 'con', id, args }),
  syn: (id: string, ...args: LfTypeSpec[]): LfTypeSpec => ({ tag: 'syn', id, args }),
  var: (name: string): LfTypeSpec => ({ tag: 'variable', name }),
  nat: (value: number): LfTypeSpec => ({ tag: 'nat', value }),
  forall: (variable: string, body: LfTypeSpec): LfTypeSpec => ({ tag: 'forall', variable, body }),
  struct: (fields: Readonly<Record<string, LfTypeSpec>>): LfTypeSpec => ({ tag: 'struct', fields }),
};
