/** Logging data that the origin of an error adds to its status, like a participant's loggers. It is computed only when an error is sent. */
import { LedgerError } from './ledger-error.js';

export interface LoggingContext {
  /**
   * How the participant's name is added: plain by a logger's properties, quoted by the logging context of a call, or not at all
   * (B-ERR-028).
   */
  readonly participant: 'plain' | 'quoted' | 'absent';
  /** Whether it has the trace id of the call. */
  readonly isTraced: boolean;
  /** Whether it is before any call that starts a trace if the request has no valid trace id. */
  readonly isBeforeCall?: boolean;
  /** The id by which a client finds the error; the trace id if absent. */
  readonly correlationId?: string;
  /** Whether the error was created again from its code and cause. */
  readonly isMadeAnew?: boolean;
  /** Further printed entries besides the participant. */
  readonly entries?: Readonly<Record<string, string>>;
}

/** The default in a participant. */
export const PLAIN: LoggingContext = { participant: 'plain', isTraced: true };
/** For work without the trace of its call (B-ERR-038). */
export const UNTRACED: LoggingContext = { participant: 'plain', isTraced: false };
/** For service calls of the JSON layer before the actual call. They have the request's trace id or a new one. */
export const IN_JSON_LAYER: LoggingContext = { ...PLAIN, isBeforeCall: true };
/** For errors without a logger. */
export const BARE: LoggingContext = { participant: 'absent', isTraced: false };
/** For an error of which only code and cause are passed on (B-ERR-036). */
export const MADE_ANEW: LoggingContext = { ...BARE, isMadeAnew: true };
/** For a service that logs with the context of its call. */
export const QUOTED: LoggingContext = { participant: 'quoted', isTraced: true };

/**
 * Adds the context to an error without one. Other values stay unchanged.
 * @param context the context, or a function that creates it
 */
export function logIn(error: unknown, context: LoggingContext | (() => LoggingContext)): void {
  if (error instanceof LedgerError && error.logging === undefined)
    error.logIn(typeof context === 'function' ? context() : context);
}

/**
 * Adds the context to errors without one.
 * @param context the context, or a function that creates it when there is an error
 */
export function loggedIn<R>(context: LoggingContext | (() => LoggingContext), run: () => R): R {
  try {
    return run();
  } catch (error) {
    logIn(error, context);
    throw error;
  }
}

type ContextOf = (caller: never, input: never) => LoggingContext;
const contexts = new WeakMap<object, ContextOf>();

/** The context of a call, for a function from {@link logged}. */
export function loggingOf(run: object): ContextOf | undefined {
  return contexts.get(run);
}

/** Wraps a function to add the context to its errors. */
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

/**
 * The context of a service's call.
 * @param values by name; printed on first use
 */
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

/** The context as data, for saved networks. */
export function savedContext(context: LoggingContext): LoggingContext {
  const { participant, isTraced, isMadeAnew, correlationId, entries } = context;
  return { participant, isTraced, isMadeAnew, correlationId, entries };
}

/** A value in a logging context: a text, a number, a boolean, a list, or entries by name. */
export type LoggedValue =
  | string
  | boolean
  | number
  | bigint
  | readonly LoggedValue[]
  | { readonly [name: string]: LoggedValue | undefined };

/** The value as a logging context prints it; empty if absent. */
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
