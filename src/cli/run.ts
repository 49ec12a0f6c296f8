/**
 * `canticle run`: carries out scenario files and reports each expectation. The same files give the same report, to the
 * byte; how far a long one has come is told on stderr, where somebody watches.
 */
import { addToCoverageFile } from '../assembly/coverage-file.js';
import {
  coverageText,
  mergedCoverage,
  type CoverageReport,
} from '../network/coverage/coverage-report.js';
import type { TextOptions } from '../daml/errors/explanation.js';
import { ScenarioError } from '../wallet/scenario-error.js';
import type { ExpectationReport, Progress, ScenarioReport } from '../scenario/run.js';
import { reportScenario, type ReportOptions } from '../assembly/start.js';
import { explanationLines } from './explanations.js';
import { causeOf, CommandFailed, type Terminal } from './terminal.js';

/** Exit status: every expectation holds, one does not, a scenario cannot be carried out. */
const HOLDS = 0;
const FAILS = 1;
const BROKEN = 2;

const PROGRESS_EVERY_MS = 200;

export interface RunFlags {
  /** Folder that keeps what was found out about DARs, or `off`; undefined where the environment decides. */
  readonly cache?: string;
  /** Milliseconds that the code of a transaction may run for; undefined for the usual time. */
  readonly interpretationTimeout?: number;
  /** Show which templates were created and which choices exercised, by all files together. */
  readonly coverage?: boolean;
  /** A file that gets the same as JSON. */
  readonly coverageJson?: string;
  /** Names of packages; all but Canticle's own where there are none. */
  readonly coveragePackage: readonly string[];
}

/** @returns the exit status, the worst of all files */
export function runScenarios(
  files: readonly string[],
  terminal: Terminal,
  flags: RunFlags,
): number {
  const { cache, interpretationTimeout, coverageJson, coveragePackage: names } = flags;
  const { coverage = false } = flags;
  const counts = coverage || coverageJson !== undefined;
  const options = { cache, interpretationTimeout, coverage: counts };
  const scope = names.length > 0 ? { packages: names } : {};
  let covered: CoverageReport = { packages: [] };
  const totals = { scenarios: 0, held: 0, failed: 0, broken: 0 };
  for (const file of files) {
    totals.scenarios++;
    const report = carryOut(file, terminal, options);
    if (report === undefined || report.broken !== undefined) totals.broken++;
    if (report === undefined) continue;
    covered = mergedCoverage(covered, report.coverage.report(scope));
    const failed = report.expectations.filter(({ failure }) => failure !== undefined).length;
    totals.failed += failed;
    totals.held += report.expectations.length - failed;
    terminal.stdout.write(textOf(report, terminal.stdout.isTTY === true));
    if (report.broken !== undefined) complainOf(report.broken, report, terminal);
  }
  const { scenarios, held, failed, broken } = totals;
  const brokenText = broken === 0 ? '' : `, ${broken} could not be carried out`;
  terminal.stdout.write(
    `${count(scenarios, 'scenario')}${brokenText}: ${count(held, 'expectation')} ${held === 1 ? 'holds' : 'hold'}, ${failed} ${failed === 1 ? 'fails' : 'fail'}.\n`,
  );
  if (coverage) terminal.stdout.write(`\n${coverageText(covered)}`);
  if (coverageJson !== undefined) writeCoverage(coverageJson, covered);
  return broken > 0 ? BROKEN : failed > 0 ? FAILS : HOLDS;
}

function writeCoverage(path: string, covered: CoverageReport): void {
  try {
    addToCoverageFile(path, covered);
  } catch (error) {
    throw new CommandFailed(`failed to write the coverage to '${path}': ${causeOf(error)}`);
  }
}

function carryOut(
  file: string,
  terminal: Terminal,
  options: ReportOptions,
): ReturnType<typeof reportScenario> | undefined {
  const progress = progressOn(file, terminal);
  try {
    return reportScenario(file, progress.tell, options);
  } catch (error) {
    // What has a code is an expected failure, of the system, the ledger or the file; anything else is a bug.
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    progress.clear();
    const isAboutForm = error instanceof ScenarioError;
    complain(isAboutForm ? error.message : `failed to run ${file}: ${causeOf(error)}`, terminal);
    return undefined;
  } finally {
    progress.clear();
  }
}

const complain = (reason: string, { stderr }: Terminal) => stderr.write(`canticle: ${reason}\n`);

function complainOf(broken: ScenarioError, { tell }: ScenarioReport, terminal: Terminal): void {
  const options = { tell, colors: terminal.stderr.isTTY === true };
  complain([broken.message, ...explanationLines(broken, '    ', options)].join('\n'), terminal);
}

function textOf(report: ScenarioReport, colors: boolean): string {
  const { document, expectations, steps, tell } = report;
  const name = document.head.name === undefined ? '' : `: ${document.head.name}`;
  return [
    `${document.file}${name} (${count(steps, 'step')})`,
    ...expectations.flatMap((each) => linesOf(each, { tell, colors })),
    ...(expectations.length === 0 && report.broken === undefined ? ['  It expects nothing.'] : []),
    '',
  ].join('\n');
}

function linesOf(
  { place, label, held, failure }: ExpectationReport,
  options: TextOptions,
): readonly string[] {
  const where = `line ${place.line}`;
  if (failure === undefined)
    return [`  ✓ ${where}  ${label}${held === 1 ? '' : ` (${held} times)`}`];
  return [
    `  ✗ ${where}  ${label}`,
    ...failure.lines.map((line) => `      ${line}`),
    ...explanationLines(failure, '        ', options),
  ];
}

function progressOn(
  file: string,
  { stderr }: Terminal,
): { tell: Progress | undefined; clear: () => void } {
  if (stderr.isTTY !== true) return { tell: undefined, clear: () => {} };
  let last = performance.now();
  let isShown = false;
  const tell: Progress = (done, total) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS) return;
    last = now;
    isShown = true;
    stderr.write(`\r${file}: step ${done} of ${total}`);
  };
  // Carriage return, then the terminal's order to clear the line.
  const clear = () => isShown && stderr.write('\r\u001b[K');
  return { tell, clear };
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
