/** What `--fork`, `--load` and the flags beside them mean together. */
import type { StartOptions } from '../../assembly/start.js';
import { fromEnvironment } from '../../options/environment.js';
import { CommandFailed } from '../terminal.js';

/**
 * With the token of the environment, which others do not see as they may see a command line; and with parties where they belong.
 * @throws CommandFailed for flags of a fork where nothing is forked
 */
export function forkOrLoad({ fork, load, ...options }: StartOptions): StartOptions {
  if (fork?.url !== undefined || fork?.scan !== undefined) {
    const token = fork.token ?? fromEnvironment('CANTICLE_FORK_TOKEN');
    return {
      ...options,
      ...(load !== undefined && { load }),
      fork: { ...fork, ...(token !== undefined && { token }) },
    };
  }
  const { parties, ...others } = fork ?? {};
  if (typeof load === 'string' && parties !== undefined && Object.keys(others).length === 0)
    return { ...options, load: { file: load, parties } };
  if (fork !== undefined) throw new CommandFailed('flags of a fork need --fork or --fork-scan.');
  return load === undefined ? options : { ...options, load };
}

/** With lines about what is read of a live side. @param signal ends the reading */
export const reportingProgress = (
  options: StartOptions,
  stderr: { write(text: string): unknown },
  signal?: AbortSignal,
): StartOptions => ({
  ...options,
  ...(options.fork && {
    fork: {
      ...options.fork,
      ...(signal && { signal }),
      onProgress: (line) => void stderr.write(`fork: ${line}\n`),
    },
  }),
});
