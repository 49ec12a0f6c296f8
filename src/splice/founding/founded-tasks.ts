/** The automation of a network, depending on how its Amulet was founded. Founding adds it, as does reading a saved network. */
import { dsoTasks } from '../automation/dso-tasks.js';
import { DsoNode } from '../automation/dso-node.js';
import { roundTasks } from '../automation/rounds.js';
import { trafficRewardTasks } from '../automation/traffic-rewards.js';
import type { Task } from '../automation/task.js';
import type { Splice } from '../splice.js';
import { configuredTasks } from '../wallet/tasks/configured-tasks.js';
import { walletTasks } from '../wallet/tasks/wallet-tasks.js';
import { licenceTasks } from './licence-tasks.js';
import { trafficTask } from './traffic-task.js';

/** Adds all tasks of a network that was read from a file. */
export function addSavedTasks(splice: Splice): void {
  addTasks(splice);
  splice.automation.add(...configuredTasks(splice));
}

/**
 * Adds the tasks for the way in which Amulet was founded; none before that.
 * @returns the tasks of wallets
 */
export function addTasks(splice: Splice, node = new DsoNode(splice)): readonly Task[] {
  const { value: founding } = splice.founding;
  if (founding === undefined) return [];
  const wallets = walletTasks(splice);
  const own = founding === 'governed' ? governedTasks(splice, node) : roundTasks(node);
  splice.automation.add(...own, ...wallets);
  return wallets;
}

const governedTasks = (splice: Splice, node: DsoNode): readonly Task[] => [
  ...dsoTasks(node),
  ...trafficRewardTasks(node, splice),
  ...licenceTasks(splice, node),
  trafficTask(splice, node),
];
