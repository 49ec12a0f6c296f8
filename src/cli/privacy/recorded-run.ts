/** Runs a command whose Canticles write facts to a folder, and reads them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../rehearse/run-command.js';
import type { Terminal } from '../terminal.js';

export interface RecordedRun<Report> {
  readonly command: readonly string[];
  /** Seconds. */
  readonly timeout: number;
  /** The environment variable that names the folder. */
  readonly variable: 'CANTICLE_PRIVACY' | 'CANTICLE_TRAFFIC';
  readonly read: (folder: string) => Report;
  readonly isEmpty: (report: Report) => boolean;
}

/** Undefined if the command failed, which it prints: its facts are not complete. */
export async function recordedRun<Report>(
  { command, timeout, variable, read, isEmpty }: RecordedRun<Report>,
  terminal: Terminal,
): Promise<Report | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'canticle-recorded-'));
  const environment = { [variable]: folder };
  try {
    const { status, isLate, isStopped } = await runCommand(
      { command, environment, timeout: timeout * 1000 },
      terminal,
    );
    const report = read(folder);
    const why = isStopped
      ? 'was stopped'
      : isLate
        ? `took more than ${timeout} seconds`
        : status !== 0
          ? `ended with status ${status ?? 'unknown'}`
          : isEmpty(report)
            ? 'used no Canticle'
            : undefined;
    if (why === undefined) return report;
    terminal.stderr.write(`canticle: ${command.join(' ')} ${why}: nothing was compared.\n`);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
