/** A thread of `canticle mutate`. It reads the same DAR as the first thread, and follows the orders of that thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { MutatedDar } from '../../assembly/mutating/mutated-dar.js';
import { answerTo } from './answer.js';
import type { Order, WorkerSetting } from './orders.js';

const dar = new MutatedDar(workerData as WorkerSetting);
parentPort!.on('message', (order: Order) => parentPort!.postMessage(answerTo(dar, order)));
