// A worker process that runs suites. It is restarted if it takes too long or uses too much memory.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/** The beginning of the message about a run that exceeded its time limit. */
export const TIMED_OUT = 'timed out';

/** A waiting run uses no processor time: by the clock, it may take this many times the limit. */
const WAITING = 10;

/** Maximum memory of a worker in bytes: each run leaks some. */
const MOST_MEMORY = 1_200_000_000;

export class Runner {
  #worker;

  /**
   * @param order the suites, and the mutant or the files to mark
   * @param limit in milliseconds of processor time, since the last message
   * @param listener receives the messages before the end
   * @returns the first failure with its suite, the reached functions, the duration of each suite and the total; after the limit,
   *     `failure: TIMED_OUT`
   */
  run(order, limit, listener = () => {}) {
    const worker = (this.#worker ??= fork(WORKER, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }));
    let said = '';
    const listen = (text) => (said = (said + text).slice(-2000));
    worker.stderr.on('data', listen);
    return new Promise((resolve) => {
      const end = (answer, isOver) => {
        clearTimeout(timer);
        worker.stderr.off('data', listen);
        worker.removeAllListeners('message').removeAllListeners('exit');
        if (isOver) this.close();
        resolve(answer);
      };
      const late = () => end({ failure: TIMED_OUT, reached: [] }, true);
      let timer = setTimeout(late, WAITING * limit);
      worker.on('message', (answer) => {
        if (answer.notice === undefined) return end(answer, answer.memory > MOST_MEMORY);
        clearTimeout(timer);
        timer = setTimeout(late, WAITING * limit);
        listener(answer.notice);
      });
      worker.once('exit', (status, signal) => {
        if (signal === 'SIGKILL') return late();
        end({ failure: `the worker ended with ${status}: ${said.trim()}`, reached: [] }, true);
      });
      worker.send({ ...order, limit });
    });
  }

  close() {
    this.#worker?.kill('SIGKILL');
    this.#worker = undefined;
  }
}
