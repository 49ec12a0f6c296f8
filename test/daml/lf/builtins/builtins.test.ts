/** The builtin functions of Daml-LF (specification, "Built-in functions"): examples, and properties against definitions. */
import fc from 'fast-check';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { e, p, type Code } from '../../../support/daml/lf-code.js';
import { encodePackage } from '../../../support/daml/lf-encoder.js';
import {
  evaluateEach,
  deepened,
  lfLedger,
  probeModule,
  type Question,
  type Refusal,
} from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';
import { check, isUsualRun } from '../../../support/property.js';
import {
  decimal,
  decimalText,
  divided,
  inUnits,
  plus,
  rounded,
  ROUNDING_MODES,
  times,
  type Fraction,
  type RoundingMode,
} from '../../../support/daml/rounding.js';
import { ARITHMETIC, call, valuesOf } from '../expression-values.js';

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

const scales = (...values: number[]) => values.map((value) => t.nat(value));
const texts = (...expressions: Code[]) => valuesOf(t.text, expressions);
const bools = (...expressions: Code[]) => valuesOf(t.bool, expressions);
const ints = (...expressions: Code[]) => valuesOf(t.int64, expressions);
const numerics = (scale: number, ...expressions: Code[]) => valuesOf(t.numeric(scale), expressions);
const listOf = (...items: string[]) =>
  e.list(
    t.text,
    items.map((item) => e.text(item)),
  );

const int64 = fc.oneof(
  fc.bigInt({ min: MIN, max: MAX }),
  fc.bigInt({ min: -20n, max: 20n }),
  fc.constantFrom(MAX, MIN, 2n ** 53n, -(2n ** 53n), 2n ** 53n - 1n, 2n ** 31n, 3037000500n),
);
const inRange = (value: bigint): string =>
  value > MAX || value < MIN ? 'ArithmeticError' : String(value);

describe('Int64', () => {
  const definitions: Readonly<Record<string, (a: bigint, b: bigint) => string>> = {
    ADD_INT64: (a, b) => inRange(a + b),
    SUB_INT64: (a, b) => inRange(a - b),
    MUL_INT64: (a, b) => inRange(a * b),
    DIV_INT64: (a, b) => (b === 0n ? 'ArithmeticError' : inRange(a / b)),
    MOD_INT64: (a, b) => (b === 0n ? 'ArithmeticError' : String(a % b)),
    EXP_INT64: (a, b) =>
      b < 0n
        ? 'ArithmeticError'
        : b > 64n && a * a > 1n
          ? 'ArithmeticError'
          : inRange(a ** (b > 64n ? (b % 2n) + 2n : b)),
  };
  test.each(Object.keys(definitions))('%s is exact, or fails with an ArithmeticError', (name) => {
    check(
      fc.property(fc.array(fc.tuple(int64, int64), { minLength: 60, maxLength: 60 }), (pairs) => {
        const answers = ints(...pairs.map(([a, b]) => call(name, e.int(a), e.int(b))));
        expect(answers).toEqual(pairs.map(([a, b]) => definitions[name]!(a, b)));
      }),
      { numRuns: 3 },
    );
  });

  test('compares, and prints its text', () => {
    check(
      fc.property(fc.array(fc.tuple(int64, int64), { minLength: 40, maxLength: 40 }), (pairs) => {
        const compared = (name: string) =>
          bools(...pairs.map(([a, b]) => e.call(e.builtin(name, t.int64), e.int(a), e.int(b))));
        expect(compared('LESS')).toEqual(pairs.map(([a, b]) => a < b));
        expect(compared('EQUAL')).toEqual(pairs.map(([a, b]) => a === b));
        expect(texts(...pairs.map(([a]) => call('INT64_TO_TEXT', e.int(a))))).toEqual(
          pairs.map(([a]) => String(a)),
        );
      }),
      { numRuns: 2 },
    );
  });

  test('TEXT_TO_INT64 parses a text, or returns None', () => {
    const rows = [
      '+1',
      '-0',
      '007',
      '9223372036854775808',
      '-9223372036854775808',
      '1 ',
      '',
      '-',
      '１',
      '1\n',
    ];
    expect(
      valuesOf(
        t.optional(t.int64),
        rows.map((row) => call('TEXT_TO_INT64', e.text(row))),
      ),
    ).toEqual(['1', '0', '7', null, '-9223372036854775808', null, null, null, null, null]);
  });
});

describe('Numeric', () => {
  const one = e.numeric('0.0');
  const at = (scale: number) => e.numeric(`0.${'0'.repeat(scale)}`);

  test('rounds half to even, at the requested scale', () => {
    expect(
      numerics(
        2,
        call('MUL_NUMERIC', ...scales(2, 1, 2), at(2), e.numeric('0.05'), e.numeric('0.1')),
        call('MUL_NUMERIC', ...scales(2, 1, 2), at(2), e.numeric('0.15'), e.numeric('0.1')),
        call('DIV_NUMERIC', ...scales(1, 1, 2), at(2), e.numeric('1.0'), e.numeric('3.0')),
        call('DIV_NUMERIC', ...scales(1, 1, 2), at(2), e.numeric('-1.0'), e.numeric('8.0')),
        call('DIV_NUMERIC', ...scales(1, 1, 2), at(2), e.numeric('1.0'), e.numeric('0.0')),
      ),
    ).toEqual(['0.00', '0.02', '0.33', '-0.12', 'ArithmeticError']);
  });

  const POWERS = Array.from({ length: 39 }, (_, power) => 10n ** BigInt(power));
  const scale = fc.oneof(fc.constantFrom(0, 2, 10, 37), fc.nat(37));
  /** Of all magnitudes. */
  const unscaled = fc
    .tuple(fc.nat(38), fc.bigInt({ min: 0n, max: POWERS[38]! - 1n }), fc.boolean())
    .map(([digits, value, isNegative]) => (value % POWERS[digits]!) * (isNegative ? -1n : 1n));
  const odd = fc.bigInt({ min: -500n, max: 500n }).map((half) => 2n * half + 1n);
  const few = fc.nat(12);
  const tied = fc.record({ odd, to: few, sa: few, zeros: few });
  /** Products, quotients and numbers that are half a unit from another, which random numbers never are. */
  const row = fc.oneof(
    fc.record({ a: unscaled, b: unscaled, sa: scale, sb: scale, to: scale }),
    tied.map(({ odd: digits, to, sa, zeros }) => {
      const left = Math.min(sa, to + zeros + 1);
      const [a, b] = [5n * digits, POWERS[zeros]!];
      return { a, b, sa: left, sb: to + zeros + 1 - left, to };
    }),
    tied.map(({ odd: digits, to, sa, zeros }) => {
      const left = Math.min(sa, to + zeros);
      return { a: digits, b: 2n * POWERS[to + zeros - left]!, sa: left, sb: zeros, to };
    }),
    tied.map(({ odd: digits, to, sa, zeros }) => {
      return { a: 5n * digits * POWERS[to]!, b: 1n, sa, sb: zeros, to: to + 1 };
    }),
  );
  const literal = (value: bigint, places: number) => {
    const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
    const point = digits.length - places;
    return e.numeric(`${value < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`);
  };
  const shown = (places: number, value: Code) => call('NUMERIC_TO_TEXT', t.nat(places), value);
  let ties = 0;
  /** A fraction rounded to a scale, or an error beyond 38 digits. */
  const numericText = (of: Fraction, places: number, mode: RoundingMode = 'HALF_EVEN') => {
    const value = rounded(inUnits(of, places), mode);
    if (rounded(inUnits(of, places), 'HALF_UP') !== rounded(inUnits(of, places), 'HALF_DOWN'))
      ties += 1;
    return value === undefined || value >= POWERS[38]! || value <= -POWERS[38]!
      ? 'ArithmeticError'
      : decimalText(value, places);
  };
  type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;
  const DEFINITIONS: Readonly<Record<string, readonly [(row: Row) => Code, (row: Row) => string]>> =
    {
      ADD_NUMERIC: [
        ({ a, b, sa }) => shown(sa, call('ADD_NUMERIC', t.nat(sa), literal(a, sa), literal(b, sa))),
        ({ a, b, sa }) => numericText(plus(decimal(a, sa), decimal(b, sa)), sa),
      ],
      SUB_NUMERIC: [
        ({ a, b, sa }) => shown(sa, call('SUB_NUMERIC', t.nat(sa), literal(a, sa), literal(b, sa))),
        ({ a, b, sa }) => numericText(plus(decimal(a, sa), decimal(-b, sa)), sa),
      ],
      MUL_NUMERIC: [
        ({ a, b, sa, sb, to }) =>
          shown(
            to,
            call('MUL_NUMERIC', ...scales(sa, sb, to), at(to), literal(a, sa), literal(b, sb)),
          ),
        ({ a, b, sa, sb, to }) => numericText(times(decimal(a, sa), decimal(b, sb)), to),
      ],
      DIV_NUMERIC: [
        ({ a, b, sa, sb, to }) =>
          shown(
            to,
            call('DIV_NUMERIC', ...scales(sa, sb, to), at(to), literal(a, sa), literal(b, sb)),
          ),
        ({ a, b, sa, sb, to }) =>
          b === 0n ? 'ArithmeticError' : numericText(divided(decimal(a, sa), decimal(b, sb)), to),
      ],
      ROUND_NUMERIC: [
        ({ a, sa, to }) =>
          shown(sa, call('ROUND_NUMERIC', t.nat(sa), e.int(sa - to), literal(a, sa))),
        ({ a, sa, to }) => {
          const places = sa - to;
          const unit = rounded(inUnits(decimal(a, sa), places), 'HALF_EVEN')!;
          numericText(decimal(a, sa), places);
          return numericText(decimal(unit, places), sa);
        },
      ],
      CAST_NUMERIC: [
        ({ a, sa, to }) =>
          shown(to, call('CAST_NUMERIC', ...scales(sa, to), at(to), literal(a, sa))),
        ({ a, sa, to }) => numericText(decimal(a, sa), to, 'UNNECESSARY'),
      ],
      SHIFT_NUMERIC: [
        ({ a, sa, to }) =>
          shown(to, call('SHIFT_NUMERIC', ...scales(sa, to), at(to), literal(a, sa))),
        ({ a, to }) => numericText(decimal(a, to), to),
      ],
      INT64_TO_NUMERIC: [
        ({ a, to }) =>
          shown(to, call('INT64_TO_NUMERIC', t.nat(to), at(to), e.int(BigInt.asIntN(64, a)))),
        ({ a, to }) => numericText(decimal(BigInt.asIntN(64, a), 0), to),
      ],
      NUMERIC_TO_INT64: [
        ({ a, sa }) => call('INT64_TO_TEXT', call('NUMERIC_TO_INT64', t.nat(sa), literal(a, sa))),
        ({ a, sa }) => inRange(rounded(decimal(a, sa), 'DOWN')!),
      ],
      TEXT_TO_NUMERIC: [
        ({ a, sa, to }) =>
          e.match(
            call('TEXT_TO_NUMERIC', t.nat(to), at(to), shown(sa, literal(a, sa))),
            [p.none, e.text('ArithmeticError')],
            [p.some('x'), shown(to, e.var('x'))],
          ),
        ({ a, sa, to }) => numericText(decimal(a, sa), to, 'UNNECESSARY'),
      ],
    };
  const ROUNDING = new Set(['MUL_NUMERIC', 'DIV_NUMERIC', 'ROUND_NUMERIC']);
  test.each(Object.keys(DEFINITIONS))('%s matches its definition', (name) => {
    const [code, definition] = DEFINITIONS[name]!;
    ties = 0;
    check(
      fc.property(fc.array(row, { minLength: 60, maxLength: 60 }), (rows) => {
        expect(texts(...rows.map(code))).toEqual(rows.map(definition));
      }),
      { numRuns: 2 },
    );
    if (isUsualRun && ROUNDING.has(name)) expect(ties).toBeGreaterThan(3);
  });

  test('overflows at 38 digits', () => {
    const nines = `${'9'.repeat(36)}.99`;
    expect(
      numerics(
        2,
        call('ADD_NUMERIC', t.nat(2), e.numeric(nines), e.numeric('0.01')),
        call('SUB_NUMERIC', t.nat(2), e.numeric(`-${nines}`), e.numeric('0.01')),
        call('ADD_NUMERIC', t.nat(2), e.numeric(nines), e.numeric('0.00')),
      ),
    ).toEqual(['ArithmeticError', 'ArithmeticError', nines]);
  });

  test('ROUND_NUMERIC, CAST_NUMERIC, SHIFT_NUMERIC and conversions', () => {
    expect(
      numerics(
        2,
        call('ROUND_NUMERIC', t.nat(2), e.int(1), e.numeric('2.25')),
        call('ROUND_NUMERIC', t.nat(2), e.int(-1), e.numeric('15.00')),
        call('ROUND_NUMERIC', t.nat(2), e.int(3), e.numeric('1.00')),
        call('CAST_NUMERIC', ...scales(4, 2), at(2), e.numeric('1.2500')),
        call('CAST_NUMERIC', ...scales(4, 2), at(2), e.numeric('1.2510')),
        call('SHIFT_NUMERIC', ...scales(1, 2), at(2), e.numeric('12.3')),
        call('INT64_TO_NUMERIC', t.nat(2), at(2), e.int(-7)),
        call('INT64_TO_NUMERIC', t.nat(2), at(2), e.int(MAX)),
      ),
    ).toEqual([
      '2.20',
      '20.00',
      'ArithmeticError',
      '1.25',
      'ArithmeticError',
      '1.23',
      '-7.00',
      `${MAX}.00`,
    ]);
    expect(
      ints(
        call('NUMERIC_TO_INT64', t.nat(2), e.numeric('-1.99')),
        call('NUMERIC_TO_INT64', t.nat(1), e.numeric(`${MAX + 1n}.0`)),
      ),
    ).toEqual(['-1', 'ArithmeticError']);
  });

  test('prints its shortest text', () => {
    expect(
      texts(
        call('NUMERIC_TO_TEXT', t.nat(4), e.numeric('1.2500')),
        call('NUMERIC_TO_TEXT', t.nat(2), e.numeric('-7.00')),
      ),
    ).toEqual(['1.25', '-7.0']);
    const rows = [
      '1',
      '+01.50',
      '-0.0',
      '.5',
      '1.',
      '1.234',
      '1.230',
      'x',
      `${'9'.repeat(36)}.99`,
      `1${'0'.repeat(36)}`,
    ];
    const parsed = valuesOf(
      t.optional(t.numeric(2)),
      rows.map((row) => call('TEXT_TO_NUMERIC', t.nat(2), at(2), e.text(row))),
    );
    expect(parsed).toEqual([
      '1.00',
      '1.50',
      '0.00',
      null,
      null,
      null,
      '1.23',
      null,
      `${'9'.repeat(36)}.99`,
      null,
    ]);
  });

  test('compares by value', () => {
    expect(
      bools(
        call('LESS', t.numeric(2), e.numeric('1.10'), e.numeric('1.20')),
        call('EQUAL', t.numeric(1), one, one),
      ),
    ).toEqual([true, true]);
  });
});

test('an ArithmeticError names the operation and its arguments, with the scale as a number', () => {
  const two = e.numeric('0.00');
  const big = (text: string) => call('NUMERIC_TO_BIGNUMERIC', t.nat(1), e.numeric(text));
  const huge = (text: string) => call('SHIFT_RIGHT_BIGNUMERIC', e.int(-32767), big(`${text}.0`));
  const rows: readonly (readonly [said: string, type: LfTypeSpec, value: Code])[] = [
    [`ADD_INT64 ${MAX} 1`, t.int64, call('ADD_INT64', e.int(MAX), e.int(1))],
    [`SUB_INT64 -2 ${MAX}`, t.int64, call('SUB_INT64', e.int(-2), e.int(MAX))],
    [`MUL_INT64 ${MAX} 2`, t.int64, call('MUL_INT64', e.int(MAX), e.int(2))],
    [`DIV_INT64 ${MAX} 0`, t.int64, call('DIV_INT64', e.int(MAX), e.int(0))],
    ['MOD_INT64 -7 0', t.int64, call('MOD_INT64', e.int(-7), e.int(0))],
    ['EXP_INT64 2 -1', t.int64, call('EXP_INT64', e.int(2), e.int(-1))],
    [
      `ADD_NUMERIC ${'9'.repeat(38)}.0 2.0`,
      t.numeric(0),
      call('ADD_NUMERIC', t.nat(0), e.numeric(`${'9'.repeat(38)}.`), e.numeric('2.')),
    ],
    [
      `MUL_NUMERIC 0.0 ${'9'.repeat(37)}.0 2.0`,
      t.numeric(1),
      call(
        'MUL_NUMERIC',
        ...scales(1, 1, 1),
        e.numeric('0.0'),
        e.numeric(`${'9'.repeat(37)}.0`),
        e.numeric('2.0'),
      ),
    ],
    [
      'INT64_TO_NUMERIC 0.0 10',
      t.numeric(37),
      call('INT64_TO_NUMERIC', t.nat(37), e.numeric(`0.${'0'.repeat(37)}`), e.int(10)),
    ],
    [
      `SUB_NUMERIC -${'9'.repeat(37)}.0 1.5`,
      t.numeric(1),
      call('SUB_NUMERIC', t.nat(1), e.numeric(`-${'9'.repeat(37)}.0`), e.numeric('1.5')),
    ],
    [
      'DIV_NUMERIC 0.0 1.5 0.0',
      t.numeric(2),
      call('DIV_NUMERIC', ...scales(1, 1, 2), two, e.numeric('1.5'), e.numeric('0.0')),
    ],
    [
      'ROUND_NUMERIC 3 1.2',
      t.numeric(2),
      call('ROUND_NUMERIC', t.nat(2), e.int(3), e.numeric('1.20')),
    ],
    [
      'CAST_NUMERIC 0.0 1.251',
      t.numeric(2),
      call('CAST_NUMERIC', ...scales(4, 2), two, e.numeric('1.2510')),
    ],
    [
      `NUMERIC_TO_INT64 ${MAX + 1n}.0`,
      t.int64,
      call('NUMERIC_TO_INT64', t.nat(1), e.numeric(`${MAX + 1n}.0`)),
    ],
    ['UNIX_DAYS_TO_DATE 2932897', t.date, call('UNIX_DAYS_TO_DATE', e.int(2932897))],
    [
      `UNIX_MICROSECONDS_TO_TIMESTAMP ${MIN}`,
      t.timestamp,
      call('UNIX_MICROSECONDS_TO_TIMESTAMP', e.int(MIN)),
    ],
    [
      'SHIFT_RIGHT_BIGNUMERIC -32768 1.0',
      t.text,
      call('BIGNUMERIC_TO_TEXT', call('SHIFT_RIGHT_BIGNUMERIC', e.int(-32768), big('1.0'))),
    ],
    ...(
      [
        ['ADD_BIGNUMERIC', '7'],
        ['SUB_BIGNUMERIC', '-7'],
        ['MUL_BIGNUMERIC', '7'],
      ] as const
    ).map(([name, other]): readonly [string, LfTypeSpec, Code] => [
      `${name} 8${'0'.repeat(32767)}.0 ${other}${'0'.repeat(32767)}.0`,
      t.text,
      call('BIGNUMERIC_TO_TEXT', call(name, huge('8'), huge(other))),
    ]),
    [
      'DIV_BIGNUMERIC 2 6 1.0 0.0',
      t.numeric(1),
      call(
        'BIGNUMERIC_TO_NUMERIC',
        t.nat(1),
        e.numeric('0.0'),
        call('DIV_BIGNUMERIC', e.int(2), e.roundingMode(6), big('1.0'), big('0.0')),
      ),
    ],
    [
      'BIGNUMERIC_TO_NUMERIC 0.0 0.5',
      t.numeric(0),
      call('BIGNUMERIC_TO_NUMERIC', t.nat(0), e.numeric('0.'), big('0.5')),
    ],
  ];
  const questions = rows.map(([, type, value], index): [string, Question] => [
    `Q${index}`,
    { type, value },
  ]);
  const answers = Object.values(evaluateEach(Object.fromEntries(questions), {}, { lf: 'dev' }));
  expect(answers.map((answer) => (answer as Refusal).cause)).toEqual(
    rows.map(
      ([said]) =>
        `Interpretation error: Error: User failure: ${ARITHMETIC} (error category 9): ` +
        `ArithmeticError while evaluating (${said}).`,
    ),
  );
});

describe('Text', () => {
  test('consists of code points', () => {
    expect(valuesOf(t.list(t.text), [call('EXPLODE_TEXT', e.text('a€😀'))])).toEqual([
      ['a', '€', '😀'],
    ]);
    expect(valuesOf(t.list(t.int64), [call('TEXT_TO_CODE_POINTS', e.text('a€😀'))])).toEqual([
      ['97', '8364', '128512'],
    ]);
    const points = (...values: number[]) =>
      e.list(
        t.int64,
        values.map((value) => e.int(value)),
      );
    expect(
      texts(
        call('CODE_POINTS_TO_TEXT', points(97, 128512)),
        call('CODE_POINTS_TO_TEXT', points(0xd800)),
        call('CODE_POINTS_TO_TEXT', points(0x110000)),
        call('CODE_POINTS_TO_TEXT', points(0xdfff)),
        call('CODE_POINTS_TO_TEXT', points(-1)),
        ...[MIN, MAX, 2n ** 32n + 97n].map((far) =>
          call('CODE_POINTS_TO_TEXT', e.list(t.int64, [e.int(far)])),
        ),
        call('CODE_POINTS_TO_TEXT', points(0xd7ff, 0xe000, 0x10ffff)),
        call('IMPLODE_TEXT', listOf('a', '', 'bc')),
        call('APPEND_TEXT', e.text('a'), e.text('b')),
      ),
    ).toEqual([
      'a😀',
      ...Array.from({ length: 7 }, () => 'LEDGER_API_INTERNAL_ERROR'),
      '\ud7ff\ue000\u{10ffff}',
      'abc',
      'ab',
    ]);
  });

  test('its characters and code points form the same text again', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), {
      minLength: 12,
      maxLength: 12,
    });
    check(
      fc.property(text, (rows) => {
        const points = rows.map((row) => call('TEXT_TO_CODE_POINTS', e.text(row)));
        const characters = rows.map((row) => call('EXPLODE_TEXT', e.text(row)));
        expect(valuesOf(t.list(t.int64), points)).toEqual(
          rows.map((row) => Array.from(row, (one) => String(one.codePointAt(0)))),
        );
        expect(texts(...points.map((list) => call('CODE_POINTS_TO_TEXT', list)))).toEqual(rows);
        expect(texts(...characters.map((list) => call('IMPLODE_TEXT', list)))).toEqual(rows);
      }),
      { numRuns: 3 },
    );
  });

  // As `new String(bytes, UTF_8)` of a JVM, which takes a surrogate for one wrong character.
  test('HEX_TO_TEXT replaces invalid UTF-8', () => {
    const rows: Readonly<Record<string, string>> = {
      ff41: '\ufffdA',
      eda080: '\ufffd',
      edb08041: '\ufffdA',
      eda041: '\ufffdA',
      eda0: '\ufffd',
      e282eda080: '\ufffd\ufffd',
      ed9fbf: '\ud7ff',
      e08080: '\ufffd\ufffd\ufffd',
      f09f98: '\ufffd',
      efbbbf41: '\ufeffA',
    };
    expect(texts(...Object.keys(rows).map((hex) => call('HEX_TO_TEXT', e.text(hex))))).toEqual(
      Object.values(rows),
    );
  });

  test('is ordered by code points, not by UTF-16 units', () => {
    expect(
      bools(
        call('LESS', t.text, e.text('\uff5e'), e.text('😀')),
        call('LESS', t.text, e.text('a'), e.text('ab')),
      ),
    ).toEqual([true, true]);
  });

  test('has hashes, and a hexadecimal form', () => {
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const sha = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(
      texts(
        call('SHA256_TEXT', e.text('€')),
        call('SHA256_HEX', e.text(hex('abc'))),
        call('SHA256_HEX', e.text('ABC')),
        call('KECCAK256_TEXT', e.text('')),
        call('KECCAK256_TEXT', e.text(hex('abc'))),
        call('KECCAK256_TEXT', e.text('61'.repeat(136))),
        call('TEXT_TO_HEX', e.text('a€')),
        call('HEX_TO_TEXT', e.text(hex('a€'))),
        call('HEX_TO_TEXT', e.text('x')),
      ),
    ).toEqual([
      sha('€'),
      sha('abc'),
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING',
      'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
      '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
      'a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e',
      hex('a€'),
      'a€',
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING',
    ]);
  });

  test('secp256k1 verifies signatures', () => {
    const PRIVATE = '302e0201010420' + '01'.repeat(32) + 'a00706052b8104000a';
    const key = createPrivateKey({ key: Buffer.from(PRIVATE, 'hex'), format: 'der', type: 'sec1' });
    const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('hex');
    const message = Buffer.from('a message').toString('hex');
    const signature = createSign('sha256').update('a message').sign(key).toString('hex');
    const digest = createHash('sha256').update('a message').digest('hex');
    expect(
      bools(
        call('SECP256K1_BOOL', e.text(signature), e.text(message), e.text(publicKey)),
        call('SECP256K1_BOOL', e.text(signature), e.text(`${message}00`), e.text(publicKey)),
        call('SECP256K1_WITH_ECDSA_BOOL', e.text(signature), e.text(digest), e.text(publicKey)),
        call('SECP256K1_BOOL', e.text('00'), e.text(message), e.text(publicKey)),
        call('SECP256K1_BOOL', e.text(signature), e.text(message), e.text('00')),
        call('SECP256K1_VALIDATE_KEY', e.text(publicKey)),
      ),
    ).toEqual([
      true,
      false,
      true,
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE',
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY',
      true,
    ]);
  });

  test('secp256k1 verifies signatures of many keys, with compressed and uncompressed points', () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');
    check(
      fc.property(bytes(31), bytes(32), fc.nat(31), (secret, digest, at) => {
        const sec1 = `302e020101042000${hex(secret)}a00706052b8104000a`;
        const key = createPrivateKey({
          key: Buffer.from(sec1, 'hex'),
          format: 'der',
          type: 'sec1',
        });
        const whole = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('hex');
        const [x, y] = [whole.slice(-128, -64), whole.slice(-64)];
        const parity = Number.parseInt(y.slice(-1), 16) % 2 === 0 ? '02' : '03';
        const compressed = `3036301006072a8648ce3d020106052b8104000a032200${parity}${x}`;
        const signature = createSign('sha256').update(digest).sign(key).toString('hex');
        const other = Uint8Array.from(digest, (byte, index) => (index === at ? byte ^ 1 : byte));
        const verify = (message: Uint8Array, by: string) =>
          call('SECP256K1_BOOL', e.text(signature), e.text(hex(message)), e.text(by));
        expect(
          bools(
            verify(digest, whole),
            verify(digest, compressed),
            verify(other, whole),
            verify(other, compressed),
            call('SECP256K1_VALIDATE_KEY', e.text(compressed)),
          ),
        ).toEqual([true, true, false, false, true]);
      }),
      { numRuns: 6 },
    );
  });

  test('an error about a malformed value has the value as a resource', () => {
    const expressions = {
      Hex: { type: t.text, value: call('SHA256_HEX', e.text('XY')) },
      Key: { type: t.bool, value: call('SECP256K1_VALIDATE_KEY', e.text('00')) },
    };
    const answers = evaluateEach(expressions, {}, { lf: '3' });
    expect(answers['Hex']).toMatchObject({
      cause:
        'Interpretation error: Error: Invalid byte encoding format for XY :\ncan not parse hex string',
      resources: [['CRYPTO_VALUE', 'XY']],
    });
    expect(answers['Key']).toMatchObject({ resources: [['CRYPTO_VALUE', '00']] });
  });

  test('secp256k1 rejects signatures and digests with other lengths', () => {
    const sec1 = `302e0201010420${'02'.repeat(32)}a00706052b8104000a`;
    const key = createPrivateKey({ key: Buffer.from(sec1, 'hex'), format: 'der', type: 'sec1' });
    const by = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('hex');
    const signature = createSign('sha256').update('a').sign(key).toString('hex');
    const digest = createHash('sha256').update('a').digest('hex');
    const verify = (signed: string, of = digest) =>
      call('SECP256K1_WITH_ECDSA_BOOL', e.text(signed), e.text(of), e.text(by));
    const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
    expect(
      bools(
        // Of a longer digest the first 256 bits count.
        verify(signature, `${digest}ff00`),
        verify(signature, digest.slice(2)),
        verify('3006020100020101'),
        verify('3006020101020100'),
        verify(`3027022200${ORDER.slice(0, 2)}`),
        verify(`302602210000${ORDER.slice(2)}020101`),
        verify(`3026022100${ORDER}020101`),
        verify(`${signature}00`),
      ),
    ).toEqual([
      true,
      false,
      false,
      false,
      // A needless zero in front, and a number that is not below the order.
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE',
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE',
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE',
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE',
    ]);
  });

  test('secp256k1 rejects invalid keys', () => {
    const validate = (hex: string) => call('SECP256K1_VALIDATE_KEY', e.text(hex));
    const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('hex');
    const { publicKey: ofP256 } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const { publicKey: ofRsa } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const { publicKey: key } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const offCurve = spki(key).slice(0, -64) + '01'.repeat(32);
    expect(
      bools(
        validate(spki(key)),
        validate(spki(ofP256)),
        validate(offCurve),
        validate(spki(ofRsa)),
        validate(spki(key).slice(0, -2)),
        validate('xy'),
        call('SECP256K1_BOOL', e.text('xy'), e.text('00'), e.text(spki(key))),
        call('SECP256K1_BOOL', e.text('00'), e.text('xy'), e.text(spki(key))),
        call('SECP256K1_BOOL', e.text('00'), e.text('00'), e.text('xy')),
      ),
    ).toEqual([
      true,
      false,
      false,
      ...['KEY', 'KEY', ...Array.from({ length: 4 }, () => 'BYTE_ENCODING')].map(
        (what) => `INTERPRETATION_CRYPTO_ERROR_MALFORMED_${what}`,
      ),
    ]);
  });

  test('TEXT_TO_PARTY and CONTRACT_ID_TO_TEXT convert texts', () => {
    expect(
      valuesOf(
        t.optional(t.party),
        ['a::b', '', 'a b!'].map((row) => call('TEXT_TO_PARTY', e.text(row))),
      ),
    ).toEqual(['a::b', null, null]);
    expect(
      valuesOf(t.optional(t.text), [
        call('CONTRACT_ID_TO_TEXT', t.con('Main:Probe'), e.var('self')),
      ]),
    ).toEqual([null]);
  });
});

describe('Date and Timestamp', () => {
  test('have bounds, and print their texts', () => {
    expect(
      valuesOf(t.date, [
        call('UNIX_DAYS_TO_DATE', e.int(-719162)),
        call('UNIX_DAYS_TO_DATE', e.int(-719163)),
        call('UNIX_DAYS_TO_DATE', e.int(MAX)),
      ]),
    ).toEqual(['0001-01-01', 'ArithmeticError', 'ArithmeticError']);
    expect(
      valuesOf(t.timestamp, [
        call('UNIX_MICROSECONDS_TO_TIMESTAMP', e.int(253402300799999999n)),
        call('UNIX_MICROSECONDS_TO_TIMESTAMP', e.int(253402300800000000n)),
      ]),
    ).toEqual(['9999-12-31T23:59:59.999999Z', 'ArithmeticError']);
    expect(
      texts(call('DATE_TO_TEXT', e.date(0)), call('TIMESTAMP_TO_TEXT', e.timestamp(1_500_000n))),
    ).toEqual(['1970-01-01', '1970-01-01T00:00:01.500Z']);
    expect(
      ints(
        call('DATE_TO_UNIX_DAYS', e.date(7)),
        call('TIMESTAMP_TO_UNIX_MICROSECONDS', e.timestamp(253402300799999999n)),
      ),
    ).toEqual(['7', '253402300799999999']);
  });
});

describe('maps', () => {
  const mapOf = (entries: readonly (readonly [bigint, bigint])[]): Code =>
    entries.reduce<Code>(
      (map, [key, value]) => call('GENMAP_INSERT', t.int64, t.int64, e.int(key), e.int(value), map),
      e.builtin('GENMAP_EMPTY', t.int64, t.int64),
    );

  test('a GenMap is sorted, keeps the last value of a key, and drops deleted keys', () => {
    const entries = fc.array(
      fc.tuple(fc.bigInt({ min: -9n, max: 9n }), fc.bigInt({ min: 0n, max: 99n })),
      { maxLength: 25 },
    );
    check(
      fc.property(
        fc.array(fc.tuple(entries, fc.bigInt({ min: -9n, max: 9n })), {
          minLength: 15,
          maxLength: 15,
        }),
        (rows) => {
          const expected = rows.map(([list, gone]) => {
            const map = new Map(list);
            map.delete(gone);
            return [...map]
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, value]) => [String(key), String(value)]);
          });
          const maps = rows.map(([list, gone]) =>
            call('GENMAP_DELETE', t.int64, t.int64, e.int(gone), mapOf(list)),
          );
          expect(valuesOf(t.genMap(t.int64, t.int64), maps)).toEqual(expected);
          expect(ints(...maps.map((map) => call('GENMAP_SIZE', t.int64, t.int64, map)))).toEqual(
            expected.map(({ length }) => String(length)),
          );
          expect(
            valuesOf(
              t.list(t.int64),
              maps.map((map) => call('GENMAP_KEYS', t.int64, t.int64, map)),
            ),
          ).toEqual(expected.map((list) => list.map(([key]) => key)));
          expect(
            valuesOf(
              t.list(t.int64),
              maps.map((map) => call('GENMAP_VALUES', t.int64, t.int64, map)),
            ),
          ).toEqual(expected.map((list) => list.map(([, value]) => value)));
        },
      ),
      { numRuns: 3 },
    );
  });

  // Upstream's maps compare each key with itself before all else (SMap.comparable).
  test('rejects a key with an invalid part, even if an earlier part differs from the other keys', () => {
    const type = t.optional(t.arrow(t.int64, t.int64));
    const fun = e.some(t.arrow(t.int64, t.int64), e.lambda({ x: t.int64 }, e.var('x')));
    const map = call(
      'GENMAP_INSERT',
      type,
      t.unit,
      e.none(t.arrow(t.int64, t.int64)),
      e.unit,
      e.builtin('GENMAP_EMPTY', type, t.unit),
    );
    const size = (of: Code) => call('GENMAP_SIZE', type, t.unit, of);
    const lookup = call('GENMAP_LOOKUP', type, t.unit, fun, map);
    expect(
      valuesOf(
        t.int64,
        [
          size(map),
          size(call('GENMAP_INSERT', type, t.unit, fun, e.unit, map)),
          size(call('GENMAP_DELETE', type, t.unit, fun, map)),
          e.match(lookup, [p.none, e.int(0)], [p.some('x'), e.int(1)]),
        ],
        'dev',
      ),
    ).toEqual(['1', ...Array.from({ length: 3 }, () => 'NON_COMPARABLE_VALUES')]);
  });

  test('keys must be comparable', () => {
    const insert = (type: LfTypeSpec, key: Code) => {
      const empty = e.builtin('GENMAP_EMPTY', type, t.unit);
      const map = call('GENMAP_INSERT', type, t.unit, key, e.unit, empty);
      return call('GENMAP_SIZE', type, t.unit, map);
    };
    const nestedType = t.struct({ b: t.list(t.int64), a: t.any });
    const nested = e.struct({ b: e.list(t.int64, [e.int(1)]), a: e.toAny(t.text, e.text('x')) });
    const fun = e.lambda({ x: t.int64 }, e.var('x'));
    expect(
      valuesOf(
        t.int64,
        [insert(nestedType, nested), insert(t.arrow(t.int64, t.int64), fun)],
        'dev',
      ),
    ).toEqual(['1', 'NON_COMPARABLE_VALUES']);
  });

  test('a TextMap is sorted by code points', () => {
    const map = ['😀', '\uff5e', 'a'].reduce<Code>(
      (rest, key) => call('TEXTMAP_INSERT', t.text, e.text(key), e.text(`of ${key}`), rest),
      e.builtin('TEXTMAP_EMPTY', t.text),
    );
    const entry = t.struct({ key: t.text, value: t.text });
    const joined = call(
      'FOLDL',
      entry,
      t.text,
      e.lambda(
        { all: t.text, entry },
        call('APPEND_TEXT', e.var('all'), e.member('key', e.var('entry'))),
      ),
      e.text(''),
      call('TEXTMAP_TO_LIST', t.text, map),
    );
    const found = (key: string) =>
      e.match(
        call('TEXTMAP_LOOKUP', t.text, e.text(key), map),
        [p.none, e.text('none')],
        [p.some('x'), e.var('x')],
      );
    expect(texts(joined, found('a'), found('b'))).toEqual(['a\uff5e😀', 'of a', 'none']);
    expect(
      ints(call('TEXTMAP_SIZE', t.text, call('TEXTMAP_DELETE', t.text, e.text('a'), map))),
    ).toEqual(['2']);
  });
});

describe('lists', () => {
  const numbers = e.list(
    t.int64,
    [1, 2, 3].map((value) => e.int(value)),
  );
  const minus = e.builtin('SUB_INT64');

  test('FOLDL and FOLDR run in their order', () => {
    expect(
      ints(
        call('FOLDL', t.int64, t.int64, minus, e.int(0), numbers),
        call('FOLDR', t.int64, t.int64, minus, e.int(0), numbers),
      ),
    ).toEqual(['-6', '2']);
    const folded = (name: string): Question => ({
      type: t.int64,
      value: call(name, t.int64, t.int64, minus, e.int(0), numbers),
    });
    expect(evaluateEach(...deepened({ Left: folded('FOLDL'), Right: folded('FOLDR') }))).toEqual({
      Left: '-6',
      Right: '2',
    });
  });

  test('EQUAL_LIST compares lists (B-VAL-042)', () => {
    const same = (left: Code, right: Code) =>
      call('EQUAL_LIST', t.int64, e.builtin('EQUAL', t.int64), left, right);
    const shorter = e.list(t.int64, [e.int(1), e.int(2)]);
    expect(bools(same(numbers, numbers), same(numbers, shorter), same(shorter, numbers))).toEqual([
      true,
      false,
      false,
    ]);
    // Upstream calls the function with the second list's element before the first's.
    const less = call('EQUAL_LIST', t.int64, e.builtin('LESS', t.int64), shorter, shorter);
    const below = (left: number, right: number) =>
      call(
        'EQUAL_LIST',
        t.int64,
        e.builtin('LESS', t.int64),
        e.list(t.int64, [e.int(left)]),
        e.list(t.int64, [e.int(right)]),
      );
    expect(bools(less, below(1, 2), below(2, 1))).toEqual([false, false, true]);
    // The lists change places at each step: 0 < 100, and then -4 < 1.
    const [first, second] = [
      [100, -4],
      [0, 1],
    ].map((items) =>
      e.list(
        t.int64,
        items.map((item) => e.int(item)),
      ),
    );
    const swapped = call('EQUAL_LIST', t.int64, e.builtin('LESS', t.int64), first!, second!);
    expect(bools(swapped)).toEqual([true]);
    expect(evaluateEach(...deepened({ Swapped: { type: t.bool, value: swapped } }))).toEqual({
      Swapped: true,
    });
  });
});

test('TRACE returns its second argument', () => {
  expect(ints(call('TRACE', t.int64, e.text('a message'), e.int(7)))).toEqual(['7']);
});

describe('order and equality over structures', () => {
  const list = (...values: number[]) =>
    e.list(
      t.int64,
      values.map((value) => e.int(value)),
    );
  const some = (value: number) => e.some(t.int64, e.int(value));
  const integers = t.genMap(t.int64, t.int64);
  const empty = e.builtin('GENMAP_EMPTY', t.int64, t.int64);
  const entry = (key: number, value: number) =>
    call('GENMAP_INSERT', t.int64, t.int64, e.int(key), e.int(value), empty);
  const rows: Readonly<Record<string, readonly [LfTypeSpec, ...Code[]]>> = {
    unit: [t.unit, e.unit],
    bool: [t.bool, e.false, e.true],
    lists: [t.list(t.int64), list(), list(1), list(1, 2), list(2)],
    optionals: [t.optional(t.int64), e.none(t.int64), some(1), some(2)],
    structs: [
      t.struct({ a: t.int64, b: t.int64 }),
      e.struct({ a: e.int(1), b: e.int(2) }),
      e.struct({ a: e.int(2), b: e.int(1) }),
    ],
    types: [
      t.builtin(15),
      e.typeRep(t.int64),
      e.typeRep(t.text),
      e.typeRep(t.con('Main:Probe')),
      e.typeRep(t.struct({ a: t.int64 })),
      e.typeRep(t.struct({ a: t.text })),
      e.typeRep(t.struct({ a: t.int64, b: t.int64 })),
      e.typeRep(t.struct({ b: t.int64 })),
      e.typeRep(t.list(t.int64)),
      e.typeRep(t.list(t.text)),
    ],
    any: [
      t.any,
      e.toAny(t.int64, e.int(9)),
      e.toAny(t.text, e.text('a')),
      e.toAny(t.text, e.text('b')),
    ],
    maps: [integers, empty, entry(1, 1), entry(1, 2), entry(2, 0)],
  };
  test.each(Object.keys(rows))('%s', (name) => {
    const [type, ...values] = rows[name]!;
    const pairs = values.flatMap((left, i) => values.map((right, j) => ({ left, right, i, j })));
    for (const [builtin, holds] of [
      ['LESS', (i: number, j: number) => i < j],
      ['LESS_EQ', (i: number, j: number) => i <= j],
      ['GREATER', (i: number, j: number) => i > j],
      ['GREATER_EQ', (i: number, j: number) => i >= j],
      ['EQUAL', (i: number, j: number) => i === j],
    ] as const) {
      const compared = pairs.map(({ left, right }) => call(builtin, type, left, right));
      // 2.dev alone has an Any, and a representation, of every type.
      const answers = valuesOf(t.bool, compared, 'dev');
      expect(answers).toEqual(pairs.map(({ i, j }) => holds(i, j)));
    }
  });

  test('type names are ordered by package, module and name, part by part', () => {
    const NAMES = ['A', 'A.B', 'A1', 'Z'];
    const types = Object.fromEntries(NAMES.map((name) => [name, { record: {} }]));
    const modules = { A: { types }, 'A.C': { types }, B: { types } };
    const other = encodePackage({ name: 'other', lf: 'dev', modules });
    const named = Object.keys(modules).flatMap((module) =>
      NAMES.map((name) => `${module}:${name}`),
    );
    const compared = (left: string, right: string): Question => ({
      type: t.bool,
      value: call('LESS', t.builtin(15), e.typeRep(t.con(left)), e.typeRep(t.con(right))),
    });
    const names = [...named, ...named.map((name) => `${other.id}:${name}`)];
    const pairs = names
      .slice(1)
      .flatMap((name, index) => [[name, names[index]!] as const, [names[index]!, name] as const]);
    pairs.push([names[0]!, names.at(-1)!], [names.at(-1)!, names[0]!]);
    const main = encodePackage({
      lf: 'dev',
      imports: [other.id],
      modules: {
        ...modules,
        Main: probeModule(
          Object.fromEntries(pairs.map((pair, index) => [`Q${index}`, compared(...pair)])),
        ),
      },
    });
    const ledger = lfLedger(main, other);
    const sorted = [...names].sort(
      (a, b) =>
        Number(a.split(':').length === 3 ? other.id > main.id : main.id > other.id) -
          Number(b.split(':').length === 3 ? other.id > main.id : main.id > other.id) ||
        names.indexOf(a) - names.indexOf(b),
    );
    expect(pairs.map((_, index) => ledger.evaluate(`Q${index}`))).toEqual(
      pairs.map(([left, right]) => sorted.indexOf(left) < sorted.indexOf(right)),
    );
  });

  // Upstream's Equality goes through the entries of both, and meets the end of one behind them.
  test('maps of functions are not comparable, for maps of any size', () => {
    const type = t.arrow(t.int64, t.int64);
    const f = e.lambda({ x: t.int64 }, e.var('x'));
    const insert = (key: string, map: Code) => call('TEXTMAP_INSERT', type, e.text(key), f, map);
    const one = insert('a', e.builtin('TEXTMAP_EMPTY', type));
    const equal = (right: Code) => call('EQUAL', t.textMap(type), one, right);
    expect(
      bools(
        equal(insert('b', one)),
        equal(insert('b', e.builtin('TEXTMAP_EMPTY', type))),
        equal(e.builtin('TEXTMAP_EMPTY', type)),
      ),
    ).toEqual(['NON_COMPARABLE_VALUES', false, false]);
  });

  test('functions are not comparable', () => {
    const f = e.lambda({ x: t.int64 }, e.var('x'));
    const type = t.arrow(t.int64, t.int64);
    expect(bools(call('EQUAL', type, f, f), call('LESS', type, f, f))).toEqual([
      'NON_COMPARABLE_VALUES',
      'NON_COMPARABLE_VALUES',
    ]);
  });
});

describe('BigNumeric (2.dev)', () => {
  const big = (digits: string) =>
    call('NUMERIC_TO_BIGNUMERIC', t.nat(digits.split('.')[1]!.length), e.numeric(digits));
  const shown = (...values: Code[]) =>
    valuesOf(
      t.text,
      values.map((value) => call('BIGNUMERIC_TO_TEXT', value)),
      'dev',
    );

  test('is exact, and rounds divisions only', () => {
    const half = (mode: number) =>
      call('DIV_BIGNUMERIC', e.int(0), e.roundingMode(mode), big('5.0'), big('2.0'));
    expect(
      shown(
        call('ADD_BIGNUMERIC', big('0.1'), big('0.25')),
        call('MUL_BIGNUMERIC', big('0.5'), big('0.5')),
      ),
    ).toEqual(['0.35', '0.25']);
    expect(
      shown(
        call('SUB_BIGNUMERIC', big('1.0'), big('1.0')),
        call('SHIFT_RIGHT_BIGNUMERIC', e.int(3), big('1.0')),
      ),
    ).toEqual(['0.0', '0.001']);
    expect(shown(...[0, 1, 2, 3, 4, 5, 6, 7].map(half))).toEqual([
      '3.0',
      '2.0',
      '3.0',
      '2.0',
      '3.0',
      '2.0',
      '2.0',
      'ArithmeticError',
    ]);
    expect(
      shown(
        call('DIV_BIGNUMERIC', e.int(2), e.roundingMode(6), big('1.0'), big('0.0')),
        call('SHIFT_RIGHT_BIGNUMERIC', e.int(32769), big('1.0')),
      ),
    ).toEqual(['ArithmeticError', 'ArithmeticError']);
  });

  test('matches its definition', () => {
    const digits = fc
      .tuple(fc.nat(37), fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }))
      .map(([zeros, value]) => value / 10n ** BigInt(zeros));
    const number = fc.record({ value: digits, scale: fc.nat(12) });
    const row = fc.record({
      a: number,
      b: number,
      scale: fc.integer({ min: -6, max: 12 }),
      mode: fc.nat(7),
    });
    const code = ({ value, scale }: { value: bigint; scale: number }) => {
      const text = decimalText(value, scale);
      const places = text.split('.')[1]!.length;
      return call('NUMERIC_TO_BIGNUMERIC', t.nat(places), e.numeric(text));
    };
    const of = ({ value, scale }: { value: bigint; scale: number }) => decimal(value, scale);
    /** Enough places for a product. */
    const exact = (value: Fraction) => decimalText(rounded(inUnits(value, 24), 'UNNECESSARY')!, 24);
    check(
      fc.property(fc.array(row, { minLength: 25, maxLength: 25 }), (rows) => {
        const all = (name: string, ...more: Code[]) =>
          rows.map(({ a, b }) => call(name, ...more, code(a), code(b)));
        expect(shown(...all('ADD_BIGNUMERIC'))).toEqual(
          rows.map(({ a, b }) => exact(plus(of(a), of(b)))),
        );
        expect(shown(...all('SUB_BIGNUMERIC'))).toEqual(
          rows.map(({ a, b }) => exact(plus(of(a), of({ ...b, value: -b.value })))),
        );
        expect(shown(...all('MUL_BIGNUMERIC'))).toEqual(
          rows.map(({ a, b }) => exact(times(of(a), of(b)))),
        );
        const quotients = rows.map(({ a, b, scale, mode }) =>
          call('DIV_BIGNUMERIC', e.int(scale), e.roundingMode(mode), code(a), code(b)),
        );
        expect(shown(...quotients)).toEqual(
          rows.map(({ a, b, scale, mode }) => {
            if (b.value === 0n) return 'ArithmeticError';
            const value = rounded(inUnits(divided(of(a), of(b)), scale), ROUNDING_MODES[mode]!);
            return value === undefined ? 'ArithmeticError' : decimalText(value, scale);
          }),
        );
        const less = rows.map(({ a, b }) => call('LESS', t.builtin(1002), code(a), code(b)));
        expect(valuesOf(t.bool, less, 'dev')).toEqual(
          rows.map(({ a, b }) => plus(of(a), of({ ...b, value: -b.value })).over < 0n),
        );
      }),
      { numRuns: 2 },
    );
  });

  // Upstream SBuiltinBigNumericTest, bounds of SBigNumeric.
  test('has up to 2^15 digits on each side of the decimal point', () => {
    const shift = (places: number, value = big('1.0')) =>
      call('SHIFT_RIGHT_BIGNUMERIC', e.int(places), value);
    const scaleOf = (value: Code) => call('SCALE_BIGNUMERIC', value);
    const nine = big('9.0');
    expect(
      valuesOf(
        t.int64,
        [
          scaleOf(shift(2 ** 15)),
          scaleOf(shift(2 ** 15 + 1)),
          scaleOf(shift(1 - 2 ** 15)),
          scaleOf(shift(-(2 ** 15))),
          scaleOf(shift(2 ** 15 - 2, shift(2 - 2 ** 15))),
          scaleOf(shift(2 ** 16 + 1, shift(1 - 2 ** 15))),
          scaleOf(shift(2 ** 16 + 1, call('SUB_BIGNUMERIC', nine, nine))),
          scaleOf(call('DIV_BIGNUMERIC', e.int(2 ** 15), e.roundingMode(1), nine, big('7.0'))),
          scaleOf(call('DIV_BIGNUMERIC', e.int(2 ** 15 + 1), e.roundingMode(1), nine, big('7.0'))),
          scaleOf(call('DIV_BIGNUMERIC', e.int(-(2 ** 15)), e.roundingMode(1), nine, big('7.0'))),
          scaleOf(
            call('DIV_BIGNUMERIC', e.int(-(2 ** 15) - 1), e.roundingMode(1), nine, big('7.0')),
          ),
        ],
        'dev',
      ),
    ).toEqual([
      '32768',
      'ArithmeticError',
      '-32767',
      'ArithmeticError',
      '0',
      'ArithmeticError',
      '0',
      '32768',
      'ArithmeticError',
      '0',
      'ArithmeticError',
    ]);
    const wide = `1${'0'.repeat(37)}.`;
    expect(
      valuesOf(
        t.numeric(0),
        [
          call(
            'BIGNUMERIC_TO_NUMERIC',
            t.nat(0),
            e.numeric('0.'),
            call('NUMERIC_TO_BIGNUMERIC', t.nat(0), e.numeric(wide)),
          ),
          call('BIGNUMERIC_TO_NUMERIC', t.nat(0), e.numeric('0.'), shift(-38)),
        ],
        'dev',
      ),
    ).toEqual([wide, 'ArithmeticError']);
  });

  test('has a scale and a precision, and converts to Numeric', () => {
    expect(
      valuesOf(
        t.int64,
        [
          call('SCALE_BIGNUMERIC', big('1.20')),
          call('PRECISION_BIGNUMERIC', big('1.20')),
          call('SCALE_BIGNUMERIC', big('1200.0')),
        ],
        'dev',
      ),
    ).toEqual(['1', '2', '-2']);
    expect(
      valuesOf(
        t.numeric(2),
        [
          call('BIGNUMERIC_TO_NUMERIC', t.nat(2), e.numeric('0.00'), big('1.2')),
          call('BIGNUMERIC_TO_NUMERIC', t.nat(2), e.numeric('0.00'), big('1.234')),
        ],
        'dev',
      ),
    ).toEqual(['1.20', 'ArithmeticError']);
  });
});
