/**
 * A wallet's first session on a LocalNet without Splice's DARs, with the simplified Amulet. Users are onboarded, tap, and pay each
 * other by the token standard, over HTTP like the wallet's pages and SDKs.
 */
import { lookAt, useLocalnet } from '../../src/testing/jest.js';

const localnet = useLocalnet({ seed: 2, spliceDars: false });
const { appUser, appProvider } = localnet;
lookAt(localnet);

type Node = typeof appUser;

async function request(node: Node, user: string, call: string, body?: unknown) {
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
  const { status, body } = await request(node, name, 'POST /v0/register', {});
  expect(status).toBe(200);
  return {
    party: body.party_id as string,
    request: (call: string, more?: unknown) => request(node, name, call, more),
    async balance() {
      const balance = (await request(node, name, 'GET /v0/wallet/balance')).body;
      return [balance.effective_unlocked_qty, balance.effective_locked_qty];
    },
  };
}

const later = (minutes: number) => Number(localnet.network.clock.now()) + minutes * 60_000_000;
const transferTo = (receiver_party_id: string, more: object = {}) => ({
  receiver_party_id,
  ...{ amount: '12.5', description: 'rent', expires_at: later(60), tracking_id: 'one' },
  ...more,
});

it('rejects a command that the simplified Amulet does not implement', async () => {
  const alice = await user(appUser, 'alice');
  const refused = async (call: string, body?: unknown) => {
    const answer = await alice.request(call, body);
    return [answer.status, answer.body.error.split('(')[0]];
  };
  const purchase = {
    ...{ receiving_validator_party_id: alice.party, traffic_amount: 200_000 },
    domain_id: localnet.network.synchronizers[0]!.id,
    ...{ tracking_id: 'one', expires_at: later(60) },
  };
  expect([
    await refused('POST /v0/wallet/buy-traffic-requests', purchase),
    await refused('POST /v0/entry/create', { name: 'a.unverified.ans', url: '', description: '' }),
    await refused(`POST ${localnet.urls.scan}/v0/ans-rules`, {}),
    await refused(`GET ${localnet.urls.scan}/v0/dso`),
  ]).toEqual([
    [400, 'INVALID_ARGUMENT'],
    // As Scan stumbles, whose answer a validator passes on (V-GEN-017).
    [500, 'An unexpected error occurred.'],
    [500, 'An unexpected error occurred.'],
    [404, 'No active DsoRules contract'],
  ]);
});

it('completes an accepted wallet offer automatically, and aborts an offer without funds', async () => {
  const [alice, bob] = [await user(appUser, 'alice'), await user(appProvider, 'bob')];
  await alice.request('POST /v0/wallet/tap', { amount: '1' });
  await alice.request('POST /v0/wallet/tap', { amount: '1' });
  const offer = async (trackingId: string, more: object = {}) => {
    const terms = transferTo(bob.party, { tracking_id: trackingId, ...more });
    return (await alice.request('POST /v0/wallet/transfer-offers', terms)).body.offer_contract_id;
  };
  const answer = (who: typeof bob, id: string, verb: string) =>
    who.request(`POST /v0/wallet/transfer-offers/${id}/${verb}`);
  const status = async (id: string) =>
    (await alice.request(`POST /v0/wallet/transfer-offers/${id}/status`)).body;
  const first = await offer('first');
  expect((await bob.request('GET /v0/wallet/transfer-offers')).body.offers).toMatchObject([
    { contract_id: first, payload: { amount: { amount: '12.5', unit: 'AmuletUnit' } } },
  ]);
  expect((await answer(bob, first, 'accept')).status).toBe(200);
  expect(await status('first')).toMatchObject({ status: 'completed' });
  expect(await alice.balance()).toEqual(['387.5000000000', '0.0000000000']);
  expect(await bob.balance()).toEqual(['12.5000000000', '0.0000000000']);
  const { items } = (await bob.request('POST /v0/wallet/transactions', { page_size: 10 })).body;
  expect(items[0]).toMatchObject({
    transaction_subtype: { choice: 'AcceptedTransferOffer_Complete' },
    receivers: [{ party: bob.party, amount: '12.5000000000' }],
  });
  await answer(bob, await offer('rejected'), 'reject');
  await answer(alice, await offer('withdrawn'), 'withdraw');
  await answer(bob, await offer('dear', { amount: '400.0' }), 'accept');
  await offer('late', { expires_at: later(1) });
  localnet.advanceTime({ minutes: 10 });
  expect([
    await status('rejected'),
    await status('withdrawn'),
    await status('dear'),
    await status('late'),
  ]).toMatchObject([
    { status: 'failed', failure_kind: 'rejected' },
    { status: 'failed', failure_kind: 'withdrawn' },
    {
      ...{ status: 'failed', failure_kind: 'withdrawn' },
      withdrawn_reason: 'out of funds (missing 12.5 CC)',
    },
    { status: 'failed', failure_kind: 'expired' },
  ]);
});

it('merges the amulets of a wallet, and grants a featured-app right on request', async () => {
  const alice = await user(appUser, 'alice');
  for (const amount of ['1', '2', '3']) await alice.request('POST /v0/wallet/tap', { amount });
  const held = async () => (await alice.request('GET /v0/wallet/amulets')).body.amulets.length;
  expect(await held()).toBe(3);
  localnet.advanceTime({ minutes: 6 });
  expect([await held(), await alice.balance()]).toEqual([1, ['1200.0000000000', '0.0000000000']]);
  const status = async () =>
    (await alice.request('GET /v0/wallet/user-status')).body.has_featured_app_right;
  const granted = await alice.request('POST /v0/wallet/self-grant-feature-app-right', {});
  expect([granted.status, await status()]).toEqual([200, true]);
  expect((await alice.request('DELETE /v0/wallet/cancel-featured-app-rights')).status).toBe(200);
  expect(await status()).toBe(false);
});

describe('allocations of amulets', () => {
  const MODULE = 'Splice.Api.Token.Allocation';
  /** Alice and Bob, each with a dollar's worth, and a venue that settles what they trade. */
  async function traders() {
    const [alice, bob] = [await user(appUser, 'alice'), await user(appUser, 'bob')];
    for (const each of [alice, bob]) await each.request('POST /v0/wallet/tap', { amount: '1' });
    const venue = appUser.participant.allocateParty('venue');
    const rights = [alice.party, bob.party, venue].map((party) => ({
      kind: { CanActAs: { value: { party } } },
    }));
    const userId = 'ledger-api-user';
    await post(`${appUser.ledgerApi}/v2/users/${userId}/rights`, { userId, rights });
    return { alice, bob, venue };
  }
  const post = async (url: string, body: unknown, cause?: unknown) => {
    const headers = {
      authorization: `Bearer ${appUser.token()}`,
      'content-type': 'application/json',
    };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const json = (await answer.json()) as any;
    expect([answer.status, json.cause]).toEqual([cause === undefined ? 200 : 400, cause]);
    return json;
  };
  const registry = (path: string, body: unknown = {}) =>
    post(`${localnet.urls.registry}/registry${path}`, body);
  const exercise = (
    ...[actAs, id, on, argument, choiceContext, cause]: [
      string[],
      string,
      string,
      object,
      any,
      unknown?,
    ]
  ) =>
    post(
      `${appUser.ledgerApi}/v2/commands/submit-and-wait`,
      {
        ...{ commandId: id, actAs, disclosedContracts: choiceContext.disclosedContracts },
        commands: [
          {
            ExerciseCommand: {
              ...{ templateId: `#splice-api-token-allocation-${on.split(' ')[0]}`, contractId: id },
              choice: on.split(' ')[1],
              choiceArgument: {
                ...argument,
                extraArgs: { context: choiceContext.choiceContextData, meta: { values: {} } },
              },
            },
          },
        ],
      },
      cause,
    );

  it('of version 1 are created, withdrawn, and executed by all three parties', async () => {
    const { alice, bob, venue } = await traders();
    const made = async (id: string) => {
      const { body } = await alice.request('POST /v0/allocations', {
        settlement: {
          ...{ executor: venue, settlement_ref: { id }, requested_at: later(0) },
          ...{ allocate_before: later(60), settle_before: later(120) },
        },
        transfer_leg_id: 'leg',
        transfer_leg: { receiver: bob.party, amount: '5.0' },
      });
      return body.output.allocation_cid;
    };
    const [first, second] = [await made('one'), await made('two')];
    expect(await alice.balance()).toEqual(['190.0000000000', '10.0000000000']);
    expect((await alice.request('GET /v0/allocations')).body.allocations).toMatchObject([
      { contract: { contract_id: first } },
      { contract: { contract_id: second } },
    ]);
    const withdrawn = await alice.request(`POST /v0/allocations/${first}/withdraw`);
    expect(withdrawn.body.sender_holding_cids).toHaveLength(1);
    const choiceContext = await registry(
      `/allocations/v1/${second}/choice-contexts/execute-transfer`,
    );
    const all = [venue, alice.party, bob.party];
    await exercise(
      all,
      second,
      `v1:${MODULE}V1:Allocation Allocation_ExecuteTransfer`,
      {},
      choiceContext,
    );
    expect(await alice.balance()).toEqual(['195.0000000000', '0.0000000000']);
    expect(await bob.balance()).toEqual(['205.0000000000', '0.0000000000']);
  });

  it('require a boolean lock field in a choice context', async () => {
    const { alice, bob, venue } = await traders();
    const { body } = await alice.request('POST /v0/allocations', {
      settlement: {
        ...{ executor: venue, settlement_ref: { id: 'one' }, requested_at: later(0) },
        ...{ allocate_before: later(60), settle_before: later(120) },
      },
      transfer_leg_id: 'leg',
      transfer_leg: { receiver: bob.party, amount: '5.0' },
    });
    const id = body.output.allocation_cid;
    const choiceContext = await registry(`/allocations/v1/${id}/choice-contexts/withdraw`);
    choiceContext.choiceContextData.values['expire-lock'] = { tag: 'AV_Text', value: 'no' };
    const on = `v1:${MODULE}V1:Allocation Allocation_Withdraw`;
    const why = 'Context entry expire-lock: expected AV_Bool, got AV_Text';
    await exercise([alice.party], id, on, {}, choiceContext, expect.stringContaining(why));
    expect(await alice.balance()).toEqual(['195.0000000000', '5.0000000000']);
  });

  it('of version 2 add funds repeatedly, and the executor returns the remaining amount', async () => {
    const { alice, bob, venue } = await traders();
    const leg = { transfer_leg_id: 'leg', amount: '7.5' };
    const allocated = async (who: typeof alice, side: object, more: object) => {
      const { body } = await who.request('POST /v2/allocations', {
        settlement: { executors: [venue], settlement_ref: { id: 'many' } },
        transfer_leg_sides: [{ ...leg, ...side }],
        ...{ committed: true, ...more },
      });
      return body.output.allocation_cid as string;
    };
    const sending = { side: 'SENDERSIDE', otherside: bob.party };
    const receiving = { side: 'RECEIVERSIDE', otherside: alice.party };
    const first = await allocated(alice, sending, { next_iteration_funding: { Amulet: '20.0' } });
    const other = await allocated(bob, receiving, {});
    expect(await alice.balance()).toEqual(['172.5000000000', '27.5000000000']);
    // It is committed, and without a deadline.
    expect((await alice.request(`POST /v2/allocations/${first}/withdraw`)).status).toBe(400);
    const account = (owner: string) => ({ owner, provider: null, id: '' });
    const finalized = { extraTransferLegSides: [], nextIterationFunding: null };
    const batch = {
      settlement: { executors: [venue], id: 'many', cid: null, meta: { values: {} } },
      transferLegs: [
        {
          ...{ transferLegId: 'leg', sender: account(alice.party), receiver: account(bob.party) },
          ...{ amount: '7.5', instrumentId: 'Amulet', meta: { values: {} } },
        },
      ],
      allocations: [
        { ...finalized, allocationCid: first, nextIterationFunding: { Amulet: '15.0' } },
        { ...finalized, allocationCid: other },
      ],
      actors: [venue],
    };
    const extraArgs = { context: { values: {} }, meta: { values: {} } };
    const request = { choiceArguments: { ...batch, extraArgs } };
    const { factoryId, choiceContext } = await registry(
      '/allocation/v2/settlement-factory',
      request,
    );
    const on = `v2:${MODULE}V2:SettlementFactory SettlementFactory_SettleBatch`;
    await exercise([venue], factoryId, on, batch, choiceContext);
    expect(await alice.balance()).toEqual(['177.5000000000', '15.0000000000']);
    expect(await bob.balance()).toEqual(['207.5000000000', '0.0000000000']);
    const [next] = (await alice.request('GET /v0/allocations')).body.allocations;
    const { contract_id: id, payload } = next.contract;
    expect(payload).toMatchObject({ numIterations: '1', allocation: { transferLegSides: [] } });
    const choice = await registry(`/allocations/v2/${id}/choice-contexts/cancel`);
    await exercise(
      [venue],
      id,
      `v2:${MODULE}V2:Allocation Allocation_Cancel`,
      { actors: [venue] },
      choice,
    );
    expect(await alice.balance()).toEqual(['192.5000000000', '0.0000000000']);
  });

  it('of version 2 are settled in a batch by the executor, and a remaining one is withdrawn', async () => {
    const { alice, bob, venue } = await traders();
    const sides = { alice: ['SENDERSIDE', bob.party], bob: ['RECEIVERSIDE', alice.party] } as const;
    const allocated = async (who: typeof alice, name: 'alice' | 'bob', id: string) => {
      const [side, otherside] = sides[name];
      const { body } = await who.request('POST /v2/allocations', {
        settlement: { executors: [venue], settlement_ref: { id } },
        transfer_leg_sides: [{ transfer_leg_id: 'leg', side, otherside, amount: '7.5' }],
        committed: false,
      });
      return body.output.allocation_cid as string;
    };
    const ids = [await allocated(alice, 'alice', 'one'), await allocated(bob, 'bob', 'one')];
    const idle = await allocated(alice, 'alice', 'two');
    expect(await alice.balance()).toEqual(['185.0000000000', '15.0000000000']);
    expect(await bob.balance()).toEqual(['200.0000000000', '0.0000000000']);
    const account = (owner: string) => ({ owner, provider: null, id: '' });
    const batch = {
      settlement: { executors: [venue], id: 'one', cid: null, meta: { values: {} } },
      transferLegs: [
        {
          ...{ transferLegId: 'leg', sender: account(alice.party), receiver: account(bob.party) },
          ...{ amount: '7.5', instrumentId: 'Amulet', meta: { values: {} } },
        },
      ],
      allocations: ids.map((allocationCid) => ({
        ...{ allocationCid, extraTransferLegSides: [], nextIterationFunding: null },
      })),
      actors: [venue],
    };
    const extraArgs = { context: { values: {} }, meta: { values: {} } };
    const path = '/allocation/v2/settlement-factory';
    const { factoryId, choiceContext } = await registry(path, {
      choiceArguments: { ...batch, extraArgs },
    });
    const on = `v2:${MODULE}V2:SettlementFactory SettlementFactory_SettleBatch`;
    await exercise([venue], factoryId, on, batch, choiceContext);
    expect(await alice.balance()).toEqual(['185.0000000000', '7.5000000000']);
    expect(await bob.balance()).toEqual(['207.5000000000', '0.0000000000']);
    const { body } = await alice.request(`POST /v2/allocations/${idle}/withdraw`);
    expect(body.authorizer_holding_cids.Amulet).toHaveLength(1);
    expect(await alice.balance()).toEqual(['192.5000000000', '0.0000000000']);
  });
});

describe.each(['v0', 'v2'])('with API %s', (version) => {
  const base = `/${version}/wallet/token-standard/transfers`;

  it('onboards a user, who taps and pays another user, who accepts', async () => {
    const [alice, bob] = [await user(appUser, 'alice'), await user(appProvider, 'bob')];
    expect((await alice.request('GET /v0/wallet/user-status')).body).toMatchObject({
      party_id: alice.party,
      user_onboarded: true,
      user_wallet_installed: true,
      has_featured_app_right: false,
    });
    expect(await alice.balance()).toEqual(['0.0000000000', '0.0000000000']);
    const tapped = await alice.request('POST /v0/wallet/tap', { amount: '1' });
    expect(tapped).toMatchObject({ status: 200, body: { contract_id: expect.any(String) } });
    expect(await alice.balance()).toEqual(['200.0000000000', '0.0000000000']);
    const { body: sent } = await alice.request(`POST ${base}`, transferTo(bob.party));
    const id = sent.output.transfer_instruction_cid;
    expect(await alice.balance()).toEqual(['187.5000000000', '12.5000000000']);
    const listed = (await bob.request('GET /v0/wallet/token-standard/transfers')).body.transfers;
    expect(listed).toMatchObject([{ contract_id: id }]);
    expect((await bob.request(`POST ${base}/${id}/accept`)).status).toBe(200);
    expect(await alice.balance()).toEqual(['187.5000000000', '0.0000000000']);
    expect(await bob.balance()).toEqual(['12.5000000000', '0.0000000000']);
    const history = await alice.request('POST /v0/wallet/transactions', { page_size: 10 });
    expect(history.body.items.map((each: any) => each.transaction_subtype.choice)).toEqual([
      'TransferInstruction_Accept',
      'TransferFactory_Transfer',
      'AmuletRules_DevNet_Tap',
    ]);
  });

  it('pays a receiver with a preapproval at once', async () => {
    const [alice, bob] = [await user(appUser, 'alice'), await user(appProvider, 'bob')];
    await alice.request('POST /v0/wallet/tap', { amount: '1' });
    const approved = await bob.request('POST /v0/wallet/transfer-preapproval');
    expect(approved).toMatchObject({
      status: 200,
      body: { transfer_preapproval_contract_id: expect.any(String) },
    });
    const { body: sent } = await alice.request(`POST ${base}`, transferTo(bob.party));
    expect(sent.output.receiver_holding_cids).toHaveLength(1);
    expect(await alice.balance()).toEqual(['187.5000000000', '0.0000000000']);
    expect(await bob.balance()).toEqual(['12.5000000000', '0.0000000000']);
    for (const each of [alice, bob]) {
      const { items } = (await each.request('POST /v0/wallet/transactions', { page_size: 10 }))
        .body;
      expect(items[0]).toMatchObject({
        transaction_type: 'transfer',
        sender: { party: alice.party, amount: '-12.5000000000' },
        receivers: [{ party: bob.party, amount: '12.5000000000' }],
      });
    }
    localnet.advanceTime({ days: 61 });
    const { body } = await bob.request(
      `GET ${localnet.urls.scan}/v0/transfer-preapprovals/by-party/${bob.party}`,
    );
    expect(body.transfer_preapproval.contract.payload.expiresAt).toContain('2026-06-30');
  });

  it('returns a rejected or withdrawn amount to the sender', async () => {
    const [alice, bob] = [await user(appUser, 'alice'), await user(appProvider, 'bob')];
    await alice.request('POST /v0/wallet/tap', { amount: '1' });
    for (const [who, verb] of [
      [bob, 'reject'],
      [alice, 'withdraw'],
    ] as const) {
      const offer = transferTo(bob.party, { tracking_id: verb });
      const id = (await alice.request(`POST ${base}`, offer)).body.output.transfer_instruction_cid;
      const other = who === bob ? alice : bob;
      expect((await other.request(`POST ${base}/${id}/${verb}`)).status).toBe(400);
      expect((await who.request(`POST ${base}/${id}/${verb}`)).status).toBe(200);
      expect(await alice.balance()).toEqual(['200.0000000000', '0.0000000000']);
    }
  });
});

it('Scan returns the rules and successive rounds, which SDKs use to tap', async () => {
  const alice = await user(appUser, 'alice');
  const scan = (call: string, body?: unknown) =>
    alice.request(call.replace(' /', ` ${localnet.urls.scan}/`), body);
  const rounds = async () => {
    const cachedIds = {
      cached_open_mining_round_contract_ids: [],
      cached_issuing_round_contract_ids: [],
    };
    const { body } = await scan('POST /v0/open-and-issuing-mining-rounds', cachedIds);
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
  expect((await alice.request('GET /v0/feature-support')).body).toEqual({
    token_standard: true,
    transfer_preapproval_description: false,
  });
});
