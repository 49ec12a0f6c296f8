/**
 * Facts of a run as files: what parties learn, and what commands cost. Each process appends its new facts to its own file
 * of a folder, one JSON text per line. In jest, each test file has its own. `canticle privacy` and `canticle traffic` read the
 * files of all processes. The environment variables CANTICLE_PRIVACY and CANTICLE_TRAFFIC name the folders.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import {
  mergedTraffic,
  TrafficRecord,
  type RecordedCost,
  type TrafficReport,
} from '../../network/budgets/traffic-record.js';
import type { Network } from '../../network/network.js';
import {
  mergedPrivacy,
  PrivacyRecord,
  type PrivacyReport,
  type RecordedFact,
} from '../../network/privacy/privacy-record.js';
import { currentTest } from '../rehearsal/current-test.js';

/** The file of this process in each folder. */
const own = new Map<string, string>();

const test = (): string | undefined => currentTest()?.title;

/** Writes each fact that the network's parties learn, from now on and until now, to a file of the folder. */
export function writeFacts(network: Network, folder: string): void {
  new PrivacyRecord({ test, added: (fact) => append(folder, fact) }).watch(network);
}

/** Writes the costs of the network's commands, from now on, to a file of the folder. */
export function writeCosts(network: Network, folder: string): void {
  new TrafficRecord({ test, added: (cost) => append(folder, cost) }).watch(network);
}

/** Writes one cost to a file of the folder. */
export function writeCost(cost: RecordedCost, folder: string): void {
  new TrafficRecord({ test, added: (named) => append(folder, named) }).add(cost);
}

function append(folder: string, fact: object): void {
  const path = own.get(folder) ?? newFile(folder);
  own.set(folder, path);
  appendFileSync(path, `${JSON.stringify(fact)}\n`);
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

export const readFacts = (folder: string): PrivacyReport =>
  mergedPrivacy({ facts: [] }, { facts: linesIn<RecordedFact>(folder) });

export const readCosts = (folder: string): TrafficReport =>
  mergedTraffic({ costs: [] }, { costs: linesIn<RecordedCost>(folder) });

/** All facts of a folder. A line that a killed process did not finish is left out. */
function linesIn<Fact>(folder: string): readonly Fact[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const lines = files
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return lines.flatMap((line): readonly Fact[] => {
    try {
      return [JSON.parse(line) as Fact];
    } catch {
      return [];
    }
  });
}
