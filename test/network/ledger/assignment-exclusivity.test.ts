/** The parties that may assign, the time limit, and the automatic assignment after it (B-RSG-018). */
import { createCanticle, LedgerError, type CanticleOptions } from 'canticle';
import { IOU, iouWorld, outcome } from '../../support/ledger.js';

const MINUTE = 60_000_000n;
/** Where the tests mostly move to: the default there is that of Canton, a minute. */
const SYNCHRONIZERS: CanticleOptions['synchronizers'] = [
  'global',
  'app',
  { alias: 'quick', assignmentExclusivityTimeout: { seconds: 30 } },
  { alias: 'free', assignmentExclusivityTimeout: 'PT0S' },
];

function world(options: CanticleOptions = {}) {
  const made = iouWorld({ synchronizers: SYNCHRONIZERS, ...options });
  const { canticle, alice, bank } = made;
  const { network, participant } = canticle;
  const iou = made.issue({ synchronizer: 'global' });
  return {
    ...made,
    participant,
    iou,
    clock: network.clock,
    issue: () => made.issue({ synchronizer: 'global' }),
    unassign: (contract = iou, to = 'app') =>
      participant.unassign(contract, { to, submitter: alice }),
    assign: (id: string, submitter = bank) => outcome(() => participant.assign(id, { submitter })),
    /** The alias of where it is. */
    place: (contract = iou): string => {
      const state = network.contracts.state(contract)!;
      return state.kind === 'active'
        ? network.synchronizer(state.synchronizerId)!.alias
        : state.kind;
    },
    limitOf: (id: string): bigint => {
      const [event] = network.contracts.reassignment(id)!.unassigned.events;
      if (event?.kind !== 'unassigned') throw new Error('It begins with an unassignment.');
      return event.assignmentExclusivity;
    },
  };
}

describe('during the exclusivity period', () => {
  it('only the unassigning party may assign, on any participant', () => {
    const { unassign, assign, place, alice } = world();
    const id = unassign();
    expect(assign(id)).toBe('REASSIGNMENT_VALIDATION_FAILED');
    expect(place()).toBe('inFlight');
    expect(assign(id, alice)).toBe('accepted');
    expect(place()).toBe('app');
  });

  it('the error says this, and the explanation says what to do', () => {
    const { unassign, participant, alice, bank } = world({ time: '2026-05-01T12:00:00Z' });
    const id = unassign();
    let refusal: unknown;
    try {
      participant.assign(id, { submitter: bank });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(LedgerError);
    const { message, explanation } = refusal as LedgerError;
    const masked = (text: string) => text.replace(alice, 'ALICE').replace(id, 'ID');
    expect(masked(message)).toBe(
      'REASSIGNMENT_VALIDATION_FAILED: Validation check failed. Cannot assign `ReassignmentId(ID)`: only ALICE can initiate before exclusivity timeout Target(2026-05-01T12:01:00.000023Z). Current timestamp is 2026-05-01T12:00:00.000024Z.',
    );
    expect(explanation!.body()).toContain(
      'Until 2026-05-01T12:01:00.000023Z only alice, who unassigned it, may assign it. From then on any stakeholder may, and participant sandbox does by itself, for alice: advance the clock to then.',
    );
  });

  it('the error for a use of the contract names the party that may assign it', () => {
    const { unassign, limitOf, clock, participant, iou, alice, bank } = world();
    const limit = limitOf(unassign());
    const refusalText = () => {
      try {
        participant.archive(IOU, iou, { actAs: [alice, bank] });
      } catch (error) {
        return (error as LedgerError).explanation!.body();
      }
      return 'accepted';
    };
    clock.set(limit - 2n);
    expect(refusalText()).toContain('only alice, who unassigned it, may assign it.');
    clock.set(limit - 1n);
    expect(refusalText()).toContain('Any stakeholder may assign it.');
  });

  it("the target's setting is the duration, and a minute is the default", () => {
    const { unassign, limitOf, issue, clock } = world();
    const lengths = ['app', 'quick', 'free'].map((to) => {
      const id = unassign(issue(), to);
      return limitOf(id) - clock.now();
    });
    expect(lengths).toEqual([MINUTE, MINUTE / 2n, 0n]);
  });

  it('an assignment that is sequenced at the end is accepted', () => {
    const { unassign, assign, limitOf, clock } = world();
    const id = unassign();
    clock.set(limitOf(id) - 3n);
    // A refusal is sequenced as well.
    expect([1, 2, 3].map(() => assign(id))).toEqual([
      'REASSIGNMENT_VALIDATION_FAILED',
      'REASSIGNMENT_VALIDATION_FAILED',
      'accepted',
    ]);
  });

  it.each([{ seconds: -1 }, '1 minute', 'PT-1M'])('the duration cannot be %j', (timeout) => {
    const synchronizers = [{ alias: 'global', assignmentExclusivityTimeout: timeout }];
    expect(outcome(() => createCanticle({ synchronizers }))).toBe('INVALID_ARGUMENT');
  });

  it('the duration cannot be a number', () => {
    const synchronizers = [{ alias: 'global', assignmentExclusivityTimeout: 60 }];
    expect(() => createCanticle({ synchronizers } as object)).toThrow(
      'assignmentExclusivityTimeout cannot be 60. Expected a duration, such as PT1M.',
    );
  });
});

describe('after the exclusivity period', () => {
  it('a participant assigns automatically, exactly at the limit', () => {
    const { canticle, unassign, place, limitOf, clock } = world();
    const id = unassign();
    clock.set(limitOf(id) - 1n);
    expect(place()).toBe('inFlight');
    clock.advance(1n);
    expect(place()).toBe('app');
    expect(canticle.network.updates.last()).toMatchObject({
      kind: 'reassignment',
      recordTime: limitOf(id) + 1n,
      workflowId: '',
    });
  });

  it('assigns after the shortest period, on each target synchronizer', () => {
    const { participant, unassign, place, canticle } = world({
      synchronizers: ['global', { alias: 'app', assignmentExclusivityTimeout: 1n }],
    });
    unassign();
    canticle.advanceTime(1n);
    expect(place()).toBe('app');
    participant.unassign(participant.activeContracts({ template: IOU })[0]!.contractId, {
      to: 'global',
    });
    canticle.advanceTime({ minutes: 1 });
    expect(place()).toBe('global');
  });

  it('updates also advance the time', () => {
    const { unassign, place, issue, iou } = world({
      synchronizers: ['global', { alias: 'app', assignmentExclusivityTimeout: 3n }],
    });
    unassign();
    const places = [1, 2, 3].map(() => {
      issue();
      return place(iou);
    });
    expect(places).toEqual(['inFlight', 'inFlight', 'app']);
  });

  it('assigns several contracts in the order of their limits', () => {
    const { canticle, unassign, issue } = world();
    const slow = unassign(issue(), 'app');
    const quick = [unassign(issue(), 'quick'), unassign(issue(), 'quick')];
    const start = canticle.network.updates.length;
    canticle.advanceTime({ minutes: 2 });
    const { updates } = canticle.network;
    const assigned = Array.from({ length: 3 }, (_, i) => updates.at(start + i)!).map((update) =>
      update.kind === 'reassignment' ? update.events[0]!.reassignmentId : update.kind,
    );
    expect(assigned).toEqual([...quick, slow]);
    expect(updates).toHaveLength(start + 3);
  });

  it('assigns thousands of contracts at once', () => {
    const { canticle, unassign, issue, participant } = world();
    for (let n = 0; n < 2000; n += 1) unassign(issue());
    canticle.advanceTime({ minutes: 2 });
    expect(participant.activeContracts({ template: IOU })).toHaveLength(2001);
  });

  it('does not assign a contract that a party has assigned', () => {
    const { canticle, unassign, assign, alice } = world();
    expect(assign(unassign(), alice)).toBe('accepted');
    const { length } = canticle.network.updates;
    canticle.advanceTime({ days: 1 });
    expect(canticle.network.updates).toHaveLength(length);
  });

  it('with a duration of zero, no automation runs, and any stakeholder may assign at once', () => {
    const { canticle, unassign, assign, place } = world();
    const id = unassign(undefined, 'free');
    canticle.advanceTime({ days: 1 });
    expect(place()).toBe('inFlight');
    expect(assign(id)).toBe('accepted');
    expect(place()).toBe('free');
  });

  it('a paused target receives the assignment when it resumes', () => {
    const { canticle, unassign, issue, iou, place } = world();
    unassign();
    const other = issue();
    unassign(other, 'quick');
    canticle.pauseSynchronizer('app');
    canticle.advanceTime({ minutes: 1 });
    expect([place(iou), place(other)]).toEqual(['inFlight', 'quick']);
    canticle.resumeSynchronizer('app');
    expect(place()).toBe('app');
  });

  it('a revert undoes the assignment, which then repeats with the same bytes', () => {
    const { canticle, unassign, place } = world();
    unassign();
    const snapshot = canticle.snapshot();
    const last = () => {
      const { updateId, recordTime, submission } = canticle.network.updates.last()!;
      return { updateId, recordTime, commandId: submission?.commandId };
    };
    const rounds = [1, 2].map(() => {
      canticle.advanceTime({ minutes: 1 });
      const seen = [place(), last()];
      canticle.revert(snapshot);
      expect(place()).toBe('inFlight');
      return seen;
    });
    expect(rounds[0]).toEqual(rounds[1]);
    canticle.reset();
    canticle.advanceTime({ minutes: 1 });
    expect(canticle.network.updates.last()?.kind).not.toBe('reassignment');
  });

  it('moves for a transaction do not wait (B-RSG-020)', () => {
    const { canticle, participant, iou, alice, bank } = world();
    participant.archive(IOU, iou, { actAs: [alice, bank], synchronizer: 'app' });
    const { length } = canticle.network.updates;
    canticle.advanceTime({ days: 1 });
    expect(canticle.network.updates).toHaveLength(length);
  });
});

describe('with several participants', () => {
  const several = () => {
    const canticle = createCanticle({
      seed: 1,
      synchronizers: SYNCHRONIZERS,
      participants: ['one', 'two', { name: 'three', synchronizers: ['global'] }],
    });
    const [one, two, three] = canticle.participants;
    const [bank, alice] = [one!.allocateParty('bank'), two!.allocateParty('alice')];
    const iou = one!.create(
      IOU,
      { issuer: bank, owner: bank, currency: 'EUR', amount: '1.0', observers: [alice] },
      { actAs: [bank], synchronizer: 'global' },
    );
    return { canticle, one: one!, two: two!, three: three!, bank, alice, iou };
  };

  it('the first participant in network order assigns, and the others see it', () => {
    const { canticle, one, two, alice, iou } = several();
    const id = two.unassign(iou, { to: 'app', submitter: alice });
    canticle.advanceTime({ minutes: 1 });
    for (const participant of [one, two])
      expect(participant.contract(iou)).toMatchObject({ reassignmentCounter: 1 });
    const { assigned } = canticle.network.contracts.reassignment(id)!;
    expect(assigned?.submission).toMatchObject({ participantId: one.engine.id });
    expect(two.engine.log.entry(two.engine.log.end)?.completion).toBeUndefined();
  });

  it('the unassigning party may assign only on its participant, and after an error there, another party may assign elsewhere', () => {
    const { one, two, bank, alice, iou } = several();
    const id = one.unassign(iou, { to: 'app', submitter: bank });
    expect(outcome(() => two.assign(id, { submitter: alice }))).toBe(
      'REASSIGNMENT_VALIDATION_FAILED',
    );
    one.assign(id, { submitter: bank });
    const next = one.unassign(iou, { to: 'free', submitter: bank });
    expect(outcome(() => two.assign(next, { submitter: alice }))).toBe('accepted');
    expect(one.contract(iou)).toMatchObject({ reassignmentCounter: 2 });
  });

  const hosts = (
    { canticle }: ReturnType<typeof several>,
    party: string,
    participantId: string,
    synchronizer: string,
  ) =>
    canticle.network.commit({
      kind: 'topology',
      synchronizerId: canticle.network.synchronizer(synchronizer)!.id,
      workflowId: '',
      events: [{ kind: 'added', party, participantId, permission: 'submission' }],
    });

  it('a participant on the target synchronizer only does not assign automatically', () => {
    const world = several();
    const { canticle, one, two, alice } = world;
    const iou = two.create(
      IOU,
      { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [] },
      { actAs: [alice], synchronizer: 'global' },
    );
    hosts(world, alice, one.id, 'app');
    const id = two.unassign(iou, { to: 'app', submitter: alice });
    canticle.advanceTime({ minutes: 1 });
    expect(canticle.network.contracts.reassignment(id)!.assigned?.submission).toMatchObject({
      participantId: two.id,
    });
  });

  it('each participant submits for the parties that it hosts', () => {
    const { one, two, bank, alice, iou } = several();
    expect(() => one.unassign(iou, { to: 'app', submitter: alice })).toThrow(
      /: alice::\S+ is not hosted on PAR::one::/,
    );
    const id = one.unassign(iou, { to: 'app', submitter: bank });
    expect(() => two.assign(id, { submitter: bank })).toThrow(
      /: bank::\S+ is not hosted on PAR::two::/,
    );
  });

  it('a stakeholder with a different host on each synchronizer prevents the reassignment (B-RSG-016)', () => {
    const world = several();
    const { one, two, three, bank } = world;
    const carol = three.allocateParty('carol');
    const iou = one.create(
      IOU,
      { issuer: bank, owner: bank, currency: 'EUR', amount: '1.0', observers: [carol] },
      { actAs: [bank], synchronizer: 'global' },
    );
    hosts(world, carol, two.id, 'app');
    expect(() => one.unassign(iou, { to: 'app' })).toThrow(
      `The following stakeholders are not hosted on any reassigning participants: TreeSet(${carol})`,
    );
  });

  it('a stakeholder that only a participant of the source hosts prevents the reassignment (B-RSG-015)', () => {
    const { one, three, bank } = several();
    const carol = three.allocateParty('carol');
    const iou = one.create(
      IOU,
      { issuer: bank, owner: bank, currency: 'EUR', amount: '1.0', observers: [carol] },
      { actAs: [bank], synchronizer: 'global' },
    );
    expect(() => one.unassign(iou, { to: 'app' })).toThrow(
      'The following stakeholders are not active on the target synchronizer',
    );
  });
});
