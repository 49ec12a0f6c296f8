/**
 * The trace of a prepared transaction: it runs the root command again with the contracts and the seed of the message.
 * It checks nothing against the ledger, because execution does that.
 */
import { readBlobBytes } from '../../daml/contract/created-event-blob.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { toHex } from '../../daml/model/hash.js';
import type { ContractKey } from '../../daml/model/transaction.js';
import type { PackageId } from '../../daml/model/types.js';
import type { ContractId } from '../../daml/model/values.js';
import { runTraced, type Sampling } from '../../daml/tracing/run-traced.js';
import { traceNodes } from '../../daml/tracing/trace-nodes.js';
import type { TransactionTrace } from '../../daml/tracing/trace-types.js';
import { Prepared, type ProtoPrepared } from '../external/prepared/messages.js';
import { contractSeed } from '../external/prepared/transaction-messages.js';
import { rootCommand } from '../external/prepared/root-command.js';
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import { invalidArgument } from '../model/request-errors.js';
import { finished } from './traces.js';

/** A transaction that was prepared for external signing. */
export interface PreparedMessage {
  /** The answer of the JSON Ledger API, base64. */
  readonly preparedTransaction: string;
  /** The name of the participant that prepared it; by default the first. */
  readonly participant?: string | undefined;
}

/**
 * @param sampling observes the run, if present
 * @throws LedgerError INVALID_ARGUMENT for an invalid message, or if the command now fails
 */
export function traceOfPrepared(
  network: Network,
  { participant: name = network.participants[0]!.name, preparedTransaction }: PreparedMessage,
  sampling?: Sampling,
): TransactionTrace {
  const participant = network.participant(name);
  try {
    const message = Prepared.decode(Buffer.from(preparedTransaction, 'base64'));
    return traced(network, participant, message, sampling);
  } catch (error) {
    if (error instanceof ProtobufError)
      throw invalidArgument(`This is no prepared transaction: ${error.message}`);
    throw error;
  }
}

function traced(
  network: Network,
  participant: Participant,
  { transaction, metadata }: ProtoPrepared,
  sampling: Sampling | undefined,
): TransactionTrace {
  if (transaction === undefined || metadata?.submitterInfo === undefined)
    throw invalidArgument('This is no prepared transaction: a part of it is missing.');
  const { packages } = participant;
  const { actAs, commandId } = metadata.submitterInfo;
  const inputs = metadata.inputContracts.map(
    ({ eventBlob }) => readBlobBytes(participant.shared.everywhere, eventBlob).contract,
  );
  const { protocol } = network.synchronizer(metadata.synchronizerId) ?? network.synchronizers[0]!;
  const chosen = new Map<string, PackageId>();
  for (const { v1 } of transaction.nodes) {
    const id = (v1?.create ?? v1?.exercise ?? v1?.queryByKey)?.templateId?.packageId;
    const found = id === undefined ? undefined : packages.package(id);
    if (found !== undefined && !chosen.has(found.name)) chosen.set(found.name, found.id);
  }
  const seed = transaction.nodeSeeds.find(({ nodeId }) => String(nodeId) === transaction.roots[0]);
  if (seed === undefined)
    throw invalidArgument('This is no prepared transaction: the root node has no seed.');
  const input = {
    commands: [rootCommand(packages, transaction)],
    actAs,
    ledgerTime: metadata.minLedgerEffectiveTime ?? metadata.preparationTime,
    seed: contractSeed(toHex(seed.seed), metadata.preparationTime),
    packages: participant.packagesFor([...chosen.values()]),
    rollsBackEffects: protocol.rollsBackEffects,
    contract: (id: ContractId) => inputs.find(({ contractId }) => contractId === id),
    contractsByKey: ({ hash }: ContractKey) => inputs.filter(({ key }) => key?.hash === hash),
  };
  const ran = runTraced(input, sampling);
  if (ran.refusal !== undefined)
    throw invalidArgument(`The prepared transaction comes to nothing: ${ran.refusal.message}`);
  const nodes = traceNodes(ran.trace.actions, { packages, transaction: ran.nodes, readers: actAs });
  const submission = { participant: participant.name, commandId, actAs, readAs: [] };
  const steps = Math.round(ran.steps);
  return finished(network, { outcome: 'prepared', retraced: true, submission, steps, nodes });
}
