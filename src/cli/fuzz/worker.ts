/** An additional thread of `canticle fuzz`. It runs portions of sequences, as the first thread does. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadOrder } from '../../assembly/fuzzing/fuzz-campaign.js';
import { FuzzThread } from '../../assembly/fuzzing/fuzz-thread.js';
import type { FuzzSettings } from '../../assembly/fuzzing/settings.js';

const thread = new FuzzThread(workerData as FuzzSettings);

parentPort!.on('message', (order: ThreadOrder) => {
  parentPort!.postMessage(
    order.kind === 'portion' ? thread.runPortion(order.portion) : thread.report(),
  );
});
