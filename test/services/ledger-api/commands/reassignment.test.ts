/** Reassignments over the API (B-RSG-*): unassignment, assignment, reads between them, and every refused move. */
import {
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';

let api: LedgerApi;
let alice: string;
let bob: string;
let global: string;
let app: string;

beforeEach(async () => {
  api = await startLedgerApi({
    synchronizers: [
      { alias: 'global', identifier: 'global-domain' },
      { alias: 'app' },
      { alias: 'far' },
    ],
  });
  const { participant, network } = api.canticle;
  [global, app] = network.synchronizers.map(({ id }) => id) as [string, string];
  [alice, bob] = ['alice', 'bob'].map((hint) =>
    participant.allocateParty(hint, { synchronizers: ['global', 'app'] }),
  ) as [string, string];
});
afterEach(() => api.client.close());

const watched = () =>
  api.create(
    model('WithObservers'),
    { giver: alice, observers: [bob] },
    { actAs: alice, synchronizerId: global },
  );

let moves = 0;
const commands = (submitter: string, list: object[], more: object = {}) => ({
  submitter,
  userId: 'tester',
  commandId: `move-${++moves}`,
  commands: list.map((command) => ({ command })),
  ...more,
});
const unassign = (contractId: string, source = global, target = app) => ({
  UnassignCommand: { value: { contractId, source, target } },
});
const assign = (reassignmentId: string, source = global, target = app) => ({
  AssignCommand: { value: { reassignmentId, source, target } },
});

const WAIT = '/v2/commands/submit-and-wait-for-reassignment';

/** The reassignment, with events for everyone. */
async function move(submitter: string, command: object, more?: object) {
  const reassignmentCommands = commands(submitter, [command], more);
  return (await api.ok(WAIT, { reassignmentCommands, eventFormat: eventFormat([]) })).reassignment;
}
const refusal = (submitter: string, ...list: object[]) =>
  api.refusal(WAIT, { reassignmentCommands: commands(submitter, list) });

describe('a rejected reassignment', () => {
  /** As Canton prints an id. */
  const cut = (id: string) => id.replace(/(::.{12})[^:]*/, '$1...');
  const causeFor = async (submitter: string, command: object) => {
    const reassignmentCommands = commands(submitter, [command]);
    const { status, body } = await api.post(WAIT, { reassignmentCommands });
    expect([status, body.code]).toEqual([400, 'INVALID_ARGUMENT']);
    return body.cause.replace('The submitted request has invalid arguments: ', '');
  };

  it("has the participant's error, and checks the contract, the submitter and the target in this order", async () => {
    const contractId = await watched();
    const id = `ContractId(${contractId})`;
    const far = api.canticle.network.synchronizers[2]!.id;
    expect(await causeFor(alice, unassign(contractId, global, global))).toBe(
      `Cannot unassign contracts \`List(${id})\`: source and target synchronizers are the same`,
    );
    const nowhere = `nowhere::1220${'ab'.repeat(32)}`;
    expect(await causeFor(alice, unassign(contractId, global, nowhere))).toBe(
      'Unable to resolve nowhere::1220abababab... to a connected physical synchronizer id',
    );
    expect(await causeFor('stranger::1220', unassign(contractId, app, global))).toBe(
      `Cannot unassign contract \`${id}\`: unknown contract`,
    );
    expect(await causeFor('stranger::1220', unassign(contractId, global, far))).toBe(
      `Submission failed because: For unassignment of Set(${id}): submitter \`stranger::1220\` is not a stakeholder. `,
    );
    expect(await causeFor(alice, unassign(contractId, global, far))).toBe(
      `Submission failed because: The following stakeholders are not active on the target synchronizer: TreeSet(${[alice, bob].join(', ')})`,
    );
    const { reassignmentId } = (await move(alice, unassign(contractId))).events[0].JsUnassignedEvent
      .value;
    expect(await causeFor('stranger::1220', unassign(contractId))).toBe(
      `Cannot unassign contract \`${id}\` because it's not active. Current status ReassignedAway(${cut(app)})`,
    );
    expect(await causeFor('stranger::1220', unassign(contractId, far, app))).toBe(
      `Cannot unassign contract \`${id}\`: unknown contract`,
    );
    expect(await causeFor(alice, assign(reassignmentId, global, far))).toBe(
      `Cannot find reassignment data for reassignment \`ReassignmentId(${reassignmentId})\`: unknown reassignment id`,
    );
    expect(await causeFor('stranger::1220', assign(reassignmentId))).toBe(
      `Submission failed because: For assignment ReassignmentId(${reassignmentId}): submitter \`stranger::1220\` is not a stakeholder. `,
    );
    // The source of an assignment is not looked at.
    await move(alice, assign(reassignmentId, far));
    // Each synchronizer reports the last target from there, whether the contract is active there or in flight.
    for (const isThere of [true, false]) {
      expect(await causeFor('stranger::1220', unassign(contractId))).toBe(
        `Cannot unassign contract \`${id}\` because it's not active. Current status ReassignedAway(${cut(app)})`,
      );
      if (isThere) await move(alice, unassign(contractId, app, global));
    }
    expect(await causeFor('stranger::1220', unassign(contractId, app, global))).toBe(
      `Cannot unassign contract \`${id}\` because it's not active. Current status ReassignedAway(${cut(global)})`,
    );
  });
});

describe('a reassignment', () => {
  it('is an unassignment on the source and an assignment on the target (B-RSG-001, B-RSG-002, B-RSG-004 to B-RSG-009)', async () => {
    const contractId = await watched();
    const left = await move(alice, unassign(contractId), { workflowId: 'flow' });
    expect(left).toMatchObject({
      synchronizerId: global,
      workflowId: 'flow',
      offset: await api.ledgerEnd(),
      paidTrafficCost: expect.any(Number),
    });
    const [{ JsUnassignedEvent }] = left.events;
    const { reassignmentId, ...event } = JsUnassignedEvent.value;
    expect(reassignmentId).toMatch(/^001220[0-9a-f]{64}$/);
    expect(event).toEqual({
      assignmentExclusivity: expect.any(String),
      contractId,
      templateId: expect.stringMatching(/:Test:WithObservers$/),
      source: global,
      target: app,
      submitter: alice,
      reassignmentCounter: 1,
      witnessParties: [alice, bob].sort(),
      packageName: 'model-tests',
      offset: left.offset,
      nodeId: 0,
    });
    const arrived = await move(alice, assign(reassignmentId));
    expect(arrived).toMatchObject({ synchronizerId: app, offset: left.offset + 1 });
    expect(arrived.updateId).not.toBe(left.updateId);
    const { createdEvent, ...assigned } = arrived.events[0].JsAssignmentEvent;
    expect(assigned).toEqual({
      source: global,
      target: app,
      reassignmentId,
      submitter: alice,
      reassignmentCounter: 1,
    });
    expect(createdEvent).toMatchObject({ contractId, offset: arrived.offset, acsDelta: true });
    const back = await move(alice, unassign(contractId, app, global));
    expect(back.events[0].JsUnassignedEvent.value.reassignmentCounter).toBe(2);
  });

  it('returns no events without a format (B-RSG-006), and may be asynchronous (B-RSG-003)', async () => {
    const contractId = await watched();
    const { reassignment } = await api.ok(WAIT, {
      reassignmentCommands: commands(alice, [unassign(contractId)]),
    });
    expect(reassignment.events).toEqual([]);
    expect(reassignment.commandId).toMatch(/^move-/);
    const [{ Reassignment }] = await api.updates(updateFormat('ACS_DELTA', eventFormat([alice])), {
      beginExclusive: reassignment.offset - 1,
    });
    const { reassignmentId } = Reassignment.value.events[0].JsUnassignedEvent.value;
    const reassignmentCommands = commands(alice, [assign(reassignmentId)]);
    expect(
      await api.ok('/v2/commands/async/submit-reassignment', { reassignmentCommands }),
    ).toEqual({});
    const [active] = await api.acs(eventFormat([alice]));
    expect(active.contractEntry.JsActiveContract).toMatchObject({
      synchronizerId: app,
      reassignmentCounter: 1,
    }); // B-RSG-019
  });

  it('may contain several contracts with one id (B-RSG-011)', async () => {
    const [first, second] = [await watched(), await watched()];
    const reassignmentCommands = commands(alice, [unassign(first), unassign(second)]);
    const { reassignment } = await api.ok(WAIT, {
      reassignmentCommands,
      eventFormat: eventFormat([alice]),
    });
    const events = reassignment.events.map(
      ({ JsUnassignedEvent }: JsonAnswer) => JsUnassignedEvent.value,
    );
    expect(events.map(({ contractId }: JsonAnswer) => contractId)).toEqual([first, second]);
    expect(new Set(events.map(({ reassignmentId }: JsonAnswer) => reassignmentId)).size).toBe(1);
    const arrived = await move(alice, assign(events[0].reassignmentId));
    expect(arrived.events).toHaveLength(2);
    const other = await api.create(
      model('WithObservers'),
      { giver: alice, observers: [] },
      { actAs: alice, synchronizerId: app },
    );
    expect(await refusal(alice, unassign(first, app, global), unassign(other, app, global))).toBe(
      'INVALID_ARGUMENT',
    );
  });

  it('is incomplete in between, at present and at an earlier offset (B-ACS-012, B-RSG-019)', async () => {
    const contractId = await watched();
    const left = await move(alice, unassign(contractId));
    const { reassignmentId } = left.events[0].JsUnassignedEvent.value;
    const format = eventFormat([bob], wildcard(true));
    const between = await api.acs(format);
    expect(between).toHaveLength(1);
    const { createdEvent, unassignedEvent } = between[0].contractEntry.JsIncompleteUnassigned;
    expect(createdEvent).toMatchObject({
      contractId,
      witnessParties: [bob],
      offset: left.offset - 1,
    });
    expect(createdEvent.createdEventBlob).not.toBe('');
    expect(unassignedEvent).toMatchObject({
      reassignmentId,
      witnessParties: [bob],
      offset: left.offset,
    });
    await move(alice, assign(reassignmentId));
    const later = await api.acs(format, { activeAtOffset: left.offset });
    expect(later[0].contractEntry).toEqual(between[0].contractEntry);
    expect(
      await api.acs(format, {
        activeAtOffset: left.offset,
        streamContinuationToken: later[0].streamContinuationToken,
      }),
    ).toEqual([]);
    const [now] = await api.active(format);
    expect(now).toMatchObject({ contractId, offset: left.offset + 1 }); // B-ACS-008
  });

  it('never activates a contract twice on one synchronizer, at any offset (B-ACS-011)', async () => {
    const contractId = await watched();
    const start = await api.ledgerEnd();
    const places: string[] = [];
    for (const [source, target] of [
      [global, app],
      [app, global],
    ] as const) {
      const { events } = await move(alice, unassign(contractId, source, target));
      await move(alice, assign(events[0].JsUnassignedEvent.value.reassignmentId, source, target));
    }
    for (let activeAtOffset = start; activeAtOffset <= start + 4; activeAtOffset++) {
      const entries = await api.acs(eventFormat([alice]), { activeAtOffset });
      expect(entries).toHaveLength(1);
      const { JsActiveContract } = entries[0].contractEntry;
      places.push(JsActiveContract?.synchronizerId ?? 'on the move');
    }
    expect(places).toEqual([global, 'on the move', app, 'on the move', global]);
  });

  it('is in update streams only on request, and for stakeholders only (B-RSG-022)', async () => {
    const contractId = await watched();
    const carol = api.canticle.participant.allocateParty('carol');
    await move(alice, unassign(contractId));
    const kinds = async (format: object) => (await api.updates(format)).flatMap(Object.keys);
    const deltas = (party: string) => updateFormat('ACS_DELTA', eventFormat([party]));
    expect(await kinds(deltas(bob))).toEqual(['Transaction', 'Reassignment']);
    expect(await kinds({ includeTransactions: deltas(bob).includeTransactions })).toEqual([
      'Transaction',
    ]);
    expect(await kinds({ includeReassignments: eventFormat([bob]) })).toEqual(['Reassignment']);
    expect(await kinds(deltas(carol))).toEqual([]);
  });
});

describe('the command id of an update', () => {
  it('is visible to the parties in the format for its kind (B-EVT-035)', async () => {
    const begin = await api.ledgerEnd();
    const id = await watched();
    await move(alice, unassign(id));
    const shownKinds = async (transactions: string, reassignments: string) => {
      const updates: JsonAnswer[] = await api.ok('/v2/updates', {
        beginExclusive: begin,
        endInclusive: await api.ledgerEnd(),
        updateFormat: {
          ...updateFormat('ACS_DELTA', eventFormat([transactions])),
          includeReassignments: eventFormat([reassignments]),
        },
      });
      return updates.map(({ update }) => {
        const { commandId } = (Object.values(update)[0] as JsonAnswer).value;
        return commandId !== '';
      });
    };
    expect(await shownKinds(alice, alice)).toEqual([true, true]);
    expect(await shownKinds(alice, bob)).toEqual([true, false]);
    expect(await shownKinds(bob, alice)).toEqual([false, true]);
    expect(await shownKinds(bob, bob)).toEqual([false, false]);
  });
});

describe('is rejected', () => {
  const NONE = `001220${'0'.repeat(64)}`;
  const mixed = 'mixed assign with other commands';
  it.each([
    ['no commands', () => []],
    [mixed, (id: string) => [unassign(id), assign(NONE)]],
    [mixed, (id: string) => [assign(NONE), unassign(id)]],
    [mixed, () => [assign(NONE), assign(`001220${'1'.repeat(64)}`)]],
    ['differing synchronizers', (id: string) => [unassign(id), unassign(id, app, global)]],
    ['differing synchronizers', (id: string) => [unassign(id), unassign(id, app)]],
    ['differing synchronizers', (id: string) => [unassign(id), unassign(id, global, global)]],
    // The first fault counts.
    [mixed, (id: string) => [unassign(id), assign(NONE), unassign(id, app, global)]],
    [
      'differing synchronizers',
      (id: string) => [unassign(id), unassign(id, app, global), assign(NONE)],
    ],
  ])('with an invalid batch: %s (B-RSG-010)', async (fault, list) => {
    const reassignmentCommands = commands(alice, list(await watched()));
    const { status, body } = await api.post(WAIT, { reassignmentCommands });
    expect([status, body.code, body.cause]).toEqual([
      400,
      'INVALID_ARGUMENT',
      `The submitted request has invalid arguments: The batch of reassignment commands was invalid: ${fault}`,
    ]);
  });

  it('with the same contract twice, after a check of the synchronizers (B-RSG-010)', async () => {
    const id = await watched();
    const unknown = `x::1220${'0'.repeat(64)}`;
    const causeOf = async (...list: JsonAnswer[]) =>
      (await api.post(WAIT, { reassignmentCommands: commands(alice, list) })).body.cause;
    const prefix = 'The submitted request has invalid arguments: ';
    expect(await causeOf(unassign(id, global, unknown), unassign(id, global, unknown))).toBe(
      `${prefix}Unable to resolve x::122000000000... to a connected physical synchronizer id`,
    );
    expect(await causeOf(unassign(id), unassign(id))).toBe(
      `${prefix}The batch of reassignment commands was invalid: it unassigns a contract twice`,
    );
  });

  it.each([
    ['the same contract twice', (id: string) => [unassign(id), unassign(id)]],
    ['equal source and target (B-RSG-012)', (id: string) => [unassign(id, global, global)]],
    ['another source (B-RSG-013)', (id: string) => [unassign(id, app, global)]],
    [
      'an unknown contract (B-RSG-013)',
      () => [unassign(`00${'0'.repeat(64)}ca121220${'0'.repeat(64)}`)],
    ],
    [
      'an unknown synchronizer (B-RSG-013)',
      (id: string) => [unassign(id, global, `x::1220${'0'.repeat(64)}`)],
    ],
    ['an unknown reassignment (B-RSG-013)', () => [assign(NONE)]],
    [
      'a target without the stakeholders (B-RSG-015)',
      (id: string) => [unassign(id, global, api.canticle.network.synchronizers[2]!.id)],
    ],
  ])('with %s', async (_why, list) => {
    expect(await refusal(alice, ...list(await watched()))).toBe('INVALID_ARGUMENT');
  });

  it.each(['01ab', '00a', '00xy', 'x'])('with the malformed id %s (B-RSG-014)', async (id) => {
    expect(await refusal(alice, assign(id))).toBe('INVALID_FIELD');
  });

  it('with an unknown id of any bytes, in upper or lower case (B-RSG-014)', async () => {
    const causeFor = async (id: string) => {
      const reassignmentCommands = commands(alice, [assign(id)]);
      return (await api.post(WAIT, { reassignmentCommands })).body.cause;
    };
    const unknown = (id: string) =>
      `The submitted request has invalid arguments: Cannot find reassignment data for reassignment \`ReassignmentId(${id})\`: unknown reassignment id`;
    expect(await causeFor('00abcd')).toBe(unknown('00abcd'));
    expect(await causeFor('00ABCD')).toBe(unknown('00abcd'));
    const { events } = await move(alice, unassign(await watched()));
    const { reassignmentId } = events[0].JsUnassignedEvent.value;
    expect(await refusal(alice, assign(reassignmentId.toUpperCase()))).toBe('accepted');
  });

  it('with contracts of different stakeholders', async () => {
    const own = await api.create(
      model('WithObservers'),
      { giver: alice, observers: [] },
      { actAs: alice, synchronizerId: global },
    );
    const reassignmentCommands = commands(alice, [unassign(own), unassign(await watched())]);
    const cut = (id: string) => id.replace(/(::.{12}).*/, '$1...');
    const printed = (all: string) => `Stakeholders(all = ${all}, signatories = ${cut(alice)})`;
    expect((await api.post(WAIT, { reassignmentCommands })).body.cause).toBe(
      `The submitted request has invalid arguments: DifferingStakeholders(List(${printed(cut(alice))}, ${printed(`Seq(${cut(alice)}, ${cut(bob)})`)}))`,
    );
  });

  it('with a submitter that is not a stakeholder (B-RSG-013, B-RSG-017), or the second time', async () => {
    const contractId = await watched();
    const carol = api.canticle.participant.allocateParty('carol');
    expect(await refusal(carol, unassign(contractId))).toBe('INVALID_ARGUMENT');
    const { events } = await move(alice, unassign(contractId));
    const { reassignmentId } = events[0].JsUnassignedEvent.value;
    expect(await refusal(alice, unassign(contractId))).toBe('INVALID_ARGUMENT');
    expect(await refusal(alice, assign(reassignmentId, app, global))).toBe('INVALID_ARGUMENT');
    expect(await refusal(carol, assign(reassignmentId))).toBe('INVALID_ARGUMENT');
    await move(alice, assign(reassignmentId));
    expect(await refusal(alice, assign(reassignmentId))).toBe('INVALID_ARGUMENT');
  });

  it('with a target on which the package is not vetted (B-RSG-016, B-VET-020)', async () => {
    const contractId = await watched();
    const { engine } = api.canticle.participant;
    const { topology } = api.canticle.network;
    const { packages } = topology.vetting(engine.id, app);
    topology.setVetting(engine.id, app, new Map());
    expect(await refusal(alice, unassign(contractId))).toBe('INVALID_ARGUMENT');
    topology.setVetting(engine.id, app, packages);
    expect(await refusal(alice, unassign(contractId))).toBe('accepted');
  });
});

describe('a submission', () => {
  it('uses the synchronizer that it names (B-CMD-018 to B-CMD-020)', async () => {
    for (const synchronizerId of [global, app]) {
      const transaction = await api.transact(create(model('Dummy'), { operator: alice }), {
        actAs: alice,
        synchronizerId,
      });
      expect(transaction.synchronizerId).toBe(synchronizerId);
    }
    const submit = (synchronizerId: string) =>
      api.submitRefusal(create(model('Dummy'), { operator: alice }), {
        actAs: alice,
        synchronizerId,
      });
    expect(await submit('global')).toBe('INVALID_FIELD');
    expect(await submit(`x::1220${'0'.repeat(64)}`)).toBe('INVALID_PRESCRIBED_SYNCHRONIZER_ID');
    expect(await submit(api.canticle.network.synchronizers[2]!.id)).toBe(
      'INVALID_PRESCRIBED_SYNCHRONIZER_ID',
    );
  });

  it('first moves its inputs to one synchronizer (B-RSG-020)', async () => {
    const here = await watched();
    const there = await api.create(
      model('Dummy'),
      { operator: alice },
      { actAs: alice, synchronizerId: app },
    );
    const start = await api.ledgerEnd();
    const both = [
      exercise(model('WithObservers'), here, 'Ping'),
      exercise(model('Dummy'), there, 'Look'),
    ];
    await api.submit(both, { actAs: alice, synchronizerId: app, workflowId: 'flow' });
    const format = updateFormat('LEDGER_EFFECTS', eventFormat([alice]));
    const updates = await api.updates(format, { beginExclusive: start });
    expect(updates.flatMap(Object.keys)).toEqual(['Reassignment', 'Reassignment', 'Transaction']);
    const places = (await api.acs(eventFormat([alice]))).map(
      ({ contractEntry }: JsonAnswer) => contractEntry.JsActiveContract.synchronizerId,
    );
    expect(places).toEqual([app, app]);
  });

  it('uses the synchronizer of its inputs, or the one with the fewest moves', async () => {
    const there = await api.create(
      model('Dummy'),
      { operator: alice },
      { actAs: alice, synchronizerId: app },
    );
    const { synchronizerId } = await api.transact(exercise(model('Dummy'), there, 'Look'), {
      actAs: alice,
    });
    expect(synchronizerId).toBe(app);
    const here = await watched();
    const other = await api.create(
      model('Dummy'),
      { operator: alice },
      { actAs: alice, synchronizerId: app },
    );
    const three = [
      exercise(model('WithObservers'), here, 'Ping'),
      exercise(model('Dummy'), there, 'Look'),
      exercise(model('Dummy'), other, 'Look'),
    ];
    expect((await api.transact(three, { actAs: alice })).synchronizerId).toBe(app);
  });

  it('moves only contracts whose stakeholders include a reader', async () => {
    const here = await watched();
    const carol = api.canticle.participant.allocateParty('carol');
    const take = exercise(model('WithObservers'), here, 'Take', { actor: carol });
    const blobs = await api.active(eventFormat([alice], wildcard(true)));
    const disclosedContracts = [{ createdEventBlob: blobs[0].createdEventBlob }];
    expect(
      await api.submitRefusal(take, { actAs: carol, disclosedContracts, synchronizerId: app }),
    ).toBe('NO_SYNCHRONIZER_FOR_SUBMISSION');
    await api.submit(take, { actAs: carol, readAs: [bob], synchronizerId: app });
  });
});
