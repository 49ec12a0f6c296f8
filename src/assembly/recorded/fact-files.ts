/**
 * Facts of a run as files: what parties learn. Each process, and each test file of jest, appends its new facts to its own
 * file, one JSON text per line. `canticle privacy` reads the files of all. The environment variable CANTICLE_PRIVACY
 * names their folder.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { Network } from '../../network/network.js';
import {
  mergedPrivacy,
  PrivacyRecord,
  type PrivacyReport,
  type RecordedFact,
} from '../../network/privacy/privacy-record.js';
import { currentTest } from '../rehearsal/current-test.js';

let own: { readonly folder: string; readonly path: string } | undefined;

/** Writes each new fact of the network to a file of the folder, from now on. */
export function writeFacts(network: Network, folder: string): void {
  const record = new PrivacyRecord({
    test: () => currentTest()?.title,
    added: (fact) => appendFileSync(fileIn(folder), `${JSON.stringify(fact)}\n`),
  });
  record.watch(network);
}

function fileIn(folder: string): string {
  if (own?.folder !== folder) own = { folder, path: newFile(folder) };
  return own.path;
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

/** All facts of a folder. A line that a killed process did not finish is left out. */
export function readFacts(folder: string): PrivacyReport {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const lines = files
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return mergedPrivacy({ facts: [] }, { facts: lines.flatMap(factIn) });
}

function factIn(line: string): readonly RecordedFact[] {
  try {
    return [JSON.parse(line) as RecordedFact];
  } catch {
    return [];
  }
}
