/** Digests, hexadecimal and secp256k1 signatures: upstream's tables and messages (SBuiltinTest, `Crypto`; B-VAL-040, B-VAL-041). */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import fc from 'fast-check';
import { e, type Code } from '../../../support/daml/lf-code.js';
import { evaluateEach, type Question, type Refusal } from '../../../support/daml/lf-probe.js';
import { check } from '../../../support/property.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';
import { call, valuesOf } from '../expression-values.js';

const DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const texts = (name: string, args: readonly string[]) =>
  valuesOf(
    t.text,
    args.map((arg) => call(name, e.text(arg))),
  );
const hex = (text: string) => Buffer.from(text).toString('hex');
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

test('KECCAK256_TEXT', () => {
  const DIGESTS: Readonly<Record<string, string>> = {
    '00': 'bc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a',
    '0000': '54a8c0ab653c15bfb48b47fd011ba2b9617af01cb45cab344acd57c924d56798',
    deadbeef: 'd4fd4e189132273036449fc9e11198c739161b4c0116a9a2dccdfa1c492006f1',
    [DIGEST]: 'a332df1e58a99d8dcb0767dab2d23985ef337d59fadbe040f56e1c642b314973',
  };
  expect(texts('KECCAK256_TEXT', Object.keys(DIGESTS))).toEqual(Object.values(DIGESTS));
});

test('SHA256_TEXT hashes the text, and SHA256_HEX hashes the bytes', () => {
  const messages = ['', DIGEST, 'Hello World!', 'deadbeef', 'DeadBeef', 'a¶‱😂'];
  expect(texts('SHA256_TEXT', messages)).toEqual(messages.map((message) => sha256(message)));
  const bytes = ['', DIGEST, 'deadbeef'];
  expect(texts('SHA256_HEX', bytes)).toEqual(bytes.map((each) => sha256(Buffer.from(each, 'hex'))));
});

test('TEXT_TO_HEX and HEX_TO_TEXT', () => {
  const messages = ['', 'Hello world!', 'DeadBeef', '843d0824-9133', DIGEST, 'a¶‱😂\n  b'];
  expect(texts('TEXT_TO_HEX', messages)).toEqual(messages.map(hex));
  expect(texts('HEX_TO_TEXT', messages.map(hex))).toEqual(messages);
});

/** The refusals of these values. */
function refusals(type: LfTypeSpec, values: readonly Code[]): readonly Refusal[] {
  const questions = values.map((value, index): [string, Question] => [
    `Q${index}`,
    { type, value },
  ]);
  return Object.values(evaluateEach(Object.fromEntries(questions), {}, { lf: '3' })) as Refusal[];
}
const malformed = (value: string, what: string, why: string, code: string) => ({
  refused: `INTERPRETATION_CRYPTO_ERROR_MALFORMED_${code}`,
  cause: `Interpretation error: Error: ${what} for ${value} :\n${why}`,
  resources: [['CRYPTO_VALUE', value]],
});
const noHex = (value: string, why: string) =>
  malformed(value, 'Invalid byte encoding format', why, 'BYTE_ENCODING');

test.each([
  ['KECCAK256_TEXT', 'can not parse hex string', ['0', '000', '0g', 'DeadBeef', 'input', 'a¶‱😂']],
  ['SHA256_HEX', 'can not parse hex string', ['DeadBeef', 'Lorem ipsum', 'a¶‱😂']],
  ['HEX_TO_TEXT', 'can not parse hex string argument', ['0', '000', '0g', '843d-0824', 'a¶‱😂']],
])('%s accepts only pairs of lower-case hexadecimal digits: %s', (name, why, rows) => {
  expect(
    refusals(
      t.text,
      rows.map((row) => call(name, e.text(row))),
    ),
  ).toEqual(rows.map((row) => expect.objectContaining(noHex(row, why)) as unknown));
});

const der = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('hex');
const keyOf = (byte: string) =>
  createPrivateKey({
    key: Buffer.from(`302e0201010420${byte.repeat(32)}a00706052b8104000a`, 'hex'),
    format: 'der',
    type: 'sec1',
  });
const privateKey = keyOf('01');
const stranger = createPublicKey(keyOf('02'));
const { publicKey: offCurve } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const MESSAGE = 'deadbeef';
const OTHER = 'deadbeefdeadbeef';
const signed = (message: string, key = privateKey) =>
  createSign('sha256').update(Buffer.from(message, 'hex')).sign(key).toString('hex');
const KEY = der(createPublicKey(privateKey));

/** The form in which each takes the message: its bytes, or their digest. */
const WAYS: Readonly<Record<string, (message: string) => string>> = {
  SECP256K1_BOOL: (message) => message,
  SECP256K1_WITH_ECDSA_BOOL: (message) => sha256(Buffer.from(message, 'hex')),
};

describe.each(Object.entries(WAYS))('%s', (name, of) => {
  const verify = (signature: string, message: string, key: string) =>
    call(name, e.text(signature), e.text(message), e.text(key));

  test('verifies a signature by message and key', () => {
    expect(
      valuesOf(t.bool, [
        verify(signed(MESSAGE), of(MESSAGE), KEY),
        verify(signed(MESSAGE), of(OTHER), KEY),
        verify(signed(OTHER), of(MESSAGE), KEY),
        verify(signed(MESSAGE), of(MESSAGE), der(stranger)),
      ]),
    ).toEqual([true, false, false, false]);
  });

  test('rejects arguments that are not hexadecimal', () => {
    const rows: readonly (readonly [Code, string, string])[] = [
      [verify(signed(MESSAGE), 'DeadBeef', KEY), 'DeadBeef', 'can not parse message hex string'],
      [
        verify(signed(MESSAGE), of(MESSAGE), 'a key'),
        'a key',
        'can not parse DER encoded public key hex string',
      ],
      [verify('DeadBeef', of(MESSAGE), KEY), 'DeadBeef', 'can not parse signature hex string'],
    ];
    expect(
      refusals(
        t.bool,
        rows.map(([value]) => value),
      ),
    ).toEqual(rows.map(([, value, why]) => expect.objectContaining(noHex(value, why)) as unknown));
  });

  test('rejects a key of another algorithm, and a malformed signature', () => {
    const rsaKey = der(rsa.publicKey);
    const bySomeone = signed(MESSAGE, rsa.privateKey);
    const [key, garbage, signature] = refusals(t.bool, [
      verify(signed(MESSAGE), of(MESSAGE), rsaKey),
      verify(signed(MESSAGE), of(MESSAGE), MESSAGE),
      verify(bySomeone, of(MESSAGE), KEY),
    ]) as [Refusal, Refusal, Refusal];
    expect([key.refused, garbage.refused]).toEqual([
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY',
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY',
    ]);
    expect([key.resources, garbage.resources]).toEqual([
      [['CRYPTO_VALUE', rsaKey]],
      [['CRYPTO_VALUE', MESSAGE]],
    ]);
    expect(signature).toMatchObject(
      malformed(bySomeone, 'Malformed signature', 'error decoding signature bytes.', 'SIGNATURE'),
    );
  });

  const FORMS = { length: fc.nat(255), bytes: fc.uint8Array({ maxLength: 80 }) };
  /** A sequence of two parts, as keys and signatures are, with whatever in it. */
  const sequence = fc
    .tuple(fc.constantFrom('30', '31', '02'), FORMS.length, FORMS.bytes, fc.boolean())
    .map(([tag, length, bytes, isTrue]) => {
      const said = isTrue ? bytes.length : length;
      return `${tag}${said.toString(16).padStart(2, '0')}${Buffer.from(bytes).toString('hex')}`;
    });

  test('rejects any bytes as a key or signature, or returns false', () => {
    check(
      fc.property(fc.array(sequence, { minLength: 20, maxLength: 20 }), (rows) => {
        const keys = rows.map((row) => verify(signed(MESSAGE), of(MESSAGE), row));
        for (const answer of valuesOf(t.bool, keys))
          expect(answer).toBe('INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY');
        const signatures = rows.map((row) => verify(row, of(MESSAGE), KEY));
        for (const answer of valuesOf(t.bool, signatures))
          expect([false, 'INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE']).toContain(answer);
      }),
      { numRuns: 2 },
    );
  });
});

const POINT = KEY.slice(-128);
const FIELD = 'can not parse DER encoded public key hex string';
const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const header = (point: string, rest = '06052b8104000a') => {
  const bits = `03${length(point.length / 2 + 1)}00${point}`;
  const algorithm = `06072a8648ce3d0201${rest}`;
  return `30${length((algorithm.length + bits.length) / 2 + 2)}30${length(algorithm.length / 2)}${algorithm}${bits}`;
};
const length = (bytes: number) => bytes.toString(16).padStart(2, '0');

describe('secp256k1 verification', () => {
  const verify = (signature: string, key: string) =>
    call('SECP256K1_BOOL', e.text(signature), e.text(MESSAGE), e.text(key));
  const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';

  test('Accepts only canonical signatures whose numbers are below the order', () => {
    const before = `${ORDER.slice(0, -1)}0`;
    const fit = ['3006020100020100', `3026022100${before}020101`, `3026020101022100${before}`];
    const rows = [
      '30060201ff020101',
      '300602010102018f',
      '300702020001020101',
      '300702010102020001',
      `3026022100${ORDER}020101`,
      `3026020101022100${ORDER}`,
      '30810602010102010a',
      '300602010102010100',
    ];
    expect(
      valuesOf(
        t.bool,
        fit.map((each) => verify(each, KEY)),
      ),
    ).toEqual([false, false, false]);
    expect(
      refusals(
        t.bool,
        rows.map((each) => verify(each, KEY)),
      ),
    ).toEqual(
      rows.map(
        (each) =>
          expect.objectContaining(
            malformed(each, 'Malformed signature', 'error decoding signature bytes.', 'SIGNATURE'),
          ) as unknown,
      ),
    );
  });

  test('Ignores bytes after a key', () => {
    expect(valuesOf(t.bool, [verify(signed(MESSAGE), `${KEY}00`)])).toEqual([true]);
  });

  test('Ignores a byte after the coordinates of a point', () => {
    expect(valuesOf(t.bool, [verify(signed(MESSAGE), header(`04${POINT}ff`))])).toEqual([true]);
  });

  test('Verifies with the curve of the key', () => {
    const byIt = signed(MESSAGE, p256.privateKey);
    const its = der(p256.publicKey);
    expect(valuesOf(t.bool, [verify(byIt, its), verify(signed(MESSAGE), its)])).toEqual([
      true,
      false,
    ]);
  });

  test('Rejects a point that is not on the curve', () => {
    const key = header(`04${POINT.slice(0, -2)}00`);
    const high = header(`04${'f'.repeat(128)}`);
    expect(refusals(t.bool, [verify(signed(MESSAGE), key), verify(signed(MESSAGE), high)])).toEqual(
      [key, high].map((each) => expect.objectContaining(noHex(each, FIELD)) as unknown),
    );
  });

  test.each([
    ['nothing', '', 'IOException: Tag number over 30 is not supported'],
    ['that is only a tag', '30', 'IOException: Short read of DER length'],
    ['that is an empty sequence', '3000', 'IOException: Too short'],
    ['truncated', KEY.slice(0, -2), 'IOException: null'],
    ['with an indefinite length', `3080${'00'.repeat(200)}`, 'IOException: null'],
    ['truncated in its length', '308201', 'IOException: null'],
    [
      'with a length that begins with zero',
      '308100',
      'IOException: DerInputStream.getLength(): Redundant length bytes found',
    ],
    [
      'with a short length in the long form',
      '30817f',
      'IOException: DerInputStream.getLength(): Should use short form for length',
    ],
    ['with the shortest length in the long form, and truncated', '308180', 'IOException: null'],
    [
      'with a length of five bytes',
      '30850000000001',
      'IOException: DerInputStream.getLength(): lengthTag=5, too big.',
    ],
    ['that is not a sequence', `04${POINT}`.replace(/^04../, '0420'), 'invalid key format'],
    [
      'with another algorithm',
      der(rsa.publicKey),
      'EC domain parameters must be encoded in the algorithm identifier',
    ],
    [
      'whose point is not a bit string',
      header(`04${POINT}`).replace('034200', '044200'),
      'IOException: DerValue.getBitString, not a bit string 4',
    ],
    [
      'without a point',
      '3014301006072a8648ce3d020106052b8104000a0300',
      'IOException: DerValue.getBitString, not a bit string 3',
    ],
    ['whose point has an unknown form', header(`05${POINT}`), 'Invalid EC key'],
    ['with a hybrid point', header(`06${POINT}`), 'Invalid EC key'],
    ['with a point that is too short', header(`04${POINT.slice(0, 64)}`), 'Invalid EC key'],
    ['with an x coordinate that has no point', header(`02${'0'.repeat(63)}5`), 'Invalid EC key'],
    [
      'with an unknown curve',
      header(`04${POINT}`, '06052b81040063'),
      'IOException: Unknown named curve: 1.3.132.0.99',
    ],
    [
      'with a curve id that begins with its smallest number',
      header(`04${POINT}`, '06022801'),
      'IOException: Unknown named curve: 1.0.1',
    ],
    [
      'with a curve id whose part of several bytes contains zeros',
      header(`04${POINT}`, '06042a818000'),
      'IOException: Unknown named curve: 1.2.16384',
    ],
    ...['0600', '06022a81'].map((curve) => [
      'a curve whose name does not end',
      header(`04${POINT}`, curve),
      'IOException: ObjectIdentifier() -- Invalid DER encoding, not ended',
    ]),
    ...['06028001', '06032a8001'].map((curve) => [
      'a curve whose name has a needless byte',
      header(`04${POINT}`, curve),
      'IOException: ObjectIdentifier() -- Invalid DER encoding, useless extra octet detected',
    ]),
    [
      'with a compressed point that is too long',
      header(`02${POINT.slice(0, 66)}`),
      'Invalid EC key',
    ],
    ['with the point at infinity', header('00'), 'Invalid EC key'],
  ])('The error for a key: %s', (_name, key, why) => {
    const reason = `java.security.InvalidKeyException: ${why}`;
    expect(refusals(t.bool, [verify(signed(MESSAGE), key)])).toEqual([
      expect.objectContaining(malformed(key, 'Malformed public key', reason, 'KEY')),
    ]);
  });
});

test('SECP256K1_VALIDATE_KEY checks the curve equation with the coordinates of any curve', () => {
  const validate = (key: string) => call('SECP256K1_VALIDATE_KEY', e.text(key));
  const high = header(`04${'f'.repeat(128)}`);
  const upper = KEY.toUpperCase();
  const off = header(`04${POINT.slice(0, -2)}00`);
  const zero = header(`04${'0'.repeat(128)}`);
  expect(valuesOf(t.bool, [der(p256.publicKey), off, zero, `${KEY}00`].map(validate))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(refusals(t.bool, [high, upper].map(validate))).toEqual(
    [high, upper].map((each) => expect.objectContaining(noHex(each, FIELD)) as unknown),
  );
});

test('SECP256K1_VALIDATE_KEY', () => {
  const validate = (key: string) => call('SECP256K1_VALIDATE_KEY', e.text(key));
  const keys = [KEY, der(stranger), der(offCurve)];
  expect(valuesOf(t.bool, keys.map(validate))).toEqual([true, true, false]);
  const rsaKey = der(rsa.publicKey);
  const refused = refusals(t.bool, [rsaKey, MESSAGE, 'a key'].map(validate));
  expect(refused.map((each) => [each.refused, each.resources])).toEqual(
    [
      [rsaKey, 'KEY'],
      [MESSAGE, 'KEY'],
      ['a key', 'BYTE_ENCODING'],
    ].map(([value, code]) => [
      `INTERPRETATION_CRYPTO_ERROR_MALFORMED_${code}`,
      [['CRYPTO_VALUE', value]],
    ]),
  );
});
