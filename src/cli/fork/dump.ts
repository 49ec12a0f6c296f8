/**
 * `canticle dump`: saves the world of a running sandbox, or the active contracts of a participant, in the file format of `--load`. It
 * writes the file while it receives the data.
 */
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { headersOf } from '../../client/requests.js';
import { fileError } from '../../assembly/file-errors.js';
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

/** Time limit in milliseconds. */
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
          `failed to dump the world: ${side.base}${target} returned ${response.statusCode}: ${await text(response)}`,
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
    throw new CommandFailed(`failed to write the world '${file}': ${fileError(error)}.`, {
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
