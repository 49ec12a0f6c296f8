/** The commands about LocalNets: `localnet` with its `status` and `stop`, `env`, `dars`. What each does is loaded when it is asked for. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { editDistance } from '../../daml/errors/edit-distance.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import { addLocalnetFlags, readLocalnetFlags } from './localnet-flags.js';
import { addClientFlags, addEnvFlags, addWhereFlags, type WhereFlags } from './where-flags.js';

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
    .action(async (file: string | undefined, flags: object) => {
      requireNoCommand(file, localnet);
      const read = readLocalnetFlags(file, flags);
      const { runLocalnet } = await import('./run-localnet.js');
      await runLocalnet(read, terminal);
    });
  addClientFlags(localnet.command('status'))
    .description('Tell which services of a LocalNet answer: 0 if all do, else 1.')
    .option('--json', 'as JSON')
    .action(async (flags: unknown) => {
      const { showStatus } = await import('./status.js');
      ended(await showStatus(flags, terminal));
    });
  addWhereFlags(localnet.command('stop'))
    .description('Stop a LocalNet that canticle localnet runs on this machine.')
    .action(async (flags: WhereFlags) => {
      const { stopLocalnet } = await import('./stop-localnet.js');
      await stopLocalnet(flags, terminal);
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

/** What is no file may have been meant as a command. */
function requireNoCommand(file: string | undefined, { commands }: Command): void {
  if (file === undefined || existsSync(file)) return;
  const names = commands.map((each) => each.name());
  const nearest = names.find((name) => editDistance(name, file) <= 2);
  if (nearest === undefined) return;
  throw new CommandFailed(
    `there is no file '${file}', and no such command of localnet. Did you mean canticle localnet ${nearest}?`,
  );
}
