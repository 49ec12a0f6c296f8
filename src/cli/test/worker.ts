/**
 * An additional thread of `canticle test`. It runs cases like the first thread, and sends their outcomes. `orders.ts`
 * defines the messages.
 */
import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { saveCompiledCode } from '../../assembly/cache/fact-files.js';
import { CaseQueue } from './case-queue.js';
import { DarTests } from './dar-tests.js';
import type { DarOrder, Order, WorkerMessage, WorkerSetting } from './orders.js';

const { port, memory, flags } = workerData as WorkerSetting;
const queue = new CaseQueue(memory);
const orders: DarOrder[] = [];
/** The DARs of orders of which this thread ran a case. It does not read the others. */
const dars = new Map<DarOrder, DarTests>();
const send = (message: WorkerMessage) => port.postMessage(message);

port.on('message', (order: Order) => {
  if (order.kind === 'dar') {
    orders.push(order);
    work();
  } else if (order.kind === 'coverage') {
    const covered = [...dars].map(([{ first }, tests]) => ({ first, coverage: tests.coverage() }));
    send({ kind: 'coverage', coverage: covered });
  } else {
    saveCompiledCode();
    send({ kind: 'kept' });
  }
});

function work(): void {
  for (let number = queue.take(); number !== undefined; number = queue.take()) {
    // A message with the DAR comes before its cases. While there are cases, no other message comes.
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
      orders.push(next.message as DarOrder);
    send({ kind: 'script', number, outcome: run(number) });
  }
}

function run(number: number) {
  const order = orders.filter(({ first }) => first <= number).at(-1)!;
  let tests = dars.get(order);
  if (tests === undefined) {
    tests = new DarTests(order.file, flags, [...dars.values()], order.facts);
    dars.set(order, tests);
  }
  return tests.run(number - order.first);
}
