/** Two participants, three parties: each participant stores what its parties may see, at its own offsets. */
import { createCanticle, type Canticle, type ParticipantView } from 'canticle';
import { projectUpdate } from '../../../src/network/reading/projection.js';
import {
  wildcardFor,
  WILDCARD,
  type UpdateFormat,
} from '../../../src/network/reading/event-format.js';
import { model, modelPackage } from '../../support/daml/model-package.js';

let canticle: Canticle;
let one: ParticipantView;
let two: ParticipantView;
let alice: string;
let bob: string;
let carol: string;

beforeEach(() => {
  canticle = createCanticle({
    seed: 1,
    packages: [modelPackage],
    participants: [{ name: 'one' }, { name: 'two' }],
  });
  [one, two] = canticle.participants as [ParticipantView, ParticipantView];
  [alice, carol] = ['alice', 'carol'].map((hint) => one.allocateParty(hint)) as [string, string];
  bob = two.allocateParty('bob');
});

const everyone: UpdateFormat = {
  transactions: {
    shape: 'LEDGER_EFFECTS',
    eventFormat: { byParty: new Map(), anyParty: WILDCARD, witnesses: undefined, verbose: true },
  },
  reassignments: undefined,
  topology: undefined,
};

/** The last update as a participant shows it: node, entity and witnesses. */
function knows(participant: ParticipantView, format = everyone): string[] {
  const { updates } = canticle.network;
  const view = projectUpdate(participant.engine, updates.at(updates.length - 1)!, format);
  if (view?.kind !== 'transaction') return [];
  return view.events.map((event) => {
    const contract = event.kind === 'exercised' ? event.node.contract : event.contract;
    const names = event.witnesses.map((party) => party.split('::')[0]).join('+');
    return `${event.nodeId} ${contract.templateId.split(':')[2]} ${names}`;
  });
}
const readAs = (party: string): UpdateFormat => ({
  ...everyone,
  transactions: { shape: 'LEDGER_EFFECTS', eventFormat: wildcardFor([party]) },
});

it('a participant sees no node for which it hosts no informee', () => {
  one.create(model('Dummy'), { operator: alice }, { actAs: [alice] });
  expect([knows(one), knows(two)]).toEqual([['0 Dummy alice'], []]);
  expect(knows(one, readAs(carol))).toEqual([]);
});

it('each participant and reader sees its projection of a transaction', () => {
  const delegation = one.create(
    model('Delegation'),
    { owner: alice, delegate: bob },
    { actAs: [alice] },
  );
  expect([knows(one), knows(two)]).toEqual([
    ['0 Delegation alice+bob'],
    ['0 Delegation alice+bob'],
  ]);
  two.exercise(model('Delegation'), delegation, 'CreateDelegated', {}, { actAs: [bob] });
  // The owner sees the exercise and its contract; bob witnesses the creation.
  expect([knows(one), knows(two)]).toEqual([
    ['0 Delegation alice+bob', '1 Delegated alice+bob'],
    ['0 Delegation alice+bob', '1 Delegated alice+bob'],
  ]);
  expect(knows(two, readAs(bob))).toEqual(['0 Delegation bob', '1 Delegated bob']);
  expect(two.activeContracts({ party: bob })).toHaveLength(1);
  expect(one.activeContracts({ party: alice })).toHaveLength(2);
});

it('an exercise that observers do not see remains on one participant', () => {
  const contractId = one.create(
    model('WithObservers'),
    { giver: alice, observers: [bob] },
    { actAs: [alice] },
  );
  const end = two.ledgerEnd;
  one.exercise(model('WithObservers'), contractId, 'Ping', {}, { actAs: [alice] });
  expect([knows(one), knows(two), two.ledgerEnd]).toEqual([['0 WithObservers alice'], [], end]);
  one.exercise(
    model('WithObservers'),
    contractId,
    'Announce',
    { audience: [bob] },
    { actAs: [alice] },
  );
  expect(knows(two)).toEqual(['0 WithObservers alice+bob']);
});

it('an update has an offset on each participant that sees it (B-ID-024)', () => {
  for (let i = 0; i < 3; i++) one.create(model('Dummy'), { operator: alice }, { actAs: [alice] });
  one.create(model('WithObservers'), { giver: alice, observers: [bob] }, { actAs: [alice] });
  const { updates } = canticle.network;
  const { offsets } = updates.at(updates.length - 1)!;
  expect(offsets.get(one.id)).toBe(one.ledgerEnd);
  expect(offsets.get(two.id)).toBe(two.ledgerEnd);
  expect(one.ledgerEnd).toBe(two.ledgerEnd + 3 + 1); // one more: the completion of the test token's rules
});

it('a party that is allocated later sees only later updates', () => {
  one.create(model('WithObservers'), { giver: alice, observers: [bob] }, { actAs: [alice] });
  const dave = two.allocateParty('dave');
  expect(two.activeContracts({ party: dave })).toEqual([]);
  expect(
    [...two.engine.log.witnessedBy([dave], 0, two.ledgerEnd)].map(({ update }) => update?.kind),
  ).toEqual(['topology']);
  one.create(model('WithObservers'), { giver: alice, observers: [dave] }, { actAs: [alice] });
  expect(two.activeContracts({ party: dave })).toHaveLength(1);
});

it('rejects a submission for a party of another participant', () => {
  expect(() => one.create(model('Dummy'), { operator: bob }, { actAs: [bob] })).toThrow(
    /NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT/,
  );
});
