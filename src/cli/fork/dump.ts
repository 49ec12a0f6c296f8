/** `canticle dump`: the world of a sandbox that runs, or a participant's active contracts, as the file that `--load` takes; it is written as it comes. */
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileFault } from '../../assembly/file-faults.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import { isError } from '../../daml/errors/realms.js';

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
  const target = `${url.replace(/\/+$/, '')}/canticle/v1/world${queryOf(flags)}`;
  const response = await answerOf(target, token);
  if (response.status !== 200 || response.body === null)
    throw new CommandFailed(
      `failed to dump: ${target} answered ${response.status}: ${await response.text()}`,
    );
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(unfinished));
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new CommandFailed(`failed to write the world '${file}': ${fileFault(error)}.`, {
      cause: error,
    });
  }
  stdout.write(`${file}\n`);
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

async function answerOf(target: string, token: string | undefined): Promise<Response> {
  try {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    return await fetch(target, { headers, signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    const { cause = error } = error as Error;
    const why = isError(cause) ? cause.message : String(cause);
    throw new CommandFailed(
      `failed to ask ${target}: ${why}. Is a sandbox running there? --url says where one is.`,
    );
  }
}
