/** The traffic of a flow of several commands. */
import type { Canticle } from '../../assembly/canticle.js';
import type * as FactFiles from '../../assembly/recorded/fact-files.js';
import { lazy } from '../../daml/errors/lazy.js';
import { isPromise } from '../../daml/errors/realms.js';
import type * as Records from '../../network/budgets/traffic-record.js';
import type { RecordedCost } from '../../network/budgets/traffic-record.js';
import { fromEnvironment } from '../../options/environment.js';
import { knownInstances } from '../matchers/instances.js';

// Few tests use them.
const records = lazy(() => require('../../network/budgets/traffic-record.js') as typeof Records);
const factFiles = lazy(() => require('../../assembly/recorded/fact-files.js') as typeof FactFiles);

/** The outcome of {@link measure}. */
export interface Measured<T> {
  /** The result of the flow. */
  readonly result: T;
  /** The traffic of its updates in bytes. */
  readonly bytes: number;
  /** The ids of its updates that cost traffic, in order. */
  readonly updateIds: readonly string[];
}

/**
 * Measures the traffic of a flow: of all updates that the instance commits while it runs, also by the automation of
 * Splice's nodes. `canticle traffic` records it under its name. A flow also measures the updates of flows that run at the
 * same time.
 * @param canticle the newest instance of the file by default
 * @returns a promise if the flow returns one
 */
export function measure<T>(
  name: string,
  flow: () => Promise<T>,
  canticle?: Canticle,
): Promise<Measured<T>>;
export function measure<T>(name: string, flow: () => T, canticle?: Canticle): Measured<T>;
export function measure<T>(
  name: string,
  flow: () => T | Promise<T>,
  { network }: Canticle = knownInstances()[0]!,
): Measured<T> | Promise<Measured<T>> {
  const first = network.nextSequence;
  const finish = (result: T): Measured<T> => {
    const { updates } = network;
    const { costOf, flowCost } = records();
    const costs: { readonly cost: RecordedCost; readonly updateId: string }[] = [];
    let index = updates.firstIndex(({ sequence }) => sequence >= first);
    for (; index < updates.length; index += 1) {
      const update = updates.at(index)!;
      const cost = costOf(network, update);
      if (cost !== undefined) costs.push({ cost, updateId: update.updateId });
    }
    const whole = flowCost(
      name,
      costs.map(({ cost }) => cost),
    );
    const folder = fromEnvironment('CANTICLE_TRAFFIC');
    if (folder) factFiles().writeCost(whole, folder);
    return { result, bytes: whole.bytes, updateIds: costs.map(({ updateId }) => updateId) };
  };
  const result = flow();
  return isPromise(result) ? (result as Promise<T>).then(finish) : finish(result as T);
}
