/** The command `canticle mutate`. */
import type { Command } from 'commander';
import { whole } from '../../options/kinds.js';
import { append, parsed } from '../flags/flag-values.js';
import { addOptionFlags } from '../flags/option-flags.js';
import type { Terminal } from '../terminal.js';
import type { MutateFlags } from './flags.js';

/** @param ended receives the exit status */
export function addMutateCommand(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  addOptionFlags(program.command('mutate'), 'mutate')
    .argument('<dar>', 'DAR file with tests')
    .argument('[command...]', 'command that runs other tests, after --, such as npx jest')
    .description(
      'Make small changes to Daml code, and report those that its tests do not notice. Exits with 0 if the score is high enough, with 1 if not, and with 2 if nothing can be changed.',
    )
    .option(
      '--package <name>',
      'package to change; repeatable; by default that of the DAR, or those that its tests use',
      append,
      [],
    )
    .option('--operator <name>', 'kind of change; repeatable; all by default', append, [])
    .option('-p, --test-pattern <text>', 'run only scripts whose names contain this text')
    .option('--fuzz', 'run random sequences, as `canticle fuzz` does, instead of scripts')
    .option('--runs <number>', 'with --fuzz: sequences for each mutant', parsed(whole(1)), 100)
    .option('--setup <script>', 'with --fuzz: script that makes the start state')
    .option(
      '--invariant <file>',
      'with --fuzz: JavaScript or TypeScript module that exports invariants; repeatable',
      append,
      [],
    )
    .option('--only <key>', 'run the mutant with this key of the report; repeatable', append, [])
    .option('--max <number>', 'run at most this many mutants', parsed(whole(1)))
    .option('--min-score <percent>', 'lowest score that succeeds', parsed(whole(0, 100)))
    .option('--json', 'print the report as JSON')
    .option('--html <file>', 'write the report with the sources to this file, as HTML')
    .option(
      '--workers <number>',
      'number of threads; by default one per processor, up to 4',
      parsed(whole(1)),
    )
    .action(async (file: string, command: readonly string[], flags: MutateFlags) => {
      const { mutate } = await import('./mutate.js');
      ended(await mutate(file, command, flags, terminal));
    });
}
