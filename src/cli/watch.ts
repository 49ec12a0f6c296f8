/** Runs a command again whenever one of its files changes, until the user stops it. */
import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers';
import type { Terminal } from './terminal.js';

/** Milliseconds between two checks of a file. */
const WATCH_EVERY_MS = 300;

/**
 * @param isOn whether to continue after the first run
 * @param files the files that the command depends on. A run may find more.
 * @returns the exit status of the last
 */
export async function whileWatched(
  isOn: boolean | undefined,
  files: () => Iterable<string>,
  { signals }: Terminal,
  run: () => number | Promise<number>,
): Promise<number> {
  const watched = new Watched(files);
  let status = await watched.during(run);
  if (isOn !== true) return status;
  let isStopped = false;
  const stop = () => (isStopped = true);
  signals.on('SIGINT', stop);
  signals.on('SIGTERM', stop);
  while (!isStopped) {
    await new Promise((resolve) => setTimeout(resolve, WATCH_EVERY_MS));
    if (watched.haveChanged()) status = await watched.during(run);
  }
  signals.off('SIGINT', stop);
  signals.off('SIGTERM', stop);
  return status;
}

class Watched {
  private readonly times = new Map<string, number>();

  constructor(private readonly files: () => Iterable<string>) {}

  /** A change during the run is still a change afterwards. Files found during the run count as unchanged. */
  async during(run: () => number | Promise<number>): Promise<number> {
    for (const file of this.files()) this.times.set(file, timeOf(file));
    const status = await run();
    for (const file of this.files()) if (!this.times.has(file)) this.times.set(file, timeOf(file));
    return status;
  }

  haveChanged(): boolean {
    return [...this.times].some(([file, time]) => timeOf(file) !== time);
  }
}

/** 0 for a missing file. */
const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
