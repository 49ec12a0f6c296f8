/** Random values have their types, and stay small. */
import fc from 'fast-check';
import { normaliseValue } from '../../../src/daml/codec/normalise.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import type { DamlPackage } from '../../../src/daml/model/package.js';
import type { DamlType, DataBody } from '../../../src/daml/model/types.js';
import {
  DamlVariant,
  Some,
  type DamlRecord,
  type DamlValue,
} from '../../../src/daml/model/values.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import { Random } from '../../../src/fuzzing/values/random.js';
import type { LeafKind } from '../../../src/fuzzing/values/state-leaves.js';
import {
  MAX_ELEMENTS,
  MAX_VALUE_DEPTH,
  MAX_VALUE_ELEMENTS,
  STRANGER,
  ValueSource,
} from '../../../src/fuzzing/values/values.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { modelId } from '../../support/daml/model-package.js';
import { check } from '../../support/property.js';
import { damlType, named, typesPackage } from '../../support/daml/arbitrary-daml.js';
import { create, exercise, packages, submit } from '../models.js';
import { chancesOf } from './chances.js';

const list = (of: DamlType): DamlType => ({ kind: 'list', of });
const valuesOf = (seed: string, ledger = new FuzzLedger(packages, plainStart(['alice', 'bob']))) =>
  new ValueSource(new Random(seed), ledger);
const samples = (values: ValueSource, type: DamlType, count = 300): readonly DamlValue[] =>
  Array.from({ length: count }, () => values.make(type));

it('makes values of every type', () => {
  check(
    fc.property(damlType, fc.string(), (type, seed) => {
      const ledger = new FuzzLedger(new ScriptPackages([typesPackage]), plainStart());
      const value = valuesOf(seed, ledger).make(type);
      expect(normaliseValue(ledger.packages, type, value)).toEqual(value);
    }),
  );
});

it('makes the same values for the same seed', () => {
  const all = (seed: string) => samples(valuesOf(seed), { kind: 'int64' }, 20);
  expect(all('a')).toEqual(all('a'));
  expect(all('a')).not.toEqual(all('b'));
});

it('takes ids of contracts of the template or the interface', () => {
  const ledger = new FuzzLedger(packages, plainStart(['alice']));
  const ticket = create('Ticket', { issuer: 'alice', owner: 'alice', seat: 7n });
  ledger.run(submit(0, ['alice'], create('Dummy', { operator: 'alice' }), ticket));
  const [dummy, asset] = [...ledger.active()].map(({ contractId }) => contractId);
  const idOf = (entity: string): DamlType => ({
    kind: 'contractId',
    of: { kind: 'con', id: modelId(entity), args: [] },
  });
  const values = valuesOf('ids', ledger);
  expect(new Set(samples(values, idOf('Dummy')))).toEqual(new Set([dummy]));
  expect(new Set(samples(values, idOf('Asset')))).toEqual(new Set([asset]));
});

it('takes values that are equal or close to those of the state', () => {
  const ledger = new FuzzLedger(packages, plainStart(['alice']));
  ledger.run(
    submit(0, ['alice'], create('WithParam', { operator: 'alice', number: 4711n, note: null })),
  );
  const numbers = samples(valuesOf('near', ledger), { kind: 'int64' });
  for (const near of [4711n, 4710n, 4712n]) expect(numbers).toContain(near);
});

it('takes constants of the code', () => {
  const constants = {
    ints: [987_654n],
    numerics: [Numeric.of('3.25')],
    texts: ['magic'],
    timestamps: [1_000_003n],
    dates: [12_345],
  };
  const ledger = new FuzzLedger(packages, plainStart());
  const values = new ValueSource(new Random('constants'), ledger, constants);
  expect(samples(values, { kind: 'int64' })).toContain(987_654n);
  expect(samples(values, { kind: 'text' })).toContain('magic');
  expect(samples(values, { kind: 'timestamp' })).toContain(1_000_003n);
  expect(samples(values, { kind: 'date' })).toContain(12_345);
  const numerics = samples(values, { kind: 'numeric', scale: 10 }).map(String);
  expect(numerics).toContain(String(Numeric.of('3.25')));
});

it('takes parties of the state, and a stranger', () => {
  const parties = new Set(samples(valuesOf('parties'), { kind: 'party' }));
  expect(parties).toEqual(new Set(['alice', 'bob', STRANGER]));
});

it('fills maps, variants and optionals', () => {
  const ledger = new FuzzLedger(new ScriptPackages([typesPackage]), plainStart(['alice']));
  const values = valuesOf('filled', ledger);
  const int64 = { kind: 'int64' } as const;
  const maps = samples(values, { kind: 'textMap', of: int64 }) as ReadonlyMap<string, bigint>[];
  expect(Math.max(...maps.map(({ size }) => size))).toBeGreaterThan(1);
  const shapes = samples(values, named('Shape')) as { readonly tag: string }[];
  expect(new Set(shapes.map(({ tag }) => tag)).size).toBeGreaterThan(1);
  const optionals = samples(values, { kind: 'optional', of: int64 });
  expect(new Set(optionals.map((each) => each === null))).toEqual(new Set([true, false]));
});

it('prefers the parties in focus, and their contracts', () => {
  const ledger = new FuzzLedger(packages, plainStart(['alice', 'bob', 'carol', 'dave']));
  const dummies = ['alice', 'bob', 'carol'].map((operator) => create('Dummy', { operator }));
  ledger.run(submit(0, ['alice', 'bob', 'carol'], ...dummies));
  const ids = [...ledger.active()].map(({ contractId }) => contractId);
  const values = valuesOf('focus', ledger);
  values.focusOn(['carol']);
  const share = (all: readonly DamlValue[], value: DamlValue) =>
    all.filter((each) => each === value).length / all.length;
  const id: DamlType = { kind: 'contractId', of: { kind: 'con', id: modelId('Dummy'), args: [] } };
  expect(share(samples(values, { kind: 'party' }), 'carol')).toBeGreaterThan(0.55);
  expect(share(samples(values, id), ids[2]!)).toBeGreaterThan(0.5);
  values.focusOn([]);
  expect(share(samples(values, { kind: 'party' }), 'carol')).toBeLessThan(0.4);
  expect(share(samples(values, id), ids[2]!)).toBeLessThan(0.45);
});

it('notices a contract that does not exist', () => {
  const values = valuesOf('lacking');
  values.focusOn([]);
  const id: DamlType = { kind: 'contractId', of: { kind: 'con', id: modelId('Dummy'), args: [] } };
  values.make({ kind: 'int64' });
  expect(values.isLacking).toBe(false);
  values.make(id);
  expect(values.isLacking).toBe(true);
  values.focusOn([]);
  expect(values.isLacking).toBe(false);
});

it('takes no value of an archived contract', () => {
  const ledger = new FuzzLedger(packages, plainStart(['alice']));
  const kept = create('WithParam', { operator: 'alice', number: 4n, note: null });
  ledger.run(submit(0, ['alice'], kept));
  const [contract] = [...ledger.active()];
  ledger.run(
    submit(1, ['alice'], exercise('WithParam', contract!.contractId, 'Set', { number: 4711n })),
  );
  ledger.run(
    submit(2, ['alice'], create('WithParam', { operator: 'alice', number: 815n, note: null })),
  );
  const [later] = [...ledger.active()];
  ledger.run(submit(3, ['alice'], exercise('WithParam', later!.contractId, 'Archive')));
  const numbers = samples(valuesOf('archived', ledger), { kind: 'int64' });
  expect(numbers).toContain(815n);
  expect(numbers).not.toContain(4711n);
});

it('reaches the limits of elements, and does not exceed them', () => {
  expect([MAX_ELEMENTS, MAX_VALUE_ELEMENTS, MAX_VALUE_DEPTH]).toEqual([4, 100, 8]);
  const lengths = samples(valuesOf('long'), list({ kind: 'int64' })).map(
    (value) => (value as readonly unknown[]).length,
  );
  expect(Math.max(...lengths)).toBe(MAX_ELEMENTS);
  let deep: DamlType = { kind: 'int64' };
  for (let depth = 0; depth < MAX_VALUE_DEPTH; depth++) deep = list(deep);
  const count = (value: DamlValue): number =>
    Array.isArray(value)
      ? value.reduce((sum: number, each: DamlValue) => sum + 1 + count(each), 0)
      : 0;
  const sizes = samples(valuesOf('deep'), deep, 3_000).map(count);
  expect(Math.max(...sizes)).toBe(MAX_VALUE_ELEMENTS);
});

it('ends at the limit of nesting', () => {
  const levels = (value: DamlValue): number =>
    Array.isArray(value) ? 1 + Math.max(0, ...value.map(levels)) : 0;
  const nested = (depth: number): DamlType =>
    depth === 0 ? { kind: 'int64' } : list(nested(depth - 1));
  const deepest = (depth: number) =>
    Math.max(...samples(valuesOf('levels'), nested(depth), 1_000).map(levels));
  expect(deepest(MAX_VALUE_DEPTH)).toBe(MAX_VALUE_DEPTH);
  expect(deepest(MAX_VALUE_DEPTH + 3)).toBe(MAX_VALUE_DEPTH + 1);
});

describe('the chances of a party', () => {
  const parties = ['alice', 'bob', 'carol', 'dave'];
  const ledger = new FuzzLedger(packages, plainStart(parties));
  ledger.run(submit(0, ['dave'], create('Dummy', { operator: 'dave' })));
  const chances = (focus: readonly string[], of = ledger) =>
    chancesOf((random) => {
      const values = new ValueSource(random, of);
      values.focusOn(focus);
      return values.party();
    });

  it('are 60 % for those in focus, and 6 % of the rest for a stranger', () => {
    const focused = chances(['alice', 'bob']);
    expect(focused.get('alice')).toBeCloseTo(0.3 + 0.4 * 0.94 * 0.6 * 0.25);
    expect(focused.get(STRANGER)).toBeCloseTo(0.4 * 0.06);
    expect(chances([]).get(STRANGER)).toBeCloseTo(0.06);
  });

  it('are 40 % of the rest for those in a contract, and equal for all others', () => {
    const free = chances([]);
    expect(free.get('dave')).toBeCloseTo(0.94 * (0.4 + 0.6 / 4));
    for (const party of ['alice', 'bob', 'carol'])
      expect(free.get(party)).toBeCloseTo(0.94 * 0.6 * 0.25);
    const empty = chances([], new FuzzLedger(packages, plainStart(parties)));
    expect(empty.get('dave')).toBeCloseTo(0.94 / 4);
  });

  it('are those of a stranger alone without parties', () => {
    const none = new FuzzLedger(packages, { ...plainStart(), parties: [] });
    expect([...chances([], none)]).toEqual([[STRANGER, 1]]);
  });
});

describe('the chances of a contract', () => {
  const ledger = new FuzzLedger(packages, plainStart(['alice', 'bob']));
  const of = (operator: string) => create('Dummy', { operator });
  ledger.run(submit(0, ['alice', 'bob'], of('alice'), of('alice'), of('bob')));
  const [first, second, third] = [...ledger.active()].map(({ contractId }) => contractId);
  ledger.run(submit(1, ['alice'], exercise('Dummy', first!, 'Archive')));
  const chances = (focus: readonly string[]) =>
    chancesOf((random) => {
      const values = new ValueSource(random, ledger);
      values.focusOn(focus);
      return values.contractOf([modelId('Dummy')]);
    });

  it('are 1 % for an archived one, and equal for the next active ones', () => {
    const free = chances([]);
    expect(free.get(first!)).toBeCloseTo(0.03 / 3);
    expect(free.get(second!)).toBeCloseTo(0.03 / 3 + (0.97 * 2) / 3);
    expect(free.get(third!)).toBeCloseTo(0.03 / 3 + 0.97 / 3);
  });

  it('are higher for those of a party in focus', () => {
    const focused = chances(['bob']);
    expect(focused.get(third!)).toBeCloseTo(0.01 + 0.97 * (0.5 + 0.5 / 3));
    // Without a contract of the party, another one is taken.
    const nobody = chances(['carol']);
    expect(nobody.get(second!)).toBeCloseTo(0.01 + (0.97 * 2) / 3);
  });

  it('are equal for the templates', () => {
    const two = new FuzzLedger(packages, plainStart(['alice']));
    const ticket = create('Ticket', { issuer: 'alice', owner: 'alice', seat: 7n });
    two.run(submit(0, ['alice'], of('alice'), of('alice'), of('alice'), ticket));
    const templates = [modelId('Dummy'), modelId('Ticket')];
    const all = chancesOf((random) => new ValueSource(random, two).contractOf(templates));
    const last = [...two.active()].at(-1)!;
    expect(all.get(last.contractId)).toBeCloseTo(0.5);
    expect([...all.values()].map((each) => each.toFixed(3))).toEqual([
      '0.167',
      '0.167',
      '0.167',
      '0.500',
    ]);
  });

  it('are none without a contract of the templates', () => {
    expect([...chances([]).keys()]).not.toContain(undefined);
    const other = chancesOf((random) =>
      new ValueSource(random, ledger).contractOf([modelId('Asset')]),
    );
    expect([...other]).toEqual([[undefined, 1]]);
    expect(new ValueSource(new Random(''), ledger).anyContract()).toBeDefined();
  });
});

describe('the chances of texts and lengths', () => {
  const empty = new FuzzLedger(packages, plainStart(['alice']));

  it('are a sixth for the empty text, letters and known texts of the code', () => {
    const constants = { ints: [], numerics: [], texts: ['magic'], timestamps: [], dates: [] };
    const chances = chancesOf((random) => new ValueSource(random, empty, constants).text());
    expect(chances.get('')).toBeCloseTo(1 / 6);
    expect(chances.get('magic')).toBeCloseTo((3 / 6) * 0.25);
    const letters = [...chances.keys()].filter((each) => /^[a-z]$/.test(each));
    expect(letters).toHaveLength(26);
    expect(chances.get('q')).toBeCloseTo(1 / 6 / 26);
    expect(Math.max(...[...chances.keys()].map((each) => each.length))).toBe(64);
  });

  it('are 60 % for one element, and equal for all numbers up to the limit', () => {
    const chances = chancesOf((random) => new ValueSource(random, empty).length(0));
    expect(chances.get(1)).toBeCloseTo(0.6 + 0.4 / (MAX_ELEMENTS + 1));
    for (const length of [0, 2, 3, MAX_ELEMENTS])
      expect(chances.get(length)).toBeCloseTo(0.4 / (MAX_ELEMENTS + 1));
    const deepest = (depth: number) =>
      Math.max(...chancesOf((random) => new ValueSource(random, empty).length(depth)).keys());
    expect(deepest(MAX_VALUE_DEPTH - 1)).toBe(MAX_ELEMENTS);
    expect(deepest(MAX_VALUE_DEPTH)).toBe(0);
  });
});

/** A package with types, and a template whose payload has the type `State`. */
function packageWith(id: string, bodies: Readonly<Record<string, DataBody>>): DamlPackage {
  const dataTypes = new Map(
    Object.entries(bodies).map(([name, body]) => [
      `Types:${name}`,
      { serializable: true, params: [], body },
    ]),
  );
  const template = {
    id: `${id}:Types:State`,
    packageName: 'own',
    payloadType: { kind: 'con', id: `${id}:Types:State`, args: [] },
    choices: new Map(),
    implementations: new Map(),
    code: {},
  } as never;
  const templates = new Map([['Types:State', template]]);
  return { ...typesPackage, id, name: 'own', dataTypes, templates } as never;
}

describe('values of named types', () => {
  const field = (name: string, type: DamlType) => ({ name, type });
  const INT: DamlType = { kind: 'int64' };
  const own = (entity: string): DamlType => ({
    kind: 'con',
    id: `${OWN}:Types:${entity}`,
    args: [],
  });
  const OWN = 'b2'.repeat(32);
  const variant = (...of: readonly (readonly [string, DamlType])[]) =>
    ({ kind: 'variant', constructors: of.map(([name, type]) => field(name, type)) }) as const;
  const record = (...of: readonly (readonly [string, DamlType])[]) =>
    ({ kind: 'record', fields: of.map(([name, type]) => field(name, type)) }) as const;
  const BODIES = {
    One: record(['only', INT]),
    None: record(),
    Inner: record(['a', own('One')]),
    // Its least value has fewer levels than that of `Inner`, its largest has more.
    Either: variant(['Deep', own('Deeper')], ['Empty', own('None')], ['Flat', own('Color')]),
    Color: { kind: 'enum', constructors: ['Red', 'Green'] } as const,
    Deeper: record(['a', own('Inner')]),
    Chain: variant(['Longer', own('Link')], ['Wide', own('Inner')], ['Short', own('Either')]),
    Link: record(['next', own('Chain')]),
  };
  const ownPackage = packageWith(OWN, BODIES);
  const ledger = new FuzzLedger(new ScriptPackages([ownPackage]), plainStart(['alice']));

  it('have all their fields', () => {
    const values = valuesOf('fields', ledger);
    expect(Object.keys(values.make(own('One')) as object)).toEqual(['only']);
    expect(values.make(own('None'))).toEqual({});
  });

  it('end with the constructor of the fewest levels at the limit of nesting', () => {
    const ends = new Set<string>();
    const levels = (value: DamlValue): number => {
      const { tag, value: inner } = value as { tag: string; value: DamlRecord };
      if (tag === 'Longer') return 2 + levels(inner['next']!);
      ends.add(tag);
      return 0;
    };
    const all = samples(valuesOf('chains', ledger), own('Chain'), 3_000).map((each) => ({
      levels: levels(each),
      end: (each as { tag: string }).tag,
    }));
    expect(ends).toEqual(new Set(['Wide', 'Short']));
    expect(Math.max(...all.map((each) => each.levels))).toBe(MAX_VALUE_DEPTH);
    const longest = samples(valuesOf('chains', ledger), own('Chain'), 3_000).filter(
      (each) => levels(each) === MAX_VALUE_DEPTH,
    );
    ends.clear();
    longest.forEach(levels);
    expect(ends).toEqual(new Set(['Short']));
    const last = (value: DamlValue): string => {
      const { tag, value: inner } = value as { tag: string; value: DamlRecord };
      return tag === 'Longer' ? last(inner['next']!) : (inner as unknown as { tag: string }).tag;
    };
    expect(new Set(longest.map(last))).toEqual(new Set(['Flat']));
  });
});

describe('values of the state', () => {
  const OWN = 'c3'.repeat(32);
  const INT: DamlType = { kind: 'int64' };
  const TEXT: DamlType = { kind: 'text' };
  const field = (name: string, type: DamlType) => ({ name, type });
  const own = (name: string): DamlType => ({ kind: 'con', id: `${OWN}:Types:${name}`, args: [] });
  const DEPTH = 8;
  const levels = Array.from({ length: DEPTH }, (_, level) => [
    `Level${level}`,
    {
      kind: 'record',
      fields: [
        field('value', INT),
        ...(level < DEPTH - 1 ? [field('next', own(`Level${level + 1}`))] : []),
      ],
    },
  ]);
  const BODIES = {
    ...Object.fromEntries(levels),
    State: {
      kind: 'record',
      fields: [
        field('maybe', { kind: 'optional', of: TEXT }),
        field('many', { kind: 'list', of: { kind: 'date' } }),
        field('texts', { kind: 'textMap', of: { kind: 'timestamp' } }),
        field('pairs', {
          kind: 'genMap',
          key: { kind: 'party' },
          value: { kind: 'numeric', scale: 2 },
        }),
        field('either', own('Either')),
        field('deep', own('Level0')),
      ],
    },
    Either: { kind: 'variant', constructors: [field('Yes', TEXT), field('No', { kind: 'date' })] },
  } as const;
  const nested = (level: number): DamlRecord => ({
    value: BigInt(100 + level),
    ...(level < DEPTH - 1 && { next: nested(level + 1) }),
  });
  const payload: DamlRecord = {
    maybe: new Some('maybe'),
    many: [11, 12],
    texts: new Map([['key', 5n]]),
    pairs: [['carol', Numeric.of('3.25', 2)]] as never,
    either: new DamlVariant('Yes', 'either'),
    deep: nested(0),
  };
  const known = (kind: LeafKind, values: DamlRecord = payload) => {
    const id = `${OWN}:Types:State`;
    const contract = { contractId: 'c1', templateId: id, packageName: 'own', payload: values };
    const instance = { ...contract, signatories: ['alice'], observers: [], createdAt: 0n };
    const start = { ...plainStart(['alice']), contracts: [instance] };
    const ledger = new FuzzLedger(new ScriptPackages([packageWith(OWN, BODIES)]), start);
    const chances = chancesOf((random) => String(new ValueSource(random, ledger).known(kind, [])));
    return [...chances.keys()].sort();
  };

  it('are those in optionals, lists, maps and variants: the first of each', () => {
    expect(known('text')).toEqual(['either', 'key', 'maybe']);
    expect(known('date')).toEqual(['11', 'undefined']);
    expect(known('timestamp')).toEqual(['5']);
    expect(known('party')).toEqual(['carol']);
    expect(known('numeric')).toEqual(['3.25']);
  });

  it('are absent where a payload has none', () => {
    const empty = { ...payload, maybe: null, many: [], texts: new Map(), pairs: [] };
    expect(known('text', empty)).toEqual(['either', 'undefined']);
    expect(known('date', { ...empty, either: new DamlVariant('No', 7) })).toEqual([
      '7',
      'undefined',
    ]);
    expect(known('party', empty)).toEqual(['undefined']);
  });

  it('are absent if three random contracts are archived', () => {
    const ledger = new FuzzLedger(packages, plainStart(['alice']));
    const dummy = create('Dummy', { operator: 'alice' });
    ledger.run(submit(0, ['alice'], dummy, dummy));
    const { contractId } = [...ledger.active()][0]!;
    ledger.run(submit(1, ['alice'], exercise('Dummy', contractId, 'Archive')));
    const found = chancesOf((random) => new ValueSource(random, ledger).known('party', []));
    expect(found.get(undefined)).toBeCloseTo((1 / 2) ** 3);
  });

  it('are at most 64 of a template for each kind', () => {
    const count = (fields: number): number => {
      const names = Array.from({ length: fields }, (_, place) => `f${place}`);
      const wide = { kind: 'record', fields: names.map((name) => field(name, INT)) } as const;
      const id = `${OWN}:Types:State`;
      const values = Object.fromEntries(names.map((name, place) => [name, BigInt(place)]));
      const contract = { contractId: 'c1', templateId: id, packageName: 'own', payload: values };
      const instance = { ...contract, signatories: ['alice'], observers: [], createdAt: 0n };
      const start = { ...plainStart(['alice']), contracts: [instance] };
      const ledger = new FuzzLedger(new ScriptPackages([packageWith(OWN, { State: wide })]), start);
      return chancesOf((random) => new ValueSource(random, ledger).known('int64', [])).size;
    };
    expect([64, 65].map(count)).toEqual([64, 64]);
  });

  it('are at most six levels deep', () => {
    expect(known('int64')).toEqual(['100', '101', '102', '103', '104']);
  });
});
