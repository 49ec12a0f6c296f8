/** Runs scripts and mutants in several threads. Outcomes do not depend on the thread, so that their number has no effect on a report. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FuzzSuite } from '../../mutating/running/fuzz-suite.js';
import type { ScriptSuite } from '../../mutating/running/script-suite.js';
import { answerTo } from './answer.js';
import type { Terminal } from '../terminal.js';
import type { Answer, Order, WorkerSetting } from './orders.js';

/** Default number of threads. Each thread reads and compiles its own packages. */
const MAX_THREADS = 4;

export class MutantThreads {
  private readonly workers: Worker[] = [];

  /**
   * @param suite of this thread
   * @param setting for other threads
   * @param workerFile the file that other threads run; without it, this thread does the work
   * @param threads as many as the machine has processors by default, up to 4
   */
  constructor(
    private readonly suite: ScriptSuite | FuzzSuite,
    setting: WorkerSetting,
    workerFile: string | undefined,
    threads = Math.min(availableParallelism(), MAX_THREADS),
  ) {
    const count = workerFile === undefined || threads < 2 ? 0 : threads;
    for (let index = 0; index < count; index += 1)
      this.workers.push(new Worker(workerFile!, { workerData: setting }));
  }

  /** @returns the answers, in the order of the orders @param onDone receives the number of answers so far */
  async all<A extends Answer>(
    orders: readonly Order[],
    onDone: (count: number) => void = () => undefined,
  ): Promise<readonly A[]> {
    const answers: A[] = [];
    let [next, done] = [0, 0];
    const take = (index: number, answer: Answer): void => {
      answers[index] = answer as A;
      done += 1;
      onDone(done);
    };
    if (this.workers.length === 0) {
      for (const [index, order] of orders.entries()) take(index, answerTo(this.suite, order));
      return answers;
    }
    await Promise.all(
      this.workers.map(async (worker) => {
        for (let index = next++; index < orders.length; index = next++)
          take(index, await answered(worker, orders[index]!));
      }),
    );
    return answers;
  }

  async end(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}

/** @throws the error that ends the thread */
function answered(worker: Worker, order: Order): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: Answer): void => {
      worker.off('error', onError);
      resolve(answer);
    };
    const onError = (error: Error): void => {
      worker.off('message', onMessage);
      reject(error);
    };
    worker.once('message', onMessage);
    worker.once('error', onError);
    worker.postMessage(order);
  });
}

/** Prints the number of finished mutants to a terminal. */
export function progress(total: number, { stderr }: Terminal): (count: number) => void {
  if (stderr.isTTY !== true) return () => undefined;
  return (count) => {
    if (count % 50 === 0) stderr.write(`canticle: ${count} of up to ${total} mutants ran\n`);
  };
}
