/**
 * Runs many mutants in one run of jest, so that modules are loaded once. It repeats the suites' tests, each time with another active
 * mutant. One mutant must not make the next one fail. So after each failure, the same tests run without a mutant. If they fail too, the
 * result is unknown, and another run tests the remaining mutants. A mutant that survives may be in code that was loaded too early. A
 * separate run tests it again.
 */
const NONE = -1;

/**
 * A test may wait for an event that a mutant prevents. It then fails before jest's timeout: after this number of seconds in which the
 * process used almost no processor time. A busy machine does not make an active process idle.
 */
const IDLE_SECONDS = 5;
/** Maximum processor time of an idle second, in milliseconds. */
const IDLE = 20;

class Many {
  /**
   * @param plan `mutants`: each with its `id`, `tests` (the ordinals by suite) and `limit` (milliseconds of processor time); without
   *     `mutants`, it watches the tests
   * @param notify receives each result
   */
  constructor(plan, notify) {
    Object.assign(this, { plan, notify, on: NONE, left: [...(plan.mutants ?? [])], reached: [] });
  }

  at(id) {
    for (const ids of this.reached) ids.add(id);
    return id === this.on;
  }

  handle(event, { rootDescribeBlock: root }) {
    switch (event.name) {
      case 'run_start':
        this.root = root;
        this.suites = new Map(root.children.map((suite) => [suite.name, numbered(suite)]));
        root.children.length = 0;
        return this.plan.mutants ? this.nextMutant() : this.push({ kind: 'watched' });
      case 'run_describe_start':
        this.reached = [];
        if (event.describeBlock.step) this.begin(event.describeBlock.step);
        else if (this.isOver) event.describeBlock.mode = 'skip';
        return;
      case 'run_describe_finish':
        if (event.describeBlock.step) this.end(event.describeBlock);
        return;
      case 'hook_start':
        if (event.hook.type === 'beforeAll') this.reached = this.setsOf(event.hook.parent);
        return;
      case 'test_start':
        this.reached = this.setsOf(event.test);
        this.began = performance.now();
        if (this.isOver) event.test.mode = 'skip';
        return;
      case 'test_done':
        this.done(event.test);
        return;
      case 'test_fn_failure':
        return this.fail(event.test, event);
      case 'hook_failure':
        return this.fail(event.test ?? event.describeBlock, event);
    }
  }

  /** Adds a step to the run: all suites, or the tests of one mutant, after the earlier steps. */
  push(step, tests) {
    const block = { ...emptyBlock(this.root), name: step.kind, step };
    const suites = tests ? Object.keys(tests) : [...this.suites.keys()];
    block.children = suites.map((name) => copy(this.suites.get(name), block, tests?.[name]));
    this.root.children.push(block);
  }

  begin(step) {
    Object.assign(this, { step, failed: undefined, isOver: false, failedSuites: new Set() });
    this.on = step.kind === 'mutated' ? step.mutant.id : NONE;
    if (step.kind === 'mutated') this.notify({ begun: step.mutant.id, limit: step.mutant.limit });
    if (step.kind === 'watched') this.seen = new Map();
  }

  end(block) {
    block.children = [];
    Object.assign(this, { on: NONE, reached: [] });
    const { kind, mutant, why } = this.step;
    if (kind === 'watched') {
      if (this.failed) this.notify({ failure: this.failed.why });
      else this.push({ kind: 'again' });
    } else if (kind === 'again') {
      const seen = [...this.seen].map(([{ suite, ordinal }, { ids, took }]) => ({
        ...{ suite, ordinal, took },
        ids: [...ids],
      }));
      this.notify({ seen, unrepeatable: [...this.failedSuites] });
    } else if (kind === 'mutated' && this.failed) {
      this.push({ ...this.step, ...this.failed, kind: 'checked' }, mutant.tests);
    } else {
      const status = kind === 'mutated' ? 'survived' : this.failed ? 'unsure' : 'killed';
      this.notify({ id: mutant.id, status, why, by: this.step.place?.suite });
      if (status !== 'unsure') this.nextMutant();
    }
  }

  nextMutant() {
    const mutant = this.left.shift();
    if (mutant) this.push({ kind: 'mutated', mutant }, mutant.tests);
  }

  done(test) {
    if (this.step.kind === 'watched') this.setsOf(test, performance.now() - this.began);
    // Without the mutant, it repeats only the tests that ran with it.
    if (this.step.kind === 'checked' && test.place === this.step.place) this.isOver = true;
  }

  fail(block, { error }) {
    let suite = block;
    while (suite.parent.parent.parent) suite = suite.parent;
    this.failedSuites.add(suite.name);
    if (this.step.kind === 'again' || this.failed) return;
    const isLate = String(error?.message ?? error).startsWith('Exceeded timeout of');
    const why = titleOf(block);
    this.failed = {
      why: isLate ? `timed out in ${why}` : why,
      place: block.place ?? { suite: suite.name },
    };
    this.isOver = true;
  }

  /** For watched tests: the mutants that each reaches, and its duration in milliseconds. */
  setsOf(block, took = 0) {
    if (this.step?.kind !== 'watched') return [];
    return testsOf(block).map(({ place }) => {
      const known = this.seen.get(place) ?? { ids: new Set(), took: 0 };
      this.seen.set(place, known);
      known.took += took;
      return known.ids;
    });
  }
}

const emptyBlock = (parent) => ({
  type: 'describeBlock',
  ...{ children: [], hooks: [], tests: [], mode: undefined, parent },
});

const testsOf = (block) =>
  block.type === 'test' ? [block] : block.children.flatMap((child) => testsOf(child));

/** Numbers the tests: each gets its suite, and the number of tests before it. */
function numbered(suite) {
  for (const [ordinal, test] of testsOf(suite).entries())
    test.place = { suite: suite.name, ordinal };
  return suite;
}

/** Copies a block as if it had not run, with the tests of those ordinals, or with all. */
function copy(block, parent, ordinals) {
  const own = { ...block, parent, tests: [] };
  own.children = block.children.flatMap((child) => {
    if (child.type === 'describeBlock') {
      const inner = copy(child, own, ordinals);
      return inner.children.length > 0 ? [inner] : [];
    }
    if (ordinals && !ordinals.includes(child.place.ordinal)) return [];
    const fresh = { errors: [], retryReasons: [], unhandledRejectionErrorByPromise: new Map() };
    return [{ ...child, ...fresh, fn: endingWhenIdle(child.fn), parent: own }];
  });
  own.hooks = block.hooks.map((hook) => ({ ...hook, parent: own }));
  return own;
}

function endingWhenIdle(fn) {
  // Leaves callbacks and generators to jest.
  if (fn === undefined || fn.length > 0 || fn.constructor.name === 'GeneratorFunction') return fn;
  return async function () {
    let timer;
    const idle = new Promise((_, reject) => {
      let [before, seconds] = [processorTime(), 0];
      timer = setInterval(() => {
        const now = processorTime();
        seconds = now - before < IDLE ? seconds + 1 : 0;
        before = now;
        if (seconds === IDLE_SECONDS) reject(new Error('Exceeded timeout of an idle process'));
      }, 1000);
    });
    try {
      return await Promise.race([fn.call(this), idle]);
    } finally {
      clearInterval(timer);
    }
  };
}

function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The title, from the name of the suite on. */
function titleOf(block) {
  const names = [];
  for (let at = block; at.parent?.parent; at = at.parent) names.unshift(at.name);
  return names.join(' › ');
}

module.exports = { Many };
