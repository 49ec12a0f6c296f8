/** The commands about recordings of live systems. */
import { InvalidArgumentError, type Command } from 'commander';
import { port, whole } from '../../options/kinds.js';
import { append, parsed } from '../flags/flag-values.js';
import { addOptionFlags } from '../flags/option-flags.js';
import type { Terminal } from '../terminal.js';
import type { RecordFlags } from './record.js';
import type { ReplayFlags } from './replay.js';
import type { VerifyFlags } from './verify.js';

const ALLOWED_PAGES =
  'whose pages may use it, beside those of this machine, and by which name; may be given again';

/** @param ended is told the exit status of a command that has one */
export function addRecordingCommands(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  addOptionFlags(program.command('verify'), 'verify')
    .argument('[files...]', 'recordings, HAR files; none with --scenario and --against')
    .description(
      'Ask again what was asked in recordings, or run a scenario on a Canticle and on a live participant, and compare the answers: 0 if all are equal, 1 if not, 2 if a file cannot be read or the live side stops.',
    )
    .option(
      '--scenario <file>',
      'builds the world that is asked; an empty one without it. Without recordings: what is run on both sides',
    )
    .option('--against <url>', 'a live JSON Ledger API, which is asked in place of a Canticle', url)
    .option('--access-token-file <file>', 'a token for it')
    .option('--token <token>', 'the same, as it is')
    .option(
      '--run <name>',
      'of a scenario on both sides: put behind the names of parties, users and commands, so that they are free; drawn by default',
    )
    .option(
      '--quiet <ms>',
      'how long a WebSocket is waited for while nothing comes',
      parsed(whole(1)),
      2000,
    )
    .option('--json', 'the report as JSON')
    .option('--junit <file>', 'a file that gets the results in the form of JUnit')
    .action(async (files: readonly string[], flags: VerifyFlags) => {
      if (files.length === 0) {
        const { verifyScenario } = await import('./verify-scenario.js');
        return ended(await verifyScenario(flags, terminal));
      }
      const { verifyRecordings } = await import('./verify.js');
      return ended(await verifyRecordings(files, flags, terminal));
    });
  program
    .command('replay')
    .argument('<file>', 'a recording, a HAR file')
    .description(
      'Answer from a recording until told to stop: 0 if it had all that was asked for, 1 if not.',
    )
    .option('--in-order', 'each request has to be the next one of the file')
    .option('--scenario <file>', 'what is not recorded, a Canticle in the world of it answers')
    .option('--otherwise <url>', 'what is not recorded, this system answers', url)
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--port <port>', '0 for any free one', parsed(port), 0)
    .option('--allow-origin <origin>', ALLOWED_PAGES, append, [])
    .action(async (file: string, flags: ReplayFlags) => {
      const { replayRecording } = await import('./replay.js');
      ended(await replayRecording(file, flags, terminal));
    });
  program
    .command('record')
    .description('Stand before live systems as a proxy and keep each exchange in a HAR file.')
    .option('--ledger-api <url>', 'a JSON Ledger API; may be given again', urls, [])
    .option('--scan <url>', 'a Scan; may be given again', urls, [])
    .option('--registry <url>', 'a token registry; may be given again', urls, [])
    .option('--validator <url>', 'a validator; may be given again', urls, [])
    .option('--sv <url>', "an SV's app; may be given again", urls, [])
    .requiredOption('--out <file>', 'gets the exchanges, without tokens, passwords and keys')
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option(
      '--port <port>',
      'for the first system, the next ones for the others; 0 for any',
      parsed(port),
      0,
    )
    .option('--allow-origin <origin>', ALLOWED_PAGES, append, [])
    .action(async (flags: RecordFlags) => {
      const { record } = await import('./record.js');
      await record(flags, terminal);
    });
}

const urls = (text: string, previous: readonly URL[]): readonly URL[] => [...previous, url(text)];

function url(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new InvalidArgumentError('An address looks like http://localhost:2975.');
}
