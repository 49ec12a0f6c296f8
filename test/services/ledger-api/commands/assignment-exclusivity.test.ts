/** The exclusive time of an unassignment as clients meet it: events, refusals, completions, and what other participants see (B-RSG-018). */
import { newKey } from '../../../network/external/external-party.js';
import { eventFormat, updateFormat, type LedgerApi } from '../../../support/ledger-api.js';
import { model } from '../../../support/daml/model-package.js';
import { useLedgerApi, useParties, useParticipant } from '../../../support/shared-ledger-api.js';
import { StreamClient } from '../../../support/stream-client.js';

const api = useLedgerApi({
  synchronizers: [{ alias: 'global' }, { alias: 'app' }],
  participants: ['one', 'two'],
});
const [alice, bob] = useParties(api, 'alice', 'bob');
const { canticle } = api;
const [global, app] = canticle.network.synchronizers.map(({ id }) => id) as [string, string];
const two = canticle.network.participant('two').id;
const there = useParticipant(api, 'two');

const WAIT = '/v2/commands/submit-and-wait-for-reassignment';
let moves = 0;
const move = (submitter: string, command: object, more: object = {}) => ({
  reassignmentCommands: {
    submitter,
    userId: 'tester',
    commandId: `move-${++moves}`,
    submissionId: `submission-${moves}`,
    workflowId: 'flow',
    commands: [{ command }],
    ...more,
  },
  eventFormat: eventFormat([]),
});
const unassign = (contractId: string) => ({
  UnassignCommand: { value: { contractId, source: global, target: app } },
});
const assign = (reassignmentId: string) => ({
  AssignCommand: { value: { reassignmentId, source: global, target: app } },
});
const watched = (giver = alice, observers: readonly string[] = [bob]) =>
  api.create(
    model('WithObservers'),
    { giver, observers },
    { actAs: giver, synchronizerId: global },
  );

async function unassigned(contractId: string, submitter = alice, more?: object) {
  const { reassignment } = await api.ok(WAIT, move(submitter, unassign(contractId), more));
  return { reassignment, event: reassignment.events[0].JsUnassignedEvent.value };
}

const completions = async (beginExclusive: number) => {
  const request = { userId: 'tester', parties: [alice, bob], beginExclusive };
  const list = await api.ok('/v2/commands/completions?stream_idle_timeout_ms=1', request);
  return list.map(({ completionResponse }: any) => completionResponse.Completion.value);
};
const reassignments = (at: LedgerApi, beginExclusive: number, party: string) =>
  at.updates({ includeReassignments: eventFormat([party]) }, { beginExclusive });
const afterAMinute = (time: string) =>
  new Date(Date.parse(time) + 60_000).toISOString().slice(0, 19) + time.slice(19);

it('its end is in the unassigned event, in updates and in incomplete reassignments', async () => {
  const contractId = await watched();
  const begin = await api.ledgerEnd();
  const { reassignment, event } = await unassigned(contractId);
  expect(event.assignmentExclusivity).toBe(afterAMinute(reassignment.recordTime));
  const [update] = await reassignments(api, begin, bob);
  expect(update.Reassignment.value.events[0].JsUnassignedEvent.value).toMatchObject({
    assignmentExclusivity: event.assignmentExclusivity,
  });
  const [entry] = await api.acs(eventFormat([bob]));
  expect(entry.contractEntry.JsIncompleteUnassigned.unassignedEvent).toMatchObject({
    assignmentExclusivity: event.assignmentExclusivity,
  });
});

it('rejects another stakeholder after sequencing, with a completion (B-RSG-023)', async () => {
  const { event } = await unassigned(await watched());
  const begin = await api.ledgerEnd();
  const { status, body } = await api.post(WAIT, move(bob, assign(event.reassignmentId)));
  expect([status, body.code, body.grpcCodeValue]).toEqual([
    404,
    'REASSIGNMENT_VALIDATION_FAILED',
    5,
  ]);
  expect(body.cause).toBe(
    `Validation check failed. Cannot assign \`ReassignmentId(${event.reassignmentId})\`: only ${alice} can initiate before exclusivity timeout Target(${event.assignmentExclusivity}). Current timestamp is ${canticle.time}.`,
  );
  const [completion] = await completions(begin);
  expect(completion).toMatchObject({
    commandId: `move-${moves}`,
    submissionId: `submission-${moves}`,
    updateId: '',
    actAs: [bob],
    status: { code: 5, message: expect.stringContaining('REASSIGNMENT_VALIDATION_FAILED') },
  });
  // A client that does not wait sees it only in the completions.
  const { reassignmentCommands } = move(bob, assign(event.reassignmentId));
  const submit = '/v2/commands/async/submit-reassignment';
  expect(await api.ok(submit, { reassignmentCommands })).toEqual({});
  expect((await completions(begin)).map(({ commandId }: any) => commandId)).toEqual([
    `move-${moves - 1}`,
    `move-${moves}`,
  ]);
});

it('ends with an assignment that has the command id of the unassignment', async () => {
  const contractId = await watched();
  const { reassignment, event } = await unassigned(contractId, bob);
  const begin = await api.ledgerEnd();
  const stream = new StreamClient(`${canticle.ledgerApis['one']}/v2/updates`);
  await stream.send({
    beginExclusive: begin,
    updateFormat: updateFormat('ACS_DELTA', eventFormat([alice])),
  });
  canticle.setTime(event.assignmentExclusivity);
  const [update] = await reassignments(api, begin, alice);
  const { value: assigned } = update.Reassignment;
  expect(assigned).toMatchObject({
    commandId: reassignment.commandId,
    workflowId: '',
    synchronizerId: app,
    offset: begin + 1,
  });
  // For the first stakeholder, independent of the submitter of the unassignment.
  expect(assigned.events[0].JsAssignmentEvent).toMatchObject({
    reassignmentId: event.reassignmentId,
    submitter: alice,
    reassignmentCounter: 1,
    createdEvent: { contractId },
  });
  expect(await completions(begin)).toMatchObject([
    {
      commandId: reassignment.commandId,
      submissionId: '',
      updateId: assigned.updateId,
      actAs: [alice],
      offset: begin + 1,
      status: { code: 0 },
    },
  ]);
  const [entry] = await stream.take(1);
  expect(entry.update.Reassignment.value.updateId).toBe(assigned.updateId);
  await stream.close();
  expect(await api.refusal(WAIT, move(bob, assign(event.reassignmentId)))).toBe('INVALID_ARGUMENT');
});

describe('an external party', () => {
  /** @param observing at the first synchronizer only: participants in addition to the first one */
  async function onboard(observing: readonly string[] = []): Promise<string> {
    const key = newKey();
    let party = '';
    for (const synchronizer of [global, app]) {
      const observingParticipantUids = synchronizer === global ? observing : [];
      const topology = await api.ok('/v2/parties/external/generate-topology', {
        synchronizer,
        partyHint: 'carol',
        publicKey: key.publicKey,
        observingParticipantUids,
      });
      const allocation = {
        synchronizer,
        onboardingTransactions: topology.topologyTransactions.map((transaction: string) => ({
          transaction,
        })),
        multiHashSignatures: [key.sign(topology.multiHash)],
      };
      await api.ok('/v2/parties/external/allocate', allocation);
      if (observingParticipantUids.length > 0)
        await there.ok('/v2/parties/external/allocate', allocation);
      party = topology.partyId;
    }
    return party;
  }

  it('must assign contracts itself if its participants can only confirm', async () => {
    const carol = await onboard();
    const { participant } = canticle;
    const contract = participant.create(
      model('Dummy'),
      { operator: carol },
      { actAs: [carol], synchronizer: 'global' },
    );
    const id = participant.unassign(contract, { to: 'app', submitter: carol });
    const refusal = await api.post(WAIT, move(carol, unassign(contract)));
    expect(refusal.body.code).toBe('INVALID_ARGUMENT');
    expect(canticle.requests.explain('latest')?.body()).toContain(
      'From then on any stakeholder may, but no participant does by itself, as none may submit for one of them.',
    );
    canticle.advanceTime({ days: 1 });
    expect(canticle.network.contracts.state(contract)?.kind).toBe('inFlight');
    participant.assign(id, { submitter: carol });
    expect(canticle.network.contracts.state(contract)?.kind).toBe('active');
  });

  it('sees unassignments without the time on a participant that is not on the target synchronizer', async () => {
    const carol = await onboard([two]);
    const contractId = await watched(alice, [carol]);
    const begin = await there.ledgerEnd();
    const { event } = await unassigned(contractId);
    const [update] = await reassignments(there, begin, carol);
    expect(update.Reassignment.value.events[0].JsUnassignedEvent.value).toMatchObject({
      reassignmentId: event.reassignmentId,
      assignmentExclusivity: null,
    });
    const { body } = await there.post(WAIT, move(carol, assign(event.reassignmentId)));
    expect([body.code, body.cause]).toEqual([
      'INVALID_ARGUMENT',
      `The submitted request has invalid arguments: Cannot find reassignment data for reassignment \`ReassignmentId(${event.reassignmentId})\`: unknown reassignment id`,
    ]);
    canticle.advanceTime({ minutes: 1 });
    expect(canticle.participant.contract(contractId)).toMatchObject({ reassignmentCounter: 1 });
  });
});
