/** The parts of every matcher, for jest and vitest. */

export interface MatcherState {
  readonly isNot?: boolean;
  readonly promise?: string;
  equals(actual: unknown, expected: unknown, testers?: unknown[]): boolean;
  readonly utils: { readonly subsetEquality?: unknown };
}

export interface Verdict {
  readonly pass: boolean;
  message(): string;
}

/** The call as the test wrote it: `expect(contract).not.toBeOn(…)`. */
function callText({ isNot, promise }: MatcherState, subject: string, call: string): string {
  return `expect(${subject})${promise ? `.${promise}` : ''}${isNot ? '.not' : ''}.${call}`;
}

/** A result whose message shows the call, the mismatch and the actual state. The message is built only when it is shown. */
export function verdict(
  state: MatcherState,
  call: { readonly subject: string; readonly text: string },
  pass: boolean,
  lines: () => readonly (string | undefined)[],
): Verdict {
  return {
    pass,
    message: () =>
      [callText(state, call.subject, call.text), '', ...lines()]
        .filter((line) => line !== undefined)
        .join('\n'),
  };
}

/** Whether `actual` has every member of `expected` with an equal value. Asymmetric matchers work inside. */
export function isSubset(state: MatcherState, actual: unknown, expected: unknown): boolean {
  const { subsetEquality } = state.utils;
  return state.equals(actual, expected, subsetEquality === undefined ? [] : [subsetEquality]);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A value on one line for a message, also if JSON cannot express it. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
