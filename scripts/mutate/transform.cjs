/**
 * The jest transformer while mutants run: it changes only the file with the mutant, or the marked files.
 * Nothing on the disk is changed. The worker sets the task in `mutation.now`.
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
    // Without source maps: locations of failures are not used, and maps are 50% of the loaded code.
    const transformer = swc.createTransformer({ ...options, sourceMaps: false });
    return {
      process: (text, file, jest) => transformer.process(mutated(text, file), file, jest),
      // The configuration is the same, except for the list of suites, which does not matter here.
      getCacheKey: (text, file) =>
        createHash('sha256')
          .update(`without maps\0${file}\0${mutated(text, file)}`)
          .digest('hex'),
    };
  },
};
