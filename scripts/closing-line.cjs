/** The time limit for a run to end after the last test. */
const ENDING_MS = 10_000;

/** The limit of missing files that the line names. */
const MOST_NAMED = 3;

/** A jest reporter for one plain last line, which a person and a machine can both read. */
module.exports = class ClosingLine {
  /** @param config of the run: with `-t`, what was not asked for counts as skipped */
  constructor({ testNamePattern }) {
    this.isNamed = Boolean(testNamePattern);
  }

  onRunComplete(_contexts, results) {
    const line = `\n${closingLine(results, this.isNamed)}\n`;
    // jest writes its own summary after the other reporters, and to stderr: this keeps the line behind it.
    process.once('exit', () => process.stderr.write(line));
    // Fires only if the process does not end: a handle that a test leaves open is a failure.
    setTimeout(() => {
      const open = process.getActiveResourcesInfo().join(', ');
      process.stderr.write(
        `\nA test left something open, which keeps the run from ending: ${open}\n`,
      );
      process.exit(1);
    }, ENDING_MS).unref();
  }
};

/** `12 passed, 0 failed`, and what was skipped where something was, with the files that it was skipped for. */
function closingLine(results, isNamed) {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = results;
  // A file that could not be run at all counts as a failure: it holds tests that did not pass.
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  const skipped = testResults
    .flatMap((suite) => suite.testResults)
    .filter(({ status }) => status === 'pending' || status === 'todo');
  const counts = `${numPassedTests} passed, ${failed} failed`;
  return skipped.length === 0 || isNamed
    ? counts
    : `${counts}, ${skipped.length} skipped: ${reasons(skipped).join('; ')}`;
}

/** A title that ends with `(needs DARs: one.dar, another.dar)` says of which kind of files some are not here. */
function reasons(skipped) {
  /** By kind: how many were skipped, and the names of the files. */
  const wanted = new Map();
  let others = 0;
  for (const { title } of skipped) {
    const [, kind, names] = /\(needs (\w+): ([^)]+)\)$/.exec(title) ?? [];
    if (kind === undefined) {
      others += 1;
      continue;
    }
    const { count, files } = wanted.get(kind) ?? { count: 0, files: new Set() };
    for (const name of names.split(', ')) files.add(name);
    wanted.set(kind, { count: count + 1, files });
  }
  const groups = [...wanted].map(([kind, { count, files }]) => {
    const more = files.size - MOST_NAMED;
    const named = [...files].slice(0, MOST_NAMED).join(', ');
    return `${count} because of missing ${kind} (${named}${more > 0 ? ` and ${more} more` : ''})`;
  });
  return others === 0 ? groups : [...groups, `${others} without a reason`];
}
