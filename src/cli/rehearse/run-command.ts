/** Runs the command of a rehearsal at one release. The environment tells the Canticles of its processes the release. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onStop } from '../stop.js';
import { CommandFailed, type Terminal } from '../terminal.js';

export interface CommandEnd {
  /** The exit status; undefined if a signal ended it. */
  readonly status: number | undefined;
  /** Whether it took longer than allowed. */
  readonly isLate: boolean;
  /** Whether the user stopped it. */
  readonly isStopped: boolean;
}

export interface CommandRun {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly timeout: number;
  /** Whether its output is left out. */
  readonly isQuiet?: boolean;
}

const isWindows = process.platform === 'win32';

/** Its output goes to stderr, because stdout is for the report. @throws CommandFailed if it cannot start */
export async function runCommand(
  { command, environment, timeout, isQuiet = false }: CommandRun,
  terminal: Terminal,
): Promise<CommandEnd> {
  const [name = '', ...args] = command;
  const child = spawn(name, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // All its processes end together.
    detached: !isWindows,
    // Commands such as npx are scripts there.
    shell: isWindows,
  });
  const print = (chunk: Buffer): void => {
    if (!isQuiet) terminal.stderr.painted(chunk.toString());
  };
  child.stdout.on('data', print);
  child.stderr.on('data', print);
  const kill = (): void => {
    if (child.pid === undefined) return;
    if (isWindows) child.kill();
    else killGroup(child.pid);
  };
  let [isLate, isStopped] = [false, false];
  const cancel = terminal.clock.after(timeout, () => {
    isLate = true;
    kill();
  });
  const stop = onStop({ shutdownStdinClose: false }, terminal);
  void stop.stopped.then(() => {
    isStopped = true;
    kill();
  });
  try {
    const [status] = (await once(child, 'close')) as [number | null];
    return { status: status ?? undefined, isLate, isStopped };
  } catch (error) {
    throw new CommandFailed(`failed to start '${name}': ${(error as Error).message}`);
  } finally {
    cancel();
    stop.forget();
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
