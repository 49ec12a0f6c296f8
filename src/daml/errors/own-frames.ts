/** Removes Canticle's frames from stacks, so that the first frame is in the user's code. */

/** The folder of Canticle's code, built or as sources, as the test runner shows it. */
const OWN_FOLDER = /^(.*[/\\])(?:src|dist)[/\\](?:.*[/\\])?[^/\\]+$/;
const FRAME = /^\s+at /;
const PLACE = /\(?((?:file:\/\/)?[^()]*?):\d+:\d+\)?$/;

/** @param stack as the runner shows it: a message, then one frame per line */
function withoutOwnFrames(stack: string): string {
  // Computed at each call, because a runner can start to map built files to sources at any time.
  const own = ownFolder(new Error().stack);
  if (own === undefined) return stack;
  const isOwn = (line: string): boolean => {
    const file = FRAME.test(line) ? PLACE.exec(line.trim())?.[1] : undefined;
    return file !== undefined && isInside(file.replace(/^at (?:.* \()?/, ''), own);
  };
  return stack
    .split('\n')
    .filter((line) => !isOwn(line))
    .join('\n');
}

/** Removes Canticle's frames from an error's stack. For errors in options, arguments and hooks. */
export function withCallerStack<E extends Error>(error: E): E {
  if (error.stack !== undefined) error.stack = withoutOwnFrames(error.stack);
  return error;
}

/** A line of code. */
export interface CodePlace {
  readonly file: string;
  readonly line: string;
  readonly column: string;
}

/** Frames of a call through a client library. */
const SEARCHED_FRAMES = 60;

/** The lines of the running code that belong neither to Canticle, nor to Node, nor to an installed package. The nearest one is first. */
export function callerFrames(): readonly CodePlace[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = SEARCHED_FRAMES;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return withoutOwnFrames(stack)
    .split('\n')
    .flatMap((line): CodePlace[] => {
      const { file, at, column } = FRAME.test(line) ? (LINE.exec(line)?.groups ?? {}) : {};
      if (file === undefined || /^node:|[/\\]node_modules[/\\]/.test(file)) return [];
      return [{ file, line: at!, column: column! }];
    });
}

const LINE = /(?:\(|at (?:async )?)(?<file>[^()\s][^()]*?):(?<at>\d+):(?<column>\d+)\)?$/;

function isInside(file: string, own: string): boolean {
  return file.startsWith(own) && /^(?:src|dist)[/\\]/.test(file.slice(own.length));
}

function ownFolder(stack = ''): string | undefined {
  const first = stack.split('\n').find((line) => FRAME.test(line));
  const file = first && PLACE.exec(first.trim())?.[1]?.replace(/^at (?:.* \()?/, '');
  return file && OWN_FOLDER.exec(file)?.[1];
}

/** An error without a stack, to which {@link addStack} adds one. */
export class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

let isStackWanted = true;

/**
 * Runs code whose errors only go to API clients, without collecting stacks. Stacks cost as much as a small command.
 * @param of the argument of `run`, so that a caller on a fast path needs no closure
 */
export function withoutStacks<T, R>(run: (of: T) => R, of: T): R {
  const before = isStackWanted;
  isStackWanted = false;
  try {
    return run(of);
  } finally {
    isStackWanted = before;
  }
}

/** Adds a stack that starts at the caller and is computed on first use. Test runners show it for uncaught errors. */
export function addStack(error: Error, message: () => string): void {
  if (!isStackWanted) return;
  const place: { stack?: unknown } = {};
  Error.captureStackTrace(place, addStack);
  let formatted: unknown;
  const format = (): unknown => {
    const { stack } = place;
    // Another library formats stacks differently.
    if (typeof stack !== 'string') return stack;
    const firstFrame = stack.search(/\n\s+at /);
    const frames = firstFrame < 0 ? '' : stack.slice(firstFrame);
    return withoutOwnFrames(`${error.name}: ${message()}${frames}`);
  };
  Object.defineProperty(error, 'stack', {
    configurable: true,
    get: () => (formatted ??= format()),
    set: (value: unknown) => (formatted = value),
  });
}
