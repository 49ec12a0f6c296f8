/** A scenario may say whose tokens the Ledger API takes; its own steps need none. */
import { exportSPKI, exportJWK, generateKeyPair, SignJWT, type KeyLike } from 'jose';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { complaint, scenarioFile } from './scenario-files.js';

let canticle: Canticle | undefined;
afterEach(() => canticle?.close());

const statusWith = async (token?: string): Promise<number> => {
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  return (await fetch(`${canticle!.urls.ledgerApi}/v2/users`, { headers })).status;
};

const started = async (services: string): Promise<Canticle> =>
  startCanticle({
    scenario: scenarioFile(`
authorization:
  services:
    - ${services}
parties: [alice]
users: [{ user: alice-wallet, primaryParty: alice }]
steps:
  - { mint: 5, to: alice }
`),
  });

const signed = (alg: string, key: KeyLike | Uint8Array) =>
  new SignJWT({ scope: 'daml_ledger_api' })
    .setProtectedHeader({ alg })
    .setSubject('participant_admin')
    .setExpirationTime('1h')
    .sign(key);

it('with a secret, the token decides, and scenario steps need none', async () => {
  canticle = await started('{ type: unsafe-jwt-hmac-256, secret: unsafe }');
  expect(await statusWith()).toBe(401);
  expect(await statusWith(await canticle.accessToken({ sub: 'participant_admin' }))).toBe(200);
  expect(await statusWith(await canticle.accessToken({ sub: 'alice-wallet' }))).toBe(403);
  expect(await statusWith(await signed('HS256', Buffer.from('another')))).toBe(401);
});

it('uses the built-in issuer', async () => {
  canticle = await started('type: built-in-issuer');
  expect(await statusWith()).toBe(401);
  expect(await statusWith(await canticle.accessToken({ sub: 'participant_admin' }))).toBe(200);
});

it('uses a public key or a key set in a file next to the scenario', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  scenarioFile(await exportSPKI(publicKey), 'public.pem');
  canticle = await started('{ type: jwt-es-256-crt, certificate: public.pem }');
  expect(await statusWith(await signed('ES256', privateKey))).toBe(200);
  expect(await statusWith()).toBe(401);
  await canticle.close();

  const key = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'one' };
  scenarioFile(JSON.stringify({ keys: [key] }), 'keys.json');
  canticle = await started('{ type: jwt-jwks, keys: keys.json }');
  const token = new SignJWT({ scope: 'daml_ledger_api' })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setSubject('participant_admin')
    .setExpirationTime('1h');
  expect(await statusWith(await token.sign(privateKey))).toBe(200);
});

it.each([
  [
    '{ type: jwt-rs-265-crt, certificate: x }',
    /:4:15: 'type' cannot be "jwt-rs-265-crt"\. Did you mean 'jwt-rs-256-crt'\?/,
  ],
  ['{ type: unsafe-jwt-hmac-256 }', /:4:15: The service unsafe-jwt-hmac-256 needs 'secret'\./],
  ['{ type: jwt-jwks, key: a.json }', /:4:25: Unknown field 'key'\. Did you mean 'keys'\?/],
  ['{ type: jwt-rs-256-crt, certificate: nowhere.pem }', /:4:44: Failed to read 'nowhere\.pem':/],
  [
    '{ type: jwt-rs-256-crt, certificate: broken.json }',
    /:4:44: 'broken\.json' is not a PEM file\./,
  ],
  ['{ type: jwt-jwks, keys: broken.json }', /:4:31: 'broken\.json' is not a JSON Web Key Set\./],
])('reports the fault of %s', (service, expected) => {
  scenarioFile('{', 'broken.json');
  const scenario = scenarioFile(`\nauthorization:\n  services:\n    - ${service}\n`);
  expect(complaint(() => createCanticle({ scenario }))).toMatch(expected);
});
