/** Whether the next test runs concurrently with others. Each runner reports this in another way. */

/** The part of a test's context that has this information, in vitest and node:test. */
export interface HookContext {
  readonly task?: {
    readonly concurrent?: boolean;
    /** Present after the test. */
    readonly result?: { readonly state?: string; readonly errors?: readonly unknown[] };
    readonly name?: string;
  };
  /** For a subtest, it begins with the name of its test and ` > `. */
  readonly fullName?: string;
  /** In node:test, the file of the test. */
  readonly filePath?: string;
  /** In node:test, after the test. */
  readonly passed?: boolean;
  readonly error?: unknown;
  /** In node:test: prints a text with the result of the test. */
  readonly diagnostic?: (text: string) => void;
}

/** Whether a test starts while another runs that is not its parent. Only the hooks of node:test see this. */
export function overlaps(inner: HookContext, running: HookContext | undefined): boolean {
  if (running?.fullName === undefined || inner.fullName === undefined) return false;
  return !inner.fullName.startsWith(`${running.fullName} > `);
}

/** The state of jest's runner, under a symbol of this description on the global object. */
const JEST_STATE = 'JEST_STATE_SYMBOL';

/** A hook of jest's runner, before it runs. */
export interface JestHook {
  readonly type: string;
  readonly parent: JestBlock;
  readonly fn: unknown;
  readonly timeout?: number | undefined;
  readonly asyncError: Error;
  readonly seenDone: boolean;
}

export interface JestItem {
  readonly type: string;
  readonly parent?: JestBlock;
}

/** A `describe` of jest's runner, before it runs. */
export interface JestBlock extends JestItem {
  readonly name: string;
  children: JestItem[];
  hooks: JestHook[];
  tests: JestItem[];
}

interface JestState {
  readonly currentDescribeBlock?: JestBlock;
  readonly currentlyRunningTest?: {
    readonly concurrent?: boolean;
    readonly name?: string;
    readonly errors?: readonly unknown[];
  };
}

/**
 * True for `test.concurrent`. False if the runner does not report it. @param context the argument of a vitest hook; a
 * jest hook has none
 */
export function isConcurrent({ task }: HookContext): boolean {
  return (task ?? jestState()?.currentlyRunningTest)?.concurrent === true;
}

/** Whether the last test failed. False if the runner does not report it, as Bun. */
export function hasFailed({ task, passed }: HookContext): boolean {
  if (task?.result !== undefined) return task.result.state === 'fail';
  if (passed !== undefined) return !passed;
  return (jestState()?.currentlyRunningTest?.errors?.length ?? 0) > 0;
}

/** The name and the first error of the test that has just failed. Empty if the runner does not give them, as Bun. */
export function failureText(context: HookContext): string {
  const { name, reason } = failureOf(context);
  return name === undefined || reason === undefined ? '' : `${name}: ${reason}\n`;
}

/** The same, as its parts. */
export function failureOf({ task, fullName, error }: HookContext): {
  readonly name?: string | undefined;
  readonly reason?: string | undefined;
} {
  const test = jestState()?.currentlyRunningTest;
  const name = task?.name ?? fullName ?? test?.name;
  // Jest adds a second error, of the place that registered the test.
  const [first] = [task?.result?.errors ?? test?.errors ?? error].flat(2);
  const { message = first, cause } = (first ?? {}) as { message?: unknown; cause?: unknown };
  const reason = (cause as Error | undefined)?.message ?? message;
  return { name, reason: reason === undefined ? undefined : String(reason) };
}

/**
 * Prints a text below the failure of a test that has failed already. Jest and vitest print errors of hooks there; node:test keeps only
 * the first error of a test.
 */
export function printBelow(context: HookContext, text: string): void {
  if (context.diagnostic !== undefined) return context.diagnostic(text);
  const error = new Error(text);
  error.name = '';
  // The stack would only show this file.
  error.stack = text;
  throw error;
}

export function jestState(): JestState | undefined {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === JEST_STATE,
  );
  return symbol && (globalThis as Record<symbol, JestState | undefined>)[symbol];
}
