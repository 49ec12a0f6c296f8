/** Leaves our own frames out of a stack: who reads it looks for a line of theirs, and may not even have the files of ours. */

/** The folder that everything of ours lies in, built or as it stands, and as the runner shows it. */
const OWN_FOLDER = /^(.*[/\\])(?:src|dist)[/\\](?:.*[/\\])?[^/\\]+$/;
const FRAME = /^\s+at /;
const PLACE = /\(?((?:file:\/\/)?[^()]*?):\d+:\d+\)?$/;

/** @param stack as the runner shows it: a message, and a frame a line */
function withoutOwnFrames(stack: string): string {
  // Found at each call: a runner may map places of the build to sources, and begin to do so at any time.
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

/** The same error, with such a stack. For what is refused before a ledger is asked: options, arguments, hooks. */
export function toldToCaller<E extends Error>(error: E): E {
  if (error.stack !== undefined) error.stack = withoutOwnFrames(error.stack);
  return error;
}

function isInside(file: string, own: string): boolean {
  return file.startsWith(own) && /^(?:src|dist)[/\\]/.test(file.slice(own.length));
}

function ownFolder(stack = ''): string | undefined {
  const first = stack.split('\n').find((line) => FRAME.test(line));
  const file = first && PLACE.exec(first.trim())?.[1]?.replace(/^at (?:.* \()?/, '');
  return file && OWN_FOLDER.exec(file)?.[1];
}

/** Takes no stack, for what {@link tellStack} gives one. */
export class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

let isStackWanted = true;

/** Runs what refuses nobody but a client of an API, which gets no stacks: none are taken, as they cost as much as a small command. */
export function withoutStacks<R>(run: () => R): R {
  const before = isStackWanted;
  isStackWanted = false;
  try {
    return run();
  } finally {
    isStackWanted = before;
  }
}

/** Where the caller is, in a stack that is made when it is read: a test runner shows that of what nobody caught. */
export function tellStack(error: Error, message: () => string): void {
  if (!isStackWanted) return;
  const place: { stack?: unknown } = {};
  Error.captureStackTrace(place, tellStack);
  let told: unknown;
  const tell = (): unknown => {
    const { stack } = place;
    // Somebody has it prepared in another form.
    if (typeof stack !== 'string') return stack;
    const firstFrame = stack.search(/\n\s+at /);
    const frames = firstFrame < 0 ? '' : stack.slice(firstFrame);
    return withoutOwnFrames(`${error.name}: ${message()}${frames}`);
  };
  Object.defineProperty(error, 'stack', {
    configurable: true,
    get: () => (told ??= tell()),
    set: (value: unknown) => (told = value),
  });
}
