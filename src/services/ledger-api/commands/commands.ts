/** The command services: submit and wait, submit, and completions. */
import { sha256 } from '../../../daml/model/hash.js';
import { checkUserId, partyError, requireArgument } from '../../../daml/model/identifiers.js';
import { logged, loggedIn, QUOTED, UNTRACED } from '../../../daml/errors/logging-context.js';
import { formatInstant } from '../../../daml/model/time.js';
import type { Party } from '../../../daml/model/values.js';
import type { DeduplicationPeriod } from '../../../network/model/deduplication-period.js';
import { partiesOf, wildcardFor } from '../../../network/reading/event-format.js';
import { multihash } from '../../../network/model/ids.js';
import type { ParticipantLog } from '../../../network/ledger/participant-log.js';
import type { Participant } from '../../../network/participant.js';
import { projectTransaction, projectUpdate } from '../../../network/reading/projection.js';
import { submitReassignment } from '../../../network/commands/reassign.js';
import {
  missingField,
  negativeOffset,
  offsetAfterLedgerEnd,
  prunedDataAccessed,
} from '../../../network/model/request-errors.js';
import { submit } from '../../../network/commands/submit.js';
import { correlated, traceOf } from '../../../network/ledger/submission-info.js';
import { paidTrafficCost } from '../../../network/traffic/update-cost.js';
import type { Completion, TransactionUpdate } from '../../../network/model/updates.js';
import type {
  CompletionStreamRequest,
  CompletionStreamResponse,
  GetCompletionsRequest,
  TraceContext,
} from '../../../spec/generated/ledger.js';
import type { LedgerContext, SomeHandlers } from '../../handler.js';
import type { Checkpoint } from '../../streams/checkpoints.js';
import { LogStream } from '../../streams/element-stream.js';
import { checkEventFormat, checkTransactionFormat } from '../formats/formats.js';
import { renderReassignment, renderTransaction, traceContextOf } from '../formats/render.js';
import type { ApiVersion } from '../../../spec/versions.js';
import { resolveFormat } from '../formats/resolve-format.js';
import { rpcStatus } from '../formats/rpc-status.js';
import { untracedCall } from '../formats/writing.js';
import { submitAndRead, updateAndOffset, whenSent } from './submit-and-read.js';
import { updateNotFound } from '../updates/updates.js';
import { openList } from '../formats/stream-list.js';
import { toReassignment, toSubmission } from './translate.js';

/** The transaction of the command; without a format, the submitters' view of its effect. */
export function readTransaction(
  context: Pick<LedgerContext, 'participant' | 'values' | 'apiVersion'>,
  update: TransactionUpdate,
  offset: number,
  checked: ReturnType<typeof checkTransactionFormat> | undefined,
  submitters: readonly Party[],
) {
  const { participant, values } = context;
  const eventFormat = checked
    ? loggedIn(UNTRACED, () => resolveFormat(participant.packages, checked.eventFormat))
    : wildcardFor(submitters);
  const { shape } = checked ?? { shape: 'ACS_DELTA' };
  const events = projectTransaction(participant, update, { eventFormat, shape });
  // If the format shows no part of a transaction, the answer has the transaction without its events (B-CMD-006).
  const parties = events.length === 0 ? undefined : partiesOf(eventFormat);
  const writer = values.writer(eventFormat.verbose);
  return renderTransaction(
    { participant, writer, call: untracedCall(context), parties },
    { kind: 'transaction', update, offset, events },
  );
}

type CompletionContext = Pick<LedgerContext, 'participant' | 'apiVersion'>;

export const commands = {
  'postV2CommandsSubmit-and-wait': (context, { body }) => {
    const submission = toSubmission(context, body);
    const submitted = () => submit(context.participant, submission, true);
    return submitAndRead(context, submitted, updateAndOffset);
  },

  'postV2CommandsSubmit-and-wait-for-transaction': (context, { body }) => {
    const { participant } = context;
    const { actAs, readAs = [] } = body.commands;
    const submission = toSubmission(context, body.commands);
    const { transactionFormat: format } = body;
    const checked =
      format &&
      correlated(context.network, body.commands.submissionId, () =>
        checkTransactionFormat(context, format),
      );
    return submitAndRead(
      context,
      () => submit(participant, submission, true),
      (update, offset) => ({
        transaction: readTransaction(context, update, offset, checked, [...actAs, ...readAs]),
      }),
    );
  },

  'postV2CommandsSubmit-and-wait-for-reassignment': (context, { body }) => {
    const { participant, values } = context;
    const submission = toReassignment(context, body.reassignmentCommands!);
    const { eventFormat: format } = body;
    const checked =
      format &&
      correlated(context.network, submission.submissionId, () => checkEventFormat(context, format));
    return submitAndRead(
      context,
      () => submitReassignment(participant, submission),
      (update, offset) => {
        const reassignments =
          checked && loggedIn(UNTRACED, () => resolveFormat(participant.packages, checked));
        const format = { transactions: undefined, reassignments, topology: undefined };
        const view = projectUpdate(participant, update, format);
        // Without a format, the answer has the reassignment without events. With a format that hides all of them, it is
        // an error (B-RSG-006).
        if (reassignments && !view)
          throw updateNotFound('UPDATE_ID', update.updateId).logIn(UNTRACED);
        const events = view?.kind === 'reassignment' ? view.events : [];
        const parties = reassignments && partiesOf(reassignments);
        const writer = values.writer(reassignments?.verbose ?? false);
        const reader = { participant, writer, call: untracedCall(context), parties };
        return {
          reassignment: renderReassignment(reader, {
            kind: 'reassignment',
            update,
            offset,
            events,
          }),
        };
      },
    );
  },

  postV2CommandsAsyncSubmit: (context, { body }) => {
    const result = submit(context.participant, toSubmission(context, body), true);
    return result.kind === 'inFlight' && result.pending.send !== undefined
      ? whenSent(context.network, result.pending)
      : {};
  },

  'postV2CommandsAsyncSubmit-reassignment': (context, { body }) => {
    submitReassignment(context.participant, toReassignment(context, body.reassignmentCommands!));
    return {};
  },

  postV2CommandsCompletions: (context, { body, query }) => {
    return openList(context, completionStream(context, body), query);
  },

  'postV2CommandsCommand-completions': (context, { body, query }) => {
    return openList(context, commandCompletionStream(context, body), query);
  },
} satisfies SomeHandlers<'ledger'>;

/** Completions of one user's commands: existing ones, then new ones. */
export const completionStream = logged(QUOTED, openCompletions);

function openCompletions(
  context: CompletionContext,
  { userId = '', parties, beginExclusive: begin = 0 }: CompletionStreamRequest,
): LogStream<CompletionStreamResponse> {
  checkUserId(userId, 'user_id');
  checkCompletionRequest(context, parties, begin);
  if (parties.length === 0) throw missingField('parties');
  const wanted = (completion: Completion): Completion | undefined =>
    completion.userId === userId ? forParties(completion, parties) : undefined;
  return completionsFrom(context, begin, parties, wanted);
}

/** Completions of the commands of all users; only those of the named parties, if the request names any. */
export const commandCompletionStream = logged(QUOTED, openCommandCompletions);

function openCommandCompletions(
  context: CompletionContext,
  { parties = [], beginExclusive: begin = 0 }: GetCompletionsRequest,
): LogStream<CompletionStreamResponse> {
  checkCompletionRequest(context, parties, begin);
  const isEveryones = parties.length === 0;
  const wanted = (completion: Completion): Completion | undefined =>
    isEveryones ? completion : forParties(completion, parties);
  return completionsFrom(context, begin, isEveryones ? undefined : parties, wanted);
}

/** B-CMP-006, except pruning, which is checked last. */
function checkCompletionRequest(
  { participant }: CompletionContext,
  parties: readonly string[],
  begin: number,
): void {
  const { log } = participant;
  for (const party of parties) requireArgument(partyError, party);
  if (begin < 0) throw negativeOffset('begin_exclusive', begin);
  if (begin > log.end) throw offsetAfterLedgerEnd('Begin', begin, log.end);
}

/** Shows a completion if its submitters include requested parties, and shows only these parties (B-CMP-004). */
function forParties(completion: Completion, parties: readonly string[]): Completion | undefined {
  const actAs = completion.actAs.filter((party) => parties.includes(party));
  return actAs.length > 0 ? { ...completion, actAs } : undefined;
}

function completionsFrom(
  { participant, apiVersion }: CompletionContext,
  begin: number,
  parties: readonly string[] | undefined,
  wanted: (completion: Completion) => Completion | undefined,
): LogStream<CompletionStreamResponse> {
  const { log } = participant;
  requireUnprunedCompletions(log, begin, log.end);
  function* find(
    low: number,
    high: number,
  ): Generator<{ offset: number; element: CompletionStreamResponse }> {
    // While a slow reader waits, pruning may remove its next completion.
    if (low < Math.min(high, log.forgottenUpTo)) requireUnprunedCompletions(log, low, high);
    for (const { offset, completion } of log.between(low, high)) {
      const shown = completion && wanted(completion);
      if (shown === undefined) continue;
      const value = renderCompletion(participant, shown, apiVersion);
      yield { offset, element: { completionResponse: { Completion: { value } } } };
    }
  }
  const checkpoint = ({ message }: Checkpoint): CompletionStreamResponse => ({
    completionResponse: { OffsetCheckpoint: { value: message } },
  });
  const upTo = (): number => log.completedUpTo;
  return new LogStream(log, { begin }, { parties, find, checkpoint, upTo });
}

function requireUnprunedCompletions(
  { prunedUpTo }: ParticipantLog,
  from: number,
  to: number,
): void {
  if (from < prunedUpTo)
    throw prunedDataAccessed(
      `Command completions request from ${from + 1} to ${to} overlaps with pruned offset ${prunedUpTo}`,
      prunedUpTo,
    );
}

export function renderCompletion(
  participant: Participant,
  completion: Completion,
  release?: ApiVersion,
) {
  const { commandId, updateId, userId, actAs, submissionId, offset, synchronizerId } = completion;
  const update = participant.log.entry(offset)?.update;
  const traceContext = completionTrace(participant, completion);
  const traceId = traceContext.traceparent?.split('-')[1];
  return {
    commandId,
    status:
      completion.error === undefined
        ? { code: 0, message: '' }
        : rpcStatus(completion.error, { participant: participant.name, traceId }, release),
    updateId,
    userId,
    actAs: [...actAs],
    submissionId,
    deduplicationPeriod: renderPeriod(completion.deduplicationPeriod),
    traceContext,
    offset,
    synchronizerTime: { synchronizerId, recordTime: formatInstant(completion.recordTime) },
    paidTrafficCost:
      update === undefined
        ? (completion.paidTrafficCost ?? 0)
        : paidTrafficCost(participant, update),
    transactionHash:
      completion.externalTransactionHash === undefined
        ? undefined
        : Buffer.from(completion.externalTransactionHash, 'hex').toString('base64'),
  };
}

/** A rejected command without a trace has no update to derive a trace from. */
function completionTrace(
  { id, ledger }: Participant,
  { traceContext: trace, updateId, offset }: Completion,
): TraceContext {
  const traceContext = traceOf(ledger.random, trace);
  if (traceContext !== undefined || updateId !== '')
    return traceContextOf({ traceContext, updateId });
  return traceContextOf({ updateId: multihash(sha256(`rejected/${id}/${offset}`)) });
}

function renderPeriod(period: DeduplicationPeriod | undefined) {
  if (period === undefined) return { Empty: {} };
  if (period.kind === 'offset') return { DeduplicationOffset: { value: period.offset } };
  const seconds = Number(period.microseconds / 1_000_000n);
  const nanos = Number(period.microseconds % 1_000_000n) * 1000;
  return { DeduplicationDuration: { value: { seconds, nanos, unknownFields: { fields: {} } } } };
}
