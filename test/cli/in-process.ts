/** A `canticle` command in this process: what it prints, and how it ends. */
import { EventEmitter } from 'node:events';
import { main } from '../../src/cli/main.js';
import type { BareTerminal } from '../../src/cli/terminal.js';

export class CommandHere {
  stdout = '';
  stderr = '';
  private readonly signals = new EventEmitter();
  private readonly printed = new EventEmitter();
  private readonly status: Promise<number>;

  constructor(...argv: readonly string[]) {
    this.status = this.started(argv);
  }

  /** Other parts of the process, such as its clock. */
  protected get parts(): Partial<BareTerminal> {
    return {};
  }

  private started(argv: readonly string[]): Promise<number> {
    const print = (stream: 'stdout' | 'stderr') => ({
      write: (text: string) => {
        this[stream] += text;
        this.printed.emit('text');
      },
    });
    const { signals } = this;
    const [stdout, stderr] = [print('stdout'), print('stderr')];
    const parts = { version: '0', stdin: process.stdin, stdout, stderr, signals, ...this.parts };
    return main(argv, parts);
  }

  /** Until something is printed as often as that, on either. */
  async until(text: string, times = 1): Promise<void> {
    while ((this.stdout + this.stderr).split(text).length <= times)
      await new Promise((resolve) => this.printed.once('text', resolve));
  }

  /** As Ctrl-C does, or another signal. */
  stop(signal: NodeJS.Signals = 'SIGINT'): void {
    this.signals.emit(signal);
  }

  async ended() {
    const status = await this.status;
    return { status, stdout: this.stdout, stderr: this.stderr };
  }
}

export const runHere = (...argv: readonly string[]) => new CommandHere(...argv).ended();
