/** The command `canticle rehearse`. */
import type { Command } from 'commander';
import { whole } from '../../options/kinds.js';
import { append, parsed } from '../flags/flag-values.js';
import type { Terminal } from '../terminal.js';
import type { RehearseFlags } from './rehearse.js';
import { RELEASE_WORDS, releasesIn } from './releases-in.js';

/** Seconds that one run may take. */
const LONGEST_RUN = 1800;

/** @param ended receives the exit status */
export function addRehearseCommand(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  program
    .command('rehearse')
    .argument('[command...]', 'command to run, after --, such as npx jest')
    .description(
      'Run tests at their release of Canton and at others, and report the calls that an upgrade breaks. Exits with 0 if nothing breaks, with 1 if a call or a test breaks, and with 2 if a run is incomplete or fails at its present release.',
    )
    .requiredOption(
      '--to <releases>',
      'releases with commas between them, such as 3.6,3.7',
      parsed({ words: RELEASE_WORDS, check: () => undefined, read: releasesIn }),
    )
    .option('--recording <file>', 'HAR file to send instead of a command; repeatable', append, [])
    .option(
      '--scenario <file>',
      'scenario to send over the Ledger API instead of a command; with --recording, the scenario that creates its world',
    )
    .option('--load <file>', 'saved world of the recording')
    .option(
      '--dar <file>',
      'DAR file to upload for the recording or scenario; repeatable',
      append,
      [],
    )
    .option(
      '--timeout <seconds>',
      'longest time of one run of the command',
      parsed(whole(1)),
      LONGEST_RUN,
    )
    .option(
      '--quiet <ms>',
      'milliseconds without a message after which a recorded WebSocket counts as complete',
      parsed(whole(1)),
      2000,
    )
    .option('--json', 'print the report as JSON')
    .option('--junit <file>', "write the report to this file, in JUnit's format")
    .option('--summary <file>', 'write a summary for a pull request to this file, as Markdown')
    .action(async (command: readonly string[], flags: RehearseFlags) => {
      const { rehearse } = await import('./rehearse.js');
      ended(await rehearse(command, flags, terminal));
    });
}
