/** All automation of a founded DSO, in the order in which it runs. */
import type { DsoNode } from './dso-node.js';
import { expiryTasks } from './expiry.js';
import { nameTasks } from './names.js';
import { reportTasks } from './reports.js';
import { rewardTasks } from './rewards.js';
import { governedRoundTasks } from './rounds.js';
import type { Task } from './task.js';
import { upkeepTasks } from './upkeep.js';

export function dsoTasks(node: DsoNode): readonly Task[] {
  return [
    ...governedRoundTasks(node),
    ...rewardTasks(node),
    ...nameTasks(node),
    ...reportTasks(node),
    ...upkeepTasks(node),
    ...expiryTasks(node),
  ];
}
