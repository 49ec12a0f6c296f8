/** The replacements of Node's modules return what Node's modules return. */
import * as node from 'node:crypto';
import { inspect } from 'node:util';
import * as nodeZlib from 'node:zlib';
import fc from 'fast-check';
import { PageBuffer, type Encoding } from '../../src/browser/platform/bytes.js';
import * as page from '../../src/browser/platform/crypto.js';
import { missingModule } from '../../src/browser/platform/missing.js';
import * as util from '../../src/browser/platform/util.js';
import * as timers from '../../src/browser/platform/timers.js';
import { builtIns, globals } from '../../src/browser/platform/modules.js';
import * as pageZlib from '../../src/browser/platform/zlib.js';
import { AUTHORITY, SERVER_CERT } from '../support/certificates.js';
import { check } from '../support/property.js';

const ENCODINGS: readonly Encoding[] = ['utf8', 'hex', 'base64', 'base64url', 'latin1', 'utf16le'];
const encoding = fc.constantFrom(...ENCODINGS);
const bytes = fc.uint8Array({ maxLength: 40 });
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.stringMatching(/^[0-9A-Za-z+/_=-]{0,24}$/),
  fc.stringMatching(/^[0-9a-fA-F]{0,12}.?[0-9a-f]{0,4}$/),
);
const hex = (given: Uint8Array) => Buffer.from(given).toString('hex');

describe('bytes', () => {
  it('become the same texts, and texts the same bytes', () => {
    check(
      fc.property(bytes, text, encoding, (given, from, form) => {
        expect(PageBuffer.from(given).toString(form)).toBe(Buffer.from(given).toString(form));
        // Node reads other characters as others of the alphabet.
        const read = form.startsWith('base64') ? from.replace(/[^\0-\x7f]/g, '') : from;
        expect(hex(PageBuffer.from(read, form))).toBe(Buffer.from(read, form).toString('hex'));
        expect(PageBuffer.byteLength(from)).toBe(Buffer.byteLength(from));
      }),
    );
  });

  it('have the same parts, joins and comparisons', () => {
    const index = fc.integer({ min: 0, max: 50 });
    check(
      fc.property(bytes, bytes, index, index, (left, right, from, to) => {
        const [mine, nodes] = [PageBuffer.from(left), Buffer.from(left)];
        expect(mine.toString('latin1', from, to)).toBe(nodes.toString('latin1', from, to));
        expect(mine.latin1Slice(from, to)).toBe(nodes.toString('latin1', from, Math.max(from, to)));
        expect(PageBuffer.compare(left, right)).toBe(Buffer.compare(left, right));
        expect(mine.equals(right)).toBe(nodes.equals(right));
        expect(mine.indexOf(right)).toBe(right.length === 0 ? 0 : nodes.indexOf(right));
        expect(mine.indexOf(to)).toBe(nodes.indexOf(to));
        expect(mine.includes(right)).toBe(nodes.includes(Buffer.from(right)));
        expect(hex(PageBuffer.concat([left, right]))).toBe(hex(Buffer.concat([left, right])));
        expect(hex(PageBuffer.concat([left, right], to))).toBe(
          hex(Buffer.concat([left, right], to)),
        );
        const [target, other] = [PageBuffer.alloc(20, 7), Buffer.alloc(20, 7)];
        if (from <= left.length && to < 20) {
          expect(mine.copy(target, to, from)).toBe(nodes.copy(other, to, from));
          expect(hex(target)).toBe(hex(other));
        }
      }),
    );
  });

  it('have the same numbers', () => {
    check(
      fc.property(
        fc.double(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (float, int) => {
          const write = (
            buffer: Pick<
              Buffer,
              | 'writeDoubleLE'
              | 'writeFloatLE'
              | 'writeBigInt64BE'
              | 'writeBigUInt64LE'
              | 'writeInt32BE'
              | 'writeUInt32LE'
              | 'write'
            >,
          ) => [
            buffer.writeDoubleLE(float, 1),
            buffer.writeFloatLE(float, 9),
            buffer.writeBigInt64BE(int, 13),
            buffer.writeBigUInt64LE(BigInt.asUintN(64, int), 21),
            buffer.writeInt32BE(Number(BigInt.asIntN(32, int)), 29),
            buffer.writeUInt32LE(Number(BigInt.asUintN(32, int)), 33),
            buffer.write('é€', 37),
          ];
          const [mine, nodes] = [PageBuffer.alloc(40), Buffer.alloc(40)];
          expect(write(mine as never)).toEqual(write(nodes));
          expect(hex(mine)).toBe(hex(nodes));
          expect(mine.readDoubleLE(1)).toBe(nodes.readDoubleLE(1));
          expect(mine.readUIntBE(13, 4)).toBe(nodes.readUIntBE(13, 4));
        },
      ),
    );
  });
});

describe('hashes and keys', () => {
  const message = Buffer.from('the same message');

  it('of each function are the same', () => {
    for (const name of ['sha256', 'sha384', 'sha512']) {
      expect(page.createHash(name).update('ab').update(message).digest('hex')).toBe(
        node.createHash(name).update('ab').update(message).digest('hex'),
      );
      expect(page.createHmac(name, 'key').update(message).digest('base64')).toBe(
        node.createHmac(name, 'key').update(message).digest('base64'),
      );
      expect(page.hash(name, message)).toBe(node.createHash(name).update(message).digest('hex'));
    }
    expect(page.createHash('shake256', { outputLength: 100 }).update('ab').digest('hex')).toBe(
      node.createHash('shake256', { outputLength: 100 }).update('ab').digest('hex'),
    );
    expect(() => page.createHash('md5')).toThrow('no hash function md5');
  });

  const pairs = {
    ed25519: node.generateKeyPairSync('ed25519'),
    prime256v1: node.generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
    secp384r1: node.generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
    secp521r1: node.generateKeyPairSync('ec', { namedCurve: 'secp521r1' }),
    secp256k1: node.generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
    rsa: node.generateKeyPairSync('rsa', { modulusLength: 1024 }),
  };
  const der = { format: 'der', type: 'spki' } as const;

  it.each(Object.entries(pairs))(
    'of %s are read and written in each format',
    (_name, { publicKey }) => {
      const spki = publicKey.export(der);
      const jwk = publicKey.export({ format: 'jwk' });
      const pem = publicKey.export({ format: 'pem', type: 'spki' }) as string;
      for (const input of [
        { key: spki, format: 'der' },
        { key: jwk, format: 'jwk' },
        pem,
      ] as const) {
        const key = page.createPublicKey(input as never);
        expect(hex(key.export({ format: 'der' }) as Uint8Array)).toBe(spki.toString('hex'));
        expect(key.export({ format: 'jwk' })).toEqual(jwk);
        expect(key.asymmetricKeyType).toBe(publicKey.asymmetricKeyType);
        const { namedCurve, modulusLength } = publicKey.asymmetricKeyDetails ?? {};
        expect(key.asymmetricKeyDetails).toEqual(
          JSON.parse(JSON.stringify({ namedCurve, modulusLength })),
        );
      }
    },
  );

  it.each(Object.entries(pairs))(
    'of %s verify what the key signed, and nothing else',
    (name, { publicKey, privateKey }) => {
      const digest = name === 'ed25519' ? null : 'sha256';
      for (const dsaEncoding of ['der', 'ieee-p1363'] as const) {
        const signature = node.sign(digest, message, { key: privateKey, dsaEncoding });
        const key = page.createPublicKey({ key: publicKey.export(der) });
        const verifies = (signed: Uint8Array) =>
          page.verify(digest, message, { key, dsaEncoding } as never, signed);
        expect(verifies(signature)).toBe(true);
        const changed = Uint8Array.from(signature);
        changed[changed.length - 1]! ^= 1;
        expect(verifies(changed)).toBe(false);
        expect(verifies(signature.subarray(1))).toBe(false);
      }
    },
  );

  it.each(['ed25519', 'prime256v1', 'secp384r1', 'secp256k1'] as const)(
    'of %s sign for Node',
    (name) => {
      const { publicKey, privateKey } = pairs[name];
      const key = page.createPrivateKey({
        key: privateKey.export({ format: 'der', type: 'pkcs8' }),
      });
      const digest = name === 'ed25519' ? null : 'sha256';
      const signature = page.sign(digest, message, key);
      expect(node.verify(digest, message, publicKey, signature)).toBe(true);
      expect(page.createPublicKey(key).export({ format: 'jwk' })).toEqual(
        publicKey.export({ format: 'jwk' }),
      );
      if (name === 'ed25519')
        expect(hex(signature)).toBe(hex(node.sign(null, message, privateKey)));
    },
  );

  it('of JSON Web Keys sign too', () => {
    const { publicKey, privateKey } = pairs.prime256v1;
    const key = page.createPrivateKey({ key: privateKey.export({ format: 'jwk' }) as never });
    const dsaEncoding = 'ieee-p1363';
    const signature = page.sign('sha256', message, { key, dsaEncoding } as never);
    expect(node.verify('sha256', message, { key: publicKey, dsaEncoding }, signature)).toBe(true);
  });

  it('of RSA of any length are read and written', () => {
    const modulus = fc.tuple(fc.integer({ min: 100, max: 300 }), fc.integer({ min: 1, max: 255 }));
    check(
      fc.property(modulus, ([length, first]) => {
        const n = Buffer.alloc(length, 7).fill(first, 0, 1).toString('base64url');
        const jwk = { kty: 'RSA', n, e: 'AQAB' };
        const spki = node.createPublicKey({ key: jwk, format: 'jwk' }).export(der);
        const key = page.createPublicKey({ key: jwk });
        expect(hex(key.export({ format: 'der' }) as Uint8Array)).toBe(spki.toString('hex'));
        expect(page.createPublicKey({ key: spki }).export({ format: 'jwk' })).toEqual(jwk);
      }),
    );
    expect(
      page.createPublicKey({ key: { kty: 'RSA', n: 'AAAH', e: 'AAM' } }).export({ format: 'jwk' }),
    ).toEqual({ kty: 'RSA', n: 'Bw', e: 'Aw' });
  });

  it('of certificates are read', () => {
    for (const text of [AUTHORITY, SERVER_CERT]) {
      const key = page.createPublicKey(text);
      expect(key.export({ format: 'jwk' })).toEqual(
        node.createPublicKey(text).export({ format: 'jwk' }),
      );
    }
  });

  it('follow from a secret', () => {
    const secret = Buffer.alloc(32, 5);
    const [mine, nodes] = [page.createECDH('prime256v1'), node.createECDH('prime256v1')];
    mine.setPrivateKey(secret);
    nodes.setPrivateKey(secret);
    expect(hex(mine.getPublicKey())).toBe(nodes.getPublicKey('hex'));
  });

  it.each([
    ['a truncated key', pairs.prime256v1.publicKey.export(der).subarray(0, 40)],
    [
      'a point outside of its curve',
      Buffer.from(pairs.prime256v1.publicKey.export(der)).fill(7, 40),
    ],
    ['a key of another kind', node.generateKeyPairSync('x25519').publicKey.export(der)],
    ['no key', Buffer.from('a')],
    ['a text', 'no key'],
    ['a JSON Web Key of another curve', { kty: 'OKP', crv: 'X25519', x: 'AA' }],
    ['a JSON Web Key of another kind', { kty: 'oct', k: 'AA' }],
  ])('refuse %s', (_what, key) => {
    expect(() => page.createPublicKey(typeof key === 'string' ? key : { key })).toThrow(
      /key|point|curve/i,
    );
  });

  it('know prime numbers', () => {
    const candidates = [
      0n,
      1n,
      2n,
      3n,
      53n,
      57n,
      59n,
      561n,
      2n ** 61n - 1n,
      2n ** 67n - 1n,
      2n ** 89n - 1n,
    ];
    check(
      fc.property(
        fc.oneof(fc.constantFrom(...candidates), fc.bigInt({ min: 0n, max: 2n ** 70n })),
        (candidate) => {
          expect(page.checkPrimeSync(candidate)).toBe(node.checkPrimeSync(candidate));
        },
      ),
    );
  });

  it('are equal or not', () => {
    expect(page.timingSafeEqual(Buffer.from('ab'), Buffer.from('ab'))).toBe(true);
    expect(page.timingSafeEqual(Buffer.from('ab'), Buffer.from('ac'))).toBe(false);
    expect(page.randomBytes(9)).toHaveLength(9);
  });
});

describe('compressed bytes', () => {
  const many = fc.array(fc.constantFrom('alice', 'bob', '\0', '{"a":1}'), { maxLength: 3000 });

  it('of each side are uncompressed by the other', () => {
    check(
      fc.property(many, (words) => {
        const given = Buffer.from(words.join(''));
        expect(hex(nodeZlib.gunzipSync(pageZlib.gzipSync(given)))).toBe(given.toString('hex'));
        expect(hex(pageZlib.gunzipSync(nodeZlib.gzipSync(given)))).toBe(given.toString('hex'));
        const raw = Buffer.concat([nodeZlib.deflateRawSync(given), Buffer.from('after')]);
        const { buffer, engine } = pageZlib.inflateRawSync(raw, { info: true }) as never as {
          buffer: Uint8Array;
          engine: { bytesWritten: number };
        };
        expect(hex(buffer)).toBe(given.toString('hex'));
        expect(engine.bytesWritten).toBe(raw.length - 5);
      }),
    );
  });

  const given = nodeZlib.gzipSync(Buffer.alloc(100_000));
  it.each([
    ['larger than a limit', given, { maxOutputLength: 99_999 }],
    ['at the limit', given, { maxOutputLength: 100_000 }],
    ['truncated', given.subarray(0, 60), {}],
    [
      'truncated, of which the start is wanted',
      given.subarray(0, 60),
      { finishFlush: nodeZlib.constants.Z_SYNC_FLUSH },
    ],
    ['damaged', Buffer.from(given).fill(255, 12, 20), {}],
    ['nothing', Buffer.alloc(0), {}],
    ['of another kind', Buffer.from('text'), {}],
  ])('that are %s give the same result', (_what, packed, limits) => {
    const outcome = (gunzip: (bytes: Uint8Array, limits: object) => Uint8Array) => {
      try {
        return gunzip(packed, limits).length;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    };
    expect(outcome(pageZlib.gunzipSync)).toBe(outcome(nodeZlib.gunzipSync));
  });

  it('of Brotli are refused', () => {
    expect(() => pageZlib.brotliDecompressSync()).toThrow('Brotli');
  });
});

describe('timers', () => {
  it('run, repeat, start again and stop', async () => {
    const ran: unknown[] = [];
    const stopped = timers.setTimeout(() => ran.push('stopped'), 1);
    timers.clearTimeout(stopped);
    timers.clearTimeout(undefined);
    await new Promise<void>((resolve) => {
      const repeating = timers.setInterval(() => {
        ran.push('again');
        if (ran.length < 2) return;
        timers.clearInterval(repeating);
        timers
          .setTimeout((...args) => (ran.push(...args), resolve()), 1, 'once')
          .unref()
          .refresh();
      }, 1);
    });
    expect(ran).toEqual(['again', 'again', 'once']);
  });

  it('run immediate functions in their order', async () => {
    const ran: unknown[] = [];
    timers.setImmediate((...args) => ran.push(...args), 1, 2);
    await new Promise<void>((resolve) => timers.setImmediate(() => resolve()));
    expect(ran).toEqual([1, 2]);
  });
});

describe('values in messages', () => {
  it('are texts in quotes, or as they are printed', () => {
    expect(util.inspect('a"b')).toBe('"a\\"b"');
    expect(util.inspect(7)).toBe('7');
    expect(util.inspect.custom).toBe(inspect.custom);
  });
});

describe('missing modules', () => {
  it.each(
    Object.entries({
      'node:fs': 'files',
      'node:http': 'ports',
      'node:http2': 'gRPC',
      'node:worker_threads': 'threads of Node',
      express: 'Express applications',
      other: `'other'`,
    }),
  )('%s names its feature', (name, feature) => {
    const { anything } = missingModule(name) as { readonly anything: new () => object };
    expect(() => new anything()).toThrow(`A browser has no ${feature}, so that`);
    expect(() => (anything as unknown as () => void)()).toThrow('A browser has no');
    class Own extends anything {}
    expect(() => new Own()).toThrow(feature);
  });
});

it('the globals of packs include those of the page', () => {
  const own = globals as typeof globalThis;
  expect(own.Buffer).toBe(PageBuffer);
  expect(own.Map).toBe(Map);
  expect('process' in own && 'Map' in own && !('nothing' in own)).toBe(true);
  expect(Object.keys(builtIns)).toContain('node:crypto');
});
