/**
 * Executes a signed transaction: checks the message, the hash, the signatures and the times. It runs the root command
 * again with the signed seed, and commits the result only if its bytes equal the signed ones.
 * NOTE: Canton replays the signed transaction root by root. Here the bytes are compared, and the explanation of the
 * error describes the difference in Canticle's words.
 */
import { conflictingCalls, malformedRequest } from '../extensions/conflicts.js';
import { replaying } from '../extensions/replay.js';
import type { ExternalCallResult } from '../../daml/model/transaction.js';
import { readBlobBytes } from '../../daml/contract/created-event-blob.js';
import { toHex } from '../../daml/model/hash.js';
import { invariant, ledgerError, LedgerError } from '../../daml/errors/ledger-error.js';
import { PLAIN } from '../../daml/errors/logging-context.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { routedOf, type Interpreted } from '../commands/routed.js';
import { runCommands, sequence } from '../commands/submit.js';
import { submissionInfo } from '../commands/submission-details.js';
import type { DeduplicationPeriod } from '../model/deduplication-period.js';
import { explainReading } from '../explanation/explain.js';
import { abbreviatedSynchronizerId, logicalSynchronizerId } from '../model/ids.js';
import type { SubmissionResult } from '../ledger/in-flight.js';
import type { Participant } from '../participant.js';
import { hashingError, type HashingVersion } from '../model/protocol.js';
import { requireKnownPackages } from '../routing/unvetted-packages.js';
import type { DisclosedContract, Submission } from '../submission/submission.js';
import type { Synchronizer } from '../synchronizer.js';
import type { Signature } from '../topology/party-keys.js';
import { givenForm } from '../traffic/signature-forms.js';
import type { GivenOrDrawnTrace, TransactionUpdate } from '../model/updates.js';
import { failedToExecute, unforeseen } from './prepared/execution-refusals.js';
import { Create, type ProtoPrepared, type ProtoTransaction } from './prepared/messages.js';
import { commandOfPrepared, hashOfPrepared, isOurs } from './prepared/recently-prepared.js';
import { rootCommand } from './prepared/root-command.js';
import {
  contractSeed,
  toProtoContract,
  toProtoTransaction,
  usingPackages,
} from './prepared/transaction-messages.js';
import { checkInputContract, readStrictly, type WholePrepared } from './prepared/strict-reading.js';
import { ReachedNodes } from './prepared/reached-nodes.js';
import { difference } from './prepared/bare.js';
import { untranslatable } from './prepared/created-contracts.js';
import { signatureCountError, verifyPartySignatures } from './signatures.js';
import { lateVerdict, ObservedTime, timesVerdict, withinBounds } from './times.js';

/** The only mediator group of a synchronizer. */
const MEDIATOR_GROUP = 0;

export interface ExecutionRequest {
  readonly prepared: ProtoPrepared;
  readonly signatures: ReadonlyMap<string, readonly Signature[]>;
  readonly hashingVersion: HashingVersion;
  readonly submissionId: string;
  readonly userId: string;
  readonly deduplicationPeriod?: DeduplicationPeriod;
  /** The preferred ledger time, within the signed bounds; now if absent. */
  readonly wantedTime?: Timestamp;
  readonly traceContext?: GivenOrDrawnTrace;
  /** Whether the caller waits for the result. */
  readonly isAwaited: boolean;
}

/** The transaction in place of one that cannot run. */
const NOTHING: Interpreted['transaction'] = { nodes: [], roots: [], inputs: [] };

/** @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION and the errors of routing */
export function executePrepared(
  participant: Participant,
  request: ExecutionRequest,
): SubmissionResult<TransactionUpdate> {
  const { transaction, metadata } = request.prepared;
  const { commandId = '', actAs = [] } = metadata?.submitterInfo ?? {};
  const submitted = { commandId, actAs, readAs: [] };
  const lines = () => ['· execute the prepared transaction'];
  return explainReading(participant, submitted, lines, () => {
    const countsSignatures = !request.isAwaited && !participant.rules.acceptsAnyNumberOfSignatures;
    const flood = countsSignatures ? signatureCountError(request.signatures) : undefined;
    if (flood !== undefined) throw failedToExecute(flood);
    if (transaction !== undefined && transaction.roots.length !== 1)
      throw failedToExecute('Transaction with multiple root nodes are not supported');
    const prepared = isOurs(request.prepared)
      ? (request.prepared as WholePrepared)
      : readStrictly(request.prepared, participant.rules);
    return new Execution(participant, request, prepared).run();
  });
}

class Execution {
  private readonly metadata: WholePrepared['metadata'];
  private readonly transaction: ProtoTransaction;
  private readonly actAs: readonly string[];

  constructor(
    private readonly participant: Participant,
    private readonly request: ExecutionRequest,
    private readonly prepared: WholePrepared,
  ) {
    ({ metadata: this.metadata, transaction: this.transaction } = prepared);
    this.actAs = this.metadata.submitterInfo.actAs;
  }

  run(): SubmissionResult<TransactionUpdate> {
    const { participant, request, metadata, transaction } = this;
    const reached = new ReachedNodes(transaction);
    const disclosedContracts = this.inputContracts(reached.inputContracts());
    const synchronizer = synchronizerOf(participant, metadata.synchronizerId);
    const hash = this.signedHash(synchronizer);
    const submission: Submission = {
      commands: [],
      actAs: this.actAs,
      commandId: metadata.submitterInfo.commandId,
      userId: request.userId,
      submissionId: request.submissionId,
      synchronizerId: synchronizer.id,
      disclosedContracts,
      keysOfDisclosedOnly: true,
      packageIdSelectionPreference: this.packagePreference(),
      deduplicationPeriod: request.deduplicationPeriod,
      traceContext: request.traceContext,
      externallySigned: true,
      chosenFor: synchronizer.id,
    };
    requireKnownPackages(participant, this.actAs, synchronizer.id, reached.packageIds());
    if (metadata.mediatorGroup !== MEDIATOR_GROUP) throw withoutMediator(synchronizer);
    const failure = reached.failure();
    if (failure !== undefined) throw failure;
    const info = submissionInfo(participant, submission);
    const interpreted = this.interpret(submission, synchronizer);
    const judged = this.judged(interpreted, synchronizer, hash);
    const routed = routedOf(participant, submission, judged);
    return sequence(participant, submission, info, judged, routed);
  }

  /** @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION if required signatures are missing */
  private signedHash({ id, protocol }: Synchronizer): Uint8Array {
    const { participant, request, prepared, actAs } = this;
    const { hashingVersion, signatures } = request;
    const unsupported = hashingError(protocol, hashingVersion);
    if (unsupported !== undefined) throw failedToExecute(unsupported);
    const hash = hashed(() => hashOfPrepared(prepared, hashingVersion));
    const keysOf = (party: string) => participant.ledger.externalParties.get(party, id);
    const error = verifyPartySignatures(signatures, { hash, actAs, protocol, keysOf });
    if (error !== undefined) throw failedToExecute(error);
    return hash;
  }

  /** Runs the command again, at the current ledger time if the result does not depend on it. */
  private interpret(
    submission: Submission,
    synchronizer: Synchronizer,
  ): Pick<Interpreted, 'transaction' | 'effectiveAt' | 'verdict'> {
    const { participant, metadata, transaction } = this;
    const { minLedgerEffectiveTime: min, maxLedgerEffectiveTime: max, preparationTime } = metadata;
    const { clock, externalCalls } = participant.ledger;
    const now = externalCalls.timeOf(clock.now());
    const { wantedTime = now } = this.request;
    const effectiveAt = withinBounds(wantedTime, { min, max });
    const [root] = transaction.roots;
    const { seed } = transaction.nodeSeeds.find(({ nodeId }) => String(nodeId) === root)!;
    const text = toHex(seed);
    const time = new ObservedTime();
    const malformed = this.malformed(synchronizer);
    if (malformed !== undefined)
      return { transaction: NOTHING, effectiveAt, verdict: () => malformed };
    try {
      const known = commandOfPrepared(this.request.prepared);
      const commands = [known ?? rootCommand(participant.packages, transaction)];
      const result = runCommands(participant, { ...submission, commands }, effectiveAt, {
        seed: contractSeed(text, preparationTime),
        onTime: time.observe,
        externalCall: replaying(recordedIn(transaction)),
      });
      const again = toProtoTransaction(participant.packages, result, text);
      const differing = difference(again, transaction);
      const hasOtherTimes = time.all.min !== min || time.all.max !== max;
      const verdict = () => {
        if (differing === 'submitted')
          return nonconforming('the transaction is not what its root command leads to');
        const repeated = this.repetition(result);
        if (repeated !== undefined) return nonconforming(repeated);
        if (differing !== undefined) return unauthentic('the transaction is not shown as it is');
        if (hasOtherTimes)
          return unauthentic('the times are not those between which it stays the same');
        return this.misshown(result);
      };
      return { transaction: result, effectiveAt, verdict };
    } catch (error) {
      if (!(error instanceof LedgerError) && !(error instanceof ProtobufError)) throw error;
      // The commands do not produce the signed transaction: none of it is recorded.
      const refusal = nonconforming(error.message);
      if (error instanceof LedgerError && error.explanation !== undefined)
        refusal.explainBy(error.explanation);
      return { transaction: NOTHING, effectiveAt, verdict: () => refusal };
    }
  }

  /** Errors that the participant finds while it builds the request. */
  private malformed({ printedId }: Synchronizer): LedgerError | undefined {
    const { participant, actAs, transaction, request } = this;
    const reason =
      actAs.length === 0
        ? 'SubmitterMetadataError(The actAs set must not be empty.)'
        : isOurs(request.prepared)
          ? conflictingCalls([recordedIn(transaction)])
          : (untranslatable(participant.packages, transaction) ??
            conflictingCalls([recordedIn(transaction)]));
    return reason === undefined ? undefined : malformedRequest(reason, printedId);
  }

  /** The message must show signers exactly the content of the used contracts. */
  private misshown(result: Interpreted['transaction']): LedgerError | undefined {
    const { everywhere: packages } = this.participant.shared;
    const users = usingPackages(result);
    for (const { v1, eventBlob } of this.metadata.inputContracts) {
      const { contract } = readBlobBytes(packages, eventBlob);
      const usedBy = users.get(contract.contractId);
      invariant(usedBy !== undefined, 'the inputs of a message are those that its nodes use');
      if (!Create.isSame(toProtoContract(packages, contract, usedBy), v1!))
        return unauthentic(`input contract ${contract.contractId} is not shown as it is`);
    }
    return undefined;
  }

  /** The same contract cannot be created twice, even by a second signed transaction with other ids. */
  private repetition({ nodes }: Interpreted['transaction']): string | undefined {
    const { contracts } = this.participant.ledger;
    const created = nodes.flatMap((node) => (node.kind === 'create' ? [node.contract] : []));
    const repeated = created.find(({ contractId }) => contracts.get(contractId) !== undefined);
    return repeated && `contract ${repeated.contractId} exists already`;
  }

  private judged(
    interpreted: Pick<Interpreted, 'transaction' | 'effectiveAt' | 'verdict'>,
    { id, protocol }: Synchronizer,
    hash: Uint8Array,
  ): Interpreted {
    const { ledger } = this.participant;
    const { preparationTime, maxRecordTime, transactionUuid } = this.metadata;
    const times = { ledgerTime: interpreted.effectiveAt, preparationTime, maxRecordTime };
    const verdict: Interpreted['verdict'] = (ledgerTime, recordTime) =>
      lateVerdict(protocol, times, recordTime) ??
      ledger.externalParties.duplicateRequest(id, transactionUuid, recordTime) ??
      interpreted.verdict(ledgerTime, recordTime) ??
      timesVerdict(times, recordTime);
    const onSequenced = (recordTime: Timestamp): void =>
      ledger.externalParties.usedRequest(id, transactionUuid, recordTime);
    const externalAuthorization = {
      parties: [...this.request.signatures].map(([party, signatures]) => ({
        party,
        signatures: signatures.map(givenForm),
      })),
      hashingVersion: this.request.hashingVersion,
      hasMaxRecordTime: maxRecordTime !== undefined,
    };
    const { transaction, effectiveAt } = interpreted;
    return {
      transaction,
      effectiveAt,
      rollsBackEffects: protocol.rollsBackEffects,
      verdict,
      onSequenced,
      externalTransactionHash: toHex(hash),
      externalAuthorization,
    };
  }

  /**
   * The contracts that the transaction uses.
   * @param used by it
   */
  private inputContracts(used: readonly string[]): readonly DisclosedContract[] {
    const { everywhere: packages } = this.participant.shared;
    const disclosed = new Map<string, DisclosedContract>();
    for (const { v1, createdAt, eventBlob } of this.metadata.inputContracts) {
      if (!isOurs(this.request.prepared)) checkInputContract(v1, createdAt);
      const { contract, error } = readingInputs(() => readBlobBytes(packages, eventBlob));
      if (contract.createdAt !== createdAt)
        throw failedToExecute(
          'Failed to deserialize input contracts: Creation time of the original contract does not match the create time of the input contract',
        );
      const { contractId } = contract;
      if (contractId !== v1!.contractId)
        throw unforeseen(
          `requirement failed: Mismatching contractIds between enriched (ContractId(${v1!.contractId})) and original (ContractId(${contractId}))`,
        );
      disclosed.set(contractId, { contract, error, synchronizerId: undefined });
    }
    const mismatch = (what: string, ids: readonly string[]): LedgerError =>
      failedToExecute(
        `Provided input contracts do not match the input contracts in the transaction: ${what} input contracts: ${ids.map((id) => `ContractId(${id})`).join(',')}`,
      );
    const missing = used.filter((id) => !disclosed.has(id));
    if (missing.length > 0) throw mismatch('Missing', missing);
    const superfluous = [...disclosed.keys()].filter((id) => !used.includes(id));
    if (superfluous.length > 0) throw mismatch('Superfluous', superfluous);
    // In the order in which queries by key found them.
    return used.map((id) => disclosed.get(id)!);
  }

  /** The package versions at the time of preparation: one for each package name. */
  private packagePreference(): readonly string[] {
    const { packages } = this.participant;
    const chosen = new Map<string, string>();
    for (const { v1 } of this.transaction.nodes) {
      const id = (v1?.create ?? v1?.exercise ?? v1?.queryByKey)?.templateId?.packageId;
      const found = id === undefined ? undefined : packages.package(id);
      if (found !== undefined && !chosen.has(found.name)) chosen.set(found.name, found.id);
    }
    return [...chosen.values()];
  }
}

/** The synchronizer of a signed id (B-INT-016). */
function synchronizerOf(participant: Participant, id: string): Synchronizer {
  const logical = logicalSynchronizerId(id);
  const synchronizer = participant.ledger.synchronizer(logical);
  const shown = abbreviatedSynchronizerId(id);
  if (synchronizer === undefined || !participant.isConnectedTo(synchronizer.id))
    throw failedToExecute(
      id === logical
        ? `Cannot find a physical synchronizer for ${shown}. Make sure the participant is connected to the synchronizer.`
        : `Participant is not connected to synchronizer \`${shown}\`.`,
    );
  const { printedId, signedId, protocol } = synchronizer;
  if (id !== signedId)
    throw failedToExecute(
      `The selected synchronizer ${printedId} is on Protocol Version ${protocol.version}. ` +
        (protocol.signsPhysicalId
          ? 'Please use a Physical Synchronizer ID in the prepared transaction metadata on PVs > 34'
          : 'Please use a Logical Synchronizer ID in the prepared transaction metadata on PVs <= 34'),
    );
  return synchronizer;
}

function hashed(hash: () => Uint8Array): Uint8Array {
  return refusing('', hash);
}

function readingInputs<T>(read: () => T): T {
  return refusing('Failed to deserialize input contracts: ', read);
}

function refusing<T>(prefix: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof LedgerError)
      throw failedToExecute(`${prefix}${error.message}`);
    throw error;
  }
}

/** The results of external calls that the signer saw. */
function recordedIn({ nodes }: ProtoTransaction): readonly ExternalCallResult[] {
  return nodes.flatMap(({ v1 }) =>
    (v1?.exercise?.externalCallResults ?? []).map((each) => ({
      ...each,
      config: toHex(each.config),
      input: toHex(each.input),
      output: toHex(each.output),
    })),
  );
}

function withoutMediator({ printedId, recordTime = 0n }: Synchronizer): LedgerError {
  return ledgerError('SYNCHRONIZER_WITHOUT_MEDIATOR', {
    cause: 'There are no active mediators on the synchronizer',
    context: {
      topologySnapshotTimestamp: formatInstant(recordTime),
      physicalSynchronizerId: printedId,
      chosenSynchronizerId: printedId,
    },
  });
}

function nonconforming(reason: string): LedgerError {
  return ledgerError('LOCAL_VERDICT_FAILED_MODEL_CONFORMANCE_CHECK', {
    cause: 'Rejected transaction due to a failed model conformance check',
    explanation: `Running the command that was signed does not lead to the transaction that was signed: ${reason}`,
  });
}

/** The confirming participants compute a different hash than the signed one. */
function unauthentic(reason: string): LedgerError {
  return ledgerError('LOCAL_VERDICT_MALFORMED_REQUEST', {
    cause: `Received a request with invalid external signatures: ${reason}`,
  }).logIn(PLAIN);
}
