/** The flags of TLS: files, as PEM, of what the ports are served with. */
import { type Command, Option } from 'commander';
import type { TlsOptions } from '../services/tls.js';
import { fileText } from './flag-values.js';
import { CommandFailed } from './terminal.js';

/** What commander collects: what stands in the files. */
export interface RawTlsFlags {
  tlsCert?: string;
  tlsKey?: string;
  tlsClientCa?: string;
}

export function addTlsFlags(command: Command): Command {
  const file = (names: string, description: string) =>
    new Option(names, description).argParser(fileText);
  return command
    .addOption(file('--tls-cert <file>', 'certificate of all ports, as PEM, which then speak TLS'))
    .addOption(file('--tls-key <file>', 'its private key, as PEM'))
    .addOption(
      file('--tls-client-ca <file>', 'whose certificates clients must have one of, as PEM'),
    );
}

/** Undefined where nothing is encrypted. @throws CommandFailed for a part without the others */
export function readTlsFlags(raw: RawTlsFlags): TlsOptions | undefined {
  const { tlsCert: cert, tlsKey: key, tlsClientCa: clientCa } = raw;
  if (cert !== undefined && key !== undefined) return { cert, key, clientCa };
  if (cert === undefined && key === undefined && clientCa === undefined) return undefined;
  throw new CommandFailed('TLS needs both --tls-cert and --tls-key.');
}
