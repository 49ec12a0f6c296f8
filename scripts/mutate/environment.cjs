/**
 * The test environment of mutants. It records the functions that each suite of a group reaches, and the suite's
 * time. After the first failure it skips the remaining tests and hooks.
 */
const { createRequire } = require('node:module');
// jest's environment, of any release.
const ofJest = createRequire(require.resolve('jest'));
const { TestEnvironment } = ofJest('jest-environment-node');
const { Many } = require('./many.cjs');
const mutation = require('./mutation.cjs');

module.exports = class MutationEnvironment extends TestEnvironment {
  constructor(...args) {
    super(...args);
    this.depth = 0;
    this.suite = undefined;
    const { many } = mutation.now;
    this.many = many && new Many(many, mutation.notify);
    this.global.mutantAt = (id) => this.many?.at(id) ?? false;
    this.global.reachedByTests = (file, place) => {
      const reached = mutation.reached.get(this.suite) ?? new Set();
      mutation.reached.set(this.suite, reached.add(`${file}\0${place}`));
    };
  }

  handleTestEvent(event, state) {
    if (this.many) return this.many.handle(event, state);
    switch (event.name) {
      case 'start_describe_definition':
        if (this.depth++ === 0) this.suite = event.blockName;
        return;
      case 'finish_describe_definition':
        this.depth -= 1;
        return;
      case 'run_describe_start':
        this.suite = suiteOf(event.describeBlock) ?? this.suite;
        if (isSuite(event.describeBlock)) this.began = performance.now();
        if (mutation.failure !== undefined) event.describeBlock.mode = 'skip';
        return;
      case 'run_describe_finish':
        if (isSuite(event.describeBlock))
          mutation.took.set(this.suite, performance.now() - this.began);
        return;
      case 'test_start':
        this.suite = suiteOf(event.test.parent) ?? this.suite;
        if (mutation.failure !== undefined) event.test.mode = 'skip';
        return;
      case 'test_fn_failure':
        this.fail(titleOf(event.test), event.error);
        return;
      case 'hook_failure':
        this.fail(
          `${event.hook.type} of ${titleOf(event.test ?? event.describeBlock)}`,
          event.error,
        );
    }
  }

  /** The first one counts. A test may time out because the machine is busy: it reports timeouts separately. */
  fail(title, error) {
    if (mutation.failure !== undefined) return;
    const isLate = String(error?.message ?? error).startsWith('Exceeded timeout of');
    mutation.failure = isLate ? `timed out in ${title}` : title;
    mutation.failedIn = this.suite;
  }
};

/** Each suite of a group is a block right below the root. */
const isSuite = (block) => block.parent !== undefined && block.parent.parent === undefined;

function suiteOf(block) {
  let at = block;
  while (at?.parent?.parent) at = at.parent;
  return at?.parent === undefined ? undefined : at.name;
}

function titleOf(block) {
  const names = [];
  for (let at = block; at?.parent; at = at.parent) names.unshift(at.name);
  return names.join(' › ');
}
