/** Constants of code: which ones, and how many. */
import { readDar } from '../../../src/daml/index.js';
import type { DamlPackage } from '../../../src/daml/model/package.js';
import { constantsOf } from '../../../src/fuzzing/values/constants.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { modelPackage } from '../../support/daml/model-package.js';
import { e, t, zooPackage, type Code } from '../zoo/notation.js';

type Values = Readonly<Record<string, { type: Parameters<typeof t.list>[0]; expression: Code }>>;

/** A package with these top-level values. */
function packageOf(values: Values): DamlPackage {
  return readDar(buildDar(zooPackage({ templates: {}, more: { values } }))).main;
}
const listOf = (type: Parameters<typeof t.list>[0], items: readonly Code[]) => ({
  type: t.list(type),
  expression: e.list(type, items),
});
const upTo = (count: number) => Array.from({ length: count }, (_, place) => place);

it('are those of each kind in archives, once, in the order of the code', () => {
  const values = {
    ints: listOf(
      t.int64,
      [3, 1, 3].map((each) => e.int(each)),
    ),
    texts: listOf(
      t.text,
      ['b', 'a', 'b'].map((each) => e.text(each)),
    ),
    dates: listOf(
      t.date,
      [7, 7].map((each) => e.date(each)),
    ),
    times: listOf(
      t.timestamp,
      [9n, 8n].map((each) => e.timestamp(each)),
    ),
    numbers: listOf(
      t.numeric(2),
      ['1.50', '0.25', '1.50'].map((each) => e.numeric(each)),
    ),
  };
  const { numerics, ...others } = constantsOf([modelPackage, packageOf(values)]);
  expect(others).toEqual({ ints: [3n, 1n], texts: ['b', 'a'], dates: [7], timestamps: [9n, 8n] });
  expect(numerics.map(String)).toEqual(['1.50', '0.25']);
});

it('are at most 2,000 of each kind', () => {
  const counts = (count: number) => {
    const values = {
      ints: listOf(
        t.int64,
        upTo(count).map((each) => e.int(each)),
      ),
      texts: listOf(
        t.text,
        upTo(count).map((each) => e.text(`t${each}`)),
      ),
      dates: listOf(
        t.date,
        upTo(count).map((each) => e.date(each)),
      ),
      times: listOf(
        t.timestamp,
        upTo(count).map((each) => e.timestamp(BigInt(each))),
      ),
      numbers: listOf(
        t.numeric(2),
        upTo(count).map((each) => e.numeric(`${each}.00`)),
      ),
    };
    return Object.values(constantsOf([packageOf(values)])).map(({ length }) => length);
  };
  expect(counts(1_999)).toEqual([1_999, 1_999, 1_999, 1_999, 1_999]);
  expect(counts(2_000)).toEqual([2_000, 2_000, 2_000, 2_000, 2_000]);
  expect(counts(2_001)).toEqual([2_000, 2_000, 2_000, 2_000, 2_000]);
});

it('include texts of up to 100 characters', () => {
  const [kept, message] = ['k'.repeat(100), 'm'.repeat(101)];
  const values = {
    texts: listOf(
      t.text,
      [message, kept].map((each) => e.text(each)),
    ),
  };
  expect(constantsOf([packageOf(values)]).texts).toEqual([kept]);
});
