/** The commands about LocalNets: `localnet` and its `status`, `env`, `dars`. What each does is loaded when it is asked for. */
import type { Command } from 'commander';
import type { Terminal } from '../terminal.js';
import { addLocalnetFlags, readLocalnetFlags } from './localnet-flags.js';
import { addEnvFlags, addWhereFlags } from './where-flags.js';

/** @param ended is told the exit status of a command that has one */
export function addLocalnetCommands(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  // Both, so that flags behind `status` are its own.
  const localnet = program.enablePositionalOptions().command('localnet').enablePositionalOptions();
  addLocalnetFlags(localnet)
    .description('Run a LocalNet in this process: three participants, their validators, Scan.')
    .action(async (file: string | undefined, flags: unknown) => {
      const read = readLocalnetFlags(file, flags);
      const { runLocalnet } = await import('./run-localnet.js');
      await runLocalnet(read, terminal);
    });
  addWhereFlags(localnet.command('status'))
    .description('Tell which services of a LocalNet answer: 0 if all do, else 1.')
    .option('--json', 'as JSON')
    .action(async (flags: unknown) => {
      const { showStatus } = await import('./status.js');
      ended(await showStatus(flags, terminal));
    });
  addEnvFlags(program.command('env'))
    .description("Print a running LocalNet as the environment that the ecosystem's tools read.")
    .action(async (flags: unknown) => {
      const { showEnvironment } = await import('./env.js');
      await showEnvironment(flags, terminal);
    });
  program
    .command('dars')
    .description("Tell which of Splice's DARs are found, and where the rest can be had.")
    .option('--folder <folder>', 'instead of what CANTICLE_DARS says, or ~/.canticle/dars')
    .option('--json', 'as JSON')
    .action(async (flags: { folder?: string; json?: true }) => {
      const { showDars } = await import('./dars.js');
      ended(showDars(flags, terminal));
    });
}
