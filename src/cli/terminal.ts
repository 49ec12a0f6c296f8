import { clearTimeout, setTimeout } from 'node:timers';
import { fileError } from '../assembly/file-errors.js';
import { printable, printablePainted } from '../daml/errors/printable.js';
import { LedgerError } from '../daml/errors/ledger-error.js';

/** Where a command prints. */
export interface Output {
  readonly isTTY?: boolean;
  /** Nothing in the text reaches a terminal as an order. */
  write(text: string): unknown;
  /** The same without the styles of this engine. Other styles are written first. */
  painted(text: string): unknown;
}

/** A stream of a process: it accepts any text. */
interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The parts of the process that commands use. The executable passes the real terminal, and a test its own. */
export interface BareTerminal extends Omit<Terminal, 'stdout' | 'stderr' | 'clock'> {
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** That of the machine by default. */
  readonly clock?: ProcessClock;
}

/** Measures how long commands take, and limits it. */
export interface ProcessClock {
  /** Milliseconds from any start. They never decrease. */
  now(): number;
  /** @returns cancels the call */
  after(milliseconds: number, call: () => void): () => void;
}

const machineClock: ProcessClock = {
  now: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

const outputOf = (stream: Stream): Output => ({
  get isTTY() {
    return stream.isTTY === true;
  },
  write: (text) => stream.write(printable(text)),
  painted: (text) => stream.write(printablePainted(text)),
});

/** Texts of live sides, files and clients pass it everywhere: they are kept from the terminal in one place. */
export const terminalOf = (bare: BareTerminal): Terminal => ({
  clock: machineClock,
  ...bare,
  stdout: outputOf(bare.stdout),
  stderr: outputOf(bare.stderr),
});

/** The terminal for commands. */
export interface Terminal {
  /** The version of the package, for `--version`. */
  readonly version: string;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: ProcessClock;
  /** Where SIGINT and SIGTERM arrive. */
  readonly signals: {
    on(event: NodeJS.Signals, listener: () => void): unknown;
    off(event: NodeJS.Signals, listener: () => void): unknown;
  };
  /** The file that other threads of `canticle test` run; without it, there are no other threads. */
  readonly testWorker?: string;
  /** The same for `canticle fuzz`. */
  readonly fuzzWorker?: string;
  /** The same for `canticle mutate`. */
  readonly mutateWorker?: string;
  /** The id of the parent by now, where its end is an order to stop. */
  readonly parent?: () => number;
}

/** A failure that the user can fix. Its message is one line that says what failed, why, and what to do next. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The cause of a refusal or of a failed file operation, in words. */
export function causeOf(error: unknown): string {
  if (error instanceof LedgerError)
    return [error.message, error.details.explanation].filter(Boolean).join('. ');
  return fileError(error);
}
