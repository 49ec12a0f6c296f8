/**
 * What jest transforms sources with while mutants run: as ever, but for the one file that has a mutant, or those that are marked.
 * Nothing on the disk is changed. What to do is said by `mutation.now`, which the worker sets.
 */
const { createHash } = require('node:crypto');
const swc = require('@swc/jest');
const mutation = require('./mutation.cjs');
const { withMarks } = require('./operators.cjs');
const { withSwitches } = require('./switches.cjs');

/** @returns the source as it is to be run */
function mutated(text, file) {
  const { mutant, marked, switched } = mutation.now;
  if (switched?.[file] !== undefined) return withSwitches(text, file, switched[file]).text;
  if (mutant?.file === file)
    return text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end);
  return marked?.includes(file) ? withMarks(text, file) : text;
}

module.exports = {
  createTransformer(options) {
    // Nobody reads where a test failed, and maps are half of what is loaded.
    const transformer = swc.createTransformer({ ...options, sourceMaps: false });
    return {
      process: (text, file, jest) => transformer.process(mutated(text, file), file, jest),
      // The configuration is the same but for what does not matter here: which suites are run.
      getCacheKey: (text, file) =>
        createHash('sha256')
          .update(`without maps\0${file}\0${mutated(text, file)}`)
          .digest('hex'),
    };
  },
};
