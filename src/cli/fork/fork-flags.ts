/** Combines `--fork`, `--load` and the related flags into options. */
import type { StartOptions } from '../../assembly/canticle-options.js';
import { fromEnvironment } from '../../options/environment.js';
import { CommandFailed } from '../terminal.js';

/**
 * Adds the token of the environment, which is less visible to other users than a command line. Moves `parties` to the option that uses
 * them.
 * @throws CommandFailed for fork flags without a fork
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
  if (fork !== undefined)
    throw new CommandFailed(
      'fork flags need --fork or --fork-scan. Add one of them, or remove the fork flags.',
    );
  return load === undefined ? options : { ...options, load };
}

/** Adds progress lines about the fork. @param signal stops reading the live participant */
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
