/**
 * Changed contracts of a simulation: archived, with another payload under the same id, or active although another
 * ledger created them. The caller reverts these changes.
 */
import { readBlob } from '../../daml/contract/created-event-blob.js';
import { decodeCreate } from '../../daml/codec/json/command.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import {
  stakeholdersOf,
  type ContractInstance,
  type Interpretation,
  type TransactionNode,
} from '../../daml/model/transaction.js';
import { packageIdOf } from '../../daml/model/types.js';
import { UNIT } from '../../daml/model/values.js';
import { runCommands } from '../commands/submit.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import { invalidArgument } from '../model/request-errors.js';

/** Exactly one of the last three members; the first two also need the contract's id. */
export interface ContractOverride {
  /** The id of an active contract. */
  readonly contractId?: string | undefined;
  /** Treat it as archived. */
  readonly archived?: boolean | undefined;
  /** Use these create arguments, as Ledger API JSON. */
  readonly createArguments?: unknown;
  /** Treat this contract as active: base64, as the Ledger API returns it. */
  readonly createdEventBlob?: string | undefined;
}

/** @throws LedgerError INVALID_ARGUMENT for an invalid override or an inactive contract, or the error of the payload */
export function overrideContract(network: Network, override: ContractOverride): void {
  const { contractId, archived, createArguments, createdEventBlob } = override;
  const said = [archived === true, createArguments !== undefined, !!createdEventBlob];
  if (said.filter(Boolean).length !== 1)
    throw invalidArgument(
      'A contract needs exactly one of archived, createArguments and createdEventBlob.',
    );
  if (createdEventBlob) return add(network, createdEventBlob);
  const stored = network.contracts.get(contractId ?? '');
  const state = network.contracts.state(contractId ?? '');
  if (stored === undefined || state?.kind !== 'active')
    throw invalidArgument(`There is no active contract ${contractId ?? ''} to replace.`);
  if (archived === true) return archive(network, stored.instance, state.synchronizerId);
  const { instance } = stored;
  network.contracts.replace(instance.contractId, {
    ...instance,
    ...withPayload(hostOf(network, instance), instance, createArguments),
  });
}

function add(network: Network, blob: string): void {
  const { contract, error } = readBlob(network.packages, blob);
  if (error !== undefined) throw error;
  if (network.contracts.get(contract.contractId) !== undefined)
    throw invalidArgument(`Contract ${contract.contractId} is here already.`);
  const hosts = stakeholdersOf(contract).flatMap((party) =>
    network.topology.synchronizersOf(party),
  );
  const synchronizerId = hosts[0] ?? network.synchronizers[0]!.id;
  commit(network, synchronizerId, contract, { kind: 'create', nodeId: 0, parent: -1, contract });
}

function archive(
  network: Network,
  contract: ContractInstance,
  synchronizerId: SynchronizerId,
): void {
  const { templateId, signatories } = contract;
  commit(network, synchronizerId, contract, {
    kind: 'exercise',
    nodeId: 0,
    parent: -1,
    contract,
    templateId,
    interfaceId: undefined,
    choice: 'Archive',
    packageId: packageIdOf(templateId),
    argument: UNIT,
    consuming: true,
    actingParties: signatories,
    choiceObservers: [],
    result: UNIT,
    lastDescendant: 0,
  });
}

function commit(
  network: Network,
  synchronizerId: SynchronizerId,
  contract: ContractInstance,
  node: TransactionNode,
): void {
  network.commit({
    kind: 'transaction',
    synchronizerId,
    effectiveAt: network.clock.now(),
    transaction: { nodes: [node], roots: [0] },
    witnesses: [network.partySets.of(stakeholdersOf(contract))],
    workflowId: '',
  });
}

const hostOf = ({ participants }: Network, contract: ContractInstance): Participant =>
  participants.find((each) => each.hostsStakeholder(contract)) ?? participants[0]!;

/** Runs the template's code on the payload: it computes the signatories and checks its conditions. */
function withPayload(
  participant: Participant,
  { templateId, contractId, createdAt }: ContractInstance,
  payload: unknown,
): ContractInstance {
  const { command, refusal } = decodeCreate(participant.packages, templateId, payload);
  if (refusal !== undefined) throw refusal;
  const run = (actAs: readonly string[]): Interpretation =>
    runCommands(participant, { actAs, userId: '', commandId: 0, commands: [command] }, createdAt);
  const [node] = asItsSignatories(run).nodes;
  if (node?.kind !== 'create') throw invalidArgument('These make no contract.');
  // The blob contains the old payload.
  const { blob: _, ...made } = node.contract;
  return { ...made, contractId, createdAt };
}

/** The signatories are unknown before the code has run: its error names them. */
function asItsSignatories(run: (actAs: readonly string[]) => Interpretation): Interpretation {
  try {
    return run([]);
  } catch (error) {
    const required =
      error instanceof LedgerError ? error.details.authorization?.required : undefined;
    if (required === undefined) throw error;
    return run(required);
  }
}
