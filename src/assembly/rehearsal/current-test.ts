/** The running test, for the calls of a rehearsal. */

export interface TestName {
  /** Its file; empty if it is unknown. */
  readonly file: string;
  /** Its title, after those of its `describe` blocks. */
  readonly title: string;
}

let current: TestName | undefined;

/** Called by the hooks of `useCanticle`. */
export const beginTest = (test: TestName | undefined): void => void (current = test);

/** A test whose instance has no hooks is known through the global `expect` of jest and vitest. */
export function currentTest(): TestName | undefined {
  if (current !== undefined) return current;
  const { expect } = globalThis as { readonly expect?: Expect };
  return testOf(expect);
}

export interface Expect {
  readonly getState?: () => { readonly currentTestName?: string; readonly testPath?: string };
}

export function testOf(expect: Expect | undefined): TestName | undefined {
  const { currentTestName: title, testPath: file = '' } = expect?.getState?.() ?? {};
  return title === undefined ? undefined : { file, title };
}
