// A worker that runs suites, ended and begun anew where it takes too long or has grown too large.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/** What is told of a run that did not end in time begins with it. */
export const TIMED_OUT = 'timed out';

/** A run that waits for ever takes no processor time: it may take so many times as long by the clock. */
const WAITING = 10;

/** What a worker may keep in memory, in bytes: each run leaves something behind. */
const MOST_MEMORY = 1_200_000_000;

export class Runner {
  #worker;

  /**
   * @param order the suites, and the mutant or the files to mark
   * @param limit in milliseconds of processor time, from the last that was told on
   * @param listener is given what is told before the end
   * @returns what failed first and in which suite, what was reached, what each suite took and all of it used; behind the limit
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
