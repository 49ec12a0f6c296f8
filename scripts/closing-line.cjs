/** A jest reporter for one plain last line, which a person and a machine can both read. */
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    // A file that could not be run at all counts as a failure: it holds tests that did not pass.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const line = `\n${results.numPassedTests} passed, ${failed} failed\n`;
    // jest writes its own summary after the other reporters, and to stderr: this keeps the line behind it.
    process.once('exit', () => process.stderr.write(line));
  }
};
