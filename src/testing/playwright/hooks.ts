/** Hooks of an instance that a fixture calls, because a worker of Playwright runs the tests of several files. */
import type { HookContext } from '../runner/concurrent-tests.js';
import type { TestRunner } from '../runner/use-canticle.js';

type Name = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll';
type Action = (context?: HookContext) => void | Promise<void>;

/** A test runner whose hooks run when its user says so. */
export class CollectedHooks implements TestRunner {
  private readonly actions: Readonly<Record<Name, Action[]>> = {
    beforeAll: [],
    beforeEach: [],
    afterEach: [],
    afterAll: [],
  };

  readonly beforeAll = (action: Action): unknown => this.actions.beforeAll.push(action);
  readonly beforeEach = (action: Action): unknown => this.actions.beforeEach.push(action);
  readonly afterEach = (action: Action): unknown => this.actions.afterEach.push(action);
  readonly afterAll = (action: Action): unknown => this.actions.afterAll.push(action);

  /** Runs the actions of a hook in order. */
  async run(name: Name, context?: HookContext): Promise<void> {
    for (const action of this.actions[name]) await action(context);
  }
}
