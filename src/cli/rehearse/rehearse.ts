/**
 * `canticle rehearse`: runs a command, a recording or a scenario at its present release of Canton and at others, and reports which calls
 * an upgrade breaks.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareRuns } from '../../recording/rehearsal/findings.js';
import { disabledById } from '../../spec/releases/upcoming-changes.js';
import { replacedInSplice } from '../../spec/releases/splice-replacements.js';
import { junitText } from '../junit.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { RecordingError } from '../../recording/entry-scanner.js';
import { writeResult } from '../write-result.js';
import { readRun, type FirstReleases, type ReadRun } from '../../bridge/read-run.js';
import {
  breaks,
  rehearsalSuites,
  rehearsalSummary,
  rehearsalText,
  type Rehearsal,
  type Rehearsed,
} from './report.js';
import { runCommand } from './run-command.js';
import { targetName, type Target } from './releases-in.js';
import { runFiles } from './run-files.js';

/** Exit status: the upgrade breaks nothing; it breaks a call or a test; there is no complete run. */
const SAME = 0;
const BREAKS = 1;
const BROKEN = 2;

export interface RehearseFlags {
  readonly to: readonly Target[];
  readonly recording: readonly string[];
  readonly scenario?: string;
  readonly dar?: readonly string[];
  readonly load?: string;
  /** Seconds. */
  readonly timeout: number;
  readonly quiet: number;
  readonly json?: boolean;
  readonly junit?: string;
  readonly summary?: string;
}

/** A run, and how it ended. */
interface Ended {
  readonly run: ReadRun;
  readonly status: number | undefined;
  readonly broken?: string;
}

const endOf = (status: number | undefined): string =>
  status === undefined ? 'by a signal' : `with ${status}`;

/** @returns the exit status */
export async function rehearse(
  command: readonly string[],
  flags: RehearseFlags,
  terminal: Terminal,
): Promise<number> {
  try {
    return await compareReleases(command, flags, terminal);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    terminal.stderr.write(`canticle: ${error.message}\n`);
    return BROKEN;
  }
}

async function compareReleases(
  command: readonly string[],
  flags: RehearseFlags,
  terminal: Terminal,
): Promise<number> {
  const isOfFiles = flags.recording.length > 0 || flags.scenario !== undefined;
  if (isOfFiles === command.length > 0)
    throw new CommandFailed(
      'failed to rehearse: pass a command after --, such as canticle rehearse --to 3.6 -- npx jest, or else --recording or --scenario.',
    );
  const name = isOfFiles
    ? [...flags.recording, flags.scenario].filter(Boolean).join(', ')
    : command.join(' ');
  const before = await ranAt(undefined, command, flags, terminal);
  const { releases } = before.run;
  if (before.broken !== undefined) throw new CommandFailed(`failed to rehearse: ${before.broken}`);
  if (before.run.calls.length === 0 && before.run.tests.length === 0)
    throw new CommandFailed(
      `failed to rehearse: ${name} makes no call to a Canticle${before.status === 0 ? '' : `, and ends ${endOf(before.status)}`}.`,
    );
  const runs: Rehearsed[] = [];
  for (const target of flags.to) {
    const { run, status, broken } = await ranAt(target, command, flags, terminal, before.run);
    const release = targetName(target);
    const comparison = compareRuns(before.run, run, replacementOf);
    runs.push({ release, status, ...comparison, ...(broken !== undefined && { broken }) });
  }
  return report({ name, current: releases, runs }, before.status, flags, terminal);
}

/** The replacement of an operation that a release disables or removes. */
const replacementOf = (operation: string | undefined, api = 'ledger') =>
  api === 'ledger' ? disabledById(operation) : replacedInSplice(api, operation);

async function ranAt(
  target: Target | undefined,
  command: readonly string[],
  flags: RehearseFlags,
  terminal: Terminal,
  current?: FirstReleases,
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'canticle-rehearsal-'));
  const environment = {
    CANTICLE_REHEARSAL: folder,
    CANTICLE_CANTON: target && 'canton' in target ? target.canton : undefined,
    CANTICLE_SPLICE: target && 'splice' in target ? target.splice : undefined,
    CANTICLE_QUIET_DEPRECATIONS: '1',
  };
  try {
    if (command.length === 0) {
      const why = await runFiles(environment, flags).then(() => undefined, unusable);
      const run = await readRun(folder, current);
      return why === undefined ? { run, status: 0 } : { run, status: 0, broken: why };
    }
    terminal.stderr.write(
      `canticle: ${command.join(' ')}, at ${target === undefined ? 'its release' : targetName(target)}\n`,
    );
    const timeout = flags.timeout * 1000;
    const { status, isLate, isStopped } = await runCommand(
      { command, environment, timeout },
      terminal,
    );
    const run = await readRun(folder, current);
    const name = `the command at ${target === undefined ? 'its release' : targetName(target)}`;
    if (isStopped) return { run, status, broken: `${name} was stopped.` };
    if (isLate) return { run, status, broken: `${name} took more than ${flags.timeout} seconds.` };
    return { run, status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why files cannot be read or sent: an error of the system, of a recording or of a request. */
function unusable(error: unknown): string {
  if (error instanceof CommandFailed || typeof (error as NodeJS.ErrnoException).code !== 'string')
    throw error;
  return error instanceof RecordingError ? error.message : causeOf(error);
}

function report(
  rehearsal: Rehearsal,
  before: number | undefined,
  flags: RehearseFlags,
  { stdout, stderr }: Terminal,
): number {
  const { runs } = rehearsal;
  if (flags.json === true) stdout.write(`${JSON.stringify(rehearsal, undefined, 2)}\n`);
  else stdout.write(rehearsalText(rehearsal));
  if (flags.junit !== undefined) writeResult(flags.junit, junitText(rehearsalSuites(rehearsal)));
  if (flags.summary !== undefined) writeResult(flags.summary, rehearsalSummary(rehearsal));
  if (before !== 0)
    stderr.write(`canticle: the command ends ${endOf(before)} at its release already.\n`);
  if (before !== 0 || runs.some(({ broken }) => broken !== undefined)) return BROKEN;
  const isBroken = runs.some((run) => breaks(run) || run.status !== 0);
  return isBroken ? BREAKS : SAME;
}
