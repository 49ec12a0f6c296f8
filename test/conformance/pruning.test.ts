/** Conformance: what is left when a participant has pruned. JSON cannot prune: here the participant does so of itself. */
import {
  create,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type Shape,
  type Told,
} from '../support/ledger-api.js';
import { model } from '../support/model-package.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { conformanceSuite } from './support/suite.js';

const api = useLedgerApi();
const [alice] = useParties(api, 'alice');
const format = eventFormat([alice], wildcard());

const prune = (offset: number) => api.canticle.participant.engine.prune(offset);
const dummy = () => api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });

interface Update {
  readonly offset: number;
  readonly updateId: string;
}

/** Ten updates, of which the first five are then pruned. */
async function populate(): Promise<[pruned: Update[], left: Update[]]> {
  const updates: Update[] = [];
  for (let i = 0; i < 10; i++) {
    const { updateId, completionOffset: offset } = await dummy();
    updates.push({ updateId, offset });
  }
  return [updates.slice(0, 5), updates.slice(5)];
}
async function pruned() {
  const [gone, left] = await populate();
  const upTo = gone.at(-1)!.offset;
  prune(upTo);
  return { gone, left, upTo };
}

async function answer(path: string, request: object) {
  const { status, body } = await api.post(path, request);
  return status === 200 ? body : { status, code: body.code, grpc: body.grpcCodeValue };
}
const updates = (shape: Shape) => ({ includeTransactions: transactionFormat(shape, format) });
const from = async (beginExclusive: number, shape: Shape = 'ACS_DELTA', endInclusive?: number) =>
  answer('/v2/updates', {
    beginExclusive,
    endInclusive: endInclusive ?? (await api.ledgerEnd()),
    updateFormat: updates(shape),
  });
const offsetsIn = (list: Told[]): number[] =>
  list.map(({ update }) => update.Transaction.value.offset);
const offsetsOf = (list: readonly Update[]): number[] => list.map(({ offset }) => offset);
const PRUNED = { status: 400, code: 'PARTICIPANT_PRUNED_DATA_ACCESSED', grpc: 9 };
const NOT_FOUND = { status: 404, code: 'UPDATE_NOT_FOUND', grpc: 5 };

conformanceSuite('ParticipantPruningIT', {}, (reproduce) => {
  const refusal = (offset: number) => {
    try {
      prune(offset);
    } catch (error) {
      return error;
    }
    return 'pruned';
  };

  reproduce('PRFailPruneByNoOffset', 'INVALID_ARGUMENT', () => {
    expect(refusal(0)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(': prune_up_to not specified or zero'),
    });
  });

  reproduce('PRFailPruneByNegativeOffset', 'NON_POSITIVE_OFFSET', () => {
    expect(refusal(-134134134)).toMatchObject({
      code: 'NON_POSITIVE_OFFSET',
      message: expect.stringContaining(
        'Offset -134134134 in prune_up_to is not a positive integer',
      ),
    });
  });

  reproduce('PRFailPruneByOutOfBoundsOffset', 'OFFSET_OUT_OF_RANGE from the end on', async () => {
    await populate();
    const end = await api.ledgerEnd();
    for (const offset of [end, end + 1])
      expect(refusal(offset)).toMatchObject({
        code: 'OFFSET_OUT_OF_RANGE',
        message: expect.stringContaining(
          `prune_up_to needs to be before ledger end Some(Offset(${end}))`,
        ),
      });
    expect(refusal(end - 1)).toBe('pruned');
  });

  reproduce('PRQueryLatestPrunedOffsets', 'they follow what is pruned', async () => {
    const latest = async () =>
      (await api.client.ledger('GET', '/v2/state/latest-pruned-offsets')).body;
    const { participantPrunedUpToInclusive: before } = await latest();
    const { upTo, left } = await pruned();
    expect(upTo).toBeGreaterThan(before);
    for (const offset of [upTo, left[0]!.offset]) {
      prune(offset);
      expect(await latest()).toEqual({
        participantPrunedUpToInclusive: offset,
        allDivulgedContractsPrunedUpToInclusive: offset,
      });
    }
  });

  const expectPrunedUpdates = async (shape: Shape) => {
    const { gone, left, upTo } = await pruned();
    expect(offsetsIn(await from(upTo, shape))).toEqual(offsetsOf(left));
    expect(await from(gone.at(-2)!.offset, shape)).toEqual(PRUNED);
    expect(await from(0, shape)).toEqual(PRUNED);
  };
  reproduce('PRPruneTxLedgerEffects', 'nothing from below the bound', () =>
    expectPrunedUpdates('LEDGER_EFFECTS'),
  );
  reproduce('PRPruneTxAcsDelta', 'nothing from below the bound', () =>
    expectPrunedUpdates('ACS_DELTA'),
  );

  reproduce('PRPruneCompletions', 'nothing from below the bound', async () => {
    const completions = (beginExclusive: number) =>
      answer('/v2/commands/completions?stream_idle_timeout_ms=1', {
        userId: 'tester',
        parties: [alice],
        beginExclusive,
      });
    const { gone, left, upTo } = await pruned();
    const list: Told[] = await completions(upTo);
    expect(
      list.map(({ completionResponse }) => completionResponse.Completion.value.offset),
    ).toEqual(offsetsOf(left));
    expect(await completions(gone.at(-2)!.offset)).toEqual(PRUNED);
    expect(await completions(0)).toEqual(PRUNED);
  });

  reproduce('PRPruneACS', 'what is active stays so', async () => {
    const [gone] = await populate();
    const before = await api.active(format);
    prune(gone.at(-1)!.offset);
    expect(await api.active(format)).toEqual(before);
  });

  const lookUp = (path: string, by: object) =>
    answer(path, { ...by, updateFormat: updates('ACS_DELTA') });
  reproduce(['PRPruneByTxId', 'PRPruneByOffset'], 'UPDATE_NOT_FOUND below it', async (caseId) => {
    const found = ({ updateId, offset }: Update) =>
      caseId.endsWith('Id')
        ? lookUp('/v2/updates/update-by-id', { updateId })
        : lookUp('/v2/updates/update-by-offset', { offset });
    const { gone, left } = await pruned();
    for (const update of gone) expect(await found(update)).toEqual(NOT_FOUND);
    for (const update of left) {
      const { offset } = (await found(update)).update.Transaction.value;
      expect(offset).toBe(update.offset);
    }
  });

  reproduce('PRPruneRepeated', 'again below the bound is nothing, above it moves', async () => {
    const { gone, left, upTo } = await pruned();
    prune(gone[2]!.offset);
    expect(offsetsIn(await from(upTo))).toEqual(offsetsOf(left));
    const { offset } = left[1]!;
    prune(offset);
    expect(offsetsIn(await from(offset))).toEqual(offsetsOf(left.slice(2)));
    expect(await from(upTo)).toEqual(PRUNED);
  });

  reproduce('PRPruneThenExercise', 'what was made below it can be used', async () => {
    const id = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    await pruned();
    await api.submit(exercise(model('Dummy'), id, 'Consume'), { actAs: alice });
  });

  reproduce('PRPruneQueryEmptyRangeOk', 'nothing is asked for, nothing is missed', async () => {
    const start = await api.ledgerEnd();
    const { gone } = await pruned();
    for (const offset of [start, gone[2]!.offset])
      expect(await from(offset, 'ACS_DELTA', offset)).toEqual([]);
  });

  reproduce(
    'PREventsByContractIdPruned',
    'the creation stays until the end is pruned',
    async () => {
      const byId = (contractId: string) =>
        answer('/v2/events/events-by-contract-id', { contractId, eventFormat: format });
      const create1 = () => api.create(model('Dummy'), { operator: alice }, { actAs: alice });
      const consume = (id: string) =>
        api.submit(exercise(model('Dummy'), id, 'Consume'), { actAs: alice });
      const events = async (id: string) => {
        const { created, archived, code } = await byId(id);
        return code ?? [created && 'created', archived && 'archived'].filter(Boolean);
      };
      const id = await create1();
      const { upTo } = await pruned();
      expect(await events(id)).toEqual(['created']);
      await consume(id);
      expect(await events(id)).toEqual(['created', 'archived']);
      prune(upTo);
      expect(await events(id)).toEqual(['created', 'archived']);
      await pruned();
      expect(await events(id)).toBe('CONTRACT_EVENTS_NOT_FOUND');
    },
  );
});
