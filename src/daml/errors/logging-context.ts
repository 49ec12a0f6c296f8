/**
 * What the place where an error arose adds to its status, as a participant's loggers do. It is put together when an error is sent, and
 * not before.
 */
import { LedgerError } from './ledger-error.js';

export interface LoggingContext {
  /**
   * How the participant is named: plain by the properties of a logger, in quotes by the logging context of a call, and not at all by
   * what has neither (B-ERR-028).
   */
  readonly participant: 'plain' | 'quoted' | 'absent';
  /** Whether it knows the trace of the call. */
  readonly isTraced: boolean;
  /** Whether it is so before any call that begins a trace where the request names none that can be read. */
  readonly isBeforeCall?: boolean;
  /** What a client finds the error by; the trace where it is absent. */
  readonly correlationId?: string;
  /** Whether the error was made once more, of no more than its code and its cause. */
  readonly isMadeAnew?: boolean;
  /** What is told beside the participant, printed. */
  readonly entries?: Readonly<Record<string, string>>;
}

/** Of most code of a participant. */
export const PLAIN: LoggingContext = { participant: 'plain', isTraced: true };
/** Of what is done without the trace of the call that wants it (B-ERR-038). */
export const UNTRACED: LoggingContext = { participant: 'plain', isTraced: false };
/** Of what the JSON layer has services do before it makes the call: it knows the trace that the request names, or has begun one. */
export const IN_JSON_LAYER: LoggingContext = { ...PLAIN, isBeforeCall: true };
/** Of errors that are made without any logger. */
export const BARE: LoggingContext = { participant: 'absent', isTraced: false };
/** Of an error of which only the code and the cause are handed on (B-ERR-036). */
export const MADE_ANEW: LoggingContext = { ...BARE, isMadeAnew: true };
/** Of a service that logs with the context of its call. */
export const QUOTED: LoggingContext = { participant: 'quoted', isTraced: true };

/**
 * Gives what is refused the context, unless it arose nearer to another.
 * @param context or what makes it once something is refused
 */
export function loggedIn<R>(context: LoggingContext | (() => LoggingContext), run: () => R): R {
  try {
    return run();
  } catch (error) {
    if (error instanceof LedgerError && error.logging === undefined)
      error.logIn(typeof context === 'function' ? context() : context);
    throw error;
  }
}

type ContextOf = (caller: never, input: never) => LoggingContext;
const contexts = new WeakMap<object, ContextOf>();

/** Of a function that {@link logged} made: the context of a call. */
export function loggingOf(run: object): ContextOf | undefined {
  return contexts.get(run);
}

/** The same function: what it refuses arises in the context. */
export function logged<C, I, R>(
  context: LoggingContext | ((caller: NoInfer<C>, input: NoInfer<I>) => LoggingContext),
  run: (caller: C, input: I) => R,
): (caller: C, input: I) => R {
  const contextOf = typeof context === 'function' ? context : () => context;
  const call = (caller: C, input: I): R =>
    loggedIn(
      () => contextOf(caller, input),
      () => run(caller, input),
    );
  contexts.set(call, contextOf as ContextOf);
  return call;
}

/** The context of a service's call. @param values by name; printed when they are asked for */
export function callContext(
  values: () => Readonly<Record<string, LoggedValue | undefined>>,
  correlationId?: () => string,
): LoggingContext {
  return new CallContext(values, correlationId);
}

class CallContext implements LoggingContext {
  readonly participant = 'quoted';
  readonly isTraced = true;
  private correlated?: string;

  constructor(
    private readonly values: () => Readonly<Record<string, LoggedValue | undefined>>,
    private readonly correlate?: () => string,
  ) {}

  get correlationId(): string | undefined {
    return (this.correlated ??= this.correlate?.());
  }

  get entries(): Readonly<Record<string, string>> {
    const printed: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.values())) printed[name] = printedValue(value);
    return printed;
  }
}

/** As data, for files. */
export function keptContext(context: LoggingContext): LoggingContext {
  const { participant, isTraced, isMadeAnew, correlationId, entries } = context;
  return { participant, isTraced, isMadeAnew, correlationId, entries };
}

/** What a logging context holds: a text, a number, a truth value, a list, or more entries by name. */
export type LoggedValue =
  | string
  | boolean
  | number
  | bigint
  | readonly LoggedValue[]
  | { readonly [name: string]: LoggedValue | undefined };

/** As a logging context prints it; nothing for what is absent. */
export function printedValue(value: LoggedValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${(value as LoggedValue[]).map(printedValue).join(', ')}]`;
  let entries = '';
  for (const [name, each] of Object.entries(value))
    entries += `${entries && ', '}${name}: ${printedValue(each as LoggedValue | undefined)}`;
  return `{${entries}}`;
}
