/** The reassignment table: a contract moves by unassignment and assignment, and every wrong move is refused. */
import { IOU, iouWorld, outcome } from '../../support/ledger.js';

const SYNCHRONIZERS = [
  { alias: 'global', identifier: 'global-domain' },
  { alias: 'app-synchronizer' },
];

function twoSynchronizers() {
  const world = iouWorld({ synchronizers: SYNCHRONIZERS });
  const { participant } = world.canticle;
  const iou = world.issue({ synchronizer: 'global' });
  return { ...world, participant, iou };
}

describe('a reassignment', () => {
  it('increments the counter with each unassignment, equal on both halves (B-RSG-008)', () => {
    const { participant, iou, alice } = twoSynchronizers();
    const counter = () => participant.contract(iou)?.reassignmentCounter;
    expect(counter()).toBe(0);
    const there = participant.unassign(iou, { to: 'app-synchronizer' });
    expect(counter()).toBeUndefined(); // in flight: active nowhere
    participant.assign(there, { expectedCounter: 1 });
    expect(counter()).toBe(1);
    participant.assign(participant.unassign(iou, { to: 'global', submitter: alice }));
    expect(participant.contract(iou)).toMatchObject({ reassignmentCounter: 2 });
  });

  it('moves the contract to the other synchronizer with the same id (B-RSG-021)', () => {
    const { participant, iou, canticle } = twoSynchronizers();
    const [global, app] = canticle.network.synchronizers.map(({ id }) => id);
    expect(participant.contract(iou)?.synchronizerId).toBe(global);
    participant.assign(participant.unassign(iou, { to: 'app-synchronizer' }));
    expect(participant.contract(iou)?.synchronizerId).toBe(app);
  });

  it('a revert undoes each half', () => {
    const { participant, iou, canticle } = twoSynchronizers();
    const { contracts } = canticle.network;
    const start = canticle.snapshot();
    const id = participant.unassign(iou, { to: 'app-synchronizer' });
    const [onTheWay, between] = [contracts.state(iou), canticle.snapshot()];
    participant.assign(id);
    canticle.revert(between);
    expect(contracts.state(iou)).toEqual(onTheWay);
    participant.assign(id);
    canticle.revert(start);
    expect(participant.contract(iou)).toMatchObject({ reassignmentCounter: 0 });
    participant.unassign(iou, { to: 'app-synchronizer', expectedCounter: 1 });
  });

  it('a contract in flight cannot be used', () => {
    const { participant, iou, alice, bank } = twoSynchronizers();
    const archive = () => outcome(() => participant.archive(IOU, iou, { actAs: [alice, bank] }));
    const id = participant.unassign(iou, { to: 'app-synchronizer' });
    expect(archive()).toBe('UNKNOWN_CONTRACT_SYNCHRONIZERS');
    participant.assign(id);
    expect(archive()).toBe('accepted');
  });

  it.each([
    [
      'to the synchronizer where it is (B-RSG-012)',
      (w: World) => w.participant.unassign(w.iou, { to: 'global' }),
      /source and target synchronizers are the same/,
    ],
    [
      'to an unknown synchronizer',
      (w: World) => w.participant.unassign(w.iou, { to: 'nowhere' }),
      /Unknown synchronizer nowhere/,
    ],
    [
      'by a party that is not a stakeholder (B-RSG-017)',
      (w: World) => w.participant.unassign(w.iou, { to: 'app-synchronizer', submitter: w.bob }),
      /submitter `bob::.*` is not a stakeholder/,
    ],
    [
      'with a wrong counter',
      (w: World) => w.participant.unassign(w.iou, { to: 'app-synchronizer', expectedCounter: 2 }),
      /its reassignment counter would be 1, not 2/,
    ],
    [
      'with a wrong counter in its second half',
      (w: World) =>
        w.participant.assign(w.participant.unassign(w.iou, { to: 'app-synchronizer' }), {
          expectedCounter: 2,
        }),
      /its reassignment counter would be 1, not 2/,
    ],
    [
      'of an archived contract',
      (w: World) => {
        w.participant.archive(IOU, w.iou, { actAs: [w.alice, w.bank] });
        w.participant.unassign(w.iou, { to: 'app-synchronizer', submitter: w.alice });
      },
      /because it's not active. Current status Archived/,
    ],
    [
      'of a contract in flight',
      (w: World) => {
        w.participant.unassign(w.iou, { to: 'app-synchronizer' });
        w.participant.unassign(w.iou, { to: 'app-synchronizer', submitter: w.alice });
      },
      /because it's not active. Current status ReassignedAway\(app-synchronizer::/,
    ],
    [
      'a second time (B-RSG-013)',
      (w: World) => {
        const id = w.participant.unassign(w.iou, { to: 'app-synchronizer' });
        w.participant.assign(id);
        w.participant.assign(id);
      },
      /reassignment already completed/,
    ],
    [
      'that does not exist',
      (w: World) => w.participant.assign(`001220${'0'.repeat(64)}`),
      /unknown reassignment id/,
    ],
  ])('is rejected %s', (_name, move, reason) => {
    const refused = () => move(twoSynchronizers());
    expect(outcome(refused)).toBe('INVALID_ARGUMENT');
    expect(refused).toThrow(reason);
  });
});

type World = ReturnType<typeof twoSynchronizers>;

describe('inputs on two synchronizers', () => {
  it('move to the prescribed synchronizer (B-RSG-020)', () => {
    const { participant, iou, alice, bank, canticle } = twoSynchronizers();
    participant.archive(IOU, iou, { actAs: [alice, bank], synchronizer: 'app-synchronizer' });
    expect(canticle.network.contracts.state(iou)).toMatchObject({ kind: 'archived' });
    const kinds = Array.from(
      { length: 3 },
      (_, i) => canticle.network.updates.at(canticle.network.updates.length - 3 + i)!.kind,
    );
    expect(kinds).toEqual(['reassignment', 'reassignment', 'transaction']);
  });
});
