/**
 * Keys that differ anywhere are different, and equal keys are the same, for all types (upstream SValueHashSpec). A query finds a
 * contract by its own key only. Optional fields at the end do not count where they are None.
 */
import { createCanticle } from 'canticle';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e, u } from '../../../support/daml/lf-code.js';
import { encodePackage, type Fields, type ModuleSpec } from '../../../support/daml/lf-encoder.js';
import { answer, type Refusal } from '../../../support/daml/lf-probe.js';
import { t } from '../../../support/daml/lf-types.js';

const PART = t.con('Main:Part');
const RECORD = { record: { x: t.int64, y: t.optional(t.int64) } };
const KEY = t.con('Main:Key');
const TYPES = {
  Bool: t.bool,
  Int: t.int64,
  Decimal: t.numeric(10),
  Text: t.text,
  Date: t.date,
  Time: t.timestamp,
  Party: t.party,
  Texts: t.list(t.text),
  Decimals: t.list(t.numeric(10)),
  Lists: t.list(t.list(t.text)),
  Optionals: t.list(t.optional(t.int64)),
  TextMap: t.textMap(t.int64),
  GenMap: t.genMap(t.text, t.int64),
  One: t.con('Main:One'),
  Other: t.con('Main:Other'),
  Labelled: t.con('Main:Labelled'),
  Color: t.con('Main:Color'),
  Shade: t.con('Main:Shade'),
  Pairs: t.list(t.con('Main:One')),
};

const template = (name: string): NonNullable<ModuleSpec['templates']> => {
  const type = t.con(`Main:${name}`);
  const key = e.field(type, 'key', e.var('this'));
  const owners = e.list(t.party, [e.field(KEY, 'owner', key)]);
  return {
    [name]: {
      fields: { key: KEY },
      precondition: e.true,
      signatories: owners,
      key: {
        type: KEY,
        body: key,
        maintainers: e.lambda({ key: KEY }, e.list(t.party, [e.field(KEY, 'owner', e.var('key'))])),
      },
      choices: {
        Touch: {
          consuming: false,
          argument: t.unit,
          returns: t.unit,
          controllers: owners,
          update: u.pure(t.unit, e.unit),
        },
      },
    },
  };
};
const pack = (name: string) =>
  encodePackage({
    name,
    lf: '3',
    modules: {
      Main: {
        types: {
          One: RECORD,
          Other: RECORD,
          Labelled: { record: { x: t.int64, z: t.optional(t.int64) } },
          Color: { enum: ['Red', 'Green'] },
          Shade: { enum: ['Red', 'Green'] },
          Part: { variant: TYPES },
          Key: { record: { owner: t.party, part: PART } },
        },
        templates: { ...template('Item'), ...template('Twin') },
      },
    },
  });
const main = pack('keys');
const twin = pack('other-keys');
const { participant } = createCanticle({ seed: 1 });
participant.uploadDar(buildDar(main));
participant.uploadDar(buildDar(twin));
const alice = participant.allocateParty('alice');
const bob = participant.allocateParty('bob');

type Part = readonly [tag: keyof typeof TYPES, value: unknown];
const keyOf = ([tag, value]: Part) => ({ owner: alice, part: { tag, value } });
const make = (part: Part) =>
  participant.create(`${main.id}:Main:Item`, { key: keyOf(part) }, { actAs: [alice] });
const isFound = (part: Part, id = `${main.id}:Main:Item`) => {
  const found = answer(() =>
    participant.exerciseByKey(id, keyOf(part), 'Touch', {}, { actAs: [alice] }),
  );
  const refused = (found as Partial<Refusal>).refused;
  if (refused !== undefined) expect(refused).toBe('CONTRACT_KEY_NOT_FOUND');
  return refused === undefined;
};

const PARTS: readonly Part[] = [
  ['Bool', true],
  ['Bool', false],
  ['Int', '0'],
  ['Int', '1'],
  ['Int', '-1'],
  ['Decimal', '1.0'],
  ['Decimal', '0.1'],
  ['Text', '1'],
  ['Text', ''],
  ['Date', '1970-01-02'],
  ['Date', '1970-01-01'],
  ['Time', '1970-01-01T00:00:00Z'],
  ['Time', '1970-01-01T00:00:00.000001Z'],
  ['Party', 'alice'],
  ['Party', 'bob'],
  ['Texts', []],
  ['Texts', ['a', 'b']],
  ['Texts', ['ab']],
  ['Texts', ['ab', '']],
  ['Decimals', ['10.0', '10.0']],
  ['Decimals', ['10.0', '1.0']],
  ['Lists', [[], ['a']]],
  ['Lists', [['a'], []]],
  ['Lists', [['a']]],
  ['Optionals', []],
  ['Optionals', [null]],
  ['Optionals', ['1']],
  ['TextMap', { a: '1', b: '2' }],
  ['TextMap', { a: '2', b: '1' }],
  ['TextMap', { a: '1' }],
  ['GenMap', [['a', '1']]],
  ['GenMap', [['a', '2']]],
  ['GenMap', [['b', '1']]],
  ['One', { x: '1', y: '2' }],
  ['One', { x: '1' }],
  ['Other', { x: '1' }],
  ['Labelled', { x: '1', z: '2' }],
  ['Color', 'Red'],
  ['Color', 'Green'],
  ['Shade', 'Red'],
  ['Pairs', [{ x: '1', y: '2' }, { x: '3' }]],
  ['Pairs', [{ x: '1' }, { x: '3', y: '2' }]],
].map(([tag, value]): Part => [
  tag as keyof typeof TYPES,
  value === 'alice' ? alice : value === 'bob' ? bob : value,
]);

test('different keys have different hashes', () => {
  for (const part of PARTS) {
    expect([part, isFound(part)]).toEqual([part, false]);
    make(part);
    expect([part, isFound(part)]).toEqual([part, true]);
  }
});

test('keys of another template or package have different hashes', () => {
  const part: Part = ['Int', '0'];
  expect(isFound(part)).toBe(true);
  expect(isFound(part, `${main.id}:Main:Twin`)).toBe(false);
  expect(isFound(part, `${twin.id}:Main:Item`)).toBe(false);
});

test('a None in the last field does not change a hash', () => {
  expect(isFound(['One', { x: '1', y: null }])).toBe(true);
});

test('a None that a later version of the key adds does not change a hash', () => {
  const version = (number: string, more: Fields) =>
    encodePackage({
      name: 'evolving-keys',
      version: number,
      lf: '3',
      modules: {
        Main: {
          types: { Key: { record: { owner: t.party, ...more } } },
          templates: template('Tag'),
        },
      },
    });
  const [first, second] = [version('1.0.0', {}), version('2.0.0', { more: t.optional(t.int64) })];
  for (const each of [first, second]) participant.uploadDar(buildDar(each));
  const options = { actAs: [alice] };
  participant.create(`${first.id}:Main:Tag`, { key: { owner: alice } }, options);
  const touch = (more: string | null) =>
    answer(() => {
      const key = { owner: alice, more };
      return participant.exerciseByKey(`${second.id}:Main:Tag`, key, 'Touch', {}, options).result;
    });
  expect(touch(null)).toEqual({});
  expect(touch('1')).toMatchObject({ refused: 'CONTRACT_KEY_NOT_FOUND' });
});
