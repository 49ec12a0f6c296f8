/** Typical uses of Canticle in a test file, for any environment: see realms.test.ts. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createCanticle } from 'canticle';
import { fixture } from 'canticle/fixtures';
import { damlTests, useCanticle, useLocalnet } from 'runner';

const dar = readFileSync('own.dar');
const auth = { services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' }] };
const canticle = useCanticle({ seed: 7, dars: [dar], auth });
const { participant, token } = canticle;
const alice = participant.allocateParty('alice');
const localnet = useLocalnet({ spliceDars: false });

const json = { 'content-type': 'application/json' };
const ask = async (method, path, body) => {
  const authorization = `Bearer ${await canticle.accessToken({ sub: 'participant_admin' })}`;
  return canticle.handle({ method, path, headers: { ...json, authorization }, body });
};
const statusOf = (url, headers) =>
  new Promise((resolve, reject) => {
    get(url, { headers }, (response) => resolve(response.resume().statusCode)).on('error', reject);
  });

damlTests(dar);

test('tokens move', () => {
  token.mint(alice, '10.0');
  expect(alice).toHold('10.0');
});

test('a DAR comes as a Buffer, and as a body', async () => {
  expect((await ask('POST', '/v2/dars', dar)).status).toBe(200);
  const { packageIds } = (await ask('GET', '/v2/packages')).json();
  const bytes = (await ask('GET', `/v2/packages/${packageIds[0]}`)).body;
  expect(bytes.length).toBeGreaterThan(50);
});

test('a world comes as a Buffer', () => {
  const loaded = createCanticle({ load: Buffer.from(canticle.dump()) });
  expect(loaded.participant.ledgerEnd).toBe(participant.ledgerEnd);
});

test('a token opens the Ledger API, and another does not', async () => {
  expect((await ask('GET', '/v2/users')).status).toBe(200);
  const headers = { authorization: 'Bearer none' };
  expect((await canticle.handle({ method: 'GET', path: '/v2/users', headers })).status).toBe(401);
});

test('a token of a LocalNet opens it over a port', async () => {
  const { appUser } = localnet;
  const headers = { authorization: `Bearer ${appUser.token()}` };
  expect(await statusOf(`${appUser.ledgerApi}/v2/users`, headers)).toBe(200);
});

test('a party that signs for itself is onboarded', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const [{ synchronizerId }] = (await ask('GET', '/v2/state/connected-synchronizers')).json()
    .connectedSynchronizers;
  const generated = await ask('POST', '/v2/parties/external/generate-topology', {
    synchronizer: synchronizerId,
    partyHint: 'carol',
    publicKey: {
      format: 'CRYPTO_KEY_FORMAT_RAW',
      keyData: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
      keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
    },
  });
  expect([generated.status, canticle.requests.list().at(-1).explanation]).toEqual([200, undefined]);
  const { multiHash, publicKeyFingerprint, topologyTransactions, partyId } = generated.json();
  const allocated = await ask('POST', '/v2/parties/external/allocate', {
    synchronizer: synchronizerId,
    onboardingTransactions: topologyTransactions.map((transaction) => ({ transaction })),
    multiHashSignatures: [
      {
        format: 'SIGNATURE_FORMAT_CONCAT',
        signature: sign(null, Buffer.from(multiHash, 'base64'), privateKey).toString('base64'),
        signedBy: publicKeyFingerprint,
        signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
      },
    ],
  });
  expect([allocated.status, allocated.json()]).toEqual([200, { partyId }]);
});

test('an update is streamed to a WebSocket of the page', async () => {
  const url = `${canticle.urls.ledgerApi.replace(/^http/, 'ws')}/v2/updates`;
  const users = '/v2/users/participant_admin/rights';
  const rights = [{ kind: { CanReadAsAnyParty: { value: {} } } }];
  const granted = { userId: 'participant_admin', identityProviderId: '', rights };
  expect((await ask('POST', users, granted)).status).toBe(200);
  const admin = await canticle.accessToken({ sub: 'participant_admin' });
  const socket = new WebSocket(url, [`jwt.token.${admin}`, 'daml.ws.auth']);
  const next = (type) =>
    new Promise((resolve) => socket.addEventListener(type, resolve, { once: true }));
  await next('open');
  const filter = { WildcardFilter: { value: { includeCreatedEventBlob: true } } };
  const filtersForAnyParty = { cumulative: [{ identifierFilter: filter }] };
  const includeTransactions = {
    eventFormat: { filtersForAnyParty, verbose: false },
    transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
  };
  const beginExclusive = participant.ledgerEnd;
  socket.send(JSON.stringify({ beginExclusive, updateFormat: { includeTransactions } }));
  const message = next('message');
  token.mint(alice, '1.0');
  const { update } = JSON.parse((await message).data);
  expect(update.Transaction.value.offset).toBe(participant.ledgerEnd);
  const closed = next('close');
  socket.close();
  await closed;
});

test('a request of the page is answered in this process', async () => {
  // jsdom has none under jest.
  if (typeof Request === 'undefined') return;
  const answer = await canticle.fetch(new Request('http://localhost/v2/version'));
  expect((await answer.json()).version).toMatch(/^3\./);
});

test('a scenario comes as a file', () => {
  writeFileSync('dave.yaml', 'steps:\n  - party: dave\n');
  const world = createCanticle({ scenario: 'dave.yaml' });
  expect(world.participant.ledgerEnd).toBeGreaterThan(0);
});

test('reports the fault of a file with its own message', () => {
  expect(() => createCanticle({ load: 'none.world' })).toThrow(/none\.world/);
  expect(() => createCanticle({ load: 'none.world' })).not.toThrow('Error:');
});

test('a fixture returns a new body each time', () => {
  const answer = () => fixture('getV2StateLedger-end').response(200);
  expect(answer()).toStrictEqual(answer());
  expect(answer()).not.toBe(answer());
});
