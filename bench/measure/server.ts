/** A server in a separate process, so that the benchmark can measure its work without the client's. */
import { fork, type ChildProcess } from 'node:child_process';

/** The message of a server when it listens. */
export interface Ready {
  readonly port: number;
}

export interface RunningServer<R extends Ready> {
  readonly ready: R;
  /** Microseconds of processor time since its start. */
  cpu(): Promise<number>;
  stop(): void;
}

/** Starts this benchmark again, with the arguments of a server. */
export async function startServer<R extends Ready>(
  script: string,
  args: readonly string[],
): Promise<RunningServer<R>> {
  const child = fork(script, args, { stdio: 'inherit' });
  const ready = await message<R>(child);
  return {
    ready,
    cpu: () => {
      child.send('cpu');
      return message<number>(child);
    },
    stop: () => void child.kill(),
  };
}

/** In the server process: reports to the client that it listens, and then its processor time. */
export function announce<R extends Ready>(ready: R): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send!(user + system);
  });
  process.send!(ready);
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('The server ended.'));
    child.once('exit', gone);
    child.once('message', (said) => {
      child.off('exit', gone);
      resolve(said as T);
    });
  });
}
