/** Tokens of a party with several keys (B-AUTH-042). */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createCanticle } from 'canticle';
import { readPublicKey, type PartyKey } from '../../../src/network/topology/party-keys.js';
import {
  encodeHosting,
  multiHash,
  topologyHash,
} from '../../../src/network/topology/party-hosting.js';

function newKey(usage: readonly number[]): { own: PartyKey; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const bytes = publicKey.export({ type: 'spki', format: 'der' });
  const key = readPublicKey({ format: 4, publicKey: bytes, usage, keySpec: 1 }) as PartyKey;
  return { own: { ...key, usage }, privateKey };
}

/** @returns the statuses of requests with tokens that each key signed */
async function statuses(threshold: number, usages: readonly (readonly number[])[]) {
  const canticle = createCanticle({
    canton: '3.6',
    auth: { services: [{ type: 'built-in-issuer' }, { type: 'party-jwt' }] },
  });
  const [node] = canticle.network.participants;
  const synchronizer = canticle.network.synchronizers[0]!.id;
  const keys = usages.map(newKey);
  const party = `alice::${keys[0]!.own.fingerprint}`;
  const hosting = encodeHosting({
    party,
    threshold: 1,
    hosts: [{ participantId: node!.id, permission: 'confirmation' }],
    signing: { keys: keys.map(({ own }) => own), threshold },
  });
  const hash = multiHash([topologyHash(hosting)]);
  const admin = await canticle.accessToken({ sub: 'participant_admin' });
  const allocated = await canticle.handle({
    path: '/v2/parties/external/allocate',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: {
      synchronizer,
      onboardingTransactions: [{ transaction: Buffer.from(hosting).toString('base64') }],
      multiHashSignatures: keys.map(({ own, privateKey }) => ({
        format: 'SIGNATURE_FORMAT_CONCAT',
        signature: sign(null, hash, privateKey).toString('base64'),
        signedBy: own.fingerprint,
        signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
      })),
    },
  });
  expect(allocated.status).toBe(200);
  node!.users.create({ id: 'alice', primaryParty: party, primaryPartyAuthentication: true }, []);
  const claims = { iss: party, aud: node!.id, 'daml.com': { usr: 'alice', syn: synchronizer } };
  const signed = [{ alg: 'EdDSA', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return Promise.all(
    keys.map(async ({ privateKey }) => {
      const signature = sign(null, Buffer.from(signed), privateKey).toString('base64url');
      const headers = { authorization: `Bearer ${signed}.${signature}` };
      return (await canticle.handle({ path: '/v2/authenticated-user', headers })).status;
    }),
  );
}

it.each([
  ['each key signs alone with the threshold 1', 1, [[1, 4], [4]], [200, 200]],
  ['no key signs alone with the threshold 2', 2, [[1, 4], [4]], [401, 401]],
] as const)('%s', async (_what, threshold, usages, expected) => {
  expect(await statuses(threshold, usages)).toEqual(expected);
});
