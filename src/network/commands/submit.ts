/**
 * Processes a command on a participant in fixed phases: validate, deduplicate, interpret, route, commit. Only the last
 * phase writes. An earlier error leaves no trace except a rejected completion, if the real participant records one.
 */
import { interpret } from '../../daml/interpreter/interpreter.js';
import type { InterpreterInput } from '../../daml/interpreter/input.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { scalaList } from '../../daml/errors/scala-text.js';
import { LEDGER_TIME_TOLERANCE } from '../../daml/errors/limits.js';
import { confirmersOf, type Interpretation } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { DeduplicationPeriod } from '../model/deduplication-period.js';
import { explainRefusal, explainSubmission } from '../explanation/explain.js';
import type { PendingSubmission, Settled } from '../ledger/in-flight.js';
import { submissionInfo } from './submission-details.js';
import { laterThan, ledgerTime, ledgerTimeVerdict } from './ledger-time.js';
import { Passes } from '../routing/package-passes.js';
import type { Participant } from '../participant.js';
import { checkLanguageVersions } from '../packages/required-packages.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import { checkSubmitter } from '../routing/common-synchronizers.js';
import { logRejection } from '../routing/rejection-report.js';
import type { StoredCommand } from '../administration/recent-commands.js';
import { SubmissionInput } from './submission-input.js';
import { protocolFor } from '../routing/interpretation-protocol.js';
import { disclosedSynchronizer } from '../routing/disclosed-synchronizer.js';
import { routedOf, type Interpreted, type Routed } from './routed.js';
import { moveInputs } from './move-inputs.js';
import { validateSubmission, type Submission } from '../submission/submission.js';
import { SubmissionLogging } from '../submission/submission-logging.js';
import { costOfTransaction, debitUpdate, rememberCost, senderOf } from '../traffic/update-cost.js';
import type { SubmissionResult } from '../ledger/in-flight.js';
import { unconfirmed } from '../routing/confirmers.js';
import { conflictingCalls, malformedRequest, resultsByRoot } from '../extensions/conflicts.js';
import { callsIn } from '../extensions/replay.js';
import { externalCallVerdict } from '../extensions/verdict.js';
import { limitVerdict } from '../routing/limit-verdict.js';
import { vettingVerdict } from '../routing/vetting-verdict.js';
import type { SubmissionInfo, TransactionUpdate } from '../model/updates.js';

/**
 * @param mayWait whether the caller can wait: on the wall clock, a submission with a future ledger time is delayed
 * until then (B-CMD-070)
 * @throws LedgerError for a synchronous rejection
 */
export function submit(
  participant: Participant,
  submission: Submission,
  mayWait = false,
): SubmissionResult<TransactionUpdate> {
  try {
    validate(participant, submission);
    const { actAs, synchronizerId, externallySigned } = submission;
    checkSubmitter(participant, actAs, synchronizerId, externallySigned);
    const result = process(participant, submission, mayWait);
    if (result.kind === 'rejected') explainRefusal(participant, submission, result.error);
    return result;
  } catch (error) {
    explainRefusal(participant, submission, error);
    throw error;
  }
}

const loggingOf = ({ ledger, deduplication }: Participant, submission: Submission) =>
  new SubmissionLogging(ledger, submission, deduplication.defaultPeriod);

function validate(participant: Participant, submission: Submission): void {
  try {
    validateSubmission(submission, participant.ledger.clock);
  } catch (error) {
    throw loggingOf(participant, submission).invalid(error);
  }
}

/** Runs the commands of a submission, with the packages of a later pass if it is not the first one. */
function interpretPass(
  participant: Participant,
  submission: Submission,
  chosen: Submission,
  effectiveAt: Timestamp,
): Interpretation {
  try {
    return runCommands(participant, chosen, effectiveAt);
  } catch (error) {
    throw loggingOf(participant, submission).refused(error);
  }
}

function process(
  participant: Participant,
  submission: Submission,
  mayWait: boolean,
): SubmissionResult<TransactionUpdate> {
  const info = submissionInfo(participant, submission);
  const { clock, inFlight, externalCalls } = participant.ledger;
  let effectiveAt = ledgerTime(submission, externalCalls.timeOf(clock.now()));
  let passes: Passes | undefined;
  for (let chosen = submission; ;) {
    const transaction = interpretPass(participant, submission, chosen, effectiveAt);
    const later = laterThan(effectiveAt, participant, chosen, transaction);
    if (later !== undefined) {
      effectiveAt = later;
      continue;
    }
    const { rollsBackEffects } = protocolFor(participant, chosen);
    const interpreted = {
      transaction,
      effectiveAt,
      rollsBackEffects,
      verdict: ledgerTimeVerdict,
    };
    let routed: Routed;
    try {
      routed = routedOf(participant, chosen, interpreted);
    } catch (error) {
      passes ??= new Passes(participant, submission);
      chosen = passes.after(transaction, error);
      continue;
    }
    return mayWait && clock.mode === 'wall' && inFlight.isAhead(effectiveAt)
      ? hold(participant, chosen, info, interpreted, routed)
      : sequence(participant, chosen, info, interpreted, routed);
  }
}

/** Sequences it at its ledger time. */
function hold(
  participant: Participant,
  submission: Submission,
  info: SubmissionInfo,
  interpreted: Interpreted,
  routed: Routed,
): SubmissionResult<TransactionUpdate> {
  const send = () => sequence(participant, submission, info, interpreted, routed, true);
  return participant.ledger.inFlight.hold({ participant, info, send }, interpreted.effectiveAt);
}

/**
 * Reassigns inputs, deduplicates, and commits or records the rejection.
 * @param hasWaited since its routing, so that the topology may have changed
 * @throws LedgerError for a synchronous rejection
 */
export function sequence(
  participant: Participant,
  submission: Submission,
  info: SubmissionInfo,
  interpreted: Interpreted,
  routed: Routed,
  hasWaited = false,
): SubmissionResult<TransactionUpdate> {
  // NOTE: without closures, because each submission comes here.
  try {
    if (routed.moves.length > 0 && callsIn(interpreted.transaction).length > 0)
      foresee(participant, submission, info, interpreted, routed, hasWaited);
    const result = moveAndCommit(participant, submission, info, interpreted, routed, hasWaited);
    if (result.kind === 'rejected')
      explainRefusal(participant, submission, result.error, interpreted);
    return result;
  } catch (error) {
    explainRefusal(participant, submission, error, interpreted);
    throw error;
  }
}

function foresee(...sent: Parameters<typeof moveAndCommit>): void {
  const [participant] = sent;
  participant.ledger.externalCalls.foresee(() => moveAndCommit(...sent));
}

function moveAndCommit(
  participant: Participant,
  submission: Submission,
  info: SubmissionInfo,
  interpreted: Interpreted,
  routed: Routed,
  hasWaited: boolean,
): SubmissionResult<TransactionUpdate> {
  const { ledger, deduplication } = participant;
  const isPaused = ledger.isPaused(routed.synchronizerId);
  if (!isPaused) moveInputs(participant, submission, info, routed);
  return ledger.journal.atomically(() => {
    ledger.inFlight.requireNew(participant, info);
    const { deduplicationPeriod } = submission;
    const { since, refusal } = deduplication.check(info, ledger.clock.now(), deduplicationPeriod);
    const sent = new Sent(participant, submission, info, interpreted, routed, since);
    if (refusal !== undefined) return sent.reject(refusal.error, refusal.period);
    return isPaused ? ledger.inFlight.add(sent.pending()) : sent.commit(hasWaited);
  });
}

/** A routed submission, which is ready to be validated and committed, now or later. */
class Sent {
  private readonly imposed: Ledger['imposed'];

  constructor(
    private readonly participant: Participant,
    private readonly submission: Submission,
    private readonly info: SubmissionInfo,
    private readonly interpreted: Interpreted,
    private readonly route: Routed,
    /** The start of its deduplication period; undefined for a duplicate. */
    private readonly deduplicationOffset: number | undefined,
  ) {
    this.imposed = participant.ledger.imposed;
  }

  commit(hasWaited: boolean): Settled<TransactionUpdate> {
    const { participant, submission, info, interpreted, deduplicationOffset } = this;
    const { ledger, log } = participant;
    const { synchronizerId, witnesses } = this.route;
    const { transaction, effectiveAt, externalTransactionHash, externalAuthorization } =
      interpreted;
    const conflict = conflictingCalls(resultsByRoot(transaction));
    if (conflict !== undefined)
      return this.reject(
        malformedRequest(conflict, ledger.synchronizer(synchronizerId)!.printedId),
      );
    const tooDear = participant.trafficAccounts?.refusal(info.actAs, () => this.cost());
    if (tooDear) return this.reject(tooDear);
    let paid: number | undefined;
    const unpaid = ledger.traffic.charge(
      synchronizerId,
      participant.id,
      () => (paid = this.cost()),
    );
    if (unpaid) return this.reject(unpaid);
    const verdict =
      this.imposed?.({ inputs: transaction.inputs, confirmers: confirmersOf(transaction) }) ??
      limitVerdict(ledger.protocolOf(synchronizerId), info.actAs) ??
      interpreted.verdict(effectiveAt, ledger.clock.now() + 1n) ??
      contractVerdict(ledger, transaction, synchronizerId) ??
      externalCallVerdict(ledger, transaction, synchronizerId) ??
      (hasWaited
        ? vettingVerdict(participant, { transaction, witnesses, effectiveAt }, synchronizerId)
        : undefined) ??
      (ledger.hasCutOff(synchronizerId)
        ? unconfirmed(ledger, synchronizerId, confirmersOf(transaction))
        : undefined);
    if (verdict) return this.refuse(verdict);
    const update = ledger.commit(
      {
        kind: 'transaction',
        synchronizerId,
        effectiveAt,
        transaction,
        witnesses,
        externalTransactionHash,
        externalAuthorization,
        submission: info,
        workflowId: submission.workflowId ?? '',
        traceContext: submission.traceContext,
      },
      { participantId: participant.id, deduplicationOffset },
    ) as TransactionUpdate;
    if (paid !== undefined) rememberCost(update, paid);
    interpreted.onSequenced?.(update.recordTime);
    const completionOffset = update.offsets.get(participant.id) ?? log.end;
    debitUpdate(participant, update, completionOffset);
    participant.recentCommands.succeed(this.loggedCommand(true, completionOffset));
    return { kind: 'accepted', update, completionOffset };
  }

  /** A rejection by the confirming participants or the mediator, if the submission reached them. */
  private refuse(error: LedgerError): Settled<TransactionUpdate> {
    const refused = this.reject(error);
    const isFirst = error.code !== 'DUPLICATE_CONFIRMATION_REQUEST_UUID';
    if (isFirst && this.wasSequenced(error))
      this.interpreted.onSequenced?.(this.participant.ledger.clock.latest);
    return refused;
  }

  reject(error: LedgerError, period = this.periodOf(error)): Settled<TransactionUpdate> {
    const { participant, submission, info, interpreted, route } = this;
    const { synchronizerId } = route;
    const { traceContext } = submission;
    const { externalTransactionHash } = interpreted;
    const paid = this.wasSequenced(error) ? this.cost() : undefined;
    logRejection(participant, error, {
      synchronizerId,
      confirmers: () => confirmersOf(interpreted.transaction),
      isSigned: externalTransactionHash !== undefined,
    });
    const request = { info, synchronizerId, traceContext, externalTransactionHash, paid };
    const completionOffset = participant.reject(error, request, period);
    participant.recentCommands.fail(this.loggedCommand(this.wasSequenced(error), completionOffset));
    return { kind: 'rejected', error, completionOffset };
  }

  /** The command for the log of the participant's operator. */
  private loggedCommand(isSent: boolean, offset: number): StoredCommand {
    const { submission, interpreted, info } = this;
    const { commands, namedCommands: named, workflowId = '' } = submission;
    const { nodes } = interpreted.transaction;
    return { commands, named, workflowId, nodes, isSent, offset, info };
  }

  /** The completion of a submission that was never sequenced has no deduplication period. */
  private periodOf(error: LedgerError): DeduplicationPeriod | undefined {
    return this.wasSequenced(error)
      ? { kind: 'offset', offset: this.deduplicationOffset! }
      : undefined;
  }

  private wasSequenced({ code }: LedgerError): boolean {
    return this.deduplicationOffset !== undefined && !NEVER_SEQUENCED.has(code);
  }

  private cost(): number {
    const { participant, submission, info, interpreted, deduplicationOffset } = this;
    const { ledger } = participant;
    return ledger.traffic.cost(() =>
      costOfTransaction(participant, this.route.synchronizerId, interpreted.transaction, {
        ...senderOf(info),
        workflowId: submission.workflowId ?? '',
        deduplicationPeriod: { kind: 'offset', offset: deduplicationOffset ?? 0 },
        external: interpreted.externalAuthorization,
        recordTime: ledger.clock.now(),
      }),
    );
  }

  /** For a paused synchronizer. */
  pending(): PendingSubmission<TransactionUpdate> {
    const { participant, submission, info, interpreted, route } = this;
    const { effectiveAt } = interpreted;
    return {
      participant,
      info,
      synchronizerId: route.synchronizerId,
      maxSequencingTime: effectiveAt + LEDGER_TIME_TOLERANCE,
      sequence: () =>
        explainSubmission(participant, submission, interpreted, () => {
          moveInputs(participant, submission, info, route);
          return this.commit(true);
        }),
      reject: (error) => this.reject(error),
    };
  }
}

const NEVER_SEQUENCED: ReadonlySet<string> = new Set([
  'NOT_SEQUENCED_TIMEOUT',
  'SEQUENCER_REQUEST_FAILED',
  'MALFORMED_REQUEST',
  'TRAFFIC_ACCOUNT_VALIDATION_FAILED',
  'TRAFFIC_MULTI_PARTY_SUBMISSION_REJECTED',
]);

const NOTHING_MORE = {};

export function runCommands(
  participant: Participant,
  submission: Submission,
  effectiveAt: Timestamp,
  more: Partial<Pick<InterpreterInput, 'seed' | 'onTime' | 'externalCall'>> = NOTHING_MORE,
): Interpretation {
  if (submission.errors?.preprocessing) throw submission.errors.preprocessing;
  const input = new SubmissionInput(participant, submission, effectiveAt, more);
  const transaction = interpret(input);
  checkLanguageVersions(input.protocol, participant.packages, transaction);
  disclosedSynchronizer(submission, transaction);
  return transaction;
}

/** Inputs must be active on the synchronizer of the transaction. */
function contractVerdict(
  { contracts }: Ledger,
  { inputs }: Interpretation,
  synchronizerId: SynchronizerId,
): LedgerError | undefined {
  if (inputs.length === 0) return undefined;
  const inactive = inputs.filter((id) => {
    const state = contracts.state(id);
    return state?.kind !== 'active' || state.synchronizerId !== synchronizerId;
  });
  if (inactive.length === 0) return undefined;
  return ledgerError('LOCAL_VERDICT_INACTIVE_CONTRACTS', {
    cause: 'Rejected transaction is referring to inactive contracts ',
    context: { CONTRACT_ID: scalaList(inactive) },
    resources: inactive.map((id) => ['CONTRACT_ID', id] as const),
    explanation: inactive.some((id) => contracts.get(id) === undefined)
      ? 'A disclosed contract is of another ledger, or a revert took its creation back.'
      : 'A disclosed contract was archived or moved after its blob was fetched. Fetch it again.',
  });
}
