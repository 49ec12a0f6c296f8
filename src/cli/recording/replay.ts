/** `canticle replay`: answers from a recording until a signal stops it. Then it lists unknown requests and unused exchanges. */
import type { StartOptions } from '../../assembly/canticle-options.js';
import { startCanticle } from '../../assembly/start.js';
import { Replay } from '../../bridge/replay.js';
import { openReplay } from '../../bridge/replay-server.js';
import { RecordingError } from '../../recording/entry-scanner.js';
import { onStop } from '../stop.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';

export interface ReplayFlags {
  readonly inOrder?: boolean;
  readonly scenario?: string;
  readonly otherwise?: URL;
  readonly host: string;
  readonly port: number;
  readonly allowOrigin: readonly string[];
}

/** @returns the exit status: 1 if a request was not in the recording */
export async function replayRecording(
  file: string,
  flags: ReplayFlags,
  terminal: Terminal,
): Promise<number> {
  const { scenario, host, port } = flags;
  const { stdout, stderr } = terminal;
  const stop = onStop({ shutdownStdinClose: false }, terminal);
  const replay = await opened(file, flags);
  const engine = scenario === undefined ? undefined : await started({ scenario });
  const address = flags.otherwise?.origin ?? engine?.urls.ledgerApi;
  try {
    for (const text of replay.unfitting)
      stderr.write(`canticle: does not match the recording: ${text}\n`);
    const server = await openReplay(replay, {
      host,
      port,
      allowOrigins: flags.allowOrigin,
      otherwise: address === undefined ? undefined : () => address,
      onMissed: (text) => stderr.write(`canticle: ${text}\n`),
    }).catch((error: unknown) => {
      throw new CommandFailed(`failed to listen on ${host}:${port}: ${causeOf(error)}`);
    });
    stdout.write(`All APIs  http://${host}:${server.port}\nCanticle replays.\n`);
    await stop.stopped;
    await server.close();
  } finally {
    stop.forget();
    replay.close();
    await engine?.close();
  }
  for (const text of replay.unused) stdout.write(`not used: ${text}\n`);
  const { missed, unused } = replay;
  stdout.write(`${file}: ${unused.length} not used, ${missed.length} not found.\n`);
  return missed.length > 0 ? 1 : 0;
}

async function opened(file: string, { inOrder = false }: ReplayFlags): Promise<Replay> {
  try {
    return await Replay.open(file, inOrder ? 'order' : 'request');
  } catch (error) {
    const why = error instanceof RecordingError ? error.message : causeOf(error);
    throw new CommandFailed(`failed to read '${file}': ${why}`);
  }
}

async function started(options: StartOptions) {
  try {
    return await startCanticle(options);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    throw new CommandFailed(`failed to build the world: ${causeOf(error)}`);
  }
}
