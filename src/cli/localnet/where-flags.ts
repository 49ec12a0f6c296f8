/** The flags of commands that use a running LocalNet: where it runs, and the format of its environment. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { portOffset } from '../../options/localnet.js';
import { fileText, parsed } from '../flags/flag-values.js';
import { CommandFailed } from '../terminal.js';
import type { ClientTls } from '../../client/http-side.js';

/** Where the LocalNet runs. */
export interface WhereFlags {
  readonly host: string;
  readonly portOffset?: number;
  readonly portFile?: string;
}

export function addWhereFlags(command: Command): Command {
  return command
    .option('--host <host>', 'address that the LocalNet listens on', '127.0.0.1')
    .addOption(
      new Option(
        '--port-offset <n>',
        'number that is added to each port of the LocalNet',
      ).argParser(parsed(portOffset)),
    )
    .option('--port-file <file>', 'file with the ports of the LocalNet, from its --port-file');
}

/** The same for requests, which need certificates if the LocalNet serves TLS. */
export interface ClientFlags extends WhereFlags {
  readonly tlsCa?: { readonly path: string; readonly text: string };
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

export function addClientFlags(command: Command): Command {
  const option = (names: string, description: string) => new Option(names, description);
  return addWhereFlags(command)
    .addOption(
      option(
        '--tls-ca <file>',
        'certificate authority of the LocalNet, as PEM; by default the authorities that Node trusts',
      ).argParser((path) => ({ path: resolve(path), text: fileText(path) })),
    )
    .addOption(
      option(
        '--tls-cert <file>',
        'client certificate, as PEM, if the LocalNet requires one',
      ).argParser(fileText),
    )
    .addOption(
      option('--tls-key <file>', 'private key of the client certificate, as PEM').argParser(
        fileText,
      ),
    );
}

/** @throws CommandFailed for a certificate without its key */
export function credentialsOf({ tlsCa, tlsCert: cert, tlsKey: key }: ClientFlags): ClientTls {
  if ((cert === undefined) !== (key === undefined))
    throw new CommandFailed('A certificate needs both --tls-cert and --tls-key.');
  return { ca: tlsCa?.text, cert, key };
}

/** Path of the authority that other programs have to trust. */
export const authorityOf = ({ tlsCa }: ClientFlags): string | undefined =>
  tlsCa?.path ?? process.env[AUTHORITY];

/** Node reads a file of further authorities from this variable. */
export const AUTHORITY = 'NODE_EXTRA_CA_CERTS';

const FORMATS = ['dotenv', 'shell', 'github', 'json'] as const;

export interface EnvFlags extends ClientFlags {
  readonly format: (typeof FORMATS)[number];
  readonly node: string;
}

export function addEnvFlags(command: Command): Command {
  return addClientFlags(command)
    .addOption(
      new Option(
        '--format <form>',
        'form of the output; `github` adds the variables to the file GITHUB_ENV, and masks secrets',
      )
        .choices(FORMATS)
        .default('dotenv'),
    )
    .option('--node <name>', 'node for the variables without a node name', 'app-user');
}
