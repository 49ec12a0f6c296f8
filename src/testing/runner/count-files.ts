/**
 * Counts of calls in a folder of files, one for each process of a test run. A process appends its counts while it runs, and a mark at its
 * end. Then the last process, or the one that started the run, adds them up.
 */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { UpcomingCalls } from '../../services/upcoming-calls.js';

type Counts = UpcomingCalls['counts'];

/** The last line of a process that has ended. */
const END = 'end\n';

/** Milliseconds. An older file belongs to another run, whose processes did not end normally. */
export const MAX_COUNT_FILE_AGE = 24 * 60 * 60 * 1000;

export class CountFile {
  private readonly path: string;

  /** Begins the file of a process. @param process its id, and then that of a thread */
  constructor(
    readonly folder: string,
    process: string,
  ) {
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, process);
    appendFileSync(this.path, '');
  }

  add(counts: Counts): void {
    append(this.path, `${JSON.stringify(counts)}\n`);
  }

  end(): void {
    append(this.path, END);
  }
}

/** The folder is absent if another process of the run has taken it. */
function append(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch {
    // This line is a help, not a result.
  }
}

/** Undefined while a process of the run has not ended, or if another one has taken the counts. */
export function takeCountsOfEnded(folder: string): UpcomingCalls | undefined {
  try {
    for (const name of readdirSync(folder)) {
      const hasEnded = readFileSync(join(folder, name), 'utf8').endsWith(END);
      if (!hasEnded && isAlive(Number.parseInt(name, 10))) return undefined;
    }
    const taken = `${folder}-taken-${process.pid}`;
    // Only one process can rename it.
    renameSync(folder, taken);
    return takeCounts(taken);
  } catch {
    return undefined;
  }
}

/** Reads the counts, and removes the folder. */
export function takeCounts(folder: string): UpcomingCalls {
  const all = new UpcomingCalls();
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > MAX_COUNT_FILE_AGE) continue;
      for (const line of readFileSync(path, 'utf8').split('\n'))
        for (const { change, calls } of countsIn(line)) all.add(change, calls);
    }
  } catch {
    // Another program has removed the folder.
  }
  rmSync(folder, { recursive: true, force: true });
  return all;
}

/** None in a line that a process could not finish, or in the mark of its end. */
function countsIn(line: string): Counts {
  try {
    return JSON.parse(line) as Counts;
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
