/** Those that would be SVs themselves: nobody is approved beforehand, and each is told why not (SvOnboardingToken). */
import { generateKeyPairSync, sign } from 'node:crypto';
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';
import { asking } from '../../support/splice/validator-world.js';

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describeWithDars('a candidate', [...DSO_DARS], (...dars) => {
  const { canticle, sv, dso, ids } = sharedWorld(dars);
  const ask = asking(canticle, '/api/sv');
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [, , user] = canticle.participants;
  const { engine } = user!;
  const token = (claims: object, header: object = { alg: 'ES256' }, key = privateKey) => {
    const claim = JSON.stringify({
      name: 'acme',
      key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      party: `acme::${engine.namespace}`,
      participantId: `PAR::${engine.id}`,
      dso,
      ...claims,
    });
    const content = `${base64url(header)}.${base64url({ 'https://lfdecentralizedtrust.splice/sv': claim })}`;
    const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  };
  const start = async (given: string) => {
    const { status, body } = await ask('POST /v0/onboard/sv/start', { body: { token: given } });
    return [status, body.error];
  };

  test('is refused by its token, its namespace, its host, and at last as it is not approved', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const told = 'Could not verify and decode token: ';
    const cases: [string, number, string][] = [
      ['nonsense', 400, `${told}com.auth0.jwt.exceptions.JWTDecodeException: The token was`],
      [token({}, { alg: 'ES256' }, stranger), 400, `${told}com.auth0.jwt.exceptions.Signature`],
      [token({}, { alg: 'HS256' }), 400, `${told}com.auth0.jwt.exceptions.AlgorithmMismatch`],
      [token({ key: 'none' }), 400, `${told}could not parse public key`],
      [token({ party: 'no party' }), 400, `${told}DecodingFailure at .party`],
      [token({ party: sv }), 400, `Party ${sv} does not have the same namespace`],
      [
        token({}),
        409,
        `Candidate party acme::${engine.namespace} is not authorized by participant`,
      ],
    ];
    for (const [given, status, text] of cases)
      expect(await start(given)).toEqual([status, expect.stringContaining(text)]);
    user!.allocateParty('acme');
    expect(await start(token({}))).toEqual([
      401,
      'Could not approve SV Identity because of reason: no matching approved SV identity found for acme',
    ]);
  });

  test('asks how far it has come, by party or by name', async () => {
    const status = async (who: string) =>
      (await ask(`GET /v0/onboard/sv/status/${encodeURIComponent(who)}`)).body;
    const done = { state: 'completed', name: 'sv', contract_id: ids('DsoRules')[0] };
    expect(await status(sv)).toEqual(done);
    expect(await status('sv')).toEqual(done);
    expect(await status('acme')).toEqual({ state: 'unknown' });
    const body = { candidate_party_id: `acme::${engine.namespace}` };
    const authorized = await ask('POST /v0/onboard/sv/party-migration/authorize', { body });
    expect([authorized.status, authorized.body.error]).toEqual([
      404,
      'Candidate party is not an sv and no `SvOnboardingConfirmed` for the candidate party is found.',
    ]);
  });
});
