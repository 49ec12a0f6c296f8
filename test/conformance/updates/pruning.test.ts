/** Conformance: the ledger after pruning. JSON cannot prune, so the test prunes in the process. */
import type { Answer } from '../../support/client.js';
import {
  create,
  eventFormat,
  exercise,
  wildcard,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { transactionsFor, transactionsIn } from '../support/events.js';
import { conformanceSuite } from '../support/suite.js';

const api = useLedgerApi({ grpc: true });
const [alice] = useParties(api, 'alice');
const format = eventFormat([alice], wildcard());

const prune = (offset: number) => api.canticle.participant.engine.prune(offset);
const dummy = () => api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });

interface Update {
  readonly offset: number;
  readonly updateId: string;
}

const BATCHES = 4;

/** As upstream populates a ledger: contracts that are archived again, and others that stay. */
async function populate(): Promise<[pruned: Update[], left: Update[]]> {
  const begin = await api.ledgerEnd();
  for (let i = 0; i < BATCHES; i++) {
    const id = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    await api.submit(exercise(model('Dummy'), id, 'Consume'), { actAs: alice });
    await dummy();
  }
  const all = transactionsIn(
    await api.updates(updates('LEDGER_EFFECTS'), { beginExclusive: begin }),
  );
  expect(all).toHaveLength(3 * BATCHES);
  return [all.slice(0, 5), all.slice(5)];
}
async function pruned() {
  const [gone, left] = await populate();
  const upTo = gone.at(-1)!.offset;
  prune(upTo);
  return { gone, left, upTo };
}
/** Something else comes first: the end itself cannot be pruned. */
async function pruneToCurrentEnd() {
  const end = await api.ledgerEnd();
  await dummy();
  prune(end);
  return end;
}

const updates = (shape: Shape) => transactionsFor(shape, [alice], wildcard());
const from = async (beginExclusive: number, shape: Shape = 'ACS_DELTA', endInclusive?: number) =>
  api.post('/v2/updates', {
    beginExclusive,
    endInclusive: endInclusive ?? (await api.ledgerEnd()),
    updateFormat: updates(shape),
  });
const offsetsIn = ({ status, body }: Answer): number[] => {
  expect(status).toBe(200);
  return body.map(({ update }: JsonAnswer) => update.Transaction.value.offset);
};
const offsetsOf = (list: readonly Update[]): number[] => list.map(({ offset }) => offset);

const PRUNED = 'PARTICIPANT_PRUNED_DATA_ACCESSED';
const expectPruned = (answer: Promise<Answer>, upTo: number) =>
  expectRefused(answer, PRUNED, {
    cause: new RegExp(
      `^Transactions request from [0-9]* to [0-9]* precedes pruned offset ${upTo}$`,
    ),
  });

conformanceSuite('ParticipantPruningIT', {}, (reproduce) => {
  /** JSON has no request to prune: the participant itself refuses. */
  const refusesToPrune = (offset: number, code: string, cause: string) => {
    const details = expect.objectContaining({ cause: expect.stringContaining(cause) });
    expect(() => prune(offset)).toThrow(expect.objectContaining({ code, details }));
  };

  reproduce('PRFailPruneByNoOffset', 'INVALID_ARGUMENT', () =>
    refusesToPrune(0, 'INVALID_ARGUMENT', 'prune_up_to not specified or zero'),
  );
  reproduce('PRFailPruneByNegativeOffset', 'NON_POSITIVE_OFFSET', () =>
    refusesToPrune(
      -134134134,
      'NON_POSITIVE_OFFSET',
      'Offset -134134134 in prune_up_to is not a positive integer',
    ),
  );
  reproduce(
    'PRFailPruneByOutOfBoundsOffset',
    'rejects the ledger end and later offsets with OFFSET_OUT_OF_RANGE',
    async () => {
      await populate();
      const end = await api.ledgerEnd();
      const cause = `prune_up_to needs to be before ledger end Some(Offset(${end}))`;
      for (const offset of [end, end + 1]) refusesToPrune(offset, 'OFFSET_OUT_OF_RANGE', cause);
      expect(await api.ledgerEnd()).toBe(end);
      prune(end - 1);
    },
  );

  reproduce('PRQueryLatestPrunedOffsets', 'returns the last pruned offset', async () => {
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
    await expectPruned(from(gone.at(-2)!.offset, shape), upTo);
    await expectPruned(from(0, shape), upTo);
  };
  reproduce('PRPruneTxLedgerEffects', 'rejects reads that begin before the pruning offset', () =>
    expectPrunedUpdates('LEDGER_EFFECTS'),
  );
  reproduce('PRPruneTxAcsDelta', 'rejects reads that begin before the pruning offset', () =>
    expectPrunedUpdates('ACS_DELTA'),
  );

  reproduce(
    'PRPruneCompletions',
    'rejects reads that begin before the pruning offset',
    async () => {
      const completions = (beginExclusive: number) =>
        api.post('/v2/commands/completions?stream_idle_timeout_ms=1', {
          userId: 'tester',
          parties: [alice],
          beginExclusive,
        });
      const completed = async (beginExclusive: number): Promise<number[]> =>
        (await completions(beginExclusive)).body.map(
          ({ completionResponse }: JsonAnswer) => completionResponse.Completion.value.offset,
        );
      const start = await api.ledgerEnd();
      const [gone, left] = await populate();
      expect(await completed(start)).toEqual(offsetsOf([...gone, ...left]));
      const upTo = gone.at(-1)!.offset;
      prune(upTo);
      expect(await completed(upTo)).toEqual(offsetsOf(left));
      for (const begin of [gone.at(-2)!.offset, 0])
        await expectRefused(completions(begin), PRUNED, {
          cause: new RegExp(
            `^Command completions request from [0-9]* to [0-9]* overlaps with pruned offset ${upTo}$`,
          ),
        });
    },
  );

  reproduce('PRPruneACS', 'keeps active contracts', async () => {
    const [gone] = await populate();
    const before = await api.active(format);
    expect(before).toHaveLength(BATCHES);
    prune(gone.at(-1)!.offset);
    expect(await api.active(format)).toEqual(before);
  });

  const lookUp = (path: string, by: object) =>
    api.post(path, { ...by, updateFormat: updates('ACS_DELTA') });
  reproduce(
    ['PRPruneByTxId', 'PRPruneByOffset'],
    'returns UPDATE_NOT_FOUND for pruned updates only',
    async (caseId) => {
      const found = ({ updateId, offset }: Update) =>
        caseId.endsWith('Id')
          ? lookUp('/v2/updates/update-by-id', { updateId })
          : lookUp('/v2/updates/update-by-offset', { offset });
      const { gone, left } = await pruned();
      const cause = 'Update not found, or not visible.';
      for (const update of gone) await expectRefused(found(update), 'UPDATE_NOT_FOUND', { cause });
      for (const { offset, updateId } of left) {
        const { status, body } = await found({ offset, updateId });
        expect(status).toBe(200);
        expect(body.update.Transaction.value).toMatchObject({ offset, updateId });
      }
    },
  );

  reproduce(
    'PRPruneRepeated',
    'pruning below the bound has no effect, and pruning above it moves the bound',
    async () => {
      const { gone, left, upTo } = await pruned();
      prune(gone[2]!.offset);
      expect(offsetsIn(await from(upTo))).toEqual(offsetsOf(left));
      const { offset } = left[1]!;
      prune(offset);
      expect(offsetsIn(await from(offset))).toEqual(offsetsOf(left.slice(2)));
      await expectPruned(from(upTo), offset);
    },
  );

  reproduce(
    'PRPruneThenExercise',
    'a contract from before the bound can be exercised',
    async () => {
      const id = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
      await pruned();
      await api.submit(exercise(model('Dummy'), id, 'Consume'), { actAs: alice });
    },
  );

  reproduce('PRPruneQueryEmptyRangeOk', 'accepts an empty range below the bound', async () => {
    const start = await api.ledgerEnd();
    const { gone } = await pruned();
    for (const offset of [start, gone[2]!.offset])
      for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const)
        expect(offsetsIn(await from(offset, shape, offset))).toEqual([]);
  });

  reproduce(
    'PREventsByContractIdPruned',
    'returns the creation until its archival is pruned',
    async () => {
      const create1 = () => api.create(model('Dummy'), { operator: alice }, { actAs: alice });
      const consume = (id: string) =>
        api.submit(exercise(model('Dummy'), id, 'Consume'), { actAs: alice });
      const events = async (id: string) => {
        const request = { contractId: id, eventFormat: format };
        const { body } = await api.post('/v2/events/events-by-contract-id', request);
        const { created, archived, code } = body;
        return code ?? [created && 'created', archived && 'archived'].filter(Boolean);
      };
      const id = await create1();
      const creation = await pruneToCurrentEnd();
      expect(await events(id)).toEqual(['created']);
      await consume(id);
      expect(await events(id)).toEqual(['created', 'archived']);
      prune(creation);
      expect(await events(id)).toEqual(['created', 'archived']);
      await pruneToCurrentEnd();
      expect(await events(id)).toBe('CONTRACT_EVENTS_NOT_FOUND');
    },
  );
});
