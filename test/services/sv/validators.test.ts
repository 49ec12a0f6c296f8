/** An SV's app takes in validators: secrets, licences, and what becomes of secrets that are shown again (B-019 to B-022). */
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';
import { requestsTo } from '../../support/splice/validator-world.js';

describeWithDars('onboarding of validators by an SV', [...DSO_DARS], (...dars) => {
  const { canticle, sv, payloads } = sharedWorld(dars);
  const request = requestsTo(canticle, '/api/sv');
  const [, , user] = canticle.participants;
  const newParty = (hint: string) => user!.allocateParty(hint);
  const onboard = (body: object) => request('POST /v0/onboard/validator', { body });
  const prepared = async (body: object): Promise<string> => {
    const answer = await request('POST /v0/admin/validator/onboarding/prepare', { body });
    expect(answer.status).toBe(200);
    return answer.body.secret;
  };
  const licensed = () => payloads('ValidatorLicense').map(({ validator }) => validator);

  test('gives a licence for a secret once, and the same validator may use the secret again', async () => {
    const secret = await prepared({ expires_in: 3600 });
    expect(JSON.parse(Buffer.from(secret, 'base64').toString())).toEqual({
      sponsoringSv: sv,
      secret: expect.stringMatching(/^[\w+/]{43}=$/),
      partyHint: null,
    });
    const { body } = await request('GET /v0/admin/validator/onboarding/ongoing');
    expect(body.ongoing_validator_onboardings).toMatchObject([
      { encoded_secret: secret, contract: { payload: { sv, expiresAt: expect.any(String) } } },
    ]);
    const acme = newParty('acme-validator-1');
    const application = { party_id: acme, secret, version: '0.7.4', contact_point: 'ops@acme' };
    expect((await onboard(application)).status).toBe(200);
    expect(payloads('ValidatorLicense').at(-1)).toMatchObject({
      validator: acme,
      metadata: { version: '0.7.4', contactPoint: 'ops@acme' },
    });
    expect(payloads('UsedSecret').at(-1)).toMatchObject({ sv, validator: acme });
    const count = licensed().length;
    expect((await onboard(application)).status).toBe(200);
    expect(licensed()).toHaveLength(count);
    const { status, body: refusal } = await onboard({ ...application, party_id: newParty('b') });
    expect([status, refusal.error]).toEqual([
      401,
      'Secret has already been used for a different validator.',
    ]);
    const licences = (await request('GET /v0/admin/validator/licenses?limit=2')).body;
    expect(licences.validator_licenses.map((each: any) => each.payload.validator)[0]).toBe(acme);
    const rest = `GET /v0/admin/validator/licenses?after=${licences.next_page_token}`;
    const last = (await request(rest)).body;
    expect(last.validator_licenses).toHaveLength(licensed().length - 2);
    // The last page has a token, too. The page after it is empty (S-DSO-008).
    const end = `GET /v0/admin/validator/licenses?after=${last.next_page_token}`;
    expect((await request(end)).body).toEqual({ validator_licenses: [], next_page_token: null });
  });

  test('accepts a secret with a hint only for a party with that name', async () => {
    const secret = await prepared({ expires_in: 60, party_hint: 'acme-validator-2' });
    const refused = await onboard({ party_id: newParty('other-validator-1'), secret });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      'The onboarding secret entered does not match the secret issued for validatorPartyHint: acme-validator-2',
    ]);
    const fits = newParty('acme-validator-2');
    expect((await onboard({ party_id: fits, secret })).status).toBe(200);
    expect(licensed()).toContain(fits);
  });

  test('rejects an unknown or expired secret, a secret of another SV, and an invalid party', async () => {
    const party = newParty('acme-validator-3');
    const foreign = shown({ sponsoringSv: party, secret: 'x', partyHint: null });
    const cases: [object, number, string | RegExp][] = [
      [{ party_id: party, secret: 'nobody knows' }, 401, 'Unknown secret.'],
      [
        { party_id: party, secret: foreign },
        400,
        `Secret is for SV ${party} but this SV is ${sv}, validate your SV sponsor URL`,
      ],
      [{ party_id: 'no party', secret: 'x' }, 400, /no party/],
      [{ party_id: party }, 400, /secret/],
    ];
    for (const [body, status, text] of cases) {
      const answer = await onboard(body);
      expect([answer.status, answer.body.error ?? answer.body]).toEqual([
        status,
        typeof text === 'string' ? text : expect.stringMatching(text),
      ]);
    }
    const secret = await prepared({ expires_in: 60 });
    canticle.splice.automation.pause('ExpireValidatorOnboarding');
    canticle.advanceTime({ minutes: 2 });
    expect((await onboard({ party_id: party, secret })).status).toBe(400);
    expect(licensed()).not.toContain(party);
    canticle.splice.automation.resume('ExpireValidatorOnboarding');
  });

  test('gives every caller a secret on DevNet, as plain text', async () => {
    const { status, body, headers } = await request('POST /v0/devnet/onboard/validator/prepare');
    expect([status, headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^text\/plain/) as string,
    ]);
    const party = newParty('free-validator-1');
    expect((await onboard({ party_id: party, secret: body })).status).toBe(200);
    expect(licensed()).toContain(party);
  });

  const shown = (secret: object) => Buffer.from(JSON.stringify(secret)).toString('base64');
});
