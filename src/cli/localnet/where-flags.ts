/** The flags of what asks a LocalNet that runs: where it is looked for, and in which form its environment is told. */
import { type Command, Option } from 'commander';
import { offset } from './localnet-flags.js';

/** Where one is looked for. */
export interface WhereFlags {
  readonly host: string;
  readonly portOffset?: number;
  readonly portFile?: string;
}

export function addWhereFlags(command: Command): Command {
  return command
    .option('--host <host>', 'address that it listens on', '127.0.0.1')
    .addOption(
      new Option('--port-offset <n>', "added to each of a LocalNet's ports").argParser(offset),
    )
    .option('--port-file <file>', 'the file that it wrote its ports to')
    .allowExcessArguments(false);
}

const FORMATS = ['dotenv', 'shell', 'github', 'json'] as const;

export interface EnvFlags extends WhereFlags {
  readonly format: (typeof FORMATS)[number];
  readonly node: string;
}

export function addEnvFlags(command: Command): Command {
  return addWhereFlags(command)
    .addOption(
      new Option('--format <form>', 'github: added to the file GITHUB_ENV, secrets masked')
        .choices(FORMATS)
        .default('dotenv'),
    )
    .option('--node <name>', 'the node of variables that name none', 'app-user');
}
