/** `canticle traffic`: runs tests, and compares the traffic of their commands with a snapshot. */
import { existsSync, readFileSync } from 'node:fs';
import { readCosts } from '../../assembly/recorded/fact-files.js';
import type { RecordedCost } from '../../network/budgets/traffic-record.js';
import {
  coinsFor,
  compareTraffic,
  parseTrafficSnapshot,
  trafficChangesText,
  trafficSnapshot,
  trafficTable,
} from '../../network/budgets/traffic-snapshot.js';
import { recordedRun } from '../privacy/recorded-run.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { writeResult } from '../write-result.js';

export interface TrafficFlags {
  /** Path of the snapshot. */
  readonly snapshot: string;
  readonly update?: boolean;
  readonly check?: boolean;
  /** A share: 0.05 for 5%. */
  readonly tolerance: number;
  /** USD for a million bytes. */
  readonly trafficPrice: number;
  /** USD for one Canton Coin. */
  readonly coinPrice?: number;
  /** Path of the table. */
  readonly summary?: string;
  readonly json?: boolean;
  /** Seconds. */
  readonly timeout: number;
}

const counted = (count: number): string => (count === 1 ? '1 cost' : `${count} costs`);

/** @returns the exit status */
export async function compareTrafficOf(
  command: readonly string[],
  flags: TrafficFlags,
  terminal: Terminal,
): Promise<number> {
  const { snapshot: path, update = false, check = false, tolerance, timeout } = flags;
  const isThere = existsSync(path);
  if (check && !isThere) throw new CommandFailed(`failed to read '${path}': there is no snapshot.`);
  const expected = isThere && !update ? readSnapshot(path) : undefined;
  const report = await recordedRun(
    {
      command,
      timeout,
      variable: 'CANTICLE_TRAFFIC',
      read: readCosts,
      isEmpty: ({ costs }) => costs.length === 0,
    },
    terminal,
  );
  if (report === undefined) return 2;
  const { stdout, stderr } = terminal;
  const price =
    flags.coinPrice === undefined
      ? undefined
      : { traffic: flags.trafficPrice, coin: flags.coinPrice };
  const changes = compareTraffic(expected ?? report.costs, report, tolerance);
  if (flags.summary !== undefined) writeResult(flags.summary, trafficTable(report, changes, price));
  if (flags.json === true)
    stdout.write(`${JSON.stringify({ ...report, ...changes }, undefined, 2)}\n`);
  else {
    if (price !== undefined)
      for (const { what, bytes } of report.costs)
        stdout.write(`${what}: ${bytes} bytes, ${coinsFor(bytes, price)} CC\n`);
    stdout.write(trafficChangesText(changes));
  }
  if (expected === undefined) {
    writeResult(path, trafficSnapshot(report));
    stderr.write(`canticle: wrote ${counted(report.costs.length)} to ${path}\n`);
    return 0;
  }
  const { more } = changes;
  stderr.write(
    more.length === 0
      ? `canticle: no cost grew: ${counted(report.costs.length)}\n`
      : `canticle: ${counted(more.length)} grew beyond the tolerance. Accept this with --update.\n`,
  );
  return more.length === 0 ? 0 : 1;
}

function readSnapshot(path: string): readonly RecordedCost[] {
  try {
    return parseTrafficSnapshot(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandFailed(`failed to read '${path}': ${causeOf(error)}.`);
  }
}
