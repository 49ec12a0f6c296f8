/** The commands about recordings of live systems. */
import { InvalidArgumentError, type Command } from 'commander';
import { port } from '../flag-values.js';
import type { Terminal } from '../terminal.js';
import type { RecordFlags } from './record.js';

export function addRecordingCommands(program: Command, terminal: Terminal): void {
  program
    .command('record')
    .description('Stand before live systems as a proxy and keep each exchange in a HAR file.')
    .option('--ledger-api <url>', 'a JSON Ledger API; may be given again', urls, [])
    .option('--scan <url>', 'a Scan; may be given again', urls, [])
    .option('--registry <url>', 'a token registry; may be given again', urls, [])
    .option('--validator <url>', 'a validator; may be given again', urls, [])
    .requiredOption('--out <file>', 'gets the exchanges, without tokens, passwords and keys')
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option(
      '--port <port>',
      'for the first system, the next ones for the others; 0 for any',
      port,
      0,
    )
    .action(async (flags: RecordFlags) => {
      const { record } = await import('./record.js');
      await record(flags, terminal);
    });
}

function urls(text: string, previous: readonly URL[]): readonly URL[] {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('An address looks like http://localhost:2975.');
  return [...previous, new URL(text)];
}
