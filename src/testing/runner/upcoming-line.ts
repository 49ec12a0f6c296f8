/**
 * The line at the end of a test run about calls that use what the next release disables or removes. A run without such calls prints
 * nothing. The last worker of jest prints the line of all workers. Vitest and node:test have a process for each file, and start the last
 * one after others have ended. So each of their files prints a line, unless `canticle/deprecations` started the run.
 */
import { writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { parentPort, threadId, type MessagePort } from 'node:worker_threads';
import { fromEnvironment } from '../../options/environment.js';
import { UpcomingCalls } from '../../services/upcoming-calls.js';
import { CountFile, takeCountsOfEnded } from './count-files.js';

/** Shared by the test files of a process, which have their own copies of the classes. */
interface Shared {
  add(counts: UpcomingCalls['counts']): void;
}

const SHARED = Symbol.for('canticle.upcoming-calls');

interface Holder {
  [SHARED]?: Shared;
}

/** A test file of jest has a copy of `process`, whose events never come. */
const realProcess = (): NodeJS.Process & Holder =>
  runInThisContext('process') as NodeJS.Process & Holder;

export const isQuiet = (given = false): boolean =>
  given || Boolean(fromEnvironment('CANTICLE_QUIET_DEPRECATIONS'));

/** The script of a worker of jest, as a process or a thread. */
const JEST_WORKER = /[\\/]jest-worker[\\/].*(?:process|thread)Child\.js$/i;

/** The first element of the message with which jest ends a worker thread. */
const END_OF_THREAD = 2;

/** Called when a test file begins, so that other workers of its run wait for this one. */
export function expectUpcoming(): void {
  const real = realProcess();
  real[SHARED] ??= sharedBy(real);
}

function sharedBy(real: NodeJS.Process): Shared {
  const folder = fromEnvironment('CANTICLE_DEPRECATIONS');
  const name = `${real.pid}-${threadId}`;
  if (folder) return new CountFile(folder, name);
  return JEST_WORKER.test(real.argv[1] ?? '') ? ofWorkers(real, name) : ofProcess(real);
}

/** The workers of a run of jest have the same parent. */
function ofWorkers(real: NodeJS.Process, name: string): Shared {
  const file = new CountFile(join(tmpdir(), `canticle-deprecations-${real.ppid}`), name);
  const end = (): void => {
    file.end();
    printLine(takeCountsOfEnded(file.folder), real);
  };
  if (parentPort) {
    atEndOfThread(parentPort, end);
    return file;
  }
  real.once('exit', end);
  // Jest ends a worker so that still waits for something. With this listener the signal does not end it.
  real.once('SIGTERM', () => {
    real.off('exit', end);
    end();
    real.kill(real.pid, 'SIGTERM');
  });
  return file;
}

/** Jest terminates a thread that has not ended 500 ms after this message. Then the thread gets no event and loses its output. */
function atEndOfThread(port: MessagePort, end: () => void): void {
  const onMessage = (message: unknown): void => {
    if (!Array.isArray(message) || message[0] !== END_OF_THREAD) return;
    // A port that someone listens to keeps the thread alive.
    port.off('message', onMessage);
    end();
  };
  port.on('message', onMessage);
}

function ofProcess(real: NodeJS.Process): Shared {
  const all = new UpcomingCalls();
  real.once('exit', () => printLine(all, real));
  return {
    add: (counts) => {
      for (const { change, calls } of counts) all.add(change, calls);
    },
  };
}

/**
 * Prints the line of a test file, or adds it to that of the run.
 * @param isVitest whether it ends its processes without an event
 */
export function reportUpcoming(calls: UpcomingCalls, isVitest: boolean): void {
  const { counts } = calls;
  if (counts.length === 0) return;
  const real = realProcess();
  if (isVitest && !fromEnvironment('CANTICLE_DEPRECATIONS')) printLine(calls, real);
  else real[SHARED]?.add(counts);
}

export function printLine(calls: UpcomingCalls | undefined, { stderr }: NodeJS.Process): void {
  const line = calls?.line;
  if (line === undefined) return;
  const text = `canticle: ${line}\n`;
  // The main thread may not read what a thread writes while it ends.
  if (parentPort) writeSync(2, text);
  else stderr.write(text);
}
