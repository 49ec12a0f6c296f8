/**
 * Declares the tests of a file or `describe` once for each release in vitest. A `describe` of vitest runs its body after the body around
 * it. So the `describe` of a release comes first, and its body takes what was declared after it, and declares that again.
 */
import type { TestRunner } from './use-canticle.js';
import { addHooks, notDeclared, type DeclareEach } from './each-release.js';

/** A file or `describe` of vitest, while it declares its tests. */
interface Collector {
  readonly type: 'collector';
  readonly name: string;
  readonly mode: Mode;
  readonly options?: object;
  readonly suite?: { location?: unknown };
  readonly file: unknown;
  readonly tasks: Task[];
  test: { readonly fn: Declare };
  on(name: string, ...hooks: unknown[]): void;
  /** Runs its body. */
  collect(file: unknown): Promise<unknown>;
}

type Mode = 'run' | 'skip' | 'only' | 'todo';

/** A test, as data. */
interface Test {
  readonly type: 'test';
  location?: unknown;
}

type Task = Collector | Test;

/** `this` has the options of `test.only` and of similar forms. */
type Declare = (this: object, ...args: unknown[]) => void;

type Describe = (name: string, options: object, body: () => void | Promise<void>) => Collector;

/** The part of the module `vitest`. */
export interface Vitest {
  readonly describe: unknown;
  readonly TestRunner?: unknown;
}

type Describes = Describe & Readonly<Record<Exclude<Mode, 'run'>, Describe>>;

export const eachInVitest =
  (vitest: Vitest, hooks: TestRunner): DeclareEach =>
  (releases) => {
    const api = vitest.TestRunner as { readonly getCurrentSuite?: () => Collector } | undefined;
    // Read by name, because a bundler reports a missing export.
    const present = api?.getCurrentSuite;
    if (present === undefined)
      throw notDeclared(
        'only vitest 4.1 and later can. In older ones, call describe and useCanticle in a loop over the releases.',
      );
    const here = present();
    if (KEPT.has(here))
      throw notDeclared('this file or describe, or one around it, has releases already.');
    if (here.tasks.length > 0)
      throw notDeclared('call useCanticle before you declare the tests of its file or describe.');
    const describe = vitest.describe as Describes;
    const kept = new KeptTests(here, describe, present);
    let declareAll: (() => void) | undefined;
    for (const release of releases)
      describe(release.name, {}, () => {
        declareAll ??= kept.taken(releases.length);
        addHooks(hooks, release);
        declareAll();
      });
  };

/** The files and blocks whose tests are kept. */
const KEPT = new WeakSet<Collector>();

/** Keeps the hooks and tests that a file or `describe` declares from now on. */
class KeptTests {
  private readonly hooks: [name: string, ...hooks: unknown[]][] = [];
  private readonly calls = new Map<Task, { readonly self: object; readonly args: unknown[] }>();
  private readonly restored: Pick<Collector, 'test' | 'on'>;

  constructor(
    private readonly here: Collector,
    private readonly describe: Describes,
    private readonly present: () => Collector,
  ) {
    const { test, on, tasks } = here;
    this.restored = { test, on };
    KEPT.add(here);
    const { calls, hooks } = this;
    here.on = (...hook) => void hooks.push(hook);
    here.test = {
      fn(...args) {
        const n = tasks.length;
        test.fn.apply(this, args);
        // `each` changes this object after the call.
        calls.set(tasks[n]!, { self: { ...this }, args });
      },
    };
  }

  /** Ends. @param after the number of tasks that stay @returns declares the hooks and tests again */
  taken(after: number): () => void {
    const { here, hooks } = this;
    Object.assign(here, this.restored);
    KEPT.delete(here);
    const tasks = here.tasks.splice(after);
    return () => {
      const now = this.present();
      for (const hook of hooks) now.on(...hook);
      for (const task of tasks)
        if (task.type === 'collector') this.describeAgain(task);
        else this.testAgain(task, now);
    };
  }

  private testAgain(test: Test, { test: { fn }, tasks }: Collector): void {
    const call = this.calls.get(test);
    if (call === undefined)
      throw notDeclared('a test is not declared by the function test or it of vitest.');
    fn.apply({ ...call.self }, call.args);
    (tasks.at(-1) as Test).location = test.location;
  }

  private describeAgain(block: Collector): void {
    const { describe, present } = this;
    const { name, mode, options = {}, suite } = block;
    const made = (mode === 'run' ? describe : describe[mode])(name, options, async () => {
      const kept = new KeptTests(block, describe, present);
      let declareAll: (() => void) | undefined;
      // Its body has run when this turn comes.
      const first = { type: 'collector', collect: () => (declareAll = kept.taken(1)) };
      block.tasks.splice(0, Infinity, first as unknown as Collector);
      await block.collect(block.file);
      declareAll?.();
    });
    if (made.suite !== undefined) made.suite.location = suite?.location;
  }
}
