/**
 * Choice coverage in one file, to which several processes add, such as the workers of a test runner. A process takes the lock, reads the
 * file, adds its counts, and replaces the file.
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { mergedCoverage, type CoverageReport } from '../network/coverage/coverage-report.js';

/** A process that was killed left an older lock. */
const STALE_LOCK_MS = 10_000;
const RETRY_MS = 5;

/** @throws the system's error if the file cannot be written, Error if an existing file contains no coverage */
export function addToCoverageFile(path: string, report: CoverageReport): void {
  mkdirSync(dirname(path), { recursive: true });
  const unlock = lock(`${path}.lock`);
  try {
    const sum = mergedCoverage(readCoverageFile(path) ?? { packages: [] }, report);
    const unfinished = `${path}.${process.pid}.tmp`;
    writeFileSync(unfinished, `${JSON.stringify(sum, undefined, 2)}\n`);
    renameSync(unfinished, path);
  } finally {
    unlock();
  }
}

/** Undefined if the file does not exist. */
export function readCoverageFile(path: string): CoverageReport | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const read = parsed(text) as Partial<CoverageReport> | undefined;
  if (read === undefined || !Array.isArray(read.packages))
    throw new Error(
      `Failed to read coverage: '${path}' is not a coverage file. Remove it, or name another file.`,
    );
  return read as CoverageReport;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lock(path: string): () => void {
  for (;;) {
    try {
      closeSync(openSync(path, 'wx'));
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (isStale(path)) rmSync(path, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

function isStale(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > STALE_LOCK_MS;
  } catch {
    // Its owner has just released it.
    return false;
  }
}
