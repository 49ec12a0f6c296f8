/** The traffic cost of an update, whether or not traffic control is on, and what it depends on. */
import type { TransactionUpdate, Update } from '../model/updates.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { Action } from '../../daml/model/transaction.js';
import type { Network } from '../network.js';
import { trafficCostOf, viewsOfTransaction } from '../traffic/update-cost.js';
import { withSubviews } from '../traffic/views.js';

/** A part of a transaction that goes to the same participants. */
export interface ViewCost {
  /** Its first action, such as `exercise Trade:Deal Settle`. */
  readonly action: string;
  /** The parties that see or confirm it. */
  readonly informees: readonly string[];
  /** The names of the participants that receive it. */
  readonly participants: readonly string[];
  /** The number of views around it. */
  readonly depth: number;
}

export interface CostReport {
  /** The whole request with the shares of its recipients. */
  readonly bytes: number;
  /** Empty for a reassignment. */
  readonly views: readonly ViewCost[];
  /** The number of contracts that it uses and did not create, such as disclosed ones. */
  readonly inputs: number;
}

/** Undefined for an update without a submitter: it costs nothing. */
export function costReport(network: Network, update: Update): CostReport | undefined {
  if (update.kind === 'topology' || update.submission === undefined) return undefined;
  const participant = network.participant(update.submission.participantId);
  const bytes = trafficCostOf(participant, update);
  if (update.kind === 'reassignment') return { bytes, views: [], inputs: update.events.length };
  const nameOf = (id: string): string =>
    network.participants.find((each) => each.id === id)?.name ?? id;
  const roots = viewsOfTransaction(participant, update);
  const depths = new Map<object, number>();
  const views = roots
    .flatMap((root) => [...withSubviews(root)])
    .map((view): ViewCost => {
      const depth = view.parent === undefined ? 0 : depths.get(view.parent)! + 1;
      depths.set(view, depth);
      return {
        action: actionText(view.action),
        informees: [...view.informees],
        participants: [...view.participants].map(nameOf).sort(),
        depth,
      };
    });
  return { bytes, views, inputs: inputsOf(update) };
}

/** The commands of an update: `#trades:Trade:Deal Settle`, with `+` between several. */
export function commandsText(update: Update): string {
  if (update.kind === 'topology') return 'topology';
  if (update.kind === 'reassignment') {
    const [event] = update.events;
    const verb = event?.kind === 'assigned' ? 'assign' : 'unassign';
    return event === undefined ? verb : `${verb} ${templateText(event.contract)}`;
  }
  const { roots, nodes } = update.transaction;
  const counts = new Map<string, number>();
  for (const root of roots) {
    const node = nodes[root]!;
    if (node.kind === 'rollback' || node.kind === 'rolledBack') continue;
    const text =
      node.kind === 'exercise'
        ? `${templateText(node.contract)} ${node.choice}`
        : `create ${node.kind === 'queryByKey' ? node.templateId : templateText(node.contract)}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, count]) => (count === 1 ? text : `${count} times ${text}`))
    .join(' + ');
}

const templateText = (contract: {
  readonly packageName: string;
  readonly templateId: string;
}): string => `#${contract.packageName}:${qualifiedNameOf(contract.templateId)}`;

function actionText(action: Action): string {
  if (action.kind === 'queryByKey') return `query by key ${qualifiedNameOf(action.templateId)}`;
  const name = qualifiedNameOf(action.contract.templateId);
  return action.kind === 'exercise'
    ? `exercise ${name} ${action.choice}`
    : `${action.kind} ${name}`;
}

function inputsOf({ transaction }: TransactionUpdate): number {
  const created = new Set<string>();
  const used = new Set<string>();
  for (const node of transaction.nodes) {
    const action = node.kind === 'rolledBack' ? node.action : node;
    if (action.kind === 'create') created.add(action.contract.contractId);
    else if (action.kind === 'exercise' || action.kind === 'fetch')
      used.add(action.contract.contractId);
  }
  return [...used].filter((id) => !created.has(id)).length;
}
