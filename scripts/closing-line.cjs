/** How long after the last test a run may take to end by itself. */
const ENDING_MS = 10_000;

/** A jest reporter for one plain last line, which a person and a machine can both read. */
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    // A file that could not be run at all counts as a failure: it holds tests that did not pass.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const line = `\n${results.numPassedTests} passed, ${failed} failed\n`;
    // jest writes its own summary after the other reporters, and to stderr: this keeps the line behind it.
    process.once('exit', () => process.stderr.write(line));
    // Fires only if something else keeps the process: what a test has left open is a failure, and no reason to wait.
    setTimeout(() => {
      const open = process.getActiveResourcesInfo().join(', ');
      process.stderr.write(
        `\nA test left something open, which keeps the run from ending: ${open}\n`,
      );
      process.exit(1);
    }, ENDING_MS).unref();
  }
};
