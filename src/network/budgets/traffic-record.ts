/** The traffic costs of a run: of each kind of update and of each named flow, the most expensive one. */
import { packageIdOf } from '../../daml/model/types.js';
import type { Network } from '../network.js';
import type { Update } from '../model/updates.js';
import { commandsText, costReport } from './cost-report.js';

/** The cost of one kind of update, or of a flow. The counts explain a change of the bytes. */
export interface RecordedCost {
  /** The commands, such as `#trades:Trade:Deal Settle`, or `flow NAME`. */
  readonly what: string;
  /** The traffic in bytes. */
  readonly bytes: number;
  /** The number of updates; 1 except for flows. */
  readonly updates: number;
  readonly views: number;
  /** The sum over all views. */
  readonly informees: number;
  /** The sum of the recipients of all views. */
  readonly participants: number;
  /** The number of used contracts that an update did not create. */
  readonly inputs: number;
  /** The title of the test, if one ran. */
  readonly test?: string;
}

/** The costs of a run, sorted by `what`. */
export interface TrafficReport {
  readonly costs: readonly RecordedCost[];
}

/** The most kinds of updates of a record. A suite has a few for each choice. */
export const MAX_COSTS = 100_000;

export interface TrafficRecordOptions {
  /** The title of the running test. */
  readonly test?: () => string | undefined;
  /** Is called with each cost that is new, or higher than before. */
  readonly added?: (cost: RecordedCost) => void;
  /** The most kinds; {@link MAX_COSTS} by default. */
  readonly max?: number;
}

/** Collects costs. A revert keeps them. */
export class TrafficRecord {
  private readonly costs = new Map<string, RecordedCost>();

  constructor(private readonly options: TrafficRecordOptions = {}) {}

  /** Adds all updates of a network that clients submit from now on. */
  watch(network: Network): void {
    network.onCommit((update) => {
      if (isOwn(network, update)) return;
      const cost = costOf(network, update);
      if (cost !== undefined) this.add(cost);
    });
  }

  add(cost: RecordedCost): void {
    const { test, added, max = MAX_COSTS } = this.options;
    const known = this.costs.get(cost.what);
    if (known === undefined ? this.costs.size === max : known.bytes >= cost.bytes) return;
    const title = test?.();
    const named = { ...cost, ...(title !== undefined && { test: title }) };
    this.costs.set(cost.what, named);
    added?.(named);
  }

  report(): TrafficReport {
    return sorted(this.costs.values());
  }
}

/** Whether all commands of a transaction use Canticle's own packages, such as the test token. */
function isOwn({ options }: Network, update: Update): boolean {
  if (update.kind !== 'transaction' || options.ownPackages === undefined) return false;
  const { roots, nodes } = update.transaction;
  return roots.every((root) => {
    const node = nodes[root]!;
    return 'contract' in node && options.ownPackages!.has(packageIdOf(node.contract.templateId));
  });
}

/** The most expensive ones of both. */
export function mergedTraffic(one: TrafficReport, other: TrafficReport): TrafficReport {
  const costs = new Map<string, RecordedCost>();
  for (const cost of [...one.costs, ...other.costs]) {
    const known = costs.get(cost.what);
    if (known === undefined || known.bytes < cost.bytes) costs.set(cost.what, cost);
  }
  return sorted(costs.values());
}

function sorted(costs: Iterable<RecordedCost>): TrafficReport {
  return { costs: [...costs].sort((one, other) => (one.what < other.what ? -1 : 1)) };
}

/** Undefined for an update that costs nothing. */
export function costOf(network: Network, update: Update): RecordedCost | undefined {
  const report = costReport(network, update);
  if (report === undefined) return undefined;
  const { bytes, views, inputs } = report;
  return {
    what: commandsText(update),
    bytes,
    updates: 1,
    views: views.length,
    informees: views.reduce((sum, view) => sum + view.informees.length, 0),
    participants: views.reduce((sum, view) => sum + view.participants.length, 0),
    inputs,
  };
}

/** The cost of all updates of a flow together. */
export function flowCost(name: string, costs: readonly RecordedCost[]): RecordedCost {
  const sum = (of: (cost: RecordedCost) => number): number =>
    costs.reduce((all, cost) => all + of(cost), 0);
  return {
    what: `flow ${name}`,
    bytes: sum(({ bytes }) => bytes),
    updates: costs.length,
    views: sum(({ views }) => views),
    informees: sum(({ informees }) => informees),
    participants: sum(({ participants }) => participants),
    inputs: sum(({ inputs }) => inputs),
  };
}
