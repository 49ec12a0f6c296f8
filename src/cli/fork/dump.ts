/** `canticle dump`: the world of a sandbox that runs, or a participant's active contracts, as the file that `--load` takes; it is written as it comes. */
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { headersOf } from '../../client/requests.js';
import { fileFault } from '../../assembly/file-faults.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import { fromControls } from '../running-program.js';

export interface DumpFlags {
  readonly url: string;
  readonly token?: string;
  readonly packages: boolean;
  readonly acs?: true;
  readonly participant?: string;
  readonly party: readonly string[];
}

/** Milliseconds that it may take. */
const PATIENCE = 600_000;

export async function dumpWorld(
  file: string,
  flags: DumpFlags,
  { stdout }: Terminal,
): Promise<void> {
  const { url, token } = flags;
  const path = `world${queryOf(flags)}`;
  const headers = headersOf({}, token);
  await fromControls(url, path, { patience: PATIENCE }, (side, target) =>
    side.opened({ target, headers }, async (response) => {
      if (response.statusCode !== 200)
        throw new CommandFailed(
          `failed to dump: ${side.base}${target} answered ${response.statusCode}: ${await text(response)}`,
        );
      await write(file, response);
    }),
  );
  stdout.write(`${file}\n`);
}

async function write(file: string, world: IncomingMessage): Promise<void> {
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await pipeline(world, createWriteStream(unfinished));
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new CommandFailed(`failed to write the world '${file}': ${fileFault(error)}.`, {
      cause: error,
    });
  }
}

function queryOf({ packages, acs, participant, party }: DumpFlags): string {
  const query = new URLSearchParams({
    ...(!packages && { packages: 'false' }),
    ...(acs && { format: 'acs' }),
    ...(participant !== undefined && { participant }),
    ...(party.length > 0 && { parties: party.join(',') }),
  });
  return query.size === 0 ? '' : `?${query}`;
}
