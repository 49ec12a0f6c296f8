/** BigNumeric of Daml-LF 2.dev at its bounds: the tables of upstream's SBuiltinBigNumericTest. */
import { e, type Code } from '../../../support/daml/lf-code.js';
import type { ModuleSpec } from '../../../support/daml/lf-encoder.js';
import { ROUNDING_MODES, type RoundingMode } from '../../../support/daml/rounding.js';
import { t } from '../../../support/daml/lf-types.js';
import { call, valuesOf } from '../expression-values.js';

const BIG = t.builtin(1002);
const MAX_SCALE = 2 ** 15;
const MIN_SCALE = 1 - MAX_SCALE;
const HALF = Math.trunc(MIN_SCALE / 2);
const of = (digits: string): Code =>
  call('NUMERIC_TO_BIGNUMERIC', t.nat((digits.split('.')[1] ?? '').length), e.numeric(digits));
const whole = (value: number) => of(`${value}.`);
const shift = (places: number | bigint, value: Code) =>
  call('SHIFT_RIGHT_BIGNUMERIC', e.int(places), value);
const add = (a: Code, b: Code) => call('ADD_BIGNUMERIC', a, b);
const subtract = (a: Code, b: Code) => call('SUB_BIGNUMERIC', a, b);
const divide = (scale: number, mode: RoundingMode, a: Code, b: Code) =>
  call('DIV_BIGNUMERIC', e.int(scale), e.roundingMode(ROUNDING_MODES.indexOf(mode)), a, b);
const ONE = whole(1);
const UNDER_SQRT_10 = of('3.1622776601683793319988935444327185337');
const OVER_SQRT_10 = of('3.1622776601683793319988935444327185338');

const nines = (one: Code, least: Code) => {
  const below = subtract(one, least);
  return add(below, shift(-MAX_SCALE, below));
};
const LIMITS: Readonly<Record<string, Code>> = {
  zero: whole(0),
  one: ONE,
  minusOne: whole(-1),
  minPositive: shift(MAX_SCALE, ONE),
  maxPositive: nines(ONE, shift(MAX_SCALE, ONE)),
  maxNegative: shift(MAX_SCALE, whole(-1)),
  minNegative: nines(whole(-1), shift(MAX_SCALE, whole(-1))),
  x: shift(MIN_SCALE, whole(5)),
  almostX: subtract(shift(MIN_SCALE, whole(5)), shift(MAX_SCALE, ONE)),
  minusX: subtract(whole(0), shift(MIN_SCALE, whole(5))),
};
const definitions: ModuleSpec = {
  values: Object.fromEntries(
    Object.entries(LIMITS).map(([name, expression]) => [name, { type: BIG, expression }]),
  ),
};
const limit = (name: string) => e.value(`Main:${name}`);

/** Whether each is a number; it is an ArithmeticError otherwise. */
const succeed = (values: readonly Code[]): boolean[] =>
  valuesOf(
    t.int64,
    values.map((value) => call('SCALE_BIGNUMERIC', value)),
    'dev',
    definitions,
  ).map((scale) => {
    if (scale !== 'ArithmeticError') expect(scale).toMatch(/^-?\d+$/);
    return scale !== 'ArithmeticError';
  });
const shown = (values: readonly Code[]) =>
  valuesOf(
    t.text,
    values.map((value) => call('BIGNUMERIC_TO_TEXT', value)),
    'dev',
    definitions,
  );

test('prints numbers with the maximum number of digits', () => {
  const [zeros, many] = ['0'.repeat(MAX_SCALE - 1), '9'.repeat(MAX_SCALE)];
  const texts: Readonly<Record<string, string>> = {
    zero: '0.0',
    one: '1.0',
    minusOne: '-1.0',
    minPositive: `0.${zeros}1`,
    maxPositive: `${many}.${many}`,
    maxNegative: `-0.${zeros}1`,
    minNegative: `-${many}.${many}`,
  };
  expect(shown(Object.keys(texts).map(limit))).toEqual(Object.values(texts));
});

test('LESS, LESS_EQ, EQUAL, GREATER_EQ and GREATER compare by value', () => {
  const ascending = ['-161803398.87499', '-3.1415926536', '-0.0000000001', '0.0', '0.0000000001']
    .concat('2.7182818285', '3.1415926536', '100.0')
    .map(of);
  const pairs = ascending.flatMap((a, i) => ascending.map((b, j) => ({ a, b, order: i - j })));
  const compared = (builtin: string) =>
    valuesOf(
      t.bool,
      pairs.map(({ a, b }) => call(builtin, BIG, a, b)),
      'dev',
    );
  expect(compared('LESS')).toEqual(pairs.map(({ order }) => order < 0));
  expect(compared('LESS_EQ')).toEqual(pairs.map(({ order }) => order <= 0));
  expect(compared('EQUAL')).toEqual(pairs.map(({ order }) => order === 0));
  expect(compared('GREATER_EQ')).toEqual(pairs.map(({ order }) => order >= 0));
  expect(compared('GREATER')).toEqual(pairs.map(({ order }) => order > 0));
});

type Row = readonly [of: Code, isNumber: boolean];
const two = (builtin: string, a: string, b: string) => call(builtin, limit(a), limit(b));
const multiplied = (a: Code, b: Code) => call('MUL_BIGNUMERIC', a, b);
const NEAR: RoundingMode[] = ['UP', 'CEILING', 'HALF_UP', 'HALF_EVEN'];
const NEAR_NEGATIVE: RoundingMode[] = ['UP', 'FLOOR', 'HALF_UP', 'HALF_EVEN'];
/** A quotient that only just fits where it is rounded towards zero. */
const edge = (a: number, b: number, overflowing: readonly RoundingMode[]): Row[] =>
  ROUNDING_MODES.filter((mode) => mode !== 'UNNECESSARY').map((mode) => [
    divide(MIN_SCALE, mode, whole(a), shift(-MIN_SCALE, whole(b))),
    !overflowing.includes(mode),
  ]);

const BOUNDS: Readonly<Record<string, readonly Row[]>> = {
  ADD_BIGNUMERIC: [
    [two('ADD_BIGNUMERIC', 'maxPositive', 'maxNegative'), true],
    [two('ADD_BIGNUMERIC', 'maxPositive', 'minPositive'), false],
    [two('ADD_BIGNUMERIC', 'minNegative', 'minPositive'), true],
    [two('ADD_BIGNUMERIC', 'minNegative', 'maxNegative'), false],
    [two('ADD_BIGNUMERIC', 'x', 'almostX'), true],
    [two('ADD_BIGNUMERIC', 'x', 'x'), false],
  ],
  SUB_BIGNUMERIC: [
    [two('SUB_BIGNUMERIC', 'minNegative', 'maxNegative'), true],
    [two('SUB_BIGNUMERIC', 'minNegative', 'minPositive'), false],
    [two('SUB_BIGNUMERIC', 'maxPositive', 'minPositive'), true],
    [two('SUB_BIGNUMERIC', 'maxPositive', 'maxNegative'), false],
    [two('SUB_BIGNUMERIC', 'minusX', 'almostX'), true],
    [two('SUB_BIGNUMERIC', 'minusX', 'x'), false],
  ],
  MUL_BIGNUMERIC: [
    [multiplied(shift(MIN_SCALE, ONE), ONE), true],
    [multiplied(shift(MIN_SCALE, ONE), whole(10)), false],
    [multiplied(shift(HALF - 1, ONE), shift(HALF, ONE)), true],
    [multiplied(shift(HALF - 1, ONE), shift(HALF - 1, ONE)), false],
    [multiplied(shift(MAX_SCALE, ONE), ONE), true],
    [multiplied(shift(MAX_SCALE, ONE), shift(1, ONE)), false],
    [multiplied(shift(HALF, UNDER_SQRT_10), shift(HALF - 1, UNDER_SQRT_10)), true],
    [multiplied(shift(HALF, OVER_SQRT_10), shift(HALF - 1, OVER_SQRT_10)), false],
  ],
  DIV_BIGNUMERIC: [
    [divide(-1000, 'DOWN', shift(HALF, ONE), shift(1 - HALF, ONE)), true],
    [divide(-1000, 'DOWN', shift(HALF - 1, ONE), shift(1 - HALF, ONE)), false],
    [divide(-1000, 'DOWN', shift(MIN_SCALE, ONE), ONE), true],
    [divide(-1000, 'DOWN', shift(MIN_SCALE, ONE), shift(1, ONE)), false],
    [divide(-1000, 'DOWN', shift(HALF - 1, UNDER_SQRT_10), shift(1 - HALF, OVER_SQRT_10)), true],
    [divide(-1000, 'DOWN', shift(HALF - 1, OVER_SQRT_10), shift(1 - HALF, OVER_SQRT_10)), false],
    ...edge(19, 2, NEAR),
    ...edge(28, 3, ['UP', 'CEILING']),
    ...edge(29, 3, ['UP', 'CEILING', 'HALF_UP', 'HALF_DOWN', 'HALF_EVEN']),
    ...edge(19, -2, NEAR_NEGATIVE),
  ],
  ROUNDING_UNNECESSARY: [
    [divide(MAX_SCALE, 'UNNECESSARY', ONE, whole(2)), true],
    [divide(MAX_SCALE, 'UNNECESSARY', ONE, whole(3)), false],
    [divide(MAX_SCALE / 2, 'UNNECESSARY', ONE, whole(3)), false],
    [divide(1, 'UNNECESSARY', ONE, whole(2)), true],
    [divide(0, 'UNNECESSARY', ONE, whole(2)), false],
  ],
  SHIFT_RIGHT_BIGNUMERIC: [
    [shift(1, limit('maxPositive')), false],
    [shift(-1, limit('maxPositive')), false],
    [shift(MAX_SCALE, ONE), true],
    [shift(MAX_SCALE + 1, ONE), false],
    [shift(MIN_SCALE, ONE), true],
    [shift(MIN_SCALE - 1, ONE), false],
  ],
};

test.each(Object.keys(BOUNDS))('%s fails exactly beyond its bounds', (name) => {
  const rows = BOUNDS[name]!;
  expect(succeed(rows.map(([value]) => value))).toEqual(rows.map(([, isNumber]) => isNumber));
});

test('divides with each rounding mode', () => {
  const ROWS: readonly (readonly [
    number,
    number,
    number,
    Partial<Record<RoundingMode, string>>,
  ])[] = [
    [0, 19, 2, { UP: '10', DOWN: '9', CEILING: '10', FLOOR: '9', HALF_UP: '10', HALF_DOWN: '9' }],
    [1, 28, 3, { UP: '9.4', DOWN: '9.3', CEILING: '9.4', FLOOR: '9.3', HALF_UP: '9.3' }],
    [2, 29, 3, { UP: '9.67', DOWN: '9.66', CEILING: '9.67', FLOOR: '9.66', HALF_DOWN: '9.67' }],
    [0, 19, -2, { UP: '-10', DOWN: '-9', CEILING: '-9', FLOOR: '-10', HALF_DOWN: '-9' }],
    [0, 19, 2, { HALF_EVEN: '10' }],
    [1, 28, 3, { HALF_DOWN: '9.3', HALF_EVEN: '9.3' }],
    [2, 29, 3, { HALF_UP: '9.67', HALF_EVEN: '9.67' }],
    [0, 19, -2, { HALF_UP: '-10', HALF_EVEN: '-10' }],
  ];
  const rows = ROWS.flatMap(([scale, a, b, results]) =>
    Object.entries(results).map(
      ([mode, text]) => [divide(scale, mode as RoundingMode, whole(a), whole(b)), text] as const,
    ),
  );
  expect(shown(rows.map(([value]) => value))).toEqual(
    rows.map(([, text]) => (text.includes('.') ? text : `${text}.0`)),
  );
});

test('SHIFT_RIGHT moves the decimal point', () => {
  const power = (exponent: number, scale: number) =>
    exponent < 0
      ? `0.${'0'.repeat(-exponent - 1)}1${'0'.repeat(scale + exponent)}`
      : `1${'0'.repeat(exponent)}.${'0'.repeat(scale)}`;
  const ROWS: readonly (readonly [by: number, from: string, to: string])[] = [
    [1, `${'9'.repeat(38)}.`, `${'9'.repeat(37)}.9`],
    [37, '10.', power(-36, 37)],
    [10, power(15, 20), power(5, 0)],
    [-10, power(15, 20), power(25, 0)],
    [10, power(-5, 10), power(-15, 20)],
    [-10, power(-5, 20), power(5, 0)],
    [10, power(10, 10), power(0, 0)],
    [-10, power(10, 20), power(20, 0)],
  ];
  const least = (text: string) => text.replace(/(?<=\.\d*)0+$/, '').replace(/\.$/, '.0');
  expect(shown(ROWS.map(([by, from]) => shift(by, of(from))))).toEqual(
    ROWS.map(([, , to]) => least(to)),
  );
});

test('zero accepts any shift', () => {
  const far = [-(2n ** 63n), -(2n ** 31n), 2n ** 31n - 1n, 2n ** 63n - 1n];
  const near = [MIN_SCALE - 1, MIN_SCALE, -1, 0, 1, MAX_SCALE, MAX_SCALE + 1];
  const shifted = [...far, ...near].map((places) => shift(places, limit('zero')));
  expect(shown(shifted)).toEqual(shifted.map(() => '0.0'));
});
