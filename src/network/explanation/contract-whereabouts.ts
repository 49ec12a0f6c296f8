/** The state of a contract in words, and whether a submitter could have used it. */
import { stakeholdersOf } from '../../daml/model/transaction.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { unassignedEvent, whoMayAssign } from '../reassignment/assignment-exclusivity.js';
import type { Archival } from '../ledger/contract-store.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Participant } from '../participant.js';
import type { Update } from '../model/updates.js';

/** A predicate of the contract: `was archived …`, `is in flight …`. Ids are complete. */
export function whereContractIs(
  participant: Participant,
  contractId: ContractId,
  readers: readonly Party[],
): string {
  const { ledger } = participant;
  const stored = ledger.contracts.get(contractId);
  const state = ledger.contracts.state(contractId);
  if (stored === undefined || state === undefined)
    return 'was never created on this network, or a revert took its creation back.';
  const what = `(${qualifiedNameOf(stored.instance.templateId)})`;
  switch (state.kind) {
    case 'archived': {
      const archival = ledger.contracts.archival(contractId)!;
      return `${what} was archived ${archivedBy(ledger, archival)}.`;
    }
    case 'inFlight': {
      const { source, target, reassignmentId, reassignmentCounter } = state;
      const place = `${what} is in flight from ${source} to ${target}, with counter ${reassignmentCounter}`;
      const { unassigned } = ledger.contracts.reassignment(reassignmentId)!;
      return `${place}: it can be used once reassignment ${reassignmentId} is assigned. ${whoMayAssign(ledger, unassignedEvent(unassigned))}`;
    }
    case 'active': {
      const { synchronizerId, reassignmentCounter } = state;
      const place = `${what} is active on ${synchronizerId}, with counter ${reassignmentCounter}`;
      return `${place}${visibilityText(participant, stakeholdersOf(stored.instance), readers)}`;
    }
  }
}

function archivedBy(ledger: Ledger, { update, nodeId }: Archival): string {
  const node = update.transaction.nodes[nodeId];
  const how =
    node?.kind === 'exercise'
      ? `by ${node.choice}, exercised by ${node.actingParties.join(', ')}, `
      : '';
  return `${how}in ${updateText(ledger, update)}`;
}

function updateText({ members }: Ledger, update: Update): string {
  const offsets = members.flatMap(({ id, name }) => {
    const offset = update.offsets.get(id);
    return offset === undefined ? [] : [`offset ${offset} of ${name}`];
  });
  return `update ${update.updateId} (${offsets.join(', ')})`;
}

function visibilityText(
  participant: Participant,
  stakeholders: readonly Party[],
  readers: readonly Party[],
): string {
  const { ledger, name } = participant;
  if (!stakeholders.some((party) => participant.hosts(party))) {
    const knowing = ledger.members.filter((each) =>
      stakeholders.some((party) => each.hosts(party)),
    );
    const known = knowing.map((each) => each.name).join(', ') || 'no participant';
    return `, known to ${known} and not to ${name}, which hosts none of its stakeholders (${stakeholders.join(', ')}): disclose it.`;
  }
  if (!stakeholders.some((party) => readers.includes(party)))
    return `, but its stakeholders are ${stakeholders.join(', ')}: act or read as one of them, or disclose it.`;
  return '.';
}
