/** The commands about LocalNets: `localnet` with its `status` and `stop`, `env`, `dars`. Each loads its code on use. */
import { existsSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { editDistance } from '../../daml/errors/edit-distance.js';
import { DEFAULT_SPLICE_VERSION, SPLICE_VERSIONS } from '../../spec/versions.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import type { DarFlags } from './dars.js';
import { addLocalnetFlags, readLocalnetFlags } from './localnet-flags.js';
import { addClientFlags, addEnvFlags, addWhereFlags, type WhereFlags } from './where-flags.js';

/** @param ended receives the exit status of commands that have one */
export function addLocalnetCommands(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  // Both calls are necessary: flags after `status` then belong to `status`.
  const localnet = program.enablePositionalOptions().command('localnet').enablePositionalOptions();
  addLocalnetFlags(localnet)
    .description(
      'Run a LocalNet in this process: three participants with validators, wallets and Scan.',
    )
    .action(async (file: string | undefined, flags: object) => {
      requireNoCommand(file, localnet);
      const read = readLocalnetFlags(file, flags);
      const { runLocalnet } = await import('./run-localnet.js');
      await runLocalnet(read, terminal);
    });
  addClientFlags(localnet.command('status'))
    .description(
      'List the services of a LocalNet. Exits with 0 if all of them answer, else with 1.',
    )
    .option('--json', 'print JSON')
    .action(async (flags: unknown) => {
      const { showStatus } = await import('./status.js');
      ended(await showStatus(flags, terminal));
    });
  addWhereFlags(localnet.command('stop'))
    .description('Stop a LocalNet that runs on this machine.')
    .action(async (flags: WhereFlags) => {
      const { stopLocalnet } = await import('./stop-localnet.js');
      await stopLocalnet(flags, terminal);
    });
  addEnvFlags(program.command('env'))
    .description(
      'Print environment variables of a running LocalNet, under the names that other tools use.',
    )
    .action(async (flags: unknown) => {
      const { showEnvironment } = await import('./env.js');
      await showEnvironment(flags, terminal);
    });
  program
    .command('dars')
    .description('List the Splice DARs in your folder, and where to get the missing ones.')
    .option('--folder <folder>', 'folder of DARs; CANTICLE_DARS or ~/.canticle/dars by default')
    .addOption(
      new Option('--splice <release>', 'release of Splice whose packages it lists')
        .choices(SPLICE_VERSIONS)
        .default(DEFAULT_SPLICE_VERSION),
    )
    .option('--json', 'print JSON')
    .action(async (flags: DarFlags) => {
      const { showDars } = await import('./dars.js');
      ended(showDars(flags, terminal));
    });
}

/** An argument that names no existing file may be a mistyped command. */
function requireNoCommand(file: string | undefined, { commands }: Command): void {
  if (file === undefined || existsSync(file)) return;
  const names = commands.map((each) => each.name());
  const nearest = names.find((name) => editDistance(name, file) <= 2);
  if (nearest === undefined) return;
  throw new CommandFailed(
    `'${file}' is neither a file nor a command of localnet. Did you mean canticle localnet ${nearest}?`,
  );
}
