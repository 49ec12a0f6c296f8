/**
 * A reporter for jest that shows the choice coverage of the whole run: `reporters: ['default', 'canticle/coverage-reporter']`. What each
 * test file exercised is added up in a file, which stays.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { readCoverageFile } from '../assembly/coverage-file.js';
import { coverageText } from '../network/coverage/coverage-report.js';

/** Of the reporter, as the second element of its entry in `reporters`. */
export interface CoverageReporterOptions {
  /** JSON; `coverage/choices.json` by default, or what CANTICLE_COVERAGE says. Written afresh with each run. */
  readonly file?: string;
  /** Names of the packages to report; all but Canticle's own by default. */
  readonly packages?: readonly string[];
}

/** Shows the choice coverage of the whole run, after it. */
export default class CoverageReporter {
  private readonly file: string;

  constructor(_globalConfig: unknown, options: CoverageReporterOptions = {}) {
    const { env } = process;
    this.file = resolve(options.file ?? env['CANTICLE_COVERAGE'] ?? 'coverage/choices.json');
    // Workers inherit it.
    env['CANTICLE_COVERAGE'] = this.file;
    if (options.packages !== undefined)
      env['CANTICLE_COVERAGE_PACKAGES'] = options.packages.join(',');
  }

  /** For jest: forgets what an earlier run left. */
  onRunStart(): void {
    rmSync(this.file, { force: true });
  }

  /** For jest: prints the report. */
  onRunComplete(): void {
    const report = readCoverageFile(this.file);
    const text =
      report === undefined ? `Choice coverage: no test used an instance.\n` : coverageText(report);
    process.stdout.write(`\n${text}`);
  }
}
