/** A `canticle` process under test: started from the built bin, watched through what it prints and how it ends. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../repository/built-package.js';

export interface Ending {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class RunningCommand {
  readonly process: ChildProcessWithoutNullStreams;
  private stdout = '';
  private stderr = '';
  private readonly closed: Promise<unknown>;

  constructor(...args: readonly string[]) {
    this.process = spawn(process.execPath, [join(root, 'bin', 'canticle.js'), ...args]);
    this.process.stdout.on('data', (chunk) => (this.stdout += chunk));
    this.process.stderr.on('data', (chunk) => (this.stderr += chunk));
    this.closed = once(this.process, 'close');
  }

  /** Resolves to the output after the ready line is printed; rejects if the process ends without it. */
  async ready(line = 'Canton sandbox is ready.\n'): Promise<string> {
    const failed = this.ended().then(({ stderr }) => {
      throw new Error(`The sandbox ended before it was ready: ${stderr}`);
    });
    while (!this.stdout.includes(line)) {
      await Promise.race([once(this.process.stdout, 'data'), failed]);
    }
    failed.catch(() => undefined);
    return this.stdout;
  }

  async ended(): Promise<Ending> {
    await this.closed;
    return { status: this.process.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  /** For clean-up: ends it whatever state it is in. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.closed;
  }
}
