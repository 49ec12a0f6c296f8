/** Tokens that external parties sign for their users (B-AUTH-042). */
import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  eventFormat,
  LedgerApi,
  ledgerApiOptions,
  updateFormat,
  wildcard,
} from '../../support/ledger-api.js';
import { startClient } from '../../support/client.js';
import { model } from '../../support/daml/model-package.js';
import { StreamClient } from '../../support/stream-client.js';

const NOW = Date.UTC(2026, 5, 1);
const seconds = NOW / 1000;
const CURVES = {
  EdDSA: { spec: 'EC_CURVE25519', algorithm: 'ED25519', format: 'CONCAT', digest: null },
  ES256: { spec: 'EC_P256', algorithm: 'EC_DSA_SHA_256', format: 'DER', digest: 'sha256' },
  ES384: { spec: 'EC_P384', algorithm: 'EC_DSA_SHA_384', format: 'DER', digest: 'sha384' },
} as const;
type Algorithm = keyof typeof CURVES;

const newKey = (algorithm: Algorithm): KeyObject =>
  algorithm === 'EdDSA'
    ? generateKeyPairSync('ed25519').privateKey
    : generateKeyPairSync('ec', { namedCurve: algorithm === 'ES256' ? 'P-256' : 'P-384' })
        .privateKey;

let api: LedgerApi;
let now = NOW;
afterEach(() => {
  now = NOW;
  return api.client.close();
});

async function start(canton: '3.5' | '3.6' = '3.6', more: object = {}): Promise<void> {
  const services = [{ type: 'built-in-issuer' }, { type: 'party-jwt', ...more }] as const;
  const options = ledgerApiOptions({ canton, realClock: () => now, auth: { services } });
  api = new LedgerApi(await startClient(options));
}

const send = async (method: string, path: string, body?: unknown) => {
  const token = await api.canticle.accessToken({ sub: 'participant_admin' });
  const headers = { authorization: `Bearer ${token}` };
  return (await api.client.ledger(method, path, body, { headers })).body;
};

interface Signer {
  readonly party: string;
  readonly user: string;
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
}

async function onboard(user: string, algorithm: Algorithm, more: object = {}): Promise<Signer> {
  const key = newKey(algorithm);
  const { spec, algorithm: name, format, digest } = CURVES[algorithm];
  const synchronizer = api.canticle.network.synchronizers[0]!.id;
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const generated = await send('POST', '/v2/parties/external/generate-topology', {
    synchronizer,
    partyHint: user,
    publicKey: {
      format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
      keyData: spki.toString('base64'),
      keySpec: `SIGNING_KEY_SPEC_${spec}`,
    },
  });
  await send('POST', '/v2/parties/external/allocate', {
    synchronizer,
    onboardingTransactions: generated.topologyTransactions.map((transaction: string) => ({
      transaction,
    })),
    multiHashSignatures: [
      {
        format: `SIGNATURE_FORMAT_${format}`,
        signature: sign(digest, Buffer.from(generated.multiHash, 'base64'), key).toString('base64'),
        signedBy: generated.publicKeyFingerprint,
        signingAlgorithmSpec: `SIGNING_ALGORITHM_SPEC_${name}`,
      },
    ],
  });
  const { partyId: party } = generated;
  await send('POST', '/v2/users', {
    user: {
      id: user,
      primaryParty: party,
      isDeactivated: false,
      identityProviderId: '',
      primaryPartyAuthentication: true,
      ...more,
    },
    rights: [{ kind: { CanActAs: { value: { party } } } }],
  });
  return { party, user, key, algorithm };
}

function tokenOf({ party, user, key, algorithm }: Signer, payload: object = {}, header = {}) {
  const { network } = api.canticle;
  const claims = {
    iss: party,
    sub: party,
    aud: network.participants[0]!.id,
    scope: 'daml_ledger_api',
    exp: seconds + 60,
    'daml.com': { usr: user, syn: network.synchronizers[0]!.id },
    ...payload,
  };
  const signed = [{ alg: algorithm, typ: 'JWT', ...header }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const { digest } = CURVES[algorithm];
  const signature = sign(digest, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const caller = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await api.client.ledger('GET', '/v2/authenticated-user', undefined, {
    headers,
  });
  return status === 200 ? body.user.id : status;
};

it.each(['EdDSA', 'ES256', 'ES384'] as const)(
  'accepts a token that a party signs with %s (R-36-039)',
  async (algorithm) => {
    await start();
    const alice = await onboard('alice', algorithm);
    // Signatures differ: their numbers may have leading zeros or a sign bit.
    for (let count = 0; count < 20; count += 1)
      expect(await caller(tokenOf(alice, { jti: count }))).toBe('alice');
    const prefix = 'https://daml.com/jwt/aud/participant/';
    const aud = prefix + api.canticle.network.participants[0]!.id;
    expect(await caller(tokenOf(alice, { aud }))).toBe('alice');
  },
);

describe('rejects', () => {
  let alice: Signer;
  beforeEach(async () => {
    await start('3.6', { maxTokenLife: 60 });
    alice = await onboard('alice', 'EdDSA');
  });

  it.each<[string, (synchronizer: string) => object]>([
    ['another participant', () => ({ aud: 'other::1220' })],
    ['no participant', () => ({ aud: undefined })],
    ['an expired token', () => ({ exp: seconds })],
    ['a token that is valid for too long', () => ({ exp: seconds + 61 })],
    ['a token that is valid later', () => ({ nbf: seconds + 1 })],
    ['another issuer', () => ({ iss: 'bob::1220' })],
    ['an unknown synchronizer', () => ({ 'daml.com': { usr: 'alice', syn: 'other::1220' } })],
    ['no synchronizer', () => ({ 'daml.com': { usr: 'alice' } })],
    ['an unknown user', (syn) => ({ 'daml.com': { usr: 'nobody', syn } })],
    ['another user', (syn) => ({ 'daml.com': { usr: 'participant_admin', syn } })],
    ['no claim of its own', () => ({ 'daml.com': null })],
  ])('%s', async (_what, payload) => {
    const synchronizer = api.canticle.network.synchronizers[0]!.id;
    expect(await caller(tokenOf(alice, payload(synchronizer)))).toBe(401);
    expect(await caller(tokenOf(alice))).toBe('alice');
  });

  it.each([
    ['another type', { typ: 'at+jwt' }],
    ['no type', { typ: undefined }],
    ['another algorithm', { alg: 'ES256' }],
    ['an unknown algorithm', { alg: 'none' }],
    ['an inherited name as algorithm', { alg: 'constructor' }],
  ])('%s in its header', async (_what, header) => {
    expect(await caller(tokenOf(alice, {}, header))).toBe(401);
  });

  it('a party that is not the primary party of the user', async () => {
    const bob = await onboard('bob', 'EdDSA');
    expect(await caller(tokenOf({ ...bob, user: 'alice' }))).toBe(401);
    expect(await caller(tokenOf(bob))).toBe('bob');
  });

  it('a signature of another key, and a shortened one', async () => {
    expect(await caller(tokenOf({ ...alice, key: newKey('EdDSA') }))).toBe(401);
    expect(await caller(tokenOf(alice).slice(0, -4))).toBe(401);
  });

  it('a user without the permission, or of another identity provider', async () => {
    const bob = await onboard('bob', 'EdDSA', { primaryPartyAuthentication: false });
    expect(await caller(tokenOf(bob))).toBe(401);
    const { identityProviders, users } = api.canticle.network.participants[0]!;
    identityProviders.create({
      identityProviderId: 'company',
      issuer: 'x',
      audience: '',
      jwksUrl: 'http://127.0.0.1:1/jwks',
    });
    users.moveToIdentityProvider('alice', '', 'company');
    expect(await caller(tokenOf(alice))).toBe(401);
  });

  it('a synchronizer that the participant is not connected to', async () => {
    const { participant } = api.canticle;
    participant.disconnect('global');
    expect(await caller(tokenOf(alice))).toBe(401);
    participant.reconnect('global');
    expect(await caller(tokenOf(alice))).toBe('alice');
  });

  it('a deactivated user with 403', async () => {
    api.canticle.network.participants[0]!.users.update({ id: 'alice', isDeactivated: true }, [
      'is_deactivated',
    ]);
    expect(await caller(tokenOf(alice))).toBe(403);
  });
});

it('release 3.5 does not accept it', async () => {
  await start('3.5');
  expect(await caller(tokenOf(await onboard('alice', 'EdDSA')))).toBe(401);
});

it('ends a stream when the token expires', async () => {
  await start();
  const alice = await onboard('alice', 'EdDSA');
  const headers = { authorization: `Bearer ${tokenOf(alice)}` };
  const stream = new StreamClient(`${api.canticle.url}/v2/updates`, { headers });
  await stream.send({
    beginExclusive: await api.canticle.participant.ledgerEnd,
    updateFormat: updateFormat('ACS_DELTA', eventFormat([alice.party], wildcard())),
  });
  const bob = api.canticle.participant.allocateParty('bob');
  const next = () =>
    api.canticle.participant.create(
      model('WithObservers'),
      { giver: bob, observers: [alice.party] },
      { actAs: [bob] },
    );
  now = NOW + 59_999;
  next();
  await stream.take(1);
  now = NOW + 60_000;
  next();
  const [, last] = await stream.take(2);
  expect(last).toMatchObject({ code: 'ACCESS_TOKEN_EXPIRED' });
  await stream.close();
});

it('a token without an expiry stays valid', async () => {
  await start();
  const alice = await onboard('alice', 'EdDSA');
  expect(await caller(tokenOf(alice, { exp: undefined }))).toBe('alice');
});
