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
import { e, p, type Code } from '../../support/lf-code.js';
import { ask, type Question, type Refusal } from '../../support/lf-probe.js';
import { t, type LfTypeSpec } from '../../support/lf-types.js';
import { check } from '../../support/property.js';

const ARITHMETIC = 'UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError';
const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

/** Values of many expressions of one type. A failed computation is its error's text. */
function valuesOf(
  type: LfTypeSpec,
  expressions: readonly Code[],
  lf: '3' | 'dev' = '3',
): unknown[] {
  const questions = Object.fromEntries(
    expressions.map((value, index): [string, Question] => [`Q${index}`, { type, value }]),
  );
  return Object.values(ask(questions, {}, { lf })).map((answer) => {
    const refusal = answer as Partial<Refusal> | null;
    return typeof refusal === 'object' && refusal?.refused !== undefined
      ? refusal.context?.['error_id'] === ARITHMETIC
        ? 'ArithmeticError'
        : refusal.refused
      : answer;
  });
}
/** Of the types that a builtin is applied to, then of its arguments. */
const call = (name: string, ...parts: (LfTypeSpec | Code)[]) => {
  const types = parts.filter((part): part is LfTypeSpec => typeof part !== 'function');
  const args = parts.filter((part): part is Code => typeof part === 'function');
  return e.call(e.builtin(name, ...types), ...args);
};
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
  test.each(Object.keys(definitions))('%s is exact, or an ArithmeticError', (name) => {
    check(
      fc.property(fc.array(fc.tuple(int64, int64), { minLength: 60, maxLength: 60 }), (pairs) => {
        const answers = ints(...pairs.map(([a, b]) => call(name, e.int(a), e.int(b))));
        expect(answers).toEqual(pairs.map(([a, b]) => definitions[name]!(a, b)));
      }),
      { numRuns: 3 },
    );
  });

  test('comparisons and texts', () => {
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

  test('TEXT_TO_INT64', () => {
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

  test('rounds half to even, at the scale that is asked for', () => {
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

  test('overflow at 38 digits', () => {
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

  test('texts', () => {
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

  test('the order does not look at how a number is written', () => {
    expect(
      bools(
        call('LESS', t.numeric(2), e.numeric('1.10'), e.numeric('1.20')),
        call('EQUAL', t.numeric(1), one, one),
      ),
    ).toEqual([true, true]);
  });
});

describe('Text', () => {
  test('is made of code points', () => {
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
        call('IMPLODE_TEXT', listOf('a', '', 'bc')),
        call('APPEND_TEXT', e.text('a'), e.text('b')),
      ),
    ).toEqual(['a😀', 'DAML_INTERPRETATION_ERROR', 'DAML_INTERPRETATION_ERROR', 'abc', 'ab']);
  });

  test('is ordered by code points, not by UTF-16 units', () => {
    expect(
      bools(
        call('LESS', t.text, e.text('\uff5e'), e.text('😀')),
        call('LESS', t.text, e.text('a'), e.text('ab')),
      ),
    ).toEqual([true, true]);
  });

  test('hashes and hexadecimal', () => {
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

  test('secp256k1 signatures', () => {
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

  test('secp256k1 keys that are none', () => {
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

  test('TEXT_TO_PARTY, PARTY_TO_TEXT and CONTRACT_ID_TO_TEXT', () => {
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
  test('have bounds, and texts', () => {
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
    ).toEqual(['1970-01-01', '1970-01-01T00:00:01.5Z']);
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

  test('a GenMap is sorted, keeps the last value of a key, and forgets what is deleted', () => {
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

  test('keys may be any comparable value, and only such', () => {
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

  test('FOLDL and FOLDR', () => {
    expect(
      ints(
        call('FOLDL', t.int64, t.int64, minus, e.int(0), numbers),
        call('FOLDR', t.int64, t.int64, minus, e.int(0), numbers),
      ),
    ).toEqual(['-6', '2']);
  });

  test('EQUAL_LIST', () => {
    const same = (left: Code, right: Code) =>
      call('EQUAL_LIST', t.int64, e.builtin('EQUAL', t.int64), left, right);
    const shorter = e.list(t.int64, [e.int(1), e.int(2)]);
    expect(bools(same(numbers, numbers), same(numbers, shorter), same(shorter, numbers))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test('TRACE answers its second argument', () => {
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

  test('is exact, and rounds only where it divides', () => {
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

  test('scale, precision and conversion', () => {
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
