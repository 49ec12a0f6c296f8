/** A LocalNet that continues from a saved world, with the same nodes, users, tokens, wallets and automation. */
import { createCanticle, startLocalnet, type Localnet } from 'canticle';
import { DSO_DARS } from '../support/splice/founded-world.js';
import { describeWithDars } from '../support/foreign-files.js';

const running: Localnet[] = [];
const start = async (options: Parameters<typeof startLocalnet>[0]) => {
  const localnet = await startLocalnet({ clock: 'virtual', ...options });
  running.push(localnet);
  return localnet;
};
afterAll(() => Promise.all(running.map((each) => each.close())));

const nodesOf = ({ nodes }: Localnet) =>
  nodes.map(({ name, party, user, walletUser, walletUserName, participant }) => [
    name,
    party,
    user,
    walletUser,
    walletUserName,
    participant.id,
  ]);

const requestsTo = (node: Localnet['sv']) => async (path: string, body?: unknown) => {
  const answer = await fetch(`${node.validator}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${node.token(node.walletUser)}`,
      'content-type': 'application/json',
    },
  });
  return { status: answer.status, body: (await answer.json()) as any };
};

/** A world of it, and one of what is loaded of that: the same bytes. */
async function saved(options: Parameters<typeof startLocalnet>[0]) {
  const first = await start(options);
  const world = first.dump();
  const again = await start({ load: world });
  expect(Buffer.compare(again.dump(), world)).toBe(0);
  expect(nodesOf(again)).toEqual(nodesOf(first));
  return { first, again, world };
}

it('a saved LocalNet has its nodes, users, synchronizers and hosts, and the settings of its validators', async () => {
  const { again, world } = await saved({
    seed: 5,
    spliceDars: false,
    multiSync: true,
    validators: [
      { name: 'bank', autoAcceptTransfers: [{ fromParties: ['app-user'] }] },
      { name: 'app-user', holds: 100 },
    ],
  });
  const [user, bank] = [requestsTo(again.appUser), requestsTo(again.node('bank'))];
  const { body: offer } = await user('/v0/wallet/transfer-offers', {
    receiver_party_id: again.node('bank').party,
    amount: '10.0',
    description: '',
    expires_at: Number(again.splice.network.clock.now()) + 600_000_000,
    tracking_id: 'one',
  });
  expect(offer).toEqual({ offer_contract_id: expect.any(String) });
  expect((await bank('/v0/wallet/balance')).body.effective_unlocked_qty).toBe('10.0000000000');
  expect(again.hostNames).toContain('scan.localhost');
  expect(again.hasAmulet).toBe(false);
  for (const [more, text] of [
    [{ multiSync: true }, 'multiSync cannot be used with load'],
    [{ auth: 'oauth2' }, 'the loaded world has the users of auth shared-secret'],
  ] as const)
    await expect(startLocalnet({ load: world, ...more })).rejects.toThrow(text);
});

it('a saved LocalNet has the realms of its users, who can log in', async () => {
  const { again } = await saved({ seed: 5, spliceDars: false, auth: 'oauth2' });
  expect(again.appUser.oauth2).toMatchObject({ clientId: 'app-user-validator' });
  expect((await requestsTo(again.appUser)('/v0/wallet/balance')).status).toBe(200);
});

it('rejects a world that is not a LocalNet', async () => {
  const load = createCanticle({ seed: 1 }).dump();
  await expect(startLocalnet({ load })).rejects.toThrow('it is not a LocalNet');
  const acs = createCanticle({ seed: 1 }).dump({ format: 'acs' });
  await expect(startLocalnet({ load: acs })).rejects.toThrow(
    'it has only the active contracts of a participant. Use `load` of a Canticle instead.',
  );
});

/** A user of a realm as cn-quickstart's tests make one. */
async function makeUser({ oauth2 }: Localnet['sv'], username: string): Promise<string> {
  const keycloak = oauth2!.issuer.replace(/\/realms.*/, '');
  const master = { client_id: 'admin-cli', username: 'admin', password: 'admin' };
  const token = (await logIn(`${keycloak}/realms/master/protocol/openid-connect/token`, master))
    .access_token;
  const answer = await fetch(`${keycloak}/admin/realms/AppUser/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      username,
      enabled: true,
      credentials: [{ type: 'password', value: 'secret' }],
    }),
  });
  return answer.headers.get('location')!.split('/').pop()!;
}

async function logIn(url: string, form: Record<string, string>): Promise<any> {
  const whole = { grant_type: 'password', scope: 'openid', ...form };
  return (await fetch(url, { method: 'POST', body: new URLSearchParams(whole) })).json();
}

describeWithDars("with Splice's code", DSO_DARS, () => {
  it('continues its rounds, faucet, onboarding, sweeps and reward sharing from a file, without the DAR folder', async () => {
    const first = await start({
      seed: 5,
      auth: 'oauth2',
      validators: [
        { name: 'app-provider', autoAcceptTransfers: [{ fromParties: ['app-user'] }] },
        {
          name: 'app-user',
          walletSweep: [{ maxBalanceUsd: 100, minBalanceUsd: 50, receiver: 'app-provider' }],
          rewardSharing: [{ beneficiaries: [{ beneficiary: 'app-provider', percentage: 0.5 }] }],
        },
      ],
    });
    const id = await makeUser(first.appUser, 'newcomer');
    const again = await start({ load: first.dump({ packages: false }) });
    expect(again.hasAmulet).toBe(true);
    for (const each of [first, again]) {
      const { appUser, sv, splice, amulet } = each;
      const answered = await logIn(appUser.oauth2!.tokenUrl, {
        ...{ client_id: 'app-user-unsafe', username: 'newcomer', password: 'secret' },
      });
      const token = answered.access_token;
      const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
      expect(claims).toMatchObject({ sub: id, preferred_username: 'newcomer' });
      const dso = splice.dsoParty;
      sv.participant.create(
        '#splice-amulet:Splice.Amulet:RewardCouponV2',
        {
          ...{ dso, provider: appUser.party, beneficiary: null, amount: '100.0' },
          ...{ round: { number: '0' }, providerIsObserver: true },
          expiresAt: '2026-01-02T06:00:00Z',
        },
        { actAs: [dso] },
      );
      each.advanceTime({ minutes: 11 });
      expect((await requestsTo(appUser)('/v0/wallet/tap', { amount: '120' })).status).toBe(200);
      const held = ({ party }: typeof appUser) =>
        amulet.holdings(party).map(({ payload }: any) => Number(payload.amount.initialAmount));
      each.advanceTime({ seconds: 30 });
      // Of 100 amulets that its activity earned each has half; of its 120 dollars all above 50 is app-provider's.
      expect([held(appUser), held(each.appProvider)]).toEqual([[10_000], [50, 14_050]]);
    }
    const [one, other] = [first, again].map((each) => each.dump({ packages: false }));
    expect(Buffer.compare(one!, other!)).toBe(0);
  });
});
