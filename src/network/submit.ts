/**
 * The way of a command through a participant, in fixed phases: validate, deduplicate, interpret, route, commit. Only the last one
 * writes; whatever fails before leaves nothing behind but, where the real one has it, a rejected completion.
 */
import { interpret, type InterpreterInput } from '../daml/interpreter.js';
import { ledgerError, type LedgerError } from '../daml/ledger-error.js';
import type { ContractInstance, Transaction } from '../daml/transaction.js';
import type { ContractId, Party, Timestamp } from '../daml/values.js';
import { explainInterpretation, explainSubmission } from './explain.js';
import type { Settled } from './in-flight.js';
import { inPasses } from './package-passes.js';
import type { Participant } from './participant.js';
import { reassignForTransaction } from './reassign.js';
import { checkLanguageVersions } from './required-packages.js';
import type { SynchronizerId } from './ids.js';
import type { Network } from './network.js';
import { checkSubmitter } from './routing-topology.js';
import { route, type Move } from './routing.js';
import { StoredSubmissionInfo } from './submission-info.js';
import {
  validateSubmission,
  type DisclosedContract,
  type Submission,
  type SubmissionResult,
} from './submission.js';
import type { SubmissionInfo, TransactionUpdate } from './updates.js';
import { witnessesOf } from './visibility.js';

/** How far ledger time and record time may be apart; Canton's default, one minute. */
export const LEDGER_TIME_TOLERANCE = 60_000_000n;

/** @throws LedgerError for a synchronous refusal */
export function submit(
  participant: Participant,
  submission: Submission,
): SubmissionResult<TransactionUpdate> {
  return explainSubmission(participant, submission, () => {
    validateSubmission(submission);
    const { actAs, synchronizerId, externallySigned } = submission;
    checkSubmitter(participant, actAs, synchronizerId, externallySigned);
    if (submission.faults?.preprocessing) throw submission.faults.preprocessing;
    return participant.network.journal.atomically(() => process(participant, submission));
  });
}

function process(
  participant: Participant,
  submission: Submission,
): SubmissionResult<TransactionUpdate> {
  const info = submissionInfo(participant, submission);
  const { clock } = participant.network;
  const effectiveAt = ledgerTime(submission, clock.now());
  const verdict = () => timeVerdict(effectiveAt, clock.now());
  return inPasses(participant, submission, (chosen, drafted) => {
    const transaction = runCommands(participant, chosen, effectiveAt);
    drafted(transaction);
    return sequence(participant, chosen, info, { transaction, effectiveAt, verdict });
  });
}

/** What came of the commands of a submission. */
export interface Interpreted {
  readonly transaction: Transaction;
  readonly effectiveAt: Timestamp;
  /** Why the confirming participants refuse it, whatever its inputs; asked when it is sequenced. */
  readonly verdict: () => LedgerError | undefined;
  readonly onAccepted?: (update: TransactionUpdate) => void;
  /** Hexadecimal; of what an external party signed. */
  readonly externalTransactionHash?: string;
}

/** Routes, deduplicates, and commits or records the refusal. @throws LedgerError for a synchronous refusal */
export function sequence(
  participant: Participant,
  submission: Submission,
  info: SubmissionInfo,
  interpreted: Interpreted,
): SubmissionResult<TransactionUpdate> {
  const { transaction } = interpreted;
  const run = () => routeAndCommit(participant, submission, info, interpreted);
  return explainSubmission(participant, submission, run, transaction);
}

function routeAndCommit(
  participant: Participant,
  submission: Submission,
  info: SubmissionInfo,
  interpreted: Interpreted,
): SubmissionResult<TransactionUpdate> {
  const { transaction, effectiveAt, externalTransactionHash } = interpreted;
  const { network, deduplication, log } = participant;
  const now = network.clock.now();
  const witnesses = witnessesOf(network.partySets, transaction);
  const { synchronizerId, moves } = route(participant, submission, transaction, witnesses);
  const start = deduplication.periodStart(submission.deduplicationPeriod, now);
  const rejected = (error: LedgerError, period = start): Settled<TransactionUpdate> => ({
    kind: 'rejected',
    error,
    completionOffset: participant.reject(
      info,
      error,
      synchronizerId,
      period,
      submission.traceContext,
      externalTransactionHash,
    ),
  });
  const duplicate = deduplication.duplicate(info, start);
  if (duplicate) return rejected(duplicate.error, duplicate.existing.offset - 1);
  const commit = (): Settled<TransactionUpdate> => {
    const verdict =
      interpreted.verdict() ?? contractVerdict(network, transaction, moves, synchronizerId);
    if (verdict) return rejected(verdict);
    reassignForTransaction(participant, submission, synchronizerId, moves);
    const update = network.commit(
      {
        kind: 'transaction',
        synchronizerId,
        effectiveAt,
        transaction,
        witnesses,
        externalTransactionHash,
        submission: info,
        workflowId: submission.workflowId ?? '',
        traceContext: submission.traceContext,
      },
      { participantId: participant.id, deduplicationOffset: start },
    ) as TransactionUpdate;
    interpreted.onAccepted?.(update);
    return {
      kind: 'accepted',
      update,
      completionOffset: update.offsets.get(participant.id) ?? log.end,
    };
  };
  if (!network.isPaused(synchronizerId)) return commit();
  return network.inFlight.add({
    participant,
    info,
    synchronizerId,
    maxSequencingTime: effectiveAt + LEDGER_TIME_TOLERANCE,
    sequence: () => explainSubmission(participant, submission, commit, transaction),
    reject: rejected,
  });
}

export function submissionInfo(participant: Participant, submission: Submission): SubmissionInfo {
  const { random, nextNumber, partySets } = participant.network;
  return new StoredSubmissionInfo(
    random,
    submission.submissionId || nextNumber,
    participant.id,
    submission.userId,
    submission.commandId,
    partySets.of(submission.actAs),
  );
}

/** The earliest time that is asked for, but not before now. */
export function ledgerTime(submission: Submission, now: Timestamp): Timestamp {
  const earliest = submission.minLedgerTimeAbs ?? now + (submission.minLedgerTimeRel ?? 0n);
  return earliest > now ? earliest : now;
}

export function runCommands(
  participant: Participant,
  submission: Submission,
  effectiveAt: Timestamp,
  more: Partial<Pick<InterpreterInput, 'seed' | 'onTime'>> = {},
): Transaction {
  const { network } = participant;
  const { actAs, readAs = [] } = submission;
  const isReader = (party: Party): boolean => actAs.includes(party) || readAs.includes(party);
  const disclosed = disclosedById(submission);
  const input: InterpreterInput = {
    commands: submission.commands,
    actAs: submission.actAs,
    ledgerTime: effectiveAt,
    seed: more.seed ?? network.random.bytesAt('transaction', network.nextNumber),
    onTime: more.onTime,
    rollsBackEffects: network.protocol.rollsBackEffects,
    packages: participant.packagesFor(submission.packageIdSelectionPreference),
    partySets: network.partySets,
    contract: (id) => {
      const shown = disclosed.get(id);
      return shown ? authentic(shown) : visibleContract(participant, id, isReader);
    },
    contractsByKey: ({ hash }) =>
      contractsByKey(
        hash,
        disclosed,
        submission.keysOfDisclosedOnly ? [] : visibleWithKey(participant, hash, isReader),
      ),
    onRefusal: explainInterpretation(participant, submission, () => input),
  };
  const transaction = interpret(input);
  checkLanguageVersions(network.protocol, participant.packages, transaction);
  return transaction;
}

/** What is disclosed comes first, in the order of the request. */
function* contractsByKey(
  hash: string,
  disclosed: ReadonlyMap<ContractId, DisclosedContract>,
  visible: Iterable<ContractInstance>,
): Generator<ContractInstance, void, undefined> {
  for (const shown of disclosed.values())
    if (shown.contract.key?.hash === hash) yield authentic(shown);
  for (const contract of visible) if (!disclosed.has(contract.contractId)) yield contract;
}

function* visibleWithKey(
  participant: Participant,
  hash: string,
  isReader: (party: Party) => boolean,
): Generator<ContractInstance, void, undefined> {
  for (const id of participant.network.contracts.withKey(hash)) {
    const contract = visibleContract(participant, id, isReader);
    if (contract !== undefined) yield contract;
  }
}

/** Not archived, and with a reader among its stakeholders; contracts in flight are found here and refused by routing. */
function visibleContract(
  participant: Participant,
  id: ContractId,
  isReader: (party: Party) => boolean,
): ContractInstance | undefined {
  const { contracts } = participant.network;
  const stored = contracts.get(id);
  if (stored === undefined || stored.archival !== undefined) return undefined;
  if (!participant.hostsStakeholder(stored.instance)) return undefined;
  const { signatories, observers } = stored.instance;
  return signatories.some(isReader) || observers.some(isReader) ? stored.instance : undefined;
}

const NOTHING_DISCLOSED: ReadonlyMap<ContractId, DisclosedContract> = new Map();

function disclosedById(submission: Submission): ReadonlyMap<ContractId, DisclosedContract> {
  if (submission.disclosedContracts === undefined) return NOTHING_DISCLOSED;
  const byId = new Map<ContractId, DisclosedContract>();
  for (const disclosed of submission.disclosedContracts)
    byId.set(disclosed.contract.contractId, disclosed);
  return byId;
}

/** Only when it is used does it count that a disclosed contract is not what its id says. */
function authentic({ contract, fault }: DisclosedContract): ContractInstance {
  if (fault) throw fault;
  return contract;
}

/** What the confirming participants would refuse: it comes back with a completion. */
function timeVerdict(effectiveAt: Timestamp, now: Timestamp): LedgerError | undefined {
  if (effectiveAt - now <= LEDGER_TIME_TOLERANCE) return undefined;
  return ledgerError(
    'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND',
    `Rejected transaction due to delay between ledger time ${effectiveAt} and record time ${now}`,
  );
}

/** An input must be active where the transaction is sequenced, or be on its way there. */
function contractVerdict(
  { contracts }: Network,
  { inputs }: Transaction,
  moves: readonly Move[],
  synchronizerId: SynchronizerId,
): LedgerError | undefined {
  if (inputs.length === 0) return undefined;
  const inactive = inputs.filter((id) => {
    const state = contracts.state(id);
    if (state?.kind !== 'active') return true;
    return (
      state.synchronizerId !== synchronizerId && !moves.some(({ contractId }) => contractId === id)
    );
  });
  if (inactive.length === 0) return undefined;
  return ledgerError('LOCAL_VERDICT_INACTIVE_CONTRACTS', {
    cause: `Rejected transaction is referring to inactive contracts ${inactive.join(', ')}`,
    resources: inactive.map((id) => ['CONTRACT_ID', id] as const),
    explanation:
      'A disclosed contract was archived or moved after its blob was fetched. Fetch it again.',
  });
}
