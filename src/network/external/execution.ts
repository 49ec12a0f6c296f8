/**
 * Executes what external parties signed: checks the message, the hash, the signatures and the times, runs the root command once more
 * with the seed that was signed, and commits only what is, byte for byte, what they saw.
 * NOTE: Canton replays what was signed, root by root. Here that is told apart by its bytes, and what the difference is stands in the
 * refusal's explanation, in words of ours.
 */
import { readBlobBytes } from '../../daml/contract/created-event-blob.js';
import { toHex } from '../../daml/model/hash.js';
import { ledgerStringFault, partyFault } from '../../daml/model/identifiers.js';
import { invariant, ledgerError, LedgerError } from '../../daml/errors/ledger-error.js';
import { formatInstant, timestampFault } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { DeduplicationPeriod } from '../deduplication-period.js';
import { explainReading } from '../explanation/explain.js';
import type { Signature } from '../topology/party-keys.js';
import { parseJavaUuid } from './java-uuid.js';
import { signatureCountFault, verifyPartySignatures } from './signatures.js';
import { timesVerdict, withinBounds } from './times.js';
import type { Participant } from '../participant.js';
import { hashOfPrepared } from './prepared/recently-prepared.js';
import type { HashingVersion } from '../protocol.js';
import {
  Create,
  PreparedTransactionMessage,
  type ProtoMetadata,
  type ProtoPrepared,
  type ProtoTransaction,
} from './prepared/messages.js';
import { rootCommand } from './prepared/root-command.js';
import {
  toProtoContract,
  toProtoTransaction,
  usingPackages,
} from './prepared/transaction-messages.js';
import { ProtoFault } from '../../daml/codec/protobuf/reading.js';
import { hashingFault } from '../protocol.js';
import { invalidField, missingField } from '../request-errors.js';
import type { SubmissionResult } from '../ledger/in-flight.js';
import type { DisclosedContract, Submission } from '../submission/submission.js';
import type { Synchronizer } from '../synchronizer.js';
import { runCommands, sequence, submissionInfo, type Interpreted } from '../commands/submit.js';
import type { GivenOrDrawnTrace, TransactionUpdate } from '../updates.js';

const MAX_INT32 = 2 ** 31 - 1;
/** The only one of a synchronizer. */
const MEDIATOR_GROUP = 0;

export interface ExecutionRequest {
  readonly prepared: ProtoPrepared;
  readonly signatures: ReadonlyMap<string, readonly Signature[]>;
  readonly hashingVersion: HashingVersion;
  readonly submissionId: string;
  readonly userId: string;
  readonly deduplicationPeriod?: DeduplicationPeriod;
  /** No earlier ledger time than this. */
  readonly minLedgerTime?: Timestamp;
  readonly traceContext?: GivenOrDrawnTrace;
  /** Whether the caller waits for the outcome. */
  readonly isAwaited: boolean;
}

/** @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION and what routing refuses */
export function executePrepared(
  participant: Participant,
  request: ExecutionRequest,
): SubmissionResult<TransactionUpdate> {
  const { transaction, metadata } = request.prepared;
  const { commandId = '', actAs = [] } = metadata?.submitterInfo ?? {};
  const submitted = { commandId, actAs, readAs: [] };
  const lines = () => ['· execute the prepared transaction'];
  return explainReading(participant, submitted, lines, () => {
    const flood = request.isAwaited ? undefined : signatureCountFault(request.signatures);
    if (flood !== undefined) throw failedToExecute(flood);
    if (transaction !== undefined && transaction.roots.length !== 1)
      throw failedToExecute('Transaction with multiple root nodes are not supported');
    return participant.ledger.journal.atomically(() => new Execution(participant, request).run());
  });
}

class Execution {
  private readonly metadata: ProtoMetadata;
  private readonly transaction: ProtoTransaction;
  private readonly actAs: readonly string[];

  constructor(
    private readonly participant: Participant,
    private readonly request: ExecutionRequest,
  ) {
    const { metadata, transaction } = request.prepared;
    if (metadata === undefined) throw missingField('metadata');
    const { submitterInfo } = metadata;
    if (submitterInfo === undefined) throw missingField('submitter_info');
    const transactionUuid = checkIdentity(metadata);
    this.actAs = submitterInfo.actAs;
    const fault =
      ledgerStringFault(submitterInfo.commandId) ?? this.actAs.map(partyFault).find((each) => each);
    if (fault !== undefined)
      throw failedToExecute(`Failed to deserialize submitter info: ${fault}`);
    if (transaction === undefined) throw missingField('transaction');
    checkTimes(metadata);
    this.metadata =
      transactionUuid === metadata.transactionUuid ? metadata : { ...metadata, transactionUuid };
    this.transaction = transaction;
  }

  run(): SubmissionResult<TransactionUpdate> {
    const { participant, request, metadata } = this;
    const disclosedContracts = this.inputContracts();
    const synchronizer = synchronizerOf(participant, metadata.synchronizerId);
    const hash = this.signedHash(synchronizer);
    const submission: Submission = {
      commands: [
        decoding('transaction', () => rootCommand(participant.packages, this.transaction)),
      ],
      actAs: this.actAs,
      commandId: metadata.submitterInfo!.commandId,
      userId: request.userId,
      submissionId: request.submissionId,
      synchronizerId: synchronizer.id,
      disclosedContracts,
      keysOfDisclosedOnly: true,
      packageIdSelectionPreference: this.packagePreference(),
      deduplicationPeriod: request.deduplicationPeriod,
      traceContext: request.traceContext,
      externallySigned: true,
    };
    const info = submissionInfo(participant, submission);
    const interpreted = this.interpret(submission);
    if (metadata.mediatorGroup !== MEDIATOR_GROUP) throw withoutMediator(synchronizer);
    return sequence(participant, submission, info, this.judged(interpreted, toHex(hash)));
  }

  /** @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION where it is not signed as it has to be */
  private signedHash({ id, protocol }: Synchronizer): Uint8Array {
    const { participant, request, actAs, transaction, metadata } = this;
    const { hashingVersion, signatures } = request;
    const isAsGiven = metadata === request.prepared.metadata;
    const prepared = isAsGiven ? request.prepared : { transaction, metadata };
    const unsupported = hashingFault(protocol, hashingVersion);
    if (unsupported !== undefined) throw failedToExecute(unsupported);
    const hash = decoding('transaction', () => hashOfPrepared(prepared, hashingVersion));
    const keysOf = (party: string) => participant.ledger.externalParties.get(party, id);
    const fault = verifyPartySignatures(signatures, { hash, actAs, protocol, keysOf });
    if (fault !== undefined) throw failedToExecute(fault);
    return hash;
  }

  /** Runs the command as it was run at first, but at the ledger time of now where that changes nothing. */
  private interpret(
    submission: Submission,
  ): Pick<Interpreted, 'transaction' | 'effectiveAt' | 'verdict'> {
    const { participant, metadata, transaction } = this;
    const now = participant.ledger.clock.now();
    const { minLedgerTime = now } = this.request;
    const effectiveAt = withinBounds(minLedgerTime > now ? minLedgerTime : now, {
      min: metadata.minLedgerEffectiveTime,
      max: metadata.maxLedgerEffectiveTime,
    });
    const [root] = transaction.roots;
    const seed = transaction.nodeSeeds.find(({ nodeId }) => String(nodeId) === root)?.seed;
    if (seed === undefined)
      throw failedToExecute('Failed to deserialize transaction: the root node has no seed');
    try {
      const result = runCommands(participant, submission, effectiveAt, { seed: toHex(seed) });
      const again = toProtoTransaction(participant.packages, result, toHex(seed));
      const isSame = PreparedTransactionMessage.isSame(again, transaction);
      const verdict = () => {
        const reason = isSame
          ? this.repetition(result)
          : 'the transaction is not what its root command leads to';
        return reason === undefined ? this.misshown(result) : nonconforming(reason);
      };
      return { transaction: result, effectiveAt, verdict };
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      // Signed, but not to be had by running the commands: nothing is left to route, so it is refused at once.
      const refusal = nonconforming(error.message);
      if (error.explanation !== undefined) refusal.explainBy(error.explanation);
      throw refusal;
    }
  }

  /** Signers are to be shown what the contracts that they use hold, and nothing else. */
  private misshown(result: Interpreted['transaction']): LedgerError | undefined {
    const { everywhere: packages } = this.participant.shared;
    const users = usingPackages(result);
    for (const { v1, eventBlob } of this.metadata.inputContracts) {
      const { contract } = readBlobBytes(packages, eventBlob);
      const usedBy = users.get(contract.contractId);
      invariant(usedBy !== undefined, 'the inputs of a message are those that its nodes use');
      if (!Create.isSame(toProtoContract(packages, contract, usedBy), v1!))
        return ledgerError('LOCAL_VERDICT_MALFORMED_REQUEST', {
          cause: `Received a request with invalid external signatures: input contract ${contract.contractId} is not shown as it is`,
        });
    }
    return undefined;
  }

  /** Who signs a transaction a second time, under other ids, still cannot create the same contract twice. */
  private repetition({ nodes }: Interpreted['transaction']): string | undefined {
    const { contracts } = this.participant.ledger;
    const created = nodes.flatMap((node) => (node.kind === 'create' ? [node.contract] : []));
    const repeated = created.find(({ contractId }) => contracts.get(contractId) !== undefined);
    return repeated && `contract ${repeated.contractId} exists already`;
  }

  private judged(
    interpreted: Pick<Interpreted, 'transaction' | 'effectiveAt' | 'verdict'>,
    externalTransactionHash: string,
  ): Interpreted {
    const { participant, metadata } = this;
    const { ledger } = participant;
    const { preparationTime, maxRecordTime, transactionUuid } = metadata;
    const synchronizer = synchronizerOf(participant, metadata.synchronizerId);
    const verdict = () => {
      const recordTime = ledger.clock.now() + 1n;
      return (
        ledger.externalParties.duplicateRequest(synchronizer.id, transactionUuid, recordTime) ??
        timesVerdict(
          synchronizer.protocol,
          { ledgerTime: interpreted.effectiveAt, preparationTime, maxRecordTime },
          recordTime,
        ) ??
        interpreted.verdict()
      );
    };
    const onAccepted = ({ recordTime }: TransactionUpdate): void =>
      ledger.externalParties.usedRequest(synchronizer.id, transactionUuid, recordTime);
    return { ...interpreted, verdict, onAccepted, externalTransactionHash };
  }

  /** All that the transaction uses, and no more. */
  private inputContracts(): readonly DisclosedContract[] {
    const { everywhere: packages } = this.participant.shared;
    const disclosed = this.metadata.inputContracts.map(({ v1, createdAt, eventBlob }) => {
      const { contract, fault } = decoding('input contracts', () =>
        readBlobBytes(packages, eventBlob),
      );
      // NOTE: where the ids differ, Canton fails with an internal error.
      if (contract.contractId !== v1?.contractId || contract.createdAt !== createdAt)
        throw failedToExecute(
          'Failed to deserialize input contracts: Creation time of the original contract does not match the create time of the input contract',
        );
      return { contract, fault, synchronizerId: undefined };
    });
    const given = disclosed.map(({ contract }) => contract.contractId);
    const used = usedContracts(this.transaction);
    const mismatch = (what: string, ids: readonly string[]): LedgerError =>
      failedToExecute(
        `Provided input contracts do not match the input contracts in the transaction: ${what} input contracts: ${ids.join(',')}`,
      );
    const missing = used.filter((id) => !given.includes(id));
    if (missing.length > 0) throw mismatch('Missing', missing);
    const superfluous = given.filter((id) => !used.includes(id));
    if (superfluous.length > 0) throw mismatch('Superfluous', superfluous);
    // In the order in which queries by key found them.
    const order = new Map(used.map((id, index) => [id, index]));
    return disclosed.sort(
      (a, b) => order.get(a.contract.contractId)! - order.get(b.contract.contractId)!,
    );
  }

  /** The versions that were chosen when it was prepared: one of each package name. */
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

/** Answers with the UUID as the JVM writes it. @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION */
function checkIdentity({ transactionUuid, mediatorGroup, maxRecordTime }: ProtoMetadata): string {
  const read = parseJavaUuid(transactionUuid);
  if ('fault' in read)
    throw failedToExecute(`Failed to deserialize transaction UUID: ${read.fault}`);
  if (mediatorGroup > MAX_INT32)
    throw failedToExecute(
      `Failed to deserialize mediator group: Invariant violation in field \`mediator_group\`: Received the negative ${mediatorGroup | 0} as argument, but we require a non-negative value here.`,
    );
  checkTime('max record time', maxRecordTime);
  return read.uuid;
}

/** @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION */
function checkTimes(metadata: ProtoMetadata): void {
  checkTime('time boundaries', metadata.minLedgerEffectiveTime);
  checkTime('time boundaries', metadata.maxLedgerEffectiveTime);
  checkTime('transaction meta', metadata.preparationTime);
}

function checkTime(what: string, time: Timestamp | undefined): void {
  const fault = time === undefined ? undefined : timestampFault(time);
  if (fault !== undefined) throw failedToExecute(`Failed to deserialize ${what}: ${fault}`);
}

function usedContracts({ nodes }: ProtoTransaction): readonly string[] {
  const created = new Set(nodes.map(({ v1 }) => v1?.create?.contractId));
  const used = nodes.flatMap(
    ({ v1 }) => (v1?.exercise ?? v1?.fetch)?.contractId ?? v1?.queryByKey?.result ?? [],
  );
  return [...new Set(used.filter((id) => !created.has(id)))];
}

/** By the form of its id that is signed (B-INT-016). @throws LedgerError INVALID_FIELD for what is no id (B-INT-017) */
function synchronizerOf(participant: Participant, id: string) {
  const { ledger } = participant;
  const synchronizer = ledger.synchronizer(id);
  if (synchronizer === undefined || !participant.isConnectedTo(synchronizer.id))
    throw failedToExecute(
      `Cannot find a physical synchronizer for ${id}. Make sure the participant is connected to the synchronizer.`,
    );
  const { physicalId, signedId, protocol } = synchronizer;
  if (id !== signedId)
    throw failedToExecute(
      `The selected synchronizer ${physicalId} is on Protocol Version ${protocol.version}. ` +
        (protocol.signsPhysicalId
          ? 'Please use a Physical Synchronizer ID in the prepared transaction metadata on PVs > 34'
          : 'Please use a Logical Synchronizer ID in the prepared transaction metadata on PVs <= 34'),
    );
  return synchronizer;
}

/** NOTE: Canton's converters also append where in the message it is, ` at path …`, of what stands deeper in it. */
function decoding<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtoFault || error instanceof LedgerError)
      throw failedToExecute(`Failed to deserialize ${what}: ${error.message}`);
    throw error;
  }
}

function failedToExecute(reason: string): LedgerError {
  return ledgerError('FAILED_TO_EXECUTE_TRANSACTION', {
    cause: `The participant failed to execute the transaction: ${reason}`,
  });
}

function withoutMediator({ physicalId, recordTime = 0n }: Synchronizer): LedgerError {
  return ledgerError('SYNCHRONIZER_WITHOUT_MEDIATOR', {
    cause: 'There are no active mediators on the synchronizer',
    context: {
      topologySnapshotTimestamp: formatInstant(recordTime),
      chosenSynchronizerId: physicalId,
    },
  });
}

function nonconforming(reason: string): LedgerError {
  return ledgerError('LOCAL_VERDICT_FAILED_MODEL_CONFORMANCE_CHECK', {
    cause: 'Rejected transaction due to a failed model conformance check',
    explanation: `Running the command that was signed does not lead to the transaction that was signed: ${reason}`,
  });
}

/**
 * A text that is no logical id is read as a physical one, which decides what it is refused for.
 * @throws LedgerError INVALID_FIELD for a text that can be no synchronizer id, logical or physical
 */
export function checkSynchronizerText(id: string, fault: IdFault): void {
  const reason = fault(id) && physicalIdFault(id, fault);
  if (reason !== undefined)
    throw invalidField('synchronizer_id', `Unable to convert field \`synchronizer_id\`: ${reason}`);
}

type IdFault = (text: string) => string | undefined;

/** `<logical id>::<protocol version>-<serial>` */
function physicalIdFault(id: string, fault: IdFault): string | undefined {
  const elements = id.split('::');
  if (elements.length !== 3) return `Unable to parse \`${id}\` as physical synchronizer id`;
  const [identifier, namespace, suffix] = elements as [string, string, string];
  const [version, serial, ...rest] = suffix.split('-');
  if (version === undefined || serial === undefined || rest.length > 0)
    return `Cannot parse ${suffix} as a physical synchronizer id suffix`;
  if (!/^\d+$/.test(serial)) return `Cannot parse ${serial} to an int`;
  return fault(`${identifier}::${namespace}`);
}
