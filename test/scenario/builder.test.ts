/** The verbs of scenario files, called from a test: the same rows, so the same bytes. */
import { createCanticle, ExpectationFailed, LedgerError, ScenarioError } from 'canticle';
import { bytesOf, scenarioFile } from './scenario-files.js';

const IOU = 'canticle-quickstart:Quickstart.Iou:Iou';
const SYNCHRONIZERS = [{ alias: 'global' }, { alias: 'app', assignmentExclusivityTimeout: 0n }];
const PARTICIPANTS = [{ name: 'one' }, { name: 'two' }];

const FILE = `
seed: 11
synchronizers: [global, { alias: app, assignmentExclusivityTimeout: PT0S }]
participants: [one, two]
parties: [bank, alice, { party: carol, on: two }]
users: [{ user: wallet, primaryParty: carol, actAs: [carol], readAs: bank }]
steps:
  - { mint: 100, to: alice }
  - { transfer: 12.5, from: alice, to: carol, expiresIn: PT1H, as: offer }
  - { accept: $offer, as: paid }
  - { mint: 3, to: carol }
  - create: ${IOU}
    by: bank
    with: { issuer: $bank, owner: $bank, currency: EUR, amount: 10, observers: [$carol] }
    synchronizer: global
    as: iou
  - { unassign: $iou, to: app, as: move }
  - { unassign: $iou, to: app, refused: INVALID_ARGUMENT }
  - { assign: $move, by: carol }
  - { exercise: $iou, choice: Iou_Split, with: { splitAmount: 4 }, by: bank, as: parts }
  - { archive: $parts._2 }
  - { advance: PT5M }
  - { rewardRound: 3, status: Ok, mintingAllowances: { provider: carol, amount: 1 } }
  - { scheduleMigration: 1, in: P1D }
  - { carryOutMigration: 1 }
  - expect:
      - { contract: $parts._1, is: active, synchronizer: app, payload: { amount: 4 } }
      - { party: carol, balance: 15.5 }
`;

function built() {
  const canticle = createCanticle({
    seed: 11,
    synchronizers: SYNCHRONIZERS,
    participants: PARTICIPANTS,
  });
  const { scenario } = canticle;
  for (const hint of ['bank', 'alice']) scenario.party(hint);
  scenario.party('carol', { on: 'two' });
  scenario.user('wallet', { primaryParty: 'carol', actAs: ['carol'], readAs: 'bank' });
  scenario.mint(100, { to: 'alice' });
  const { instruction } = scenario.transfer(12.5, {
    from: 'alice',
    to: 'carol',
    expiresIn: 'PT1H',
  });
  scenario.accept(instruction!);
  scenario.mint('3', { to: 'carol' });
  const payload = {
    issuer: '$bank',
    owner: '$bank',
    currency: 'EUR',
    amount: 10,
    observers: ['$carol'],
  };
  const iou = scenario.create(IOU, {
    by: 'bank',
    with: payload,
    synchronizer: 'global',
    as: 'iou',
  });
  const move = scenario.unassign('$iou', { to: 'app' });
  scenario.unassign(iou, { to: 'app', refused: 'INVALID_ARGUMENT' });
  scenario.assign(iou, { by: 'carol' });
  expect(move).toMatch(/^00/);
  scenario.exercise(iou, {
    choice: 'Iou_Split',
    with: { splitAmount: 4 },
    by: 'bank',
    as: 'parts',
  });
  scenario.archive('$parts._2');
  scenario.advance('PT5M');
  scenario.rewardRound(3, { status: 'Ok', mintingAllowances: { provider: 'carol', amount: 1 } });
  scenario.scheduleMigration(1, { in: 'P1D' });
  scenario.carryOutMigration(1);
  return canticle;
}

it('a file and the builder produce the same bytes', () => {
  const file = createCanticle({ scenario: scenarioFile(FILE) });
  expect(bytesOf(file)).toBe(bytesOf(built()));
  for (const { splice, participants } of [file, built()]) {
    expect(splice.rewards.round(3)).toMatchObject({ status: 'Ok', rewardedProvidersCount: 1 });
    expect(participants[1]!.engine.users.rights('wallet')).toMatchObject([
      { kind: 'CanActAs' },
      { kind: 'CanReadAs' },
    ]);
  }
});

it('JSON and YAML produce the same bytes', () => {
  const steps = [
    { mint: 5, to: 'alice', as: 'coin' },
    { expect: { contract: '$coin', is: 'active' } },
  ];
  const json = scenarioFile(JSON.stringify({ seed: 3, parties: ['alice'], steps }), 'world.json');
  const yaml = scenarioFile(
    'seed: 3\nparties: [alice]\nsteps:\n  - { mint: 5, to: alice, as: coin }\n  - expect: { contract: $coin, is: active }\n',
  );
  const [a, b] = [json, yaml].map((scenario) => bytesOf(createCanticle({ scenario })));
  expect(a).toBe(b);
});

it('grants rights and a primary party to an initial administrator', () => {
  const { scenario, participant } = createCanticle();
  const alice = scenario.party('alice');
  scenario.user('ledger-api-user', { primaryParty: 'alice', actAs: ['alice'] });
  const { users } = participant.engine;
  expect(users.get('ledger-api-user').primaryParty).toBe(alice);
  expect(users.rights('ledger-api-user')).toEqual([
    { kind: 'ParticipantAdmin' },
    { kind: 'CanActAs', party: alice },
  ]);
  scenario.user('wallet');
  expect(() => scenario.user('wallet')).toThrow('USER_ALREADY_EXISTS');
});

describe('a world from a file', () => {
  const world = () => createCanticle({ scenario: scenarioFile(FILE) });

  it('keeps its names', () => {
    const { scenario, participants } = world();
    expect(scenario.named('alice')).toMatch(/^alice::1220/);
    expect(participants[0]!.contract(scenario.named('parts._1'))).toMatchObject({
      reassignmentCounter: 0,
    });
    expect(() => scenario.named('alcie')).toThrow(
      "No earlier step has the name 'alcie'. Did you mean 'alice'?",
    );
  });

  it('is the state after a reset', () => {
    const canticle = world();
    const before = bytesOf(canticle);
    canticle.scenario.mint(1, { to: 'alice', as: 'extra' });
    expect(bytesOf(canticle)).not.toBe(before);
    canticle.reset();
    expect(bytesOf(canticle)).toBe(before);
  });

  it('reverts names with their values', () => {
    const canticle = world();
    const snapshot = canticle.snapshot();
    canticle.scenario.mint(1, { to: 'alice', as: 'extra' });
    expect(canticle.scenario.named('extra')).toMatch(/^00/);
    canticle.revert(snapshot);
    expect(() => canticle.scenario.named('extra')).toThrow(ScenarioError);
  });

  it('knows parties that were allocated without it', () => {
    const { scenario, participant } = world();
    participant.allocateParty('dora');
    scenario.mint(7, { to: 'dora' });
    scenario.expect({ party: 'dora', balance: 7 });
  });
});

describe('a verb that fails', () => {
  const { scenario } = built();

  it('throws the errors of the ledger', () => {
    expect(() => scenario.transfer(1000, { from: 'alice', to: 'bank' })).toThrow(LedgerError);
  });

  it('throws if an expected rejection does not occur', () => {
    expect(() => scenario.mint(1, { to: 'alice', refused: 'DAML_FAILURE' })).toThrow(
      ExpectationFailed,
    );
  });

  it('reports invalid fields that the types do not prevent', () => {
    const untyped = scenario as unknown as Record<string, (...args: unknown[]) => unknown>;
    expect(() => untyped.mint!(5)).toThrow(
      "step mint: The field 'to' is missing. It is: The receiver.",
    );
    expect(() => untyped.mint!(5, { too: 'alice' })).toThrow(
      "Unknown field 'too'. Did you mean 'to'?",
    );
    expect(() => scenario.mint(5, { to: 'alcie' })).toThrow(
      "There is no party 'alcie'. Did you mean 'alice'?",
    );
  });
});

it('repeats with an index that texts can contain', () => {
  const scenario = scenarioFile(`
parties: [alice]
steps:
  - repeat: 3
    index: round
    steps:
      - repeat: 2
        steps:
          - { mint: '\${round}.\${index}', to: alice }
  - expect: { party: alice, balance: 12.9, holdings: 6 }
`);
  expect(() => createCanticle({ scenario })).not.toThrow();
});
