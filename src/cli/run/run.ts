/**
 * `canticle run`: runs scenario files and reports each expectation. The same files give the same report, byte for byte. On a terminal, it
 * shows the progress of a long scenario on stderr.
 */
import { withLines } from '../../assembly/cache/looked-at.js';
import {
  coverageText,
  mergedCoverage,
  type CoverageReport,
} from '../../network/coverage/coverage-report.js';
import { printable } from '../../daml/errors/printable.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import type { Progress } from '../../scenario/run.js';
import { reportScenario, type ReportOptions } from '../../assembly/start.js';
import { junitText } from '../junit.js';
import { causeOf, type Terminal } from '../terminal.js';
import { whileWatched } from '../watch.js';
import { addCoverage, writeResult } from '../write-result.js';
import {
  brokenText,
  isBroken,
  ranJson,
  reportText,
  suiteOf,
  summaryText,
  type RanFile,
} from './run-report.js';

/** Exit status: every expectation holds; one fails; a scenario cannot run. */
const HOLDS = 0;
const FAILS = 1;
const BROKEN = 2;

const PROGRESS_EVERY_MS = 200;

export interface RunFlags {
  /** Folder that caches facts about DARs, or `off`. If undefined, the environment decides. */
  readonly cache?: string | false;
  /** Milliseconds that the code of a transaction may run; the default if undefined. */
  readonly interpretationTimeout?: number;
  /** The report as JSON, instead of lines. */
  readonly json?: boolean;
  /** A file that gets the results in JUnit's format. */
  readonly junit?: string;
  /** Runs again after a change of a scenario or of a file that it names. */
  readonly watch?: boolean;
  /** Show which templates were created and which choices were exercised, for all files together. */
  readonly coverage?: boolean;
  /** A file that gets the same as JSON. */
  readonly coverageJson?: string;
  /** Names of packages. If empty, all except Canticle's packages. */
  readonly coveragePackage: readonly string[];
}

/** @returns the exit status, the worst of all files */
export function runScenarios(
  files: readonly string[],
  terminal: Terminal,
  flags: RunFlags,
): Promise<number> {
  const named = new Set(files);
  return whileWatched(
    flags.watch,
    () => named,
    terminal,
    () => runOnce(files, terminal, flags, (path) => named.add(path)),
  );
}

function runOnce(
  files: readonly string[],
  terminal: Terminal,
  flags: RunFlags,
  onRead: (path: string) => void,
): number {
  const { cache, interpretationTimeout, coverageJson, coveragePackage: names } = flags;
  const { coverage = false, json = false } = flags;
  const { stdout } = terminal;
  const print = (text: string) => !json && stdout.painted(text);
  const counts = coverage || coverageJson !== undefined;
  const options = { cache, interpretationTimeout, coverage: counts, onRead };
  const scope = names.length > 0 ? { packages: names } : {};
  let covered: CoverageReport = { packages: [] };
  const ran = files.map((file): RanFile => {
    const { report, error } = carryOut(file, terminal, options);
    if (report === undefined) return { file, error };
    covered = mergedCoverage(covered, withLines(report.coverage.report(scope)));
    print(reportText(report, stdout.isTTY === true));
    if (report.broken !== undefined) {
      const colors = terminal.stderr.isTTY === true;
      complain(brokenText(report.broken, { humanize: report.humanize, colors }), terminal);
    }
    return { file, report };
  });
  print(summaryText(ran));
  if (json) stdout.write(`${JSON.stringify(ran.map(ranJson), undefined, 2)}\n`);
  if (coverage) print(`\n${coverageText(covered)}`);
  if (flags.junit !== undefined) writeResult(flags.junit, junitText(ran.map(suiteOf)));
  if (coverageJson !== undefined) addCoverage(coverageJson, covered);
  if (ran.some(isBroken)) return BROKEN;
  const all = ran.flatMap(({ report }) => report!.expectations);
  return all.some(({ failure }) => failure !== undefined) ? FAILS : HOLDS;
}

type Carried =
  | { readonly report: ReturnType<typeof reportScenario>; readonly error?: undefined }
  | { readonly report?: undefined; readonly error: string };

function carryOut(file: string, terminal: Terminal, options: ReportOptions): Carried {
  const progress = progressOn(file, terminal);
  try {
    return { report: reportScenario(file, progress.onProgress, options) };
  } catch (error) {
    // Expected failures of the system, the ledger or the file have a code. Other errors are bugs.
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    progress.clear();
    const isAboutForm = error instanceof ScenarioError;
    const problem = isAboutForm ? error.message : `failed to run ${file}: ${causeOf(error)}`;
    complain(printable(problem), terminal);
    return { error: problem };
  } finally {
    progress.clear();
  }
}

const complain = (reason: string, { stderr }: Terminal) => stderr.painted(`canticle: ${reason}\n`);

function progressOn(
  file: string,
  { stderr }: Terminal,
): { onProgress: Progress | undefined; clear: () => void } {
  if (stderr.isTTY !== true) return { onProgress: undefined, clear: () => {} };
  let last = performance.now();
  let isShown = false;
  const onProgress: Progress = (done, total) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS) return;
    last = now;
    isShown = true;
    stderr.painted(`\r${file}: step ${done} of ${total}`);
  };
  // A carriage return, then the escape sequence that clears the line.
  const clear = () => isShown && stderr.painted('\r\u001b[K');
  return { onProgress, clear };
}
