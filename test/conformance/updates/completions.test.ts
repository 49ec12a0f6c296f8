/** Conformance: asynchronous submission, completions in both forms, and the checkpoints between them. */
import {
  create,
  eventFormat,
  exercise,
  updateFormat,
  wildcard,
  type Submit,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { checkpointIn, offsetOf, StreamClient, type Frame } from '../../support/stream-client.js';
import { conformanceSuite } from '../support/suite.js';

const SUBMIT = '/v2/commands/async/submit';
/** By user and parties. */
const COMPLETIONS = '/v2/commands/completions';
/** By parties alone; empty is all of them. */
const COMMAND_COMPLETIONS = '/v2/commands/command-completions';

const synchronizers = [{ alias: 'global' }, { alias: 'app' }];
const api = useLedgerApi({
  grpc: true,
  trafficControl: true,
  synchronizers,
});
const [alice, bob] = useParties(api, 'alice', 'bob');
const [globalId, appId] = api.canticle.network.synchronizers.map(({ id }) => id);

const dummy = (operator = alice) => create(model('Dummy'), { operator });

/** Submits and does not wait. @returns the command id */
async function submit(options: Submit, submitted: unknown = dummy()): Promise<string> {
  const commands = api.commands(submitted, { synchronizerId: globalId, ...options });
  await api.ok(SUBMIT, commands);
  return commands.commandId as string;
}

/** The answer to a refused submission. */
const answered = (options: Submit, submitted: unknown = dummy()) =>
  api.post(SUBMIT, api.commands(submitted, options));

/** The completions of the list, until it ends. */
async function completions(path: string, request: object): Promise<JsonAnswer[]> {
  const body = { beginExclusive: 0, ...request };
  const list: JsonAnswer[] = await api.ok(`${path}?stream_idle_timeout_ms=1`, body);
  return list.map(({ completionResponse }) => completionResponse.Completion.value);
}
const ofUser = (parties: string[], more: object = {}) =>
  completions(COMPLETIONS, { userId: 'tester', parties, ...more });
const ofParties = (parties: string[], more: object = {}) =>
  completions(COMMAND_COMPLETIONS, { parties, ...more });

/** In their order, the command ids and who acted as far as the reader may know. */
const actors = (list: JsonAnswer[]) =>
  list.map(({ commandId, actAs }) => [commandId, [...actAs].sort()] as const);

conformanceSuite('GetCompletionsIT', {}, (reproduce) => {
  reproduce('GCSingleParty', 'the completion names the party', async () => {
    const beginExclusive = await api.ledgerEnd();
    const commandId = await submit({ actAs: alice });
    expect(actors(await ofParties([alice], { beginExclusive }))).toEqual([[commandId, [alice]]]);
  });

  const singleAndJoint = async () => [
    await submit({ actAs: alice }),
    await submit({ actAs: bob }, dummy(bob)),
    await submit({ actAs: [alice, bob] }),
  ];

  reproduce(
    'GCMultiParty',
    'returns single and joint submissions with all their parties',
    async () => {
      const [hers, his, joint] = await singleAndJoint();
      expect(actors(await ofParties([alice, bob]))).toEqual([
        [hers, [alice]],
        [his, [bob]],
        [joint, [alice, bob].sort()],
      ]);
    },
  );

  reproduce('GCWildcardParties', 'an empty list of parties selects all parties', async () => {
    const beginExclusive = await api.ledgerEnd();
    const submitted = await singleAndJoint();
    const named = await ofParties([alice, bob], { beginExclusive });
    expect(named.map(({ commandId }) => commandId)).toEqual(submitted);
    expect(await ofParties([], { beginExclusive })).toEqual(named);
  });

  reproduce('GCBeginExclusive', 'omits the completion at the begin offset', async () => {
    const first = await submit({ actAs: alice });
    const beginExclusive = (await ofParties([alice]))[0].offset;
    const second = await submit({ actAs: alice });
    expect(actors(await ofParties([alice]))).toEqual([
      [first, [alice]],
      [second, [alice]],
    ]);
    expect(actors(await ofParties([alice], { beginExclusive }))).toEqual([[second, [alice]]]);
  });

  reproduce('GCTailing', 'an open stream receives later completions', async () => {
    const beginExclusive = await api.ledgerEnd();
    for (let i = 0; i < 14; i++) await submit({ actAs: alice });
    const stream = new StreamClient(api.canticle.url + COMMAND_COMPLETIONS);
    await stream.send({ parties: [alice], beginExclusive });
    await stream.take(14);
    await submit({ actAs: alice });
    expect(await stream.take(15)).toHaveLength(15);
    await stream.close();
  });
});

conformanceSuite('CommandSubmissionCompletionIT', {}, (reproduce, _, overJson) => {
  reproduce('CSCCompletions', 'returns one completion, with its traffic cost', async () => {
    const commandId = await submit({ actAs: alice });
    const list = await ofUser([alice]);
    expect(list).toMatchObject([{ commandId, userId: 'tester', actAs: [alice] }]);
    expect(list[0].paidTrafficCost).toBeGreaterThan(0);
  });

  reproduce('CSCParticipantBeginCompletions', 'returns completions from offset 0', async () => {
    await submit({ actAs: alice });
    expect(await ofUser([alice], { beginExclusive: 0 })).toHaveLength(1);
  });

  reproduce(
    'CSCNoCompletionsWithoutRightUserId',
    'returns no completions of another user',
    async () => {
      await submit({ actAs: alice });
      expect(await ofUser([alice])).toHaveLength(1);
      expect(await ofUser([alice], { userId: 'invalid-user-id' })).toEqual([]);
    },
  );

  reproduce('CSCAfterEnd', 'OFFSET_AFTER_LEDGER_END', async () => {
    const beginExclusive = (await api.ledgerEnd()) + 1;
    const request = { userId: 'tester', parties: [alice], beginExclusive };
    const cause = 'is after ledger end';
    await expectRefused(api.post(COMPLETIONS, request), 'OFFSET_AFTER_LEDGER_END', { cause });
  });

  reproduce(
    'CSCNoCompletionsWithoutRightParty',
    'returns no completions of another party',
    async () => {
      await submit({ actAs: alice });
      expect(await ofUser([alice])).toHaveLength(1);
      expect(await ofUser([bob])).toEqual([]);
    },
  );

  overJson('CSCRefuseBadChoice', 'rejects an unknown choice with INVALID_ARGUMENT', async () => {
    const id = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
    const wrong = exercise(model('Dummy'), id, 'THIS_IS_NOT_A_VALID_CHOICE');
    // JSON looks the choice up to read its argument, before a participant would.
    await expectRefused(answered({ actAs: alice }, wrong), 'INVALID_ARGUMENT', {
      cause: 'THIS_IS_NOT_A_VALID_CHOICE',
      definite: false,
    });
  });

  reproduce('CSCDisallowEmptyTransactionsSubmission', 'MISSING_FIELD commands', async () => {
    await expectRefused(answered({ actAs: alice }, []), 'MISSING_FIELD', {
      cause: 'commands',
      definite: false,
    });
  });

  reproduce(
    'CSCHandleMultiPartySubscriptions',
    'a completion names only the requested parties',
    async () => {
      const hers = await submit({ actAs: alice });
      const his = await submit({ actAs: bob }, dummy(bob));
      const joint = await submit({ actAs: [alice, bob] });
      expect(actors(await ofUser([alice, bob]))).toEqual([
        [hers, [alice]],
        [his, [bob]],
        [joint, [alice, bob].sort()],
      ]);
      expect(actors(await ofUser([alice]))).toEqual([hers, joint].map((id) => [id, [alice]]));
      expect(actors(await ofUser([bob]))).toEqual([his, joint].map((id) => [id, [bob]]));
    },
  );

  reproduce('CSCSubmitInvalidSynchronizerId', 'INVALID_FIELD synchronizer_id', async () => {
    const synchronizerId = 'invalidSynchronizerId';
    await expectRefused(answered({ actAs: alice, synchronizerId }), 'INVALID_FIELD', {
      cause:
        'Invalid field synchronizer_id: Invalid unique identifier `invalidSynchronizerId` with missing namespace.',
      definite: false,
    });
  });

  reproduce('CSCSubmitUnknownSynchronizerId', 'INVALID_PRESCRIBED_SYNCHRONIZER_ID', async () => {
    const synchronizerId = `unknown_${globalId}`;
    const answer = answered({ actAs: alice, synchronizerId });
    await expectRefused(answer, 'INVALID_PRESCRIBED_SYNCHRONIZER_ID', {
      cause: 'Cannot submit transaction to prescribed synchronizer',
      definite: false,
    });
  });

  reproduce(
    'CSCSubmitWithPrescribedSynchronizerId',
    'the transaction is on the chosen synchronizer',
    async () => {
      for (const synchronizerId of [globalId, appId]) {
        const submitted = await submit({ actAs: alice, synchronizerId });
        const [{ updateId }] = (await ofUser([alice])).filter(
          ({ commandId }) => commandId === submitted,
        );
        const { update } = await api.ok('/v2/updates/update-by-id', {
          updateId,
          updateFormat: updateFormat('ACS_DELTA', eventFormat([alice], wildcard())),
        });
        expect(update.Transaction.value.synchronizerId).toBe(synchronizerId);
      }
    },
  );
});

describe('with checkpoints every millisecond', () => {
  const quick = useLedgerApi({ grpc: true, checkpoints: { first: 1, interval: 1, idle: 1 } });
  const [carol, dan] = useParties(quick, 'carol', 'dan');
  const submitTen = async () => {
    for (let i = 0; i < 10; i++)
      await quick.submit(create(model('Dummy'), { operator: carol }), { actAs: carol });
  };
  const open = (path: string, request: object) =>
    new StreamClient(quick.canticle.url + path).send(request);
  const updates = (party: string, beginExclusive: number) =>
    open('/v2/updates', {
      beginExclusive,
      updateFormat: updateFormat('ACS_DELTA', eventFormat([party], wildcard())),
    });
  const completionsOf = (party: string, beginExclusive: number) =>
    open(COMPLETIONS, { userId: 'tester', parties: [party], beginExclusive });
  const offsetIn = (frame: Frame): number => {
    if (frame.update !== undefined) return offsetOf(frame);
    const { Completion, OffsetCheckpoint } = frame.completionResponse;
    return (Completion ?? OffsetCheckpoint).value.offset as number;
  };

  /** An element is behind all that came before it; a checkpoint never goes back. */
  async function expectInOrder(stream: StreamClient) {
    await stream.close();
    let last = 0;
    for (const frame of stream.frames) {
      const isCheckpoint = checkpointIn(frame) !== undefined;
      expect(offsetIn(frame)).toBeGreaterThanOrEqual(isCheckpoint ? last : last + 1);
      last = offsetIn(frame);
    }
  }

  type Open = typeof updates;

  async function tenAndACheckpoint(opened: Open) {
    const begin = await quick.ledgerEnd();
    await submitTen();
    const stream = await opened(carol, begin);
    await stream.until(() => stream.elements.length === 10 && stream.checkpoints.length > 0);
    await expectInOrder(stream);
  }
  async function checkpointsForAStranger(opened: Open) {
    const begin = await quick.ledgerEnd();
    await submitTen();
    const stream = await opened(dan, begin);
    await stream.until(() => stream.checkpoints.length > 0);
    expect(stream.elements).toEqual([]);
    await expectInOrder(stream);
  }
  async function notBeforeTheBeginning(opened: Open) {
    await submitTen();
    const end = await quick.ledgerEnd();
    const stream = await opened(dan, end);
    await stream.until(() => stream.checkpoints.length > 0);
    expect(stream.elements).toEqual([]);
    for (const { offset } of stream.checkpoints) expect(offset).toBeGreaterThanOrEqual(end);
    await stream.close();
  }
  /** The stream is open before: what others do moves the checkpoint. */
  async function checkpointsForWhatOthersDo(opened: Open) {
    const stream = await opened(dan, await quick.ledgerEnd());
    await submitTen();
    const end = await quick.ledgerEnd();
    await stream.until(() => stream.checkpoints.at(-1)?.offset === end);
    expect(stream.elements).toEqual([]);
    await expectInOrder(stream);
  }

  conformanceSuite('CheckpointInTailingStreamsIT', {}, (reproduce) => {
    reproduce(
      'TXServeTailingStreamCheckpointAtTheEnd',
      'returns ten transactions and a checkpoint',
      () => tenAndACheckpoint(updates),
    );
    reproduce(
      'TXServeTailingStreamCheckpointTimeout',
      'sends checkpoints to a party without transactions',
      () => checkpointsForAStranger(updates),
    );
    reproduce(
      [
        'TXServeTailingStreamCheckpointEmptyAtLedgerEnd',
        'TXServeTailingStreamCheckpointEmptyImmediatelyAtLedgerEnd',
      ],
      'opened at the ledger end, the first checkpoint is not earlier',
      () => notBeforeTheBeginning(updates),
    );
    reproduce(
      'TXServeTailingStreamCheckpointEmpty',
      'updates of other parties advance the checkpoint',
      () => checkpointsForWhatOthersDo(updates),
    );
    reproduce(
      'CompletionsStreamCheckpointAtTheEnd',
      'returns ten completions and a checkpoint',
      () => tenAndACheckpoint(completionsOf),
    );
    reproduce(
      'CompletionsStreamCheckpointTimeout',
      'sends checkpoints to a party without completions',
      () => checkpointsForAStranger(completionsOf),
    );
    reproduce(
      [
        'CompletionsStreamCheckpointNotBeforeStartExclusiveTimeout',
        'CompletionsStreamCheckpointEmptyImmediatelyAtLedgerEnd',
      ],
      'opened at the ledger end, the first checkpoint is not earlier',
      () => notBeforeTheBeginning(completionsOf),
    );
    reproduce(
      'CompletionsStreamCheckpointEmpty',
      'updates of other parties advance the checkpoint',
      () => checkpointsForWhatOthersDo(completionsOf),
    );
  });
});
