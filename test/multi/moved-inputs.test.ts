/** Inputs that move before a transaction: their reassignments have separate completions, and remain if the transaction fails. */
import { createCanticle, type Canticle, type ParticipantView } from 'canticle';
import { model, modelPackage } from '../support/daml/model-package.js';
import {
  create,
  eventFormat,
  exercise,
  updateFormat,
  type JsonAnswer,
} from '../support/ledger-api.js';

const SHARED = model('WithObservers');
let canticle: Canticle;
let participant: ParticipantView;
let alice: string;
let bob: string;
let first: string;
let second: string;

beforeEach(() => {
  canticle = createCanticle({
    seed: 1,
    packages: [modelPackage],
    synchronizers: [{ alias: 'first' }, { alias: 'second' }],
  });
  ({ participant } = canticle);
  [alice, bob] = [participant.allocateParty('alice'), participant.allocateParty('bob')];
  [first, second] = canticle.network.synchronizers.map(({ id }) => id) as [string, string];
});

/** Of alice, on the first synchronizer. */
const made = (): string =>
  participant.create(
    SHARED,
    { giver: alice, observers: [] },
    { actAs: [alice], synchronizer: 'first' },
  );
const archive = (contractId: string) => exercise(SHARED, contractId, 'Archive');

async function post(path: string, body: object): Promise<JsonAnswer> {
  return (await canticle.handle({ path, body })).json();
}

function submit(commands: readonly object[], more: object = {}): Promise<JsonAnswer> {
  return post('/v2/commands/submit-and-wait', {
    ...{ commands, commandId: 'the-command', userId: 'tester', submissionId: 'the-submission' },
    ...{ actAs: [alice], synchronizerId: second, ...more },
  });
}

async function completions(beginExclusive: number): Promise<JsonAnswer[]> {
  const body = { beginExclusive, parties: [alice, bob], userId: 'tester' };
  const entries: JsonAnswer[] = await post('/v2/commands/completions?limit=20', body);
  return entries.flatMap(({ completionResponse }) => completionResponse.Completion?.value ?? []);
}

async function updates(beginExclusive: number): Promise<JsonAnswer[]> {
  const format = updateFormat('LEDGER_EFFECTS', eventFormat([alice, bob]));
  const entries: JsonAnswer[] = await post('/v2/updates', {
    ...{ beginExclusive, endInclusive: participant.ledgerEnd, updateFormat: format },
  });
  return entries.map(({ update }) => update);
}

/** `<synchronizer> <counter>` of an active contract. */
function place(contractId: string): string {
  const { synchronizerId, reassignmentCounter } = participant.contract(contractId)!;
  return `${canticle.network.synchronizer(synchronizerId)!.alias} ${reassignmentCounter}`;
}

it('a command has completions for its unassignment, its assignment and its transaction (B-RSG-025)', async () => {
  const contract = made();
  const start = participant.ledgerEnd;
  await submit([archive(contract), create(SHARED, { giver: bob, observers: [] })], {
    actAs: [bob, alice],
  });
  const completed = await completions(start);
  expect(
    completed.map(({ commandId, userId, submissionId }) => [commandId, userId, submissionId]),
  ).toEqual(completed.map(() => ['the-command', 'tester', 'the-submission']));
  expect(
    completed.map(({ actAs, deduplicationPeriod, synchronizerTime }) => [
      actAs,
      Object.keys(deduplicationPeriod),
      synchronizerTime.synchronizerId,
    ]),
  ).toEqual([
    [[alice], ['Empty'], first],
    [[alice], ['Empty'], second],
    [[bob, alice], ['DeduplicationOffset'], second],
  ]);
  const moved = await updates(start);
  expect(moved.flatMap((update) => Object.keys(update))).toEqual([
    'Reassignment',
    'Reassignment',
    'Transaction',
  ]);
  expect(completed.map(({ updateId, offset }) => [updateId, offset])).toEqual(
    moved.map((update) => {
      const { updateId, offset } = Object.values<JsonAnswer>(update)[0].value;
      return [updateId, offset];
    }),
  );
});

it('a contract remains moved if the transaction is a duplicate (B-RSG-026)', async () => {
  const contract = made();
  await submit([create(SHARED, { giver: alice, observers: [] })]);
  const start = participant.ledgerEnd;
  const refused = await submit([archive(contract)]);
  expect(refused.code).toBe('DUPLICATE_COMMAND');
  expect(place(contract)).toBe('second 1');
  expect((await updates(start)).flatMap((update) => Object.keys(update))).toEqual([
    'Reassignment',
    'Reassignment',
  ]);
  expect((await completions(start)).map(({ status }) => status.code)).toEqual([0, 0, 6]);
});

it('a contract remains moved if the confirming participants reject the transaction', async () => {
  const [contract, gone] = [made(), made()];
  const entries: JsonAnswer[] = await post('/v2/state/active-contracts', {
    activeAtOffset: participant.ledgerEnd,
    eventFormat: eventFormat([alice], {
      identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } },
    }),
  });
  const shown = entries.find(
    ({ contractEntry: { JsActiveContract } }) => JsActiveContract.createdEvent.contractId === gone,
  ).contractEntry.JsActiveContract.createdEvent;
  participant.archive(SHARED, gone, { actAs: [alice] });
  const { contractId, templateId, createdEventBlob } = shown;
  const refused = await submit([archive(contract), archive(gone)], {
    disclosedContracts: [{ contractId, templateId, createdEventBlob, synchronizerId: '' }],
  });
  expect(refused.code).toBe('LOCAL_VERDICT_INACTIVE_CONTRACTS');
  expect(place(contract)).toBe('second 1');
});

it('no contract moves if interpretation or routing rejects the commands', async () => {
  const contract = made();
  const start = participant.ledgerEnd;
  const unknown = exercise(SHARED, contract, 'Archive', { nothing: 'such' });
  expect((await submit([archive(contract), unknown])).code).not.toBeUndefined();
  expect((await submit([archive(contract), archive(contract)])).code).toBe('CONTRACT_NOT_ACTIVE');
  const local = participant.allocateParty('local', { synchronizers: ['first'] });
  const shared = create(SHARED, { giver: alice, observers: [local] });
  const refused = await submit([archive(contract), shared]);
  expect(refused.code).toBe('INVALID_PRESCRIBED_SYNCHRONIZER_ID');
  expect([place(contract), (await completions(start)).length]).toEqual(['first 0', 0]);
});

it('an error about an input that cannot move has the reason', async () => {
  const contract = made();
  const start = participant.ledgerEnd;
  const packages = [{ packageId: modelPackage.id }];
  const changes = [{ operation: { Unvet: { value: { packages } } } }];
  await post('/v2/package-vetting/update', { changes, synchronizerId: first });
  const refused = await submit([archive(contract)]);
  expect(refused).toMatchObject({
    code: 'AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED',
    cause: 'Automatically reassigning contracts to a common synchronizer failed.',
    context: {
      reason: expect.stringMatching(
        /Cannot unassign contracts .* on synchronizer `first::.* has not vetted/,
      ),
    },
  });
  expect([place(contract), (await completions(start)).length]).toEqual(['first 0', 0]);
});

it('batches with different stakeholders have separate completions', async () => {
  const own = made();
  const shared = participant.create(
    SHARED,
    { giver: alice, observers: [bob] },
    { actAs: [alice], synchronizer: 'first' },
  );
  const start = participant.ledgerEnd;
  await submit([archive(own), archive(shared)]);
  const completed = await completions(start);
  expect(completed.map(({ deduplicationPeriod }) => Object.keys(deduplicationPeriod)[0])).toEqual([
    ...['Empty', 'Empty', 'Empty', 'Empty'],
    'DeduplicationOffset',
  ]);
  canticle.reset();
  expect(participant.ledgerEnd).toBeLessThan(start);
});
