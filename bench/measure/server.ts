/** A server in a process of its own, so that its work can be told from its client's. */
import { fork, type ChildProcess } from 'node:child_process';

/** What a server says of itself once it listens. */
export interface Ready {
  readonly port: number;
}

export interface RunningServer<R extends Ready> {
  readonly ready: R;
  /** Microseconds of processor time since its start. */
  cpu(): Promise<number>;
  stop(): void;
}

/** Starts this very benchmark once more, with arguments that make it a server. */
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

/** On the server's side: tells its client that it listens, and from then on what it has used. */
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
