/**
 * `canticle test`: runs the Daml scripts of DARs as tests, each on a new ledger. It prints a line for each test, and
 * the failure below it. NOTE: flags have the names of `daml test` flags if these exist.
 */
import { saveCompiledCode } from '../../assembly/cache/fact-files.js';
import { InvariantError } from '../../daml/errors/ledger-error.js';
import {
  coverageText,
  mergedCoverage,
  type CoverageReport,
} from '../../network/coverage/coverage-report.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { junitText } from '../junit.js';
import { whileWatched } from '../watch.js';
import { addCoverage, writeResult } from '../write-result.js';
import { CaseRunner } from './case-runner.js';
import { coverageWords } from './coverage-words.js';
import { DarTests, isNarrowed, type CaseFlags } from './dar-tests.js';
import { suiteOf } from './junit.js';
import { darJson, headText, summaryText } from './test-report.js';
import type { TestedDar, ScriptReport } from './tested-dar.js';
import { isError } from '../../daml/errors/realms.js';

/** Exit status: every script succeeds, one does not, a DAR cannot be read. */
const PASS = 0;
const FAIL = 1;
const BROKEN = 2;

export interface TestFlags extends CaseFlags {
  /** A file that gets the results in JUnit's form. */
  readonly junit?: string;
  /** The report as JSON, instead of lines. */
  readonly json?: boolean;
  /** The created templates and exercised choices, as in `canticle run`. */
  readonly coverage?: boolean;
  /** The same in the words of `daml test`. */
  readonly showCoverage?: boolean;
  readonly coverageJson?: string;
  /** Again whenever a DAR changes. */
  readonly watch?: boolean;
  /** Threads that run scripts; as many as pay by default. */
  readonly workers?: number;
}

/** @returns the exit status, the worst of all files @throws CommandFailed */
export async function runTests(
  named: readonly string[],
  terminal: Terminal,
  given: TestFlags,
): Promise<number> {
  const { files, flags } = darsApart(named, given);
  let dars: readonly DarTests[] = [];
  return whileWatched(
    flags.watch,
    () => files,
    terminal,
    async () => {
      const ran = await runOnce(files, terminal, flags, dars);
      dars = ran.dars;
      return ran.status;
    },
  );
}

/** Separates DARs from source files: commander parses all names after `--files` as its values, also DARs. */
function darsApart(named: readonly string[], flags: TestFlags) {
  const isDar = (name: string): boolean => name.endsWith('.dar');
  const { files: sources } = flags;
  const files = [...(sources?.filter(isDar) ?? []), ...named];
  if (files.length === 0) throw new CommandFailed("missing required argument 'dars'");
  if (sources === undefined) return { files, flags };
  return { files, flags: { ...flags, files: sources.filter((name) => !isDar(name)) } };
}

/** @param before the DARs of an earlier run, whose packages are not read and compiled again */
async function runOnce(
  files: readonly string[],
  terminal: Terminal,
  flags: TestFlags,
  before: readonly DarTests[],
): Promise<{ readonly status: number; readonly dars: readonly DarTests[] }> {
  const { stdout } = terminal;
  // With --watch, this thread keeps the compiled code. Another thread would not.
  const workerFile = flags.watch === true ? undefined : terminal.testWorker;
  const print = (text: string) => flags.json !== true && stdout.write(text);
  const dars: DarTests[] = [];
  const heads = new Map<number, string>();
  const scripts: ScriptReport[] = [];
  const runner = new CaseRunner(
    { flags, workerFile, threads: flags.workers },
    (number, outcome) => {
      scripts.push(outcome);
      print(`${heads.get(number) ?? ''}${outcome.text}`);
    },
  );
  const firsts: number[] = [];
  try {
    for (const file of files) {
      const tests = read(file, terminal, flags, [...dars, ...before]);
      if (tests === undefined) continue;
      dars.push(tests);
      const first = runner.add(tests);
      firsts.push(first);
      const head = headText(file, tests.main, tests.count, isNarrowed(flags));
      heads.set(first, `${heads.get(first) ?? ''}${head}`);
    }
    await runner.run();
    print(heads.get(scripts.length) ?? '');
    const tested = dars.map(({ file, main, count }, index) => {
      const first = firsts[index]!;
      return { file, main, scripts: scripts.slice(first, first + count) };
    });
    await report(tested, files.length - dars.length, runner, flags, terminal);
    saveCompiledCode();
    await runner.saveCompiled();
  } finally {
    await runner.end();
  }
  const isRed = scripts.some(({ isFailed }) => isFailed);
  return { status: dars.length < files.length ? BROKEN : isRed ? FAIL : PASS, dars };
}

/** The summary of all DARs. @param broken DARs that could not be read */
async function report(
  dars: readonly TestedDar[],
  broken: number,
  runner: CaseRunner,
  flags: TestFlags,
  { stdout }: Terminal,
): Promise<void> {
  const print = (text: string) => flags.json !== true && stdout.write(text);
  print(summaryText(dars, broken));
  if (flags.json === true) stdout.write(`${JSON.stringify(dars.map(darJson), undefined, 2)}\n`);
  if (flags.junit !== undefined) writeResult(flags.junit, junitText(dars.map(suiteOf)));
  const { coverage = false, showCoverage = false, coverageJson } = flags;
  if (!coverage && !showCoverage && coverageJson === undefined) return;
  const reports = await runner.coverage();
  const covered = reports.reduce(mergedCoverage, { packages: [] } as CoverageReport);
  if (coverage) print(`\n${coverageText(covered)}`);
  if (showCoverage)
    for (const [index, { main }] of dars.entries())
      print(`\n${coverageWords({ main, coverage: reports[index]! })}`);
  if (coverageJson !== undefined) addCoverage(coverageJson, covered);
}

/** @returns undefined if the DAR cannot be read, after it printed why */
function read(
  file: string,
  { stderr }: Terminal,
  flags: TestFlags,
  others: readonly DarTests[],
): DarTests | undefined {
  try {
    return new DarTests(file, flags, others);
  } catch (error) {
    if (isError(error, 'TypeError') || error instanceof InvariantError) throw error;
    if (error instanceof CommandFailed) throw error;
    stderr.write(`canticle: failed to read ${file}: ${causeOf(error)}\n`);
    return undefined;
  }
}
