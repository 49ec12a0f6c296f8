/** Names: what a wallet's user asks the DSO for, pays in its wallet, and then has (V-ANS-001 to V-ANS-006). */
import { createCanticle } from 'canticle';
import { describeWithDars } from '../../support/foreign-files.js';
import {
  requestsTo,
  LOCALNET_AUTH,
  VALIDATOR_DARS,
  validatorWorld,
} from '../../support/splice/validator-world.js';

const DARS = [
  ...VALIDATOR_DARS,
  'splice-amulet-name-service-0.1.23.dar',
  'splice-dso-governance-0.1.28.dar',
  'splice-validator-lifecycle-0.1.8.dar',
] as const;
const DAY = 86_400_000_000;
const NAME = {
  name: 'alice.unverified.ans',
  url: 'https://alice.example',
  description: 'Of Alice',
};

describeWithDars('the name service', DARS, (...dars) => {
  const { canticle, participant, dso, request } = validatorWorld(dars, {
    amulet: { dar: dars[0] },
  });
  const as = 'alice';
  const create = (more = {}) =>
    request('POST /v0/entry/create', { as, body: { ...NAME, ...more } });
  const entries = async () => (await request('GET /v0/entry/all', { as })).body.entries;
  const accept = (id: string) =>
    request(`POST /v0/wallet/subscription-requests/${id}/accept`, { as });
  let party: string;
  let fresh: ReturnType<typeof canticle.snapshot>;
  beforeAll(async () => {
    party = (await request('POST /v0/register', { as })).body.party_id;
    canticle.amulet.tap(party, '1000.0');
    fresh = canticle.snapshot();
  });
  afterEach(() => canticle.revert(fresh));

  test('a request creates an entry context and a subscription request with the fee', async () => {
    const { status, body } = await create();
    expect([status, body]).toMatchObject([200, NAME]);
    expect(participant.contract(body.entryContextCid)?.payload).toMatchObject({
      ...{ dso, user: party, ...NAME, reference: body.subscriptionRequestCid },
    });
    expect(participant.contract(body.subscriptionRequestCid)?.payload).toMatchObject({
      subscriptionData: {
        sender: party,
        receiver: dso,
        provider: dso,
        description: `ANS entry: "${NAME.name}"`,
      },
      payData: { paymentAmount: { amount: '1.0000000000', unit: 'USDUnit' } },
    });
    expect(await entries()).toEqual([]);
  });

  test('accepts any name before payment, and accepts the same request again', async () => {
    const bad = await create({ name: 'No Name', url: 'nonsense' });
    expect(bad.status).toBe(200);
    const again = await create({ name: 'No Name', url: 'nonsense' });
    expect(again.body.subscriptionRequestCid).not.toBe(bad.body.subscriptionRequestCid);
  });

  test('lists a name after its payment is collected, until its subscription ends', async () => {
    const { body } = await create();
    expect((await accept(body.subscriptionRequestCid)).status).toBe(200);
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(entry).toEqual({
      contractId: expect.any(String),
      name: NAME.name,
      amount: '1.0000000000',
      unit: 'USDUNIT',
      expiresAt: expect.stringMatching(/^\d{13}$/),
      paymentInterval: String(90 * DAY),
      paymentDuration: String(30 * DAY),
    });
    const { payload } = participant.contract(entry.contractId)! as any;
    expect(Date.parse(payload.expiresAt)).toBe(Number(entry.expiresAt));
    const template = '#splice-wallet-payments:Splice.Wallet.Subscriptions:SubscriptionIdleState';
    const [state] = participant.activeContracts({ template });
    expect(
      await request(`DELETE /v0/wallet/subscription-requests/${state!.contractId}`, { as }),
    ).toMatchObject({ status: 200 });
    expect(await entries()).toEqual([]);
  });

  test('requires a user with a wallet, and the right to act as its party', async () => {
    const nobody = await request('GET /v0/entry/all', { as: 'nobody' });
    expect([nobody.status, nobody.body]).toEqual([
      404,
      { error: "No wallet found for user 'nobody' for operation 'listAnsEntries'" },
    ]);
    const { users } = participant.engine;
    users.revoke(as, [{ kind: 'CanActAs', party }]);
    expect(await create()).toMatchObject({
      status: 403,
      body: { error: 'Authorization Failed for alice' },
    });
    expect(await request('POST /v0/entry/create', { body: NAME })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="splice ans realm"' },
    });
  });
});

test('the validator’s document includes the operations for names, each with a unique id', async () => {
  const request = requestsTo(createCanticle({ seed: 1, ...LOCALNET_AUTH }), '/api/validator');
  const { paths } = (await request('GET /docs/openapi.json')).body;
  expect(paths['/v0/entry/create'].post.operationId).toBe('createAnsEntry');
  const ids = Object.values<any>(paths).flatMap((item) =>
    Object.values<any>(item).map(({ operationId }) => operationId),
  );
  expect(ids).toContain('listAnsEntriesOfAns');
  expect(new Set(ids).size).toBe(ids.length);
});
