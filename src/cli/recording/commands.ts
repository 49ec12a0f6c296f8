/** The commands about recordings of live systems. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { port, whole } from '../../options/kinds.js';
import { append, parsed } from '../flags/flag-values.js';
import { addOptionFlags } from '../flags/option-flags.js';
import type { ParticipantAddress } from '../../bridge/verify.js';
import type { Terminal } from '../terminal.js';
import type { RecordFlags } from './record.js';
import type { ReplayFlags } from './replay.js';
import type { VerifyFlags } from './verify.js';

const ALLOWED_PAGES =
  'origin of web pages that may use it, in addition to this machine; requests may also use its host name; repeatable';

/** @param ended receives the exit status of commands that have one */
export function addRecordingCommands(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  addOptionFlags(program.command('verify'), 'verify')
    .argument('[files...]', 'recordings as HAR files; none with --scenario and --against')
    .description(
      'Repeat the requests of recordings and compare the answers. With --scenario and --against, run a scenario on Canticle and on a live participant instead. Exits with 0 if all answers are equal, with 1 if not, and with 2 if a file cannot be read or the live participant stops.',
    )
    .option(
      '--scenario <file>',
      'scenario that creates the world; empty by default. Without recordings: the scenario to run on both sides',
    )
    .option('--against <url>', 'live JSON Ledger API to ask instead of Canticle', url)
    .addOption(
      new Option(
        '--participant <name=url>',
        'URL of a participant in the recordings, if each has its own; its requests go to that participant of the Canticle; repeatable',
      )
        .argParser(participants)
        .conflicts('against'),
    )
    .option('--access-token-file <file>', 'file with a token for the live ledger')
    .option('--token <token>', 'token for the live ledger')
    .option(
      '--run <name>',
      'suffix for the names of parties, users and commands, so that they are unused; random by default',
    )
    .option(
      '--quiet <ms>',
      'milliseconds without a message after which a WebSocket counts as complete',
      parsed(whole(1)),
      2000,
    )
    .option('--json', 'print the report as JSON')
    .option('--junit <file>', "write the results to this file, in JUnit's format")
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
    .argument('<file>', 'recording as a HAR file')
    .description(
      'Answer requests from a recording. After a signal, exits with 0 if the recording had each request, else with 1.',
    )
    .option('--in-order', 'accept only the next request of the file')
    .option(
      '--scenario <file>',
      'scenario of a Canticle that answers requests that are not recorded',
    )
    .option('--otherwise <url>', 'system that answers requests that are not recorded', url)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 for any free one', parsed(port), 0)
    .option('--allow-origin <origin>', ALLOWED_PAGES, append, [])
    .action(async (file: string, flags: ReplayFlags) => {
      const { replayRecording } = await import('./replay.js');
      ended(await replayRecording(file, flags, terminal));
    });
  program
    .command('record')
    .description(
      'Run a proxy in front of live systems, and record each request and answer in a HAR file.',
    )
    .option('--ledger-api <url>', 'URL of a JSON Ledger API; repeatable', urls, [])
    .option('--scan <url>', 'URL of a Scan; repeatable', urls, [])
    .option('--registry <url>', 'URL of a token registry; repeatable', urls, [])
    .option('--validator <url>', 'URL of a validator; repeatable', urls, [])
    .option('--sv <url>', 'URL of an SV app; repeatable', urls, [])
    .requiredOption('--out <file>', 'HAR file to write, without tokens, passwords and keys')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--port <port>',
      'port for the first system; the others get the next ports; 0 for any free ones',
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

function participants(
  text: string,
  previous: readonly ParticipantAddress[] = [],
): readonly ParticipantAddress[] {
  const [name = '', ...rest] = text.split('=');
  if (name === '' || rest.length === 0)
    throw new InvalidArgumentError(
      'Expected a name and a URL, such as app-user=http://localhost:2975.',
    );
  return [...previous, { name, url: url(rest.join('=')) }];
}

function url(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new InvalidArgumentError('Expected a URL, such as http://localhost:2975.');
}
