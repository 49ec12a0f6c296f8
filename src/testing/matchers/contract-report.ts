/** Describes one contract for the message of a failed matcher: its state, and the updates that led to it. */
import type { Canticle } from '../../assembly/canticle.js';
import { encodeValue } from '../../daml/codec/json/codec.js';
import { template as templateOf } from '../../daml/model/package.js';
import type { ContractInstance, ExerciseNode } from '../../daml/model/transaction.js';
import type { Archival } from '../../network/ledger/contract-store.js';
import { invariant } from '../../daml/errors/ledger-error.js';
import type { LocatedContract } from './instances.js';
import {
  shortened,
  shortJson,
  shortList,
  synchronizerText,
  templateText,
  updateText,
} from './shortened.js';

/** Maximum number of other contracts in a message. */
const MAX_LISTED = 3;

/** `active on global, reassignment counter 0` */
export function stateText({ canticle, stored }: LocatedContract): string {
  const state = canticle.network.contracts.state(stored.instance.contractId);
  invariant(state !== undefined, 'a contract that is stored has a state');
  const where = (id: string): string => synchronizerText(canticle, id);
  switch (state.kind) {
    case 'active':
      return `active on ${where(state.synchronizerId)}, reassignment counter ${state.reassignmentCounter}`;
    case 'inFlight':
      return `in flight from ${where(state.source)} to ${where(state.target)}, reassignment counter ${state.reassignmentCounter}`;
    case 'archived':
      return 'archived';
  }
}

/** The counter of the last assignment or unassignment. The state of an archived contract does not include it. */
export function counterOf({ canticle, stored }: LocatedContract): number {
  const { contractId } = stored.instance;
  const state = canticle.network.contracts.state(contractId);
  if (state !== undefined && state.kind !== 'archived') return state.reassignmentCounter;
  let counter = 0;
  const { updates } = canticle.network;
  let index = updates.firstIndex(({ sequence }) => sequence >= stored.createdIn.sequence);
  for (; index < updates.length; index++) {
    const update = updates.at(index)!;
    if (update.kind !== 'reassignment') continue;
    for (const event of update.events)
      if (event.contract.contractId === contractId) counter = event.reassignmentCounter;
  }
  return counter;
}

export function payloadOf(canticle: Canticle, contract: ContractInstance): unknown {
  for (const { packages } of canticle.network.participants) {
    const template = templateOf(packages, contract.templateId);
    if (template !== undefined)
      return encodeValue(packages, template.payloadType, contract.payload);
  }
  return undefined;
}

/** The lines that explain why a matcher failed. */
export function contractReport(located: LocatedContract): string {
  const { canticle, stored } = located;
  const { instance, createdIn } = stored;
  const { contractId, templateId, packageName, signatories, observers } = instance;
  const lines = [
    `The ledger has ${templateText(templateId)} (${packageName}) ${contractId}`,
    ['state', stateText(located)],
    ['payload', shortJson(payloadOf(canticle, instance))],
    ['signatories', shortList(signatories)],
    ['observers', shortList(observers)],
    [
      'created',
      `${updateText(canticle, createdIn)} on ${synchronizerText(canticle, createdIn.synchronizerId)}`,
    ],
    ...reassignmentLines(located),
    ...archivalLines(located),
  ];
  return lines
    .map((line) => (typeof line === 'string' ? line : `  ${line[0]!.padEnd(11)} ${line[1]}`))
    .join('\n');
}

function reassignmentLines({ canticle, stored }: LocatedContract): string[][] {
  const { contractId } = stored.instance;
  const state = canticle.network.contracts.state(contractId);
  if (state?.kind !== 'inFlight') return [];
  const { unassigned } = canticle.network.contracts.reassignment(state.reassignmentId)!;
  const submitter = shortened(unassigned.events[0]!.submitter);
  return [
    ['unassigned', `${updateText(canticle, unassigned)} by ${submitter}`],
    ['assign with', state.reassignmentId],
  ];
}

function archivalLines({ canticle, stored }: LocatedContract): string[][] {
  const archival = canticle.network.contracts.archival(stored.instance.contractId);
  if (archival === undefined) return [];
  const node = archivalNode(archival);
  const by = `${node.choice} exercised by ${shortList(node.actingParties)}`;
  const lines = [['archived', `${updateText(canticle, archival.update)}: ${by}`]];
  const successors = createdUnder(archival, node).filter((contract) =>
    isActive(canticle, contract),
  );
  if (successors.length > 0) return [...lines, ...listed(canticle, 'became', successors)];
  return [...lines, ...listed(canticle, 'active', sameTemplate(canticle, stored.instance))];
}

function archivalNode({ update, nodeId }: Archival): ExerciseNode {
  const node = update.transaction.nodes[nodeId];
  invariant(node?.kind === 'exercise', 'an exercise archives');
  return node;
}

function createdUnder({ update, nodeId }: Archival, node: ExerciseNode): ContractInstance[] {
  return update.transaction.nodes
    .filter((each) => each.kind === 'create')
    .filter((each) => each.nodeId > nodeId && each.nodeId <= node.lastDescendant)
    .map(({ contract }) => contract);
}

function isActive(canticle: Canticle, { contractId }: ContractInstance): boolean {
  return canticle.network.contracts.state(contractId)?.kind === 'active';
}

/** Active contracts with the same template and a common signatory, oldest first. */
function sameTemplate(
  { network: { contracts } }: Canticle,
  { templateId, signatories }: ContractInstance,
): ContractInstance[] {
  return contracts
    .active()
    .map(({ contractId }) => contracts.get(contractId)!)
    .filter(({ instance }) => instance.templateId === templateId)
    .filter(({ instance }) => instance.signatories.some((party) => signatories.includes(party)))
    .sort((a, b) => a.createdIn.sequence - b.createdIn.sequence || a.createdNode - b.createdNode)
    .map(({ instance }) => instance);
}

function listed(
  canticle: Canticle,
  title: string,
  contracts: readonly ContractInstance[],
): string[][] {
  if (contracts.length === 0)
    return [[title, 'no active contract has this template and signatory']];
  const rows = contracts.slice(0, MAX_LISTED).map((contract, index) => {
    const { contractId, templateId } = contract;
    const payload = shortJson(payloadOf(canticle, contract));
    return [
      index === 0 ? title : '',
      `${shortened(contractId)} ${templateText(templateId)} ${payload}`,
    ];
  });
  const more = contracts.length - rows.length;
  return more > 0 ? [...rows, ['', `and ${more} more`]] : rows;
}
