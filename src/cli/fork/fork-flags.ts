/** `--fork` and the flags that go with it: which participant a sandbox goes on from. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { LoadOptions } from '../../assembly/open-world.js';
import type { ForkOptions } from '../../assembly/fork/fork-options.js';

interface RawForkFlags {
  fork?: string;
  forkScan?: string;
  token?: string;
  party: string[];
  at?: number;
  impersonate?: boolean;
  forkCache?: string;
  refresh?: true;
}

/** Where the token is that is not on the command line, which others may see. */
const TOKEN = 'CANTICLE_FORK_TOKEN';

export function addForkFlags(command: Command): Command {
  return command
    .option('--fork <url>', 'go on from a participant that runs elsewhere: of its JSON Ledger API')
    .option(
      '--fork-scan <url>',
      "go on from the DSO's contracts, as a Scan tells them; with --fork beside what that participant sees",
    )
    .option('--token <jwt>', `with --fork: a token that may read; ${TOKEN} where absent`)
    .addOption(
      new Option(
        '--party <id>',
        'with --fork: whose contracts are read; with --load of active contracts: who is there too; may be given again',
      )
        .default([], "everybody's")
        .argParser((value: string, all: string[]) => [...all, value]),
    )
    .addOption(
      new Option(
        '--at <offset>',
        'with --fork: at which offset; its ledger end by default',
      ).argParser(offset),
    )
    .option(
      '--impersonate',
      'with --fork: anybody may be acted as, whoever hosts them; the default',
    )
    .option('--no-impersonate', 'with --fork: nobody is acted as who is hosted elsewhere')
    .option(
      '--fork-cache <folder>',
      'with --fork: keeps what was read; ~/.canticle/forks by default',
    )
    .option('--refresh', 'with --fork: read it again, whatever was kept');
}

function offset(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('An offset is a whole number.');
  return number;
}

/** What `--load` names, and who is there beside those whom it names; undefined where nothing is loaded. */
export function readLoadFlags(flags: unknown): string | LoadOptions | undefined {
  const { load: file, party: parties } = flags as RawForkFlags & { load?: string };
  const isFork = readForkFlags(flags) !== undefined;
  if (file === undefined || isFork || parties.length === 0) return file;
  return { file, parties };
}

/** Undefined where nothing is forked. */
export function readForkFlags(
  flags: unknown,
  onProgress?: (line: string) => void,
): ForkOptions | undefined {
  const { fork: url, forkScan: scan, token, party } = flags as RawForkFlags;
  const { at, impersonate = true, forkCache, refresh } = flags as RawForkFlags;
  if (url === undefined && scan === undefined) return undefined;
  const given = token ?? process.env[TOKEN];
  return {
    ...(url !== undefined && { url }),
    ...(scan !== undefined && { scan }),
    impersonate,
    ...(given !== undefined && { token: given }),
    ...(party.length > 0 && { parties: party }),
    ...(at !== undefined && { at }),
    ...(forkCache !== undefined && { cache: forkCache }),
    ...(refresh && { refresh }),
    ...(onProgress && { onProgress }),
  };
}
