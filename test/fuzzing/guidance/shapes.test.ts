/** Shapes of payloads and states: each kind of value has buckets, and each is new only once. */
import { d, definePackage, defineTemplate } from 'canticle';
import { STABLE_PACKAGES } from '../../../src/daml/define/stable-packages.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import {
  DamlVariant,
  Some,
  type DamlRecord,
  type DamlValue,
} from '../../../src/daml/model/values.js';
import { PayloadShape } from '../../../src/fuzzing/guidance/payload-shape.js';
import { StateShapes } from '../../../src/fuzzing/guidance/state-shapes.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { create, exercise, packages, submit } from '../models.js';

const Shaped = defineTemplate({
  name: 'Shapes:Shaped',
  fields: {
    owner: d.party,
    flag: d.bool,
    amount: d.numeric(2),
    count: d.int64,
    text: d.text,
    at: d.timestamp,
    items: d.list(d.int64),
    byName: d.textMap(d.int64),
    colour: d.enum('Shapes:Colour', ['Red', 'Green']),
    choice: d.variant('Shapes:Choice', { Left: d.int64, Right: d.text }),
    maybe: d.optional(d.bool),
  },
  signatories: ({ owner }) => [owner],
});
const shapes = definePackage({ name: 'shapes', version: '1.0.0', templates: [Shaped] });
const own = new ScriptPackages([...STABLE_PACKAGES, shapes]);

const plain: DamlRecord = {
  owner: 'alice',
  flag: false,
  amount: Numeric.of('5', 2),
  count: 5n,
  text: '',
  at: 100n,
  items: [],
  byName: new Map(),
  colour: 'Red',
  choice: new DamlVariant('Left', 5n),
  maybe: null,
};
const NOW = 100n;

/** How many features are new for each value of a field, after the plain payload. */
function fresh(field: string, ...values: readonly DamlValue[]): readonly number[] {
  const shape = new PayloadShape(own, `${shapes.id}:Shapes:Shaped`);
  expect(shape.see(plain, NOW)).toBeGreaterThan(10);
  expect(shape.see(plain, NOW)).toBe(0);
  return values.map((value) => shape.see({ ...plain, [field]: value }, NOW));
}

it.each([
  ['flag', [true, true], [1, 0]],
  [
    'count',
    [6n, 0n, 1n, -1n, -9n, 10n, 999n, 1_000n, 999_999n, 1_000_000n, 2n ** 62n],
    [0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0],
  ],
  ['text', ['a', 'b', 'ab', 'abc'], [1, 0, 1, 0]],
  ['at', [99n, 98n, 101n, 102n, 100n], [1, 0, 1, 0, 0]],
  ['colour', ['Green', 'Red'], [1, 0]],
  // The value in another constructor is new, too.
  ['choice', [new DamlVariant('Right', 'a'), new DamlVariant('Left', 0n)], [2, 1]],
  ['maybe', [new Some(false), new Some(true)], [2, 1]],
  // The first element is a feature.
  ['items', [[5n], [5n, 6n], [5n, 6n, 7n], [5n, 6n, 7n, 8n]], [2, 1, 1, 0]],
  ['byName', [new Map([['a', 1n]]), new Map([['b', 2n]])], [1, 0]],
] as const)('%s', (field, values, expected) => {
  expect(fresh(field, ...(values as readonly DamlValue[]))).toEqual(expected);
});

it('numerics by their size in units', () => {
  const numerics = ['0.5', '0.01', '1', '0', '-0.01'].map((each) => Numeric.of(each, 2));
  expect(fresh('amount', ...numerics)).toEqual([1, 0, 1, 1, 1]);
});

it('roles are those of the first six parties', () => {
  const names = Array.from({ length: 7 }, (_, place) => `p${place}`);
  const Wide = defineTemplate({
    name: 'Shapes:Wide',
    fields: Object.fromEntries(names.map((name) => [name, d.party])),
    signatories: (payload) => [(payload as Record<string, string>)['p0']!],
  });
  const wide = definePackage({ name: 'wide', version: '1.0.0', templates: [Wide] });
  const shape = new PayloadShape(
    new ScriptPackages([...STABLE_PACKAGES, wide]),
    `${wide.id}:Shapes:Wide`,
  );
  const apart = Object.fromEntries(names.map((name) => [name, name]));
  expect(shape.see(apart, NOW)).toBe(1);
  expect(shape.see({ ...apart, p6: 'p0' }, NOW)).toBe(0);
  expect(shape.see({ ...apart, p5: 'p0' }, NOW)).toBe(1);
});

/** The features of a template with these fields that are new for its first payload, without the roles of its parties. */
function firstOf(fields: Readonly<Record<string, never>>, payload: DamlRecord): number {
  const Own = defineTemplate({
    name: 'Shapes:Own',
    fields: { owner: d.party, ...fields },
    signatories: ({ owner }) => [owner],
  });
  const one = definePackage({ name: 'one', version: '1.0.0', templates: [Own] });
  const all = new ScriptPackages([...STABLE_PACKAGES, one]);
  const shape = new PayloadShape(all, `${one.id}:Shapes:Own`);
  return shape.see({ owner: 'alice', ...payload }, NOW) - 1;
}

it('has at most 200 features', () => {
  const features = (count: number): number => {
    const names = Array.from({ length: count }, (_, place) => `f${place}`);
    const fields = Object.fromEntries(names.map((name) => [name, d.bool]));
    return firstOf(fields as never, Object.fromEntries(names.map((name) => [name, true])));
  };
  expect([199, 200, 201].map(features)).toEqual([199, 200, 200]);
});

it('has features of values up to five levels deep', () => {
  // The field is at the first level, and each optional is one more.
  const features = (optionals: number): number => {
    let type: unknown = d.bool;
    let value: DamlValue = true;
    for (let level = 0; level < optionals; level++) {
      type = d.optional(type as never);
      value = new Some(value);
    }
    return firstOf({ field: type } as never, { field: value });
  };
  expect([0, 3, 4, 5, 6].map(features)).toEqual([1, 4, 5, 5, 5]);
});

it('states have shapes by the outcomes of commands, payloads and numbers of contracts', () => {
  const ledger = new FuzzLedger(packages, plainStart(['alice', 'bob']));
  const states = new StateShapes();
  let number = 0;
  const seen = (actor: string, ...commands: Parameters<typeof submit>[2][]) => {
    states.see(ledger.run(submit(number++, [actor], ...commands)), ledger);
    return states.takeNew();
  };
  const dummy = create('Dummy', { operator: 'alice' });
  // The outcome, the roles of the payload, and the first contract.
  expect(seen('alice', dummy)).toBe(3);
  // The second contract.
  expect(seen('alice', dummy)).toBe(1);
  // A rejection.
  expect(seen('bob', dummy)).toBe(1);
  expect(seen('bob', dummy)).toBe(0);
  const [first, second] = [...ledger.active()].map(({ contractId }) => contractId);
  expect(seen('alice', exercise('Dummy', first!, 'Consume'))).toBe(1);
  expect(seen('alice', exercise('Dummy', second!, 'Consume'))).toBe(0);
  // One contract again, and then up to eight.
  const later = Array.from({ length: 12 }, () => seen('alice', dummy));
  expect(later).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
  expect(states.takeNew()).toBe(0);
});
