/** Limits of the keys and tokens that are remembered. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RemoteKeys } from '../../../src/services/authorization/key-sets.js';
import { remoteVerifier } from '../../../src/services/authorization/verifier.js';

const MINUTE = 60_000;
const MAX_AGE = 5 * MINUTE;
const MAX_CACHED = 1000;

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = publicKey.export({ format: 'jwk' });

describe('keys from a URL', () => {
  let requests = 0;
  let named = 'first';
  let time = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end(JSON.stringify({ keys: [{ ...jwk, kid: named, alg: 'ES256' }] }));
  });
  let url = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  });
  beforeEach(() => {
    [requests, named, time] = [0, 'first', 1_000_000];
  });
  afterAll(() => void server.close());

  test('are cached for five minutes, and then fetched again', async () => {
    const keys = new RemoteKeys(url, () => time);
    await keys.key('first');
    for (const later of [MAX_AGE - 1, 1 - MAX_AGE]) {
      time = 1_000_000 + later;
      await keys.key('first');
    }
    expect(requests).toBe(1);
    time = 1_000_000 + MAX_AGE;
    await keys.key('first');
    expect(requests).toBe(2);
  });

  test('are cached for up to a thousand names, and then the oldest is fetched again', async () => {
    const keys = new RemoteKeys(url, () => time);
    const key = (name: string) => {
      named = name;
      return keys.key(name);
    };
    await key('first');
    for (let n = 1; n < MAX_CACHED; n++) await key(`key-${n}`);
    await key('first');
    expect(requests).toBe(MAX_CACHED);
    await key('one more');
    await key('key-1');
    expect(requests).toBe(MAX_CACHED + 1);
    await key('first');
    expect(requests).toBe(MAX_CACHED + 2);
  });

  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokenOf = (sub: string, kid: string) => {
    const signed = `${part({ alg: 'ES256', kid })}.${part({ sub })}`;
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  };

  test('are fetched once in five minutes for a token', async () => {
    const verifier = remoteVerifier(url, { now: () => time });
    const token = tokenOf('alice', 'first');
    await verifier.verify(token);
    // A key of this name is not there any more: a token that is remembered needs none.
    named = 'second';
    time += MAX_AGE - 1;
    await verifier.verify(token);
    time += 1;
    await expect(verifier.verify(token)).rejects.toThrow('No key is named first');
  });

  test.each([
    ['a thousand tokens', MAX_CACHED, true],
    ['a thousand and one tokens, except the first', MAX_CACHED + 1, false],
  ])('are not fetched again for %s', async (_, count, isRemembered) => {
    const verifier = remoteVerifier(url, { now: () => time });
    // The key is fetched four minutes before the tokens come, and thus is not trusted any more while they are.
    await verifier.verify(tokenOf('nobody', 'first'));
    time += MAX_AGE - MINUTE;
    const tokens = Array.from({ length: count }, (__, n) => tokenOf(`user-${n}`, 'first'));
    for (const token of tokens) await verifier.verify(token);
    named = 'second';
    time += MINUTE;
    await verifier.verify(tokens[1]!);
    const first = verifier.verify(tokens[0]!);
    if (isRemembered) await first;
    else await expect(first).rejects.toThrow('No key is named first');
  });
});
