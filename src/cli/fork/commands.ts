/** The commands about what would happen, and about worlds as files. */
import type { Command } from 'commander';
import { append } from '../flags/flag-values.js';
import type { Terminal } from '../terminal.js';
import { addOptionFlags } from '../flags/option-flags.js';
import type { DumpFlags } from './dump.js';
import type { SimulateFlags } from './simulate.js';

/** @param ended told the exit status of the one that ran */
export function addSimulateCommand(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  addOptionFlags(program.command('simulate'), 'simulate')
    .argument('<file>', 'submissions as JSON, as the Ledger API takes them: one, or a list')
    .description(
      'What would happen if these were submitted, or why not: 0 if they were taken, else 1.',
    )
    .option('--url <url>', 'of a sandbox that runs', 'http://localhost:7575')
    .option('--act-as <party>', 'who acts; may be given again', append, [])
    .option('--read-as <party>', 'whose contracts may be used; may be given again', append, [])
    .option('--time <instant>', 'to which time is moved first')
    .option('--json', 'as JSON')
    .action(async (file: string, flags: SimulateFlags) => {
      const { simulateFile } = await import('./simulate.js');
      ended(await simulateFile(file, flags, terminal));
    });
}

export function addDumpCommand(program: Command, terminal: Terminal): void {
  program
    .command('dump')
    .argument('<file>', 'where the world is written, whole or not at all')
    .description('Save the world of a sandbox that runs: --load goes on from it.')
    .option('--url <url>', 'of the sandbox', 'http://localhost:7575')
    .option('--token <jwt>', 'of an administrator, where its controls ask for one')
    .option('--acs', "a participant's active contracts alone, as Canton's ExportAcs writes them")
    .option('--participant <name>', 'with --acs: whose; the first one by default')
    .option('--party <id>', 'with --acs: whose contracts; may be given again', append, [])
    .option('--no-packages', 'without the packages of DARs, which whoever loads it then names')
    .action(async (file: string, flags: DumpFlags) => {
      const { dumpWorld } = await import('./dump.js');
      await dumpWorld(file, flags, terminal);
    });
}
