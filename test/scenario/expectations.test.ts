/** An expectation that does not hold says what differs, and what the ledger holds instead; one that holds says nothing. */
import { createCanticle, type ExpectationFailed, type Scenario } from 'canticle';

const IOU = 'canticle-quickstart:Quickstart.Iou:Iou';
type Expected = Parameters<Scenario['expect']>[0];

/** Bank and Alice share an Iou that Bob sees; another one is on its way; Alice holds 10, of which 4 are offered to Bob. */
function world(): Scenario {
  const { scenario } = createCanticle({
    synchronizers: [{ alias: 'global' }, { alias: 'app' }],
    participants: [{ name: 'one' }, { name: 'two' }],
  });
  for (const hint of ['bank', 'alice', 'bob']) scenario.party(hint);
  scenario.party('carol', { on: 'two' });
  const payload = {
    issuer: '$bank',
    owner: '$alice',
    currency: 'EUR',
    amount: '1.50',
    observers: ['$bob'],
  };
  const fields = { by: ['bank', 'alice'], with: payload, synchronizer: 'global' };
  scenario.create(IOU, { ...fields, as: 'iou' });
  scenario.create(IOU, { ...fields, as: 'moving' });
  scenario.unassign('$moving', { to: 'app' });
  scenario.mint(10, { to: 'alice' });
  scenario.transfer(4, { from: 'alice', to: 'bob', as: 'offer' });
  scenario.rewardRound(2, { status: 'Ok', mintingAllowances: [{ provider: 'bob', amount: 3 }] });
  scenario.scheduleMigration(1, { at: '2026-06-01T00:00:00Z' });
  return scenario;
}

it.each<Expected>([
  { contract: '$iou', is: 'active', synchronizer: 'global', counter: 0 },
  { contract: '$iou', payload: { amount: 1.5, owner: '$alice', observers: ['$bob'] } },
  { contract: '$iou', signatories: ['alice', 'bank'], seenBy: 'bob', hiddenFrom: ['carol'] },
  { contract: '$moving', is: 'inFlight', from: 'global', to: 'app', counter: 1 },
  { contract: `00${'0'.repeat(66)}`, is: 'unknown' },
  { party: 'alice', balance: '10.00', holds: 10, locked: 4, holdings: 2, sees: ['$iou', '$offer'] },
  { party: 'carol', balance: 0, doesNotSee: '$iou', updates: 0, hostedOn: 'two' },
  { activeContracts: 1, of: 'alice', template: IOU },
  { activeContracts: 0, on: 'two' },
  { sum: '1.50', template: IOU, field: 'amount' },
  { sum: 1.5, template: IOU, field: 'amount', with: { owner: '$alice', observers: ['$bob'] } },
  { sum: 0, template: IOU, field: 'amount', with: { currency: 'USD' } },
  { sum: 0, template: IOU, field: 'amount', of: 'carol' },
  { updates: 6 },
  { updates: 0, on: 'two' },
  { migration: 0, scheduled: 1, at: '2026-06-01T00:00:00Z' },
  { rewardRound: 2, status: 'Ok', mintingAllowance: 3, rewardedProviders: 1 },
  { rewardRound: 1, status: 'CannotProvide' },
])('holds: %j', (expected) => {
  expect(() => world().expect(expected)).not.toThrow();
});

it.each<[Expected, readonly string[]]>([
  [
    { contract: '$iou', is: 'archived', synchronizer: 'app', counter: 2 },
    [
      'is: expected archived, found active',
      'synchronizer: expected app, found global',
      'counter: expected 2, found 0',
      'The ledger holds: active on global, counter 0, Quickstart.Iou:Iou {"issuer":"bank","owner":"alice","currency":"EUR","amount":"1.5000000000","observers":["bob"]}',
    ],
  ],
  [
    { contract: '$iou', payload: { amount: 2, owner: '$bob', observers: [], colour: 'red' } },
    [
      'payload.amount: expected 2, found "1.5000000000"',
      'payload.owner: expected "bob", found "alice"',
      'payload.observers: expected [], found ["bob"]',
      'payload.colour: expected "red", found none',
    ],
  ],
  [
    { contract: '$iou', signatories: 'alice', seenBy: 'carol', hiddenFrom: 'bob' },
    [
      'signatories: expected alice, found alice, bank',
      'seenBy: carol does not see it',
      'hiddenFrom: bob sees it',
    ],
  ],
  [
    { contract: '$moving', is: 'active', from: 'app', to: 'global' },
    [
      'is: expected active, found inFlight',
      'from: expected app, found global',
      'to: expected global, found app',
      'The ledger holds: inFlight from global to app, counter 1, Quickstart.Iou:Iou',
    ],
  ],
  [
    { contract: `00${'0'.repeat(66)}`, is: 'active' },
    ['is: expected active, found unknown', 'The ledger holds: no such contract'],
  ],
  [
    { party: 'alice', balance: 11, locked: 0, holdings: 1, updates: 1, hostedOn: 'two' },
    [
      'balance: expected 11.0, found 10.0',
      'locked: expected 0.0, found 4.0',
      'holdings: expected 1, found 2',
      'updates: expected 1, found 5',
      'hostedOn: not two',
      'The ledger holds: balance 10.0 (4.0 locked) in 2 holdings, 5 updates seen, hosted on one',
    ],
  ],
  [{ party: 'bob', sees: '$iou', doesNotSee: ['$offer'] }, ['doesNotSee: it sees offer']],
  [{ party: 'carol', sees: '$iou' }, ['sees: it does not see iou']],
  [
    { activeContracts: 3, of: 'alice' },
    [
      'activeContracts: expected 3, found 4',
      'The ledger holds: 1 Quickstart.Iou:Iou, 2 Canticle.TestToken:Token, 1 Canticle.TestToken:TransferOffer',
    ],
  ],
  [
    { updates: 7 },
    ['updates: expected 7, found 6', 'The ledger holds: 6 in the network, 6 at one, 0 at two'],
  ],
  [
    { migration: 1, scheduled: 'none' },
    [
      'migration: expected 1, found 0',
      'scheduled: expected none, found 1',
      'The ledger holds: migration 0 is running, 1 is scheduled at 2026-06-01T00:00:00.000000Z',
    ],
  ],
  [
    { rewardRound: 2, status: 'Undetermined', mintingAllowance: 4 },
    [
      'status: expected Undetermined, found Ok',
      'mintingAllowance: expected 4.0, found 3.0',
      'The ledger holds: Ok, 3.0 for 1 providers',
    ],
  ],
  [
    { sum: 4, template: IOU, field: 'amount' },
    ['sum: expected 4.0, found 1.5', 'The ledger holds: the sum 1.5'],
  ],
  [
    { time: '2026-01-01T00:00:00Z' },
    ['time: expected 2026-01-01T00:00:00.000000Z, found 2026-01-01T00:00:00.'],
  ],
])('does not hold: %j', (expected, lines) => {
  let failure: ExpectationFailed | undefined;
  try {
    world().expect(expected);
  } catch (error) {
    failure = error as ExpectationFailed;
  }
  expect(failure?.name).toBe('ExpectationFailed');
  for (const line of lines) expect(failure!.message).toContain(line);
  // The list of faults is complete.
  expect(failure!.errors).toHaveLength(
    lines.filter((line) => !line.startsWith('The ledger')).length,
  );
});
