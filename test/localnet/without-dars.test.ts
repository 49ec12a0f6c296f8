/**
 * A wallet's first session on a LocalNet without Splice's DARs, where a small model stands in for Amulet: users are taken in, tap, and pay
 * each other by the token standard, over HTTP as its pages and SDKs ask.
 */
import { lookAt, useLocalnet } from '../../src/testing/jest.js';

const localnet = useLocalnet({ seed: 2, spliceDars: false });
const { appUser, appProvider } = localnet;
lookAt(localnet);

type Node = typeof appUser;

async function ask(node: Node, user: string, call: string, body?: unknown) {
  const [method, path] = call.split(' ') as [string, string];
  const answer = await fetch(path.startsWith('http') ? path : `${node.validator}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${node.token(user)}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as any };
}

/** A user of a node, once it is taken in. */
async function user(node: Node, name: string) {
  const { status, body } = await ask(node, name, 'POST /v0/register', {});
  expect(status).toBe(200);
  return {
    party: body.party_id as string,
    ask: (call: string, more?: unknown) => ask(node, name, call, more),
    async balance() {
      const told = (await ask(node, name, 'GET /v0/wallet/balance')).body;
      return [told.effective_unlocked_qty, told.effective_locked_qty];
    },
  };
}

const later = (minutes: number) => Number(localnet.network.clock.now()) + minutes * 60_000_000;
const transferTo = (receiver_party_id: string, more: object = {}) => ({
  receiver_party_id,
  ...{ amount: '12.5', description: 'rent', expires_at: later(60), tracking_id: 'one' },
  ...more,
});

it('what the model does not do is refused', async () => {
  const alice = await user(appUser, 'alice');
  const refused = async (call: string, body?: unknown) => {
    const answer = await alice.ask(call, body);
    return [answer.status, answer.body.error.split('(')[0]];
  };
  expect([
    await refused('POST /v0/wallet/transfer-offers', transferTo(alice.party)),
    await refused(`GET ${localnet.urls.scan}/v0/dso`),
  ]).toEqual([
    [400, 'INVALID_ARGUMENT'],
    [404, 'No active DsoRules contract'],
  ]);
});

describe.each(['v0', 'v2'])('by %s', (version) => {
  const base = `/${version}/wallet/token-standard/transfers`;

  it('a user is taken in, taps, and pays another one, who accepts', async () => {
    const [alice, bob] = [await user(appUser, 'alice'), await user(appProvider, 'bob')];
    expect((await alice.ask('GET /v0/wallet/user-status')).body).toMatchObject({
      party_id: alice.party,
      user_onboarded: true,
      user_wallet_installed: true,
      has_featured_app_right: false,
    });
    expect(await alice.balance()).toEqual(['0.0000000000', '0.0000000000']);
    const tapped = await alice.ask('POST /v0/wallet/tap', { amount: '1' });
    expect(tapped).toMatchObject({ status: 200, body: { contract_id: expect.any(String) } });
    expect(await alice.balance()).toEqual(['200.0000000000', '0.0000000000']);
    const { body: sent } = await alice.ask(`POST ${base}`, transferTo(bob.party));
    const id = sent.output.transfer_instruction_cid;
    expect(await alice.balance()).toEqual(['187.5000000000', '12.5000000000']);
    const listed = (await bob.ask('GET /v0/wallet/token-standard/transfers')).body.transfers;
    expect(listed).toMatchObject([{ contract_id: id }]);
    expect((await bob.ask(`POST ${base}/${id}/accept`)).status).toBe(200);
    expect(await alice.balance()).toEqual(['187.5000000000', '0.0000000000']);
    expect(await bob.balance()).toEqual(['12.5000000000', '0.0000000000']);
    const history = await alice.ask('POST /v0/wallet/transactions', { page_size: 10 });
    expect(history.body.items.map((each: any) => each.transaction_subtype.choice)).toEqual([
      'TransferInstruction_Accept',
      'TransferFactory_Transfer',
      'AmuletRules_DevNet_Tap',
    ]);
  });

  it('whoever preapproves is paid at once', async () => {
    const [alice, bob] = [await user(appUser, 'alice'), await user(appProvider, 'bob')];
    await alice.ask('POST /v0/wallet/tap', { amount: '1' });
    const approved = await bob.ask('POST /v0/wallet/transfer-preapproval');
    expect(approved).toMatchObject({
      status: 200,
      body: { transfer_preapproval_contract_id: expect.any(String) },
    });
    const { body: sent } = await alice.ask(`POST ${base}`, transferTo(bob.party));
    expect(sent.output.receiver_holding_cids).toHaveLength(1);
    expect(await alice.balance()).toEqual(['187.5000000000', '0.0000000000']);
    expect(await bob.balance()).toEqual(['12.5000000000', '0.0000000000']);
    for (const each of [alice, bob]) {
      const { items } = (await each.ask('POST /v0/wallet/transactions', { page_size: 10 })).body;
      expect(items[0]).toMatchObject({
        transaction_type: 'transfer',
        sender: { party: alice.party, amount: '-12.5000000000' },
        receivers: [{ party: bob.party, amount: '12.5000000000' }],
      });
    }
    localnet.advanceTime({ days: 61 });
    const { body } = await bob.ask(
      `GET ${localnet.urls.scan}/v0/transfer-preapprovals/by-party/${bob.party}`,
    );
    expect(body.transfer_preapproval.contract.payload.expiresAt).toContain('2026-06-30');
  });

  it('what is rejected or withdrawn comes back', async () => {
    const [alice, bob] = [await user(appUser, 'alice'), await user(appProvider, 'bob')];
    await alice.ask('POST /v0/wallet/tap', { amount: '1' });
    for (const [who, verb] of [
      [bob, 'reject'],
      [alice, 'withdraw'],
    ] as const) {
      const asked = transferTo(bob.party, { tracking_id: verb });
      const id = (await alice.ask(`POST ${base}`, asked)).body.output.transfer_instruction_cid;
      const other = who === bob ? alice : bob;
      expect((await other.ask(`POST ${base}/${id}/${verb}`)).status).toBe(400);
      expect((await who.ask(`POST ${base}/${id}/${verb}`)).status).toBe(200);
      expect(await alice.balance()).toEqual(['200.0000000000', '0.0000000000']);
    }
  });
});

it('Scan tells of the rules and of rounds that follow each other, by which SDKs tap', async () => {
  const alice = await user(appUser, 'alice');
  const scan = (call: string, body?: unknown) =>
    alice.ask(call.replace(' /', ` ${localnet.urls.scan}/`), body);
  const rounds = async () => {
    const asked = {
      cached_open_mining_round_contract_ids: [],
      cached_issuing_round_contract_ids: [],
    };
    const { body } = await scan('POST /v0/open-and-issuing-mining-rounds', asked);
    return Object.values<any>(body.open_mining_rounds).map(
      ({ contract }) => contract.payload.round.number,
    );
  };
  expect(await rounds()).toEqual(['0', '1', '2']);
  localnet.advanceTime({ minutes: 21 });
  expect(await rounds()).toEqual(['2', '3', '4']);
  const { body } = await scan('POST /v0/amulet-rules', {});
  const { contract } = body.amulet_rules_update;
  expect(contract.template_id).toMatch(/:Splice\.AmuletRules:AmuletRules$/);
  expect(contract.payload).toMatchObject({ dso: localnet.splice.dsoParty, isDevNet: true });
  // By the ledger, with what Scan discloses.
  localnet.amulet.tap(alice.party, '5.0');
  expect(await alice.balance()).toEqual(['5.0000000000', '0.0000000000']);
  localnet.amulet.feature(appUser.party);
  expect((await scan('GET /v0/featured-apps')).body.featured_apps).toMatchObject([
    { payload: { provider: appUser.party } },
  ]);
  expect((await alice.ask('GET /v0/feature-support')).body).toEqual({
    token_standard: true,
    transfer_preapproval_description: false,
  });
});
