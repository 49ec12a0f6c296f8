/** `canticle privacy`: runs tests, and compares what their parties learned with a snapshot. */
import { existsSync, readFileSync } from 'node:fs';
import { readFacts } from '../../assembly/recorded/fact-files.js';
import type { Learned } from '../../network/privacy/learned.js';
import type { PrivacyReport } from '../../network/privacy/privacy-record.js';
import {
  comparePrivacy,
  parsePrivacySnapshot,
  privacyChangesText,
  privacySnapshot,
} from '../../network/privacy/privacy-snapshot.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { writeResult } from '../write-result.js';
import { recordedRun } from './recorded-run.js';

export interface PrivacyFlags {
  /** Path of the snapshot. */
  readonly snapshot: string;
  readonly update?: boolean;
  readonly json?: boolean;
  /** Seconds. */
  readonly timeout: number;
}

const counted = (count: number): string => (count === 1 ? '1 fact' : `${count} facts`);

/** @returns the exit status */
export async function comparePrivacyOf(
  command: readonly string[],
  { snapshot: path, update = false, json = false, timeout }: PrivacyFlags,
  terminal: Terminal,
): Promise<number> {
  const { stdout, stderr } = terminal;
  const expected = update || !existsSync(path) ? undefined : readSnapshot(path);
  const report = await recordedRun(
    {
      command,
      timeout,
      variable: 'CANTICLE_PRIVACY',
      read: readFacts,
      isEmpty: ({ facts }) => facts.length === 0,
    },
    terminal,
  );
  if (report === undefined) return 2;
  if (expected === undefined) {
    writeResult(path, privacySnapshot(report));
    if (json) printJson(report, { more: [], less: [] });
    else stdout.write(`canticle: wrote ${counted(report.facts.length)} to ${path}\n`);
    return 0;
  }
  const changes = comparePrivacy(expected, report);
  const { more, less } = changes;
  if (json) printJson(report, changes);
  else stdout.write(privacyChangesText(changes));
  if (more.length > 0)
    stderr.write(
      `canticle: ${counted(more.length)} more than in ${path}: a party learns more. Accept this with --update.\n`,
    );
  else if (less.length > 0)
    stderr.write(
      `canticle: no party learns more. The run did not show ${counted(less.length)} of ${path}: remove them with --update.\n`,
    );
  else if (!json)
    stdout.write(`canticle: no party learns more: ${counted(report.facts.length)} as in ${path}\n`);
  return more.length > 0 ? 1 : 0;

  function printJson(facts: PrivacyReport, differences: object): void {
    stdout.write(`${JSON.stringify({ ...facts, ...differences }, undefined, 2)}\n`);
  }
}

function readSnapshot(path: string): readonly Learned[] {
  try {
    return parsePrivacySnapshot(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandFailed(`failed to read '${path}': ${causeOf(error)}.`);
  }
}
