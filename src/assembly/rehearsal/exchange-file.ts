/**
 * Writes the calls of this process to a file, one JSON text per line, for `canticle rehearse`. Each process, and each test file of jest,
 * has its own file. The environment variable CANTICLE_REHEARSAL names the folder.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { CallWatch, WatchedCall } from '../../services/calls/watched-calls.js';
import type { Releases } from '../../spec/releases/releases.js';
import type { ApiVersion, SpliceVersion } from '../../spec/versions.js';
import { currentTest, type TestName } from './current-test.js';
import { namePlaces } from './places.js';

/** Bytes of one file. Later calls are not written, and the last line says so. */
export const MAX_EXCHANGE_FILE_BYTES = 256 * 1024 * 1024;

/** A line of the file. */
export type ExchangeLine =
  | { readonly kind: 'instance'; readonly canton: ApiVersion; readonly splice: SpliceVersion }
  | ({ readonly kind: 'call'; readonly test?: TestName | undefined } & WatchedCall)
  | ({ readonly kind: 'test'; readonly failed: boolean; readonly why?: string } & TestName)
  /** The place of the calls since the last such line. */
  | { readonly kind: 'place'; readonly place: string }
  /** The calls of the file so far are Canticle's own. */
  | { readonly kind: 'start' }
  | { readonly kind: 'full' };

export class ExchangeFile implements CallWatch {
  private readonly path: string;
  private order = 0;
  private bytes = 0;

  constructor(
    readonly folder: string,
    private readonly maxBytes = MAX_EXCHANGE_FILE_BYTES,
  ) {
    this.path = newFile(folder);
  }

  next(): number {
    return (this.order += 1);
  }

  add(call: WatchedCall): void {
    this.write({ kind: 'call', test: currentTest(), ...call });
  }

  write(line: ExchangeLine): void {
    if (this.bytes > this.maxBytes) return;
    const text = `${JSON.stringify(line)}\n`;
    this.bytes += Buffer.byteLength(text);
    const isFull = this.bytes > this.maxBytes;
    appendFileSync(this.path, isFull ? `${JSON.stringify({ kind: 'full' })}\n` : text);
  }
}

/** Jest loads this module for each test file again, in the same process. */
function newFile(folder: string): string {
  for (let n = 1; ; n += 1) {
    const path = join(folder, `${process.pid}-${threadId}-${n}.jsonl`);
    try {
      writeFileSync(path, '', { flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

let file: ExchangeFile | undefined;

/** Each run of a rehearsal has another folder. */
function openFile(folder: string): ExchangeFile {
  if (file?.folder !== folder) file = new ExchangeFile(folder);
  return file;
}

export function watchInstance(
  folder: string,
  { apiVersion: canton, spliceVersion: splice }: Releases,
): CallWatch {
  namePlaces();
  const watch = openFile(folder);
  watch.write({ kind: 'instance', canton, splice });
  return watch;
}

/** @param why the first line of its failure */
export function writeTest(folder: string, test: TestName, failed: boolean, why?: string): void {
  openFile(folder).write({ kind: 'test', ...test, failed, ...(why !== undefined && { why }) });
}

export const writeStart = (folder: string): void => openFile(folder).write({ kind: 'start' });

export const writePlace = (folder: string, place: string): void =>
  openFile(folder).write({ kind: 'place', place });
