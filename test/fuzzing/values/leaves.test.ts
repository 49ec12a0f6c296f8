/** Leaves of values: each scalar of a step can change, wherever it is. */
import { readDar } from '../../../src/daml/index.js';
import { DamlVariant, Some, UNIT, type DamlRecord } from '../../../src/daml/model/values.js';
import { Leaves } from '../../../src/fuzzing/values/leaves.js';
import type { Step } from '../../../src/fuzzing/model/step.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';

const encoded = encodePackage({
  name: 'leaves',
  modules: {
    Main: {
      types: {
        Shape: { variant: { Point: t.unit, Circle: t.int64, Named: t.text } },
        Inner: { record: { owner: t.party, shape: t.con('Main:Shape') } },
      },
      templates: {
        Outer: {
          fields: {
            owner: t.party,
            maybe: t.optional(t.text),
            list: t.list(t.con('Main:Inner')),
            texts: t.textMap(t.int64),
          },
        },
      },
    },
  },
});
const { main, packages } = readDar(buildDar(encoded));
const leaves = new Leaves(new ScriptPackages(packages));
const inner = (owner: string, shape: DamlVariant): DamlRecord => ({ owner, shape });
const payload = (owner: string, text: string, number: bigint): DamlRecord => ({
  owner,
  maybe: new Some(text),
  list: [
    inner(owner, new DamlVariant('Circle', number)),
    inner(owner, new DamlVariant('Named', text)),
    inner(owner, new DamlVariant('Point', UNIT)),
  ],
  texts: new Map([['key', number]]),
});
const step = (owner: string, text: string, number: bigint): Step => ({
  kind: 'submit',
  number: 3,
  submission: {
    actAs: [owner],
    readAs: [],
    commands: [
      {
        kind: 'create',
        templateId: `${main.id}:Main:Outer`,
        payload: payload(owner, text, number),
      },
    ],
  },
});

test('every leaf is visited in the same order, and can change', () => {
  const visited: string[] = [];
  const [changed] = leaves.changed([step('alice', 'a', 1n)], (type, value) => {
    visited.push(`${type.kind} ${String(value)}`);
    if (type.kind === 'party') return 'bob';
    return type.kind === 'text' ? 'b' : 2n;
  });
  expect(changed).toEqual(step('bob', 'b', 2n));
  expect(visited).toEqual([
    'party alice',
    'party alice',
    'text a',
    'party alice',
    'int64 1',
    'party alice',
    'text a',
    'party alice',
    'int64 1',
  ]);
});

test('an advance has one leaf, which stays positive', () => {
  const advance: Step = { kind: 'advance', number: 1, micros: 5n };
  expect(leaves.changed([advance], () => 3n)).toEqual([{ ...advance, micros: 3n }]);
  expect(leaves.changed([advance], () => 0n)).toEqual([advance]);
});
