/**
 * Prepares a transaction for external signing: runs the commands, and returns the result with its hash. Nothing is
 * recorded (B-INT-030).
 */
import { createdEventBytes } from '../../daml/contract/created-event-blob.js';
import { invariant, ledgerError, LedgerError } from '../../daml/errors/ledger-error.js';
import { loggedIn, PLAIN } from '../../daml/errors/logging-context.js';
import {
  commandsOf,
  type ContractInstance,
  type Interpretation,
  type Transaction,
} from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { explainRefusal } from '../explanation/explain.js';
import { estimateCost, type CostEstimation, type CostHints } from './cost.js';
import { estimateMoves, type MovingCost } from './moving-cost.js';
import { ObservedTime, type TimeBounds } from './times.js';
import { protocolFor } from '../routing/interpretation-protocol.js';
import { Passes } from '../routing/package-passes.js';
import type { Participant } from '../participant.js';
import { HashTrace } from './prepared/hash-trace.js';
import { hashPrepared, OutdatedScheme } from './prepared/hashing.js';
import type { HashingVersion } from '../model/protocol.js';
import { Prepared, type ProtoInputContract, type ProtoPrepared } from './prepared/messages.js';
import { inOrderOfEngine } from './prepared/node-order.js';
import { rememberPrepared } from './prepared/recently-prepared.js';
import {
  contractSeed,
  toProtoContract,
  toProtoTransaction,
  usingPackages,
} from './prepared/transaction-messages.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { hashingError, type Protocol } from '../model/protocol.js';
import { checkSubmitter } from '../routing/common-synchronizers.js';
import { route, type Route } from '../routing/routing.js';
import { validateSubmission, type Submission } from '../submission/submission.js';
import { SubmissionLogging } from '../submission/submission-logging.js';
import { commandIdOf } from '../ledger/submission-info.js';
import { conflictingCalls, resultsByRoot } from '../extensions/conflicts.js';
import { laterThan, ledgerTime } from '../commands/ledger-time.js';
import { runCommands } from '../commands/submit.js';
import { witnessesOf } from '../routing/visibility.js';

interface PreparationOptions {
  readonly hashingVersion: HashingVersion;
  /** The latest record time of the transaction. */
  readonly maxRecordTime?: Timestamp;
  /** Absent if no estimate is requested. */
  readonly costHints?: CostHints;
  /** Whether to return the hashing details. */
  readonly explainsHash?: boolean;
}

interface PreparedTransaction {
  /** In base64. */
  readonly text: string;
  readonly hash: Uint8Array;
  readonly hashingDetails: string | undefined;
  readonly cost: WholeCost | undefined;
}

interface WholeCost extends CostEstimation {
  /** Empty before release 3.7. */
  readonly moves: readonly MovingCost[];
}

/**
 * @param readOptions validates the options after the rest of the request
 * @throws LedgerError as a submission does, and FAILED_TO_PREPARE_TRANSACTION
 */
export function prepareTransaction(
  participant: Participant,
  given: Submission,
  readOptions: () => PreparationOptions,
): PreparedTransaction {
  const submission = { ...given, externallySigned: true };
  try {
    return prepare(participant, submission, readOptions);
  } catch (error) {
    explainRefusal(participant, submission, error);
    throw error;
  }
}

function prepare(
  participant: Participant,
  submission: Submission,
  readOptions: () => PreparationOptions,
): PreparedTransaction {
  const { ledger } = participant;
  const logging = new SubmissionLogging(ledger, submission);
  const { hashingVersion, maxRecordTime, costHints, explainsHash } = logging.validating(() => {
    validateSubmission(submission, ledger.clock);
    return readOptions();
  });
  if (submission.commands.length > 1)
    logging.interpreting(() => {
      throw failedToPrepare('Preparing multiple commands is currently not supported');
    });
  checkSubmitter(participant, submission.actAs, submission.synchronizerId, true);
  const now = ledger.clock.now();
  const seed = ledger.random.hex('prepared transaction');
  const { transaction, routed, preparationTime, bounds } = draft(
    participant,
    submission,
    logging,
    seed,
  );
  const { synchronizerId } = routed;
  const { signedId, protocol } = ledger.synchronizer(synchronizerId)!;
  const prepared = {
    transaction: toProtoTransaction(participant.packages, transaction, seed),
    metadata: {
      submitterInfo: {
        actAs: distinct(submission.actAs),
        commandId: commandIdOf(ledger.random, submission.commandId),
      },
      synchronizerId: signedId,
      mediatorGroup: 0,
      transactionUuid: ledger.random.uuid('prepared transaction'),
      preparationTime,
      inputContracts: inputContracts(participant, submission, transaction),
      globalKeyMapping: [],
      minLedgerEffectiveTime: bounds.min,
      maxLedgerEffectiveTime: bounds.max,
      maxRecordTime,
    },
  } satisfies ProtoPrepared;
  const handedOut = { ...prepared, transaction: inOrderOfEngine(prepared.transaction) };
  const text = Buffer.from(Prepared.encode(handedOut)).toString('base64');
  const trace = explainsHash ? HashTrace.begin() : undefined;
  const hash = logging.interpreting(() =>
    hashed(participant, protocol, prepared, hashingVersion, trace),
  );
  const [command] = commandsOf(transaction);
  rememberPrepared(text, prepared, { version: hashingVersion, hash, command });
  const { actAs, commandId } = prepared.metadata.submitterInfo;
  // Only a request with traffic costs is built to estimate them.
  const conflict =
    costHints && ledger.traffic.isOn ? conflictingCalls(resultsByRoot(transaction)) : undefined;
  if (conflict !== undefined) throw failedToPrepare(conflict);
  const estimated =
    costHints &&
    estimateCost(participant, synchronizerId, transaction, submission, commandId, costHints, now);
  const cost = estimated && {
    moves: movesOf(participant, routed, { userId: submission.userId, commandId }, now),
    ...estimated,
  };
  const tooDear = participant.trafficAccounts?.refusal(actAs, () => cost?.request ?? 0);
  if (tooDear !== undefined) throw tooDear;
  return { text, hash, hashingDetails: trace?.text, cost };
}

/** @throws LedgerError FAILED_TO_PREPARE_TRANSACTION if an input cannot be reassigned */
function movesOf(
  participant: Participant,
  routed: Route,
  ...sending: [sender: Parameters<typeof estimateMoves>[2], at: Timestamp]
): readonly MovingCost[] {
  if (!participant.rules.estimatesMoves) return [];
  try {
    return estimateMoves(participant, routed, ...sending);
  } catch (error) {
    throw error instanceof LedgerError ? failedToPrepare(error.details.cause) : error;
  }
}

interface Draft {
  readonly transaction: Interpretation;
  readonly routed: Route;
  /** The ledger time of the interpretation. */
  readonly preparationTime: Timestamp;
  readonly bounds: TimeBounds;
}

/** The transaction of the commands, and its synchronizer with the inputs that must move there. */
function draft(
  participant: Participant,
  submission: Submission,
  logging: SubmissionLogging,
  seed: string,
): Draft {
  const { clock, partySets, externalCalls } = participant.ledger;
  const passes = new Passes(participant, submission);
  let time = ledgerTime(submission, externalCalls.timeOf(clock.now()));
  for (let chosen = submission; ;) {
    const observed = new ObservedTime();
    const transaction = logging.interpreting(() =>
      runCommands(participant, chosen, time, {
        seed: contractSeed(seed, time),
        onTime: observed.observe,
      }),
    );
    const later = laterThan(time, participant, chosen, transaction);
    // A transaction that does not depend on the time needs no second run.
    if (later !== undefined && observed.isTimed) {
      time = later;
      continue;
    }
    try {
      const witnesses = witnessesOf(partySets, transaction);
      const routed = loggedIn(PLAIN, () => route(participant, chosen, transaction, witnesses));
      return { transaction, routed, preparationTime: time, bounds: observed.all };
    } catch (error) {
      const { rollsBackEffects } = protocolFor(participant, chosen);
      explainRefusal(participant, chosen, error, {
        transaction,
        effectiveAt: time,
        rollsBackEffects,
      });
      chosen = passes.after(transaction, error);
    }
  }
}

/**
 * @throws LedgerError FAILED_TO_PREPARE_TRANSACTION if the protocol does not know the hashing version, or if the
 * version cannot hash the transaction (V2 does not support keys)
 */
function hashed(
  { shared }: Participant,
  protocol: Protocol,
  prepared: ProtoPrepared,
  version: HashingVersion,
  trace: HashTrace | undefined,
): Uint8Array {
  const error = hashingError(protocol, version);
  if (error !== undefined) throw failedToPrepare(error);
  try {
    return hashPrepared(prepared, version, trace);
  } catch (error) {
    if (error instanceof OutdatedScheme) throw failedToPrepare(error.textFor(shared.rules));
    if (error instanceof ProtobufError) throw failedToPrepare(error.message);
    throw error;
  }
}

function distinct(parties: readonly Party[]): readonly Party[] {
  return [...new Set(parties)].sort();
}

/** The executing participant needs these contracts, and the signers must see them. */
function inputContracts(
  { ledger, packages }: Participant,
  { disclosedContracts = [] }: Submission,
  transaction: Transaction,
): readonly ProtoInputContract[] {
  const disclosed = new Map(
    disclosedContracts.map(({ contract }) => [contract.contractId, contract]),
  );
  const users = [...usingPackages(transaction)].sort(([a], [b]) => (a < b ? -1 : 1));
  return users.map(([id, usedBy]) => {
    const contract: ContractInstance | undefined =
      disclosed.get(id) ?? ledger.contracts.get(id)?.instance;
    invariant(contract !== undefined, 'an input contract is disclosed or stored');
    return {
      v1: toProtoContract(packages, contract, usedBy),
      createdAt: contract.createdAt,
      eventBlob: createdEventBytes(packages, contract),
    };
  });
}

function failedToPrepare(reason: string): LedgerError {
  return ledgerError(
    'FAILED_TO_PREPARE_TRANSACTION',
    `The participant failed to prepare the transaction: ${reason}`,
  );
}
