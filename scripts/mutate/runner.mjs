// A worker that runs suites, ended and begun anew where it takes too long or has grown too large.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/** What is told of a run that did not end in time. */
export const TIMED_OUT = 'timed out';

/** What a worker may keep in memory, in bytes: each run leaves something behind. */
const MOST_MEMORY = 1_200_000_000;

export class Runner {
  #worker;

  /**
   * @param order the suites, and the mutant or the files to mark
   * @param limit in milliseconds
   * @returns what failed first, and what was reached; `failure: TIMED_OUT` behind the limit
   */
  run(order, limit) {
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
      const timer = setTimeout(() => end({ failure: TIMED_OUT, reached: [] }, true), limit);
      worker.once('message', (answer) => end(answer, answer.memory > MOST_MEMORY));
      worker.once('exit', (status) =>
        end({ failure: `the worker ended with ${status}: ${said.trim()}`, reached: [] }, true),
      );
      worker.send(order);
    });
  }

  close() {
    this.#worker?.kill('SIGKILL');
    this.#worker = undefined;
  }
}
