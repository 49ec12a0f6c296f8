/** Runs a command again whenever one of its files changes, until the user stops it. */
import { statSync } from 'node:fs';
import type { Terminal } from './terminal.js';

/** How often it is looked whether a file has changed. */
const WATCH_EVERY_MS = 300;

/** @param isOn whether to go on after the first time; @returns the exit status of the last */
export async function whileWatched(
  isOn: boolean | undefined,
  files: readonly string[],
  { signals }: Terminal,
  run: () => number,
): Promise<number> {
  let seen = timesOf(files);
  let status = run();
  if (isOn !== true) return status;
  let isStopped = false;
  const stop = () => (isStopped = true);
  signals.on('SIGINT', stop);
  signals.on('SIGTERM', stop);
  while (!isStopped) {
    await new Promise((resolve) => setTimeout(resolve, WATCH_EVERY_MS));
    const now = timesOf(files);
    if (now === seen) continue;
    seen = now;
    status = run();
  }
  signals.off('SIGINT', stop);
  signals.off('SIGTERM', stop);
  return status;
}

const timesOf = (files: readonly string[]): string =>
  files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
