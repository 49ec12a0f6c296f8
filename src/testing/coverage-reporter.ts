/**
 * A jest reporter that prints the choice coverage of a run: `reporters: ['default', 'canticle/coverage-reporter']`. It
 * merges the coverage of all test files in a file, which remains after the run. @module
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { readCoverageFile } from '../assembly/coverage-file.js';
import { v8Script, type IstanbulFile } from '../assembly/cache/coverage-forms.js';
import { coverageText } from '../network/coverage/coverage-report.js';

/** Options of the reporter: the second element of its entry in `reporters`. */
export interface CoverageReporterOptions {
  /**
   * A JSON file, which each run overwrites. Default: the environment variable CANTICLE_COVERAGE, or else
   * `coverage/choices.json`.
   */
  readonly file?: string;
  /** Names of the packages to report; all but Canticle's own by default. */
  readonly packages?: readonly string[];
}

/** The part of jest's result of a test file that this reporter uses. */
interface TestFileResult {
  readonly coverage?: Readonly<Record<string, IstanbulFile>>;
  readonly v8Coverage?: { readonly result: object }[];
}

/** Prints the choice coverage of the whole run at its end. */
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

  /** Called by jest: deletes the results of an earlier run. */
  onRunStart(): void {
    rmSync(this.file, { force: true });
  }

  /**
   * Called by jest for each test file. With `coverageProvider: 'v8'`, jest ignores the counters of instrumented code,
   * so lines of Daml are reported in V8's format.
   */
  onTestResult(_test: unknown, { coverage = {}, v8Coverage }: TestFileResult): void {
    if (!Array.isArray(v8Coverage)) return;
    for (const file of Object.values(coverage))
      if (file.path.endsWith('.daml'))
        v8Coverage.push({ result: { ...v8Script(file), url: file.path } });
  }

  /** For jest: prints the report. */
  onRunComplete(): void {
    const report = readCoverageFile(this.file);
    const text =
      report === undefined ? `Choice coverage: no test used an instance.\n` : coverageText(report);
    process.stdout.write(`\n${text}`);
  }
}
