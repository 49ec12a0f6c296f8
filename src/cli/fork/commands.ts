/** The commands `simulate` and `dump`. */
import type { Command } from 'commander';
import { append } from '../flags/flag-values.js';
import type { Terminal } from '../terminal.js';
import { addOptionFlags } from '../flags/option-flags.js';
import type { DumpFlags } from './dump.js';
import type { SimulateFlags } from './simulate.js';

/** @param ended receives the exit status of the command that ran */
export function addSimulateCommand(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  addOptionFlags(program.command('simulate'), 'simulate')
    .argument(
      '<file>',
      'JSON file with one submission, or a list of them, in the form of the Ledger API',
    )
    .description(
      'Show the effects of submissions without submitting them. Exits with 0 if the ledger accepts all, else with 1.',
    )
    .option('--url <url>', 'URL of a running sandbox', 'http://localhost:7575')
    .option('--act-as <party>', 'party that submits; repeatable', append, [])
    .option(
      '--read-as <party>',
      'party whose contracts the submissions may use; repeatable',
      append,
      [],
    )
    .option('--time <instant>', 'time of the ledger for the simulation')
    .option('--json', 'as JSON')
    .action(async (file: string, flags: SimulateFlags) => {
      const { simulateFile } = await import('./simulate.js');
      ended(await simulateFile(file, flags, terminal));
    });
}

export function addDumpCommand(program: Command, terminal: Terminal): void {
  program
    .command('dump')
    .argument('<file>', 'file to write; it is complete or does not exist')
    .description('Save the world of a running sandbox to a file, for --load.')
    .option('--url <url>', 'URL of the sandbox', 'http://localhost:7575')
    .option('--token <jwt>', 'token of an administrator, if the controls require one')
    .option(
      '--acs',
      "save only a participant's active contracts, in the format of Canton's ExportAcs",
    )
    .option('--participant <name>', 'with --acs: the participant; the first one by default')
    .option('--party <id>', 'with --acs: a party whose contracts to save; repeatable', append, [])
    .option('--no-packages', 'leave out the packages of DARs; name the DARs when you load the file')
    .action(async (file: string, flags: DumpFlags) => {
      const { dumpWorld } = await import('./dump.js');
      await dumpWorld(file, flags, terminal);
    });
}
