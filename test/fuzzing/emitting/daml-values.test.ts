/** Values as Daml source, with the imports that they need. */
import { Numeric } from '../../../src/daml/model/numeric.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import { DamlVariant, Some, UNIT, type DamlValue } from '../../../src/daml/model/values.js';
import { DamlSource } from '../../../src/fuzzing/emitting/daml-values.js';
import {
  contractIdType,
  genMapType,
  INT64,
  listType,
  named,
  numericType,
  optionalType,
  packages,
  PARTY,
  TEXT,
  textMapType,
} from '../../support/daml/arbitrary-daml.js';

const names = {
  party: (party: string) => party.toLowerCase(),
  contract: (id: string) => (id === '00ab' ? 'iou1' : undefined),
};
const TIME: DamlType = { kind: 'timestamp' };
const DATE: DamlType = { kind: 'date' };

test.each<[DamlType, DamlValue, string, readonly string[]]>([
  [{ kind: 'unit' }, UNIT, '()', []],
  [{ kind: 'bool' }, true, 'True', []],
  [{ kind: 'bool' }, false, 'False', []],
  [INT64, 5n, '5', []],
  [INT64, -5n, '(-5)', []],
  [numericType(10), Numeric.of('1.5'), '1.5', []],
  [numericType(10), Numeric.of('-2'), '(-2.0)', []],
  [TEXT, 'a "b" \\ c', '"a \\"b\\" \\\\ c"', []],
  [TEXT, 'x\ny\t\u00017', '"x\\ny\\t\\1\\&7"', []],
  [PARTY, 'Alice', 'alice', []],
  [contractIdType, '00ab', 'iou1', []],
  [contractIdType, '00cd', '(error "a contract that does not exist")', []],
  [DATE, 0, '(date 1970 Jan 1)', ['import DA.Date (Month (..), date)']],
  [DATE, -1, '(date 1969 Dec 31)', ['import DA.Date (Month (..), date)']],
  [
    TIME,
    86_400_000_000n,
    '(time (date 1970 Jan 2) 0 0 0)',
    ['import DA.Date (Month (..), date)', 'import DA.Time (addRelTime, microseconds, time)'],
  ],
  [
    TIME,
    -1n,
    '(addRelTime (time (date 1969 Dec 31) 0 0 0) (microseconds 86399999999))',
    ['import DA.Date (Month (..), date)', 'import DA.Time (addRelTime, microseconds, time)'],
  ],
  [optionalType(INT64), null, 'None', []],
  [optionalType(INT64), new Some(-1n), '(Some (-1))', []],
  [listType(TEXT), ['a', 'b'], '["a", "b"]', []],
  [
    textMapType(INT64),
    new Map([['k', 1n]]),
    '(TextMap.fromList [("k", 1)])',
    ['import qualified DA.TextMap as TextMap'],
  ],
  [
    genMapType(INT64, TEXT),
    [[1n, 'x']],
    '(Map.fromList [(1, "x")])',
    ['import qualified DA.Map as Map'],
  ],
  [named('Colour'), 'Blue', 'Arbitrary.Types.Blue', ['import qualified Arbitrary.Types']],
  [
    named('Shape'),
    new DamlVariant('Point', UNIT),
    'Arbitrary.Types.Point',
    ['import qualified Arbitrary.Types'],
  ],
  [
    named('Shape'),
    new DamlVariant('Circle', Numeric.of('-1', 4)),
    '(Arbitrary.Types.Circle (-1.0))',
    ['import qualified Arbitrary.Types'],
  ],
])('%j: %j', (type, value, text, imports) => {
  const source = new DamlSource(packages, names);
  expect(source.value(type, value)).toBe(text);
  expect(source.imports).toEqual(imports);
});

const pair = (name: string, ...args: DamlType[]): DamlType => ({
  kind: 'con',
  id: `${'0'.repeat(64)}:${name}`,
  args,
});

test.each<[string, DamlType, DamlValue, string]>([
  ['a pair', pair('DA.Types:Tuple2', INT64, TEXT), { _1: 1n, _2: 'x' }, '(1, "x")'],
  ['an Either', pair('DA.Types:Either', INT64, TEXT), new DamlVariant('Right', 'x'), '(Right "x")'],
  ['a RelTime', pair('DA.Time.Types:RelTime'), { microseconds: 5n }, '(microseconds 5)'],
  ['a Set', pair('DA.Set.Types:Set', INT64), { map: [[3n, UNIT]] }, '(Set.fromList [3])'],
  [
    'a NonEmpty',
    pair('DA.NonEmpty.Types:NonEmpty', INT64),
    { hd: 1n, tl: [2n] },
    '(NonEmpty with hd = 1; tl = [2])',
  ],
])('%s of the standard library', (_, type, value, text) => {
  expect(new DamlSource(packages, names).value(type, value)).toBe(text);
});
