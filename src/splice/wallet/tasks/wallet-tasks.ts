/** All automation of wallets and of the validators' own wallets, in the order of Splice's triggers. */
import type { Task } from '../../automation/task.js';
import type { Splice } from '../../splice.js';
import { mergingTask } from './merging-task.js';
import { mintingTask } from './minting-task.js';
import { preapprovalTasks } from './preapproval-tasks.js';
import { requestTasks } from './request-tasks.js';

export const walletTasks = (splice: Splice): readonly Task[] => [
  ...requestTasks(splice),
  mergingTask(splice),
  ...preapprovalTasks(splice),
  mintingTask(splice),
];
