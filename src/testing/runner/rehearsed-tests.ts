/** The tests of a rehearsal: CANTICLE_REHEARSAL names the folder that gets their names and outcomes. */
import { lazy } from '../../daml/errors/lazy.js';
import {
  beginTest,
  testOf,
  type Expect,
  type TestName,
} from '../../assembly/rehearsal/current-test.js';
import { fromEnvironment } from '../../options/environment.js';
import { failureOf, hasFailed, type HookContext } from './concurrent-tests.js';
import type * as ExchangeFiles from '../../assembly/rehearsal/exchange-file.js';

const exchangeFiles = lazy(
  () => require('../../assembly/rehearsal/exchange-file.js') as typeof ExchangeFiles,
);

/** @param expect of the runner, if it was passed */
export class RehearsedTests {
  private readonly folder = fromEnvironment('CANTICLE_REHEARSAL');

  constructor(private readonly expect: object | undefined) {}

  begin(context: HookContext): void {
    if (this.folder) beginTest(this.nameOf(context));
  }

  end(context: HookContext): void {
    if (!this.folder) return;
    const test = this.nameOf(context);
    beginTest(undefined);
    if (test === undefined) return;
    const failed = hasFailed(context);
    const why = failed ? failureOf(context).reason?.split('\n', 1)[0] : undefined;
    exchangeFiles().writeTest(this.folder, test, failed, why);
  }

  /** The hooks of node:test get a context, those of jest and vitest have the state of `expect`. Bun has neither. */
  private nameOf({ fullName: title, filePath: file = '' }: HookContext): TestName | undefined {
    if (title !== undefined) return { file, title };
    const { expect = (globalThis as { readonly expect?: object }).expect } = this;
    return testOf(expect as Expect | undefined);
  }
}
