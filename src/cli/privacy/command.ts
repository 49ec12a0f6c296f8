/** The command `canticle privacy`. */
import type { Command } from 'commander';
import { whole } from '../../options/kinds.js';
import { parsed } from '../flags/flag-values.js';
import type { Terminal } from '../terminal.js';
import type { PrivacyFlags } from './privacy.js';

/** Seconds that the command may take. */
const LONGEST_RUN = 1800;

/** @param ended receives the exit status */
export function addPrivacyCommand(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  program
    .command('privacy')
    .argument('<command...>', 'command to run, after --, such as npx jest')
    .description(
      'Run tests, record who learns what of each template and choice, and compare this with a snapshot. Exits with 0 if no party learns more, with 1 if one does, and with 2 if the command fails.',
    )
    .option('--snapshot <file>', 'snapshot file; the first run creates it', 'privacy.snap')
    .option('--update', 'write what this run shows to the snapshot')
    .option('--json', 'print the facts and the changes as JSON')
    .option('--timeout <seconds>', 'longest time of the command', parsed(whole(1)), LONGEST_RUN)
    .action(async (command: readonly string[], flags: PrivacyFlags) => {
      const { comparePrivacyOf } = await import('./privacy.js');
      ended(await comparePrivacyOf(command, flags, terminal));
    });
}
