/** The command `canticle fuzz`. */
import type { Command } from 'commander';
import { whole } from '../../options/kinds.js';
import { addOptionFlags } from '../flags/option-flags.js';
import { append, parsed } from '../flags/flag-values.js';
import type { Terminal } from '../terminal.js';
import type { FuzzFlags } from './fuzz.js';
import { MAX_STEPS, percent, weight } from './fuzz-values.js';

const MAX_THREADS = 64;

/** @param ended receives the exit status */
export function addFuzzCommand(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  addOptionFlags(program.command('fuzz'), 'fuzz')
    .argument('<dar>', 'DAR file')
    .description(
      'Run random sequences of creates and choices of a DAR, and report the bugs that checks and invariants find. Exits with 0 without a bug, with 1 with one, and with 2 if the run cannot start.',
    )
    .option(
      '--dar <file>',
      'DAR with further packages, such as setup scripts; repeatable',
      append,
      [],
    )
    .option('--package <name>', 'package to fuzz; the main one by default; repeatable', append, [])
    .option('--setup <script>', 'script that makes the start state, such as Main:setup')
    .option('--scenario <file>', 'scenario that makes the start state')
    .option('--load <file>', 'saved world: the start state')
    .option('--party <name>', 'party of an empty start state; repeatable', append, [])
    .option('--template <name>', 'only this template, choice or action; repeatable', append, [])
    .option('--exclude <name>', 'without this template, choice or action; repeatable', append, [])
    .option(
      '--weight <name=number>',
      'how often to choose a template, choice or action; 1 by default; repeatable',
      weight,
      {},
    )
    .option(
      '--action <script>',
      'script with an argument that is an action; repeatable',
      append,
      [],
    )
    .option('--skip-check <name>', 'without this check; repeatable', append, [])
    .option('--fail-on <name>', 'fail also on the notes of this check; repeatable', append, [])
    .option(
      '--invariant <file>',
      'JavaScript or TypeScript module that exports invariants, as `fuzzDaml` takes them; repeatable',
      append,
      [],
    )
    .option(
      '--step-budget <number>',
      'most steps of the Daml machine for a submission; 10 million by default',
      parsed(whole(1)),
    )
    .option(
      '--traffic-budget <bytes>',
      'most traffic that a transaction may cost; by default, its values may have 1 MB',
      parsed(whole(1)),
    )
    .option('--runs <number>', 'sequences; 1000 by default without --minutes', parsed(whole(1)))
    .option('--minutes <number>', 'stop after this time', parsed(whole(1)))
    .option(
      '--steps <number>',
      'most steps of a sequence; 30 by default',
      parsed(whole(1, MAX_STEPS)),
    )
    .option('--until-coverage <percent>', 'stop if this share of branches ran', percent)
    .option(
      '--corpus <folder>',
      'start with the sequences of this folder, and add those that reach something new; earlier bugs are tried first',
    )
    .option('--workers <number>', 'number of threads; 1 by default', parsed(whole(1, MAX_THREADS)))
    .option(
      '--solve',
      'find numbers for conditions that random values never fulfil, with the package z3-solver',
    )
    .option(
      '--emit <folder>',
      'write each bug as a scenario, a Daml script and a test into this folder',
    )
    .option('--json', 'print the report as JSON')
    .option('--junit <file>', "write the results to this file, in JUnit's format")
    .action(async (file: string, flags: FuzzFlags) => {
      const { fuzz } = await import('./fuzz.js');
      ended(await fuzz(file, flags, terminal));
    });
}
