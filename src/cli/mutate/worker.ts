/** A thread of `canticle mutate`. It reads the same DAR as the first thread, and follows the orders of that thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { FuzzedDar } from '../../assembly/mutating/fuzzed-dar.js';
import { MutatedDar } from '../../assembly/mutating/mutated-dar.js';
import { answerTo } from './answer.js';
import type { Order, WorkerSetting } from './orders.js';

const setting = workerData as WorkerSetting;
const { suite } =
  setting.kind === 'fuzz' ? new FuzzedDar(setting.options) : new MutatedDar(setting.options);
parentPort!.on('message', (order: Order) => parentPort!.postMessage(answerTo(suite, order)));
