/** The matchers on privacy: who sees an update, a node, a field or a contract, and why. */
import { useCanticle } from '../../../src/testing/jest.js';
import { Asset, Deal, trades } from '../../support/daml/privacy-model.js';
import { messageOf } from '../matcher-messages.js';

const canticle = useCanticle({
  seed: 7,
  listen: false,
  packages: [trades],
  participants: ['bank', 'market'],
});
const [bank, market] = canticle.participants as [
  typeof canticle.participant,
  typeof canticle.participant,
];
const issuer = bank.allocateParty('issuer');
const [seller, buyer, broker, stranger] = ['seller', 'buyer', 'broker', 'stranger'].map((hint) =>
  market.allocateParty(hint),
) as [string, string, string, string];

const WILDCARD = { value: { includeCreatedEventBlob: true } };
const WITH_BLOBS = { cumulative: [{ identifierFilter: { WildcardFilter: WILDCARD } }] };

/** An asset of the seller, and a deal that hands it to the buyer. */
function settled() {
  const asset = bank.create(Asset, { issuer, owner: seller, amount: '5' }, { actAs: [issuer] });
  const deal = market.create(Deal, { broker, buyer, seller, asset }, { actAs: [seller] });
  // The buyer is not a stakeholder of the asset.
  const update = market.exercise(deal, Deal.Settle, {}, { actAs: [buyer], readAs: [seller] });
  return { asset, deal, update, bought: update.created[0]! };
}

describe('toBeSeenOnlyBy', () => {
  it('takes exactly the parties that see a part of the update', () => {
    const { update } = settled();
    expect(update).toBeSeenOnlyBy(issuer, seller, buyer, broker);
    expect(update.updateId).toBeSeenOnlyBy(broker, issuer, seller, buyer);
    expect(update).not.toBeSeenOnlyBy(issuer, seller, buyer);
    expect(update).not.toBeSeenOnlyBy(issuer, seller, buyer, broker, stranger);
  });

  it('takes participants in place of their parties', () => {
    const { update, asset } = settled();
    expect(update).toBeSeenOnlyBy(bank, market);
    expect(update).toBeSeenOnlyBy(issuer, market);
    expect(update).not.toBeSeenOnlyBy(market);
    const hidden = bank.create(Asset, { issuer, owner: issuer, amount: '1' }, { actAs: [issuer] });
    expect(hidden).toBeSeenOnlyBy(bank);
    expect(asset).not.toBeSeenOnlyBy(bank);
  });

  it('looks only at the selected nodes', () => {
    const { update, asset, deal } = settled();
    expect(update).toBeSeenOnlyBy(seller, buyer, broker, { choice: 'Settle' });
    expect(update).toBeSeenOnlyBy(seller, buyer, broker, { template: 'Deal' });
    expect(update).toBeSeenOnlyBy(issuer, seller, buyer, broker, { template: 'Trade:Asset' });
    expect(update).toBeSeenOnlyBy(issuer, market, { template: '#trades:Trade:Asset' });
    expect(update).toBeSeenOnlyBy(issuer, market, { field: 'argument.newOwner' });
    expect(update).toBeSeenOnlyBy(market, { template: 'Deal', field: 'result' });
    expect(asset).toBeSeenOnlyBy(issuer, seller, buyer, broker, { field: 'payload.amount' });
    expect(deal).toBeSeenOnlyBy(seller, buyer, broker, { field: 'payload.asset' });
  });

  it('shows each node with those who see it', () => {
    const { update } = settled();
    const text = messageOf(() => expect(update).toBeSeenOnlyBy(issuer, seller, buyer));
    expect(text).toMatchInlineSnapshot(`
"expect(update).toBeSeenOnlyBy(issuer::·, seller::·, buyer::·)

broker::· sees it, too.

The nodes, and who sees them:
  0 exercise Trade:Deal Settle
      broker::·: observer
      buyer::·: observer, controller
      seller::·: signatory
    1 exercise Trade:Asset Hand
        broker::·: divulged by node 0
        buyer::·: choiceObserver
        issuer::·: signatory
        seller::·: observer, controller
      2 create Trade:Asset
          broker::·: divulged by node 0
          buyer::·: observer
          issuer::·: signatory
          seller::·: divulged by node 1"
`);
    const others = messageOf(() => expect(update).toBeSeenOnlyBy(bank, market, stranger));
    expect(others).toContain('stranger::· does not see it.');
    const negated = messageOf(() => expect(update).not.toBeSeenOnlyBy(bank, market));
    expect(negated).toContain('No other party sees it.');
  });
});

describe('toBeSeenBy', () => {
  it.each([
    ['signatory', () => issuer, { template: 'Asset' }],
    ['observer', () => seller, { choice: 'Hand' }],
    ['controller', () => buyer, { choice: 'Settle' }],
    ['choiceObserver', () => buyer, { choice: 'Hand' }],
    ['divulged', () => broker, { choice: 'Hand' }],
    ['hosting', () => market, {}],
  ] as const)('knows the reason %s', (because, who, nodes) => {
    const { update } = settled();
    expect(update).toBeSeenBy(who(), { ...nodes, because });
    expect(update).toBeSeenBy(who(), nodes);
    expect(update).not.toBeSeenBy(who(), { ...nodes, because: 'maintainer' });
  });

  it('knows who had a contract only by disclosure', async () => {
    const asset = bank.create(Asset, { issuer, owner: issuer, amount: '5' }, { actAs: [issuer] });
    const body = { contractId: asset, eventFormat: { filtersByParty: { [issuer]: WITH_BLOBS } } };
    const answer = await canticle.handle({ path: '/v2/events/events-by-contract-id', body });
    const { created } = answer.json() as {
      created: { createdEvent: { createdEventBlob: string } };
    };
    const exercise = {
      templateId: '#trades:Trade:Asset',
      contractId: asset,
      choice: 'Show',
      choiceArgument: { viewer: stranger },
    };
    const { status, json } = await canticle.handle({
      path: '/participants/market/v2/commands/submit-and-wait',
      body: {
        commands: [{ ExerciseCommand: exercise }],
        commandId: 'show',
        userId: 'tester',
        actAs: [stranger],
        disclosedContracts: [created.createdEvent],
      },
    });
    expect(status).toBe(200);
    const shown = json() as { updateId: string };
    expect(shown).toBeSeenBy(stranger, { because: 'disclosed' });
    expect(asset).toBeSeenBy(stranger, { because: 'controller', field: 'payload.amount' });
    expect(stranger).not.toKnowNothingOf(asset);
  });

  it('shows the reasons', () => {
    const { update } = settled();
    const text = messageOf(() =>
      expect(update).toBeSeenBy(broker, { choice: 'Hand', because: 'observer' }),
    );
    expect(text).toMatchInlineSnapshot(`
"expect(update).toBeSeenBy(broker::·, {"choice":"Hand","because":"observer"})

broker::· sees it: divulged.

The nodes, and who sees them:
    1 exercise Trade:Asset Hand
        broker::·: divulged by node 0
        buyer::·: choiceObserver
        issuer::·: signatory
        seller::·: observer, controller"
`);
    expect(messageOf(() => expect(update).toBeSeenBy(stranger))).toContain(
      'stranger::· does not see it.',
    );
  });
});

describe('toKnowNothingOf', () => {
  it('looks at all updates of the contract', () => {
    const { asset, bought } = settled();
    const before = bank.create(Asset, { issuer, owner: seller, amount: '5' }, { actAs: [issuer] });
    for (const party of [buyer, broker, stranger]) expect(party).toKnowNothingOf(before);
    for (const party of [buyer, broker, seller]) expect(party).not.toKnowNothingOf(asset);
    for (const contract of [asset, bought]) expect(stranger).toKnowNothingOf(contract);
    expect(market).not.toKnowNothingOf(before);
    const hidden = bank.create(Asset, { issuer, owner: issuer, amount: '1' }, { actAs: [issuer] });
    expect(market).toKnowNothingOf(hidden);
    expect(messageOf(() => expect(market).toKnowNothingOf(before))).toContain(
      'participant market has seen the contract.',
    );
  });
});

it('agrees with the update stream of each party', async () => {
  const transactionShape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS';
  const streamOf = async (party: string): Promise<ReadonlySet<string>> => {
    const home = party === issuer ? bank : market;
    const eventFormat = { filtersByParty: { [party]: WITH_BLOBS } };
    const { json } = await canticle.handle({
      path: `/participants/${home.name}/v2/updates?limit=200`,
      body: {
        beginExclusive: 0,
        endInclusive: home.ledgerEnd,
        updateFormat: { includeTransactions: { transactionShape, eventFormat } },
      },
    });
    const updates = json() as { update: Record<string, { value: { updateId: string } }> }[];
    return new Set(updates.map(({ update }) => Object.values(update)[0]!.value.updateId));
  };
  const everybody = [issuer, seller, buyer, broker, stranger];
  const pairs: [string, string][] = [
    [seller, buyer],
    [buyer, seller],
    [stranger, seller],
    [seller, seller],
  ];
  let hidden = 0;
  for (const [from, to] of pairs) {
    const asset = bank.create(Asset, { issuer, owner: from, amount: '5' }, { actAs: [issuer] });
    const deal = { broker, buyer: to, seller: from, asset };
    const created = market.create(Deal, deal, { actAs: [from] });
    market.exercise(created, Deal.Settle, {}, { actAs: [to], readAs: [from] });
  }
  const streams = await Promise.all(everybody.map(streamOf));
  const { updates } = canticle.network;
  for (let index = 0; index < updates.length; index += 1) {
    const { kind, updateId, submission } = updates.at(index)!;
    if (kind !== 'transaction' || submission?.userId === undefined) continue;
    const seers = everybody.filter((_, place) => streams[place]!.has(updateId));
    if (seers.length === 0) continue;
    expect(updateId).toBeSeenOnlyBy(...seers);
    for (const party of everybody)
      if (seers.includes(party)) expect(updateId).toBeSeenBy(party);
      else {
        expect(updateId).not.toBeSeenBy(party);
        hidden += 1;
      }
  }
  expect(hidden).toBeGreaterThan(10);
});

it('fails with and without not for a subject or a viewer that does not exist', () => {
  const { update, asset } = settled();
  const wrong: [() => unknown, () => unknown, string][] = [
    [
      () => expect(7).toBeSeenOnlyBy(issuer),
      () => expect(7).not.toBeSeenOnlyBy(issuer),
      'Not an update: 7.',
    ],
    [
      () => expect('1220').toBeSeenBy(issuer),
      () => expect('1220').not.toBeSeenBy(issuer),
      'No ledger has the update 1220.',
    ],
    [
      () => expect(update).toBeSeenBy('nobody::1220'),
      () => expect(update).not.toBeSeenBy('nobody::1220'),
      'No participant hosts nobody::1220.',
    ],
    [
      () => expect(update).toBeSeenOnlyBy(issuer, { choice: 'Burn' }),
      () => expect(update).not.toBeSeenOnlyBy(issuer, { choice: 'Burn' }),
      'No node has the choice Burn.',
    ],
    [
      () => expect(update).toBeSeenOnlyBy(issuer, { field: 'payload.price' }),
      () => expect(update).not.toBeSeenOnlyBy(issuer, { field: 'payload.price' }),
      'No node has the field payload.price.',
    ],
    [
      () => expect(update).toBeSeenBy(issuer, { field: 'amount' }),
      () => expect(update).not.toBeSeenBy(issuer, { field: 'amount' }),
      'Not a field: "amount".',
    ],
    [
      () => expect(7).toKnowNothingOf(asset),
      () => expect(7).not.toKnowNothingOf(asset),
      'Not a party: 7.',
    ],
    [
      () => expect(issuer).toKnowNothingOf('00ff'),
      () => expect(issuer).not.toKnowNothingOf('00ff'),
      'No ledger has the contract 00ff',
    ],
  ];
  for (const [plain, negated, message] of wrong) {
    expect(messageOf(plain)).toContain(message);
    expect(messageOf(negated)).toContain(message);
  }
});
