/** Random values have their types, and stay small. */
import fc from 'fast-check';
import { normaliseValue } from '../../../src/daml/codec/normalise.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import type { DamlValue } from '../../../src/daml/model/values.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import { Random } from '../../../src/fuzzing/values/random.js';
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
