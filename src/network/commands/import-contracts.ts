/**
 * Imports contracts from a file, as the repair service of a participant does. Only that participant receives them, in
 * transactions without a submitter: one for each creation time.
 * NOTE: a contract that is archived on any participant is archived on all. It cannot be imported on a participant that
 * has not received the archival yet.
 */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { sortedStakeholders, type ContractInstance } from '../../daml/model/transaction.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Participant } from '../participant.js';
import type { ExportedActiveContract } from '../reading/acs-import.js';

export interface Import {
  /** Contracts on other synchronizers are left out; undefined for the contracts on all synchronizers. */
  readonly synchronizerId: SynchronizerId | undefined;
  /** Called after the check that contracts may be added. */
  readonly contracts: () => readonly ExportedActiveContract[];
  /** Whether contracts that do not match their id are rejected. */
  readonly authenticates: boolean;
  readonly workflowIdPrefix: string;
}

/**
 * @param refuse creates the error of the service that imports
 * @throws that error
 */
export function importContracts(
  participant: Participant,
  { synchronizerId, contracts, authenticates, workflowIdPrefix }: Import,
  refuse: (reason: string) => LedgerError,
): void {
  const { ledger } = participant;
  if (participant.connected.length > 0)
    throw refuse('There are still synchronizers connected. Please disconnect all synchronizers.');
  const requireRegistered = (id: SynchronizerId): void => {
    if (!participant.registered.includes(id))
      throw refuse(`Unable to resolve ${id} to a physical synchronizer id`);
  };
  if (synchronizerId !== undefined) requireRegistered(synchronizerId);
  const given = contracts();
  const targets = synchronizerId === undefined ? synchronizersOf(given) : [synchronizerId];
  targets.forEach(requireRegistered);
  const added = targets.map((id) => {
    const own = given.filter((each) => each.synchronizerId === id);
    return [
      id,
      own.flatMap((each) => newOf(participant, each, authenticates, refuse) ?? []),
    ] as const;
  });
  let count = 0;
  ledger.journal.atomically(() => {
    for (const [id, contractsOfOne] of added)
      for (const [effectiveAt, created] of byCreation(contractsOfOne)) {
        const nodes = created.map((contract, nodeId) => {
          return { kind: 'create' as const, nodeId, parent: -1, contract };
        });
        count += 1;
        ledger.commit(
          {
            kind: 'transaction',
            isImported: true,
            synchronizerId: id,
            effectiveAt,
            transaction: { nodes, roots: nodes.map(({ nodeId }) => nodeId) },
            witnesses: created.map(sortedStakeholders),
            workflowId: `${workflowIdPrefix}-${count}`,
          },
          undefined,
          participant,
        );
      }
  });
}

const synchronizersOf = (contracts: readonly ExportedActiveContract[]): readonly SynchronizerId[] =>
  [...new Set(contracts.map(({ synchronizerId }) => synchronizerId))].sort();

/** @returns undefined for a contract that is already active there */
function newOf(
  { ledger, packages, activeContracts }: Participant,
  { contractId, synchronizerId, packageId, reassignmentCounter, read }: ExportedActiveContract,
  authenticates: boolean,
  refuse: (reason: string) => LedgerError,
): ContractInstance | undefined {
  if (reassignmentCounter !== 0)
    throw refuse(
      `Contracts with a non-zero reassignment counter found with disabled multi-synchronizer support: List((${contractId},${reassignmentCounter}))`,
    );
  if (!packages.has(packageId)) throw refuse(`Failed to locate package ${packageId}`);
  const { contract, error } = read(packages);
  if (error !== undefined && authenticates)
    throw refuse(`Failed to authenticate contract with id: ${contractId}: ${error.message}`);
  const known = ledger.contracts.get(contractId);
  if (known?.isArchived === true)
    throw refuse(
      `Cannot add previously archived contract ${contractId} as archived contracts cannot become active.`,
    );
  if (activeContracts.get(contractId, synchronizerId) !== undefined) return undefined;
  return known?.instance ?? contract;
}

function byCreation(
  contracts: readonly ContractInstance[],
): readonly (readonly [bigint, readonly ContractInstance[]])[] {
  const found = new Map<bigint, ContractInstance[]>();
  for (const each of contracts) {
    const before = found.get(each.createdAt);
    if (before === undefined) found.set(each.createdAt, [each]);
    else before.push(each);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}
