/** Whether the test that is about to run shares its time with others, which a runner says in its own way. */

/** The part of vitest's test context that says it. */
export interface HookContext {
  readonly task?: { readonly concurrent?: boolean };
}

/** What jest's runner keeps, under a symbol of this description on the global object. */
const JEST_STATE = 'JEST_STATE_SYMBOL';

interface JestState {
  readonly currentlyRunningTest?: { readonly concurrent?: boolean; readonly name?: string };
}

/** Of `test.concurrent`. False where the runner does not say. @param context what vitest gives a hook; jest gives none */
export function isConcurrent({ task }: HookContext): boolean {
  return (task ?? jestState()?.currentlyRunningTest)?.concurrent === true;
}

function jestState(): JestState | undefined {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === JEST_STATE,
  );
  return symbol && (globalThis as Record<symbol, JestState | undefined>)[symbol];
}
