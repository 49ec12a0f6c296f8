/** The functions of TextMap and GenMap, one by one (upstream SBuiltinTest, and SValueTest on keys without order). */
import { e, p, type Code } from '../../../support/daml/lf-code.js';
import type { ModuleSpec } from '../../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';
import { call, valuesOf } from '../expression-values.js';

type Entries = readonly (readonly [key: string, value: number])[];
const ABC: Entries = [
  ['a', 1],
  ['b', 2],
  ['c', 3],
];
const WORDS = ['slant', 'visit', 'ranch', 'first', 'patch', 'trend', 'sweat', 'enter', 'cover']
  .concat('favor')
  .map((word, index) => [word, index] as const);
const SORTED = [...WORDS].sort(([a], [b]) => (a < b ? -1 : 1));
const ints = (...values: number[]) => values.map(String);
const found = (lookup: Code) => e.match(lookup, [p.none, e.int(-1)], [p.some('x'), e.var('x')]);

/** Either kind of map: its functions on keys that are texts, and how JSON shows it. */
interface Kind {
  readonly type: LfTypeSpec;
  readonly fun: (name: string, ...args: Code[]) => Code;
  readonly shown: (entries: Entries) => unknown;
}
const KINDS: Readonly<Record<string, Kind>> = {
  TEXTMAP: {
    type: t.textMap(t.int64),
    fun: (name, ...args) =>
      args.length === 0
        ? e.builtin(`TEXTMAP_${name}`, t.int64)
        : call(`TEXTMAP_${name}`, t.int64, ...args),
    shown: (entries) => Object.fromEntries(entries.map(([key, value]) => [key, String(value)])),
  },
  GENMAP: {
    type: t.genMap(t.text, t.int64),
    fun: (name, ...args) =>
      args.length === 0
        ? e.builtin(`GENMAP_${name}`, t.text, t.int64)
        : call(`GENMAP_${name}`, t.text, t.int64, ...args),
    shown: (entries) => entries.map(([key, value]) => [key, String(value)]),
  },
};

describe.each(Object.entries(KINDS))('%s', (_name, { type, fun, shown }) => {
  const insert = (map: Code, [key, value]: readonly [string, number]) =>
    fun('INSERT', e.text(key), e.int(value), map);
  const mapOf = (entries: Entries) => entries.reduce(insert, fun('EMPTY'));
  const abc = mapOf(ABC);
  const maps = (...values: Code[]) => valuesOf(type, values);

  test('EMPTY has no entries', () => {
    expect(maps(fun('EMPTY'))).toEqual([shown([])]);
  });

  test('INSERT adds an entry, or replaces the entry with its key', () => {
    const replaced = ABC.map(([key, value]) => [key, key === 'b' ? 4 : value] as const);
    expect(maps(abc, insert(abc, ['b', 4]))).toEqual([shown(ABC), shown(replaced)]);
  });

  test('LOOKUP finds existing keys only', () => {
    const lookups = ['a', 'b', 'c', 'd'].map((key) => found(fun('LOOKUP', e.text(key), abc)));
    expect(valuesOf(t.int64, lookups)).toEqual(ints(1, 2, 3, -1));
  });

  test('DELETE removes an entry, and ignores a missing key', () => {
    const without = (key: string) => fun('DELETE', e.text(key), abc);
    expect(maps(without('a'), without('b'), without('d'))).toEqual([
      shown(ABC.filter(([key]) => key !== 'a')),
      shown(ABC.filter(([key]) => key !== 'b')),
      shown(ABC),
    ]);
  });

  test('SIZE returns the number of entries', () => {
    const sizes = [fun('SIZE', fun('EMPTY')), fun('SIZE', abc), fun('SIZE', insert(abc, ['b', 4]))];
    expect(valuesOf(t.int64, sizes)).toEqual(ints(0, 3, 3));
  });
});

test('TEXTMAP_TO_LIST returns entries in the order of their keys', () => {
  const map = WORDS.reduce<Code>(
    (rest, [key, value]) => call('TEXTMAP_INSERT', t.int64, e.text(key), e.int(value), rest),
    e.builtin('TEXTMAP_EMPTY', t.int64),
  );
  const entry = t.struct({ key: t.text, value: t.int64 });
  const list = call('TEXTMAP_TO_LIST', t.int64, map);
  const each = <A extends LfTypeSpec>(type: A, name: string) =>
    call(
      'FOLDR',
      entry,
      t.list(type),
      e.lambda(
        { entry, rest: t.list(type) },
        e.cons(type, [e.member(name, e.var('entry'))], e.var('rest')),
      ),
      e.nil(type),
      list,
    );
  expect(valuesOf(t.list(t.text), [each(t.text, 'key')])).toEqual([SORTED.map(([key]) => key)]);
  expect(valuesOf(t.list(t.int64), [each(t.int64, 'value')])).toEqual([
    ints(...SORTED.map(([, value]) => value)),
  ]);
});

test('GENMAP_KEYS and GENMAP_VALUES return the order of the keys', () => {
  const map = WORDS.reduce<Code>(
    (rest, [key, value]) => call('GENMAP_INSERT', t.text, t.int64, e.text(key), e.int(value), rest),
    e.builtin('GENMAP_EMPTY', t.text, t.int64),
  );
  expect(valuesOf(t.list(t.text), [call('GENMAP_KEYS', t.text, t.int64, map)])).toEqual([
    SORTED.map(([key]) => key),
  ]);
  expect(valuesOf(t.list(t.int64), [call('GENMAP_VALUES', t.text, t.int64, map)])).toEqual([
    ints(...SORTED.map(([, value]) => value)),
  ]);
});

describe('rejects a key that is not comparable, even for an empty map:', () => {
  const FUN = t.arrow(t.int64, t.int64);
  const KEY = t.con('Main:Either', FUN, t.int64);
  const more: ModuleSpec = {
    types: { Either: { params: ['a', 'b'], variant: { Left: t.var('a'), Right: t.var('b') } } },
  };
  const fun = e.lambda({ x: t.int64 }, e.var('x'));
  const left = e.variant(KEY, 'Left', fun);
  const empty = e.builtin('GENMAP_EMPTY', KEY, t.int64);
  const right = (value: number) => e.variant(KEY, 'Right', e.int(value));
  const one = call('GENMAP_INSERT', KEY, t.int64, right(1), e.int(0), empty);
  const two = call('GENMAP_INSERT', KEY, t.int64, right(2), e.int(0), one);
  const size = (map: Code) => call('GENMAP_SIZE', KEY, t.int64, map);
  const USES: Readonly<Record<string, (map: Code) => Code>> = {
    GENMAP_INSERT: (map) => size(call('GENMAP_INSERT', KEY, t.int64, left, e.int(1), map)),
    GENMAP_LOOKUP: (map) => found(call('GENMAP_LOOKUP', KEY, t.int64, left, map)),
    GENMAP_DELETE: (map) => size(call('GENMAP_DELETE', KEY, t.int64, left, map)),
  };

  test.each(Object.keys(USES))('%s', (name) => {
    expect(valuesOf(t.int64, [empty, one, two].map(USES[name]!), '3', more)).toEqual(
      Array.from({ length: 3 }, () => 'NON_COMPARABLE_VALUES'),
    );
    expect(valuesOf(t.int64, [size(two)], '3', more)).toEqual(['2']);
  });
});
