/** Contract ids in keys that commands name: the error names the first of them (B-CMD-073). */
import { contractIdInGivenKey } from '../../../src/daml/codec/contract-ids.js';
import { decodeValue } from '../../../src/daml/codec/json/codec.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import {
  contractIdType,
  genMapType,
  INT64,
  listType,
  named,
  optionalType,
  packages,
  PARTY,
  TEXT,
  textMapType,
} from '../../support/daml/arbitrary-daml.js';

const idOf = (digits: string) => `00${digits.repeat(32)}ca121220${'cd'.repeat(32)}`;
const [A, B] = [idOf('aa'), idOf('bb')];
const ID = contractIdType;
const MAYBE = optionalType(ID);

const contractIdIn = (type: DamlType, json: unknown) =>
  contractIdInGivenKey(packages, type, decodeValue(packages, type, json, 'contractKey'));

test.each<[what: string, type: DamlType, json: unknown]>([
  ['an id', ID, A],
  ['an optional', MAYBE, A],
  ['an optional of an optional', optionalType(MAYBE), [[A]]],
  ['a list', listType(MAYBE), [null, A, B]],
  ['a text map', textMapType(MAYBE), { a: null, b: A, c: B }],
  ['a key of a map', genMapType(ID, INT64), [[A, '1']]],
  [
    'a value of a map',
    genMapType(TEXT, MAYBE),
    [
      ['a', null],
      ['b', A],
      ['c', B],
    ],
  ],
  ['an entry of a map, the key first', genMapType(ID, ID), [[A, B]]],
  ['a record', named('Pair', MAYBE, ID), { _1: null, _2: A }],
  ['the first field of a record', named('Pair', ID, ID), { _1: A, _2: B }],
  [
    'a variant',
    named('Chain', ID),
    { tag: 'Link', value: { _1: A, _2: { tag: 'End', value: {} } } },
  ],
])('finds the id in %s', (_what, type, json) => {
  expect(contractIdIn(type, json)).toMatchObject({
    code: 'COMMAND_PREPROCESSING_FAILED',
    details: { cause: `Contract IDs are not supported in contract keys: ${A}` },
  });
});

test.each<[what: string, type: DamlType, json: unknown]>([
  ['scalars', named('Pair', PARTY, TEXT), { _1: 'alice', _2: A }],
  ['empty lists and optionals', named('Pair', listType(ID), MAYBE), { _1: [], _2: null }],
  ['an empty map', genMapType(ID, ID), []],
  [
    'a constructor of an enumeration',
    named('Pair', named('Colour'), INT64),
    { _1: 'Red', _2: '1' },
  ],
  ['a variant without a contract id', named('Chain', ID), { tag: 'End', value: {} }],
])('finds no id in %s', (_what, type, json) => {
  expect(contractIdIn(type, json)).toBeUndefined();
});
