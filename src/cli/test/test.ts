/**
 * `canticle test`: runs the Daml scripts of DARs as tests, each on a ledger of its own, and reports a line for each, and below one
 * that failed what it failed with. NOTE: flags are called as those of `daml test`, where it has them.
 */
import { keepCompiled } from '../../assembly/cache/fact-files.js';
import { readRows } from '../../assembly/script-rows.js';
import { ScriptTests } from '../../assembly/script-tests.js';
import { InvariantError } from '../../daml/errors/ledger-error.js';
import {
  coverageText,
  mergedCoverage,
  type CoverageReport,
} from '../../network/coverage/coverage-report.js';
import type { ProtocolVersion } from '../../network/protocol.js';
import { scriptNamed, type Script } from '../../script/find-scripts.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { junitText } from '../junit.js';
import { whileWatched } from '../watch.js';
import { keepCoverage, writeResult } from '../write-result.js';
import { coverageWords } from './coverage-words.js';
import { suiteOf } from './junit.js';
import { darJson, headText, scriptText, summaryText } from './test-report.js';
import type { TestedDar } from './tested-dar.js';

/** Exit status: every script succeeds, one does not, a DAR cannot be read. */
const PASS = 0;
const FAIL = 1;
const BROKEN = 2;

export interface TestFlags {
  readonly cache?: string;
  /** Text that names contain. */
  readonly testPattern?: string;
  /** Source files, such as `Main/Tests.daml`: the scripts of their modules. */
  readonly files?: readonly string[];
  /** Scripts of dependencies too. */
  readonly all?: boolean;
  readonly seed?: number;
  readonly protocolVersion?: ProtocolVersion;
  /** A file that gets the results in JUnit's form. */
  readonly junit?: string;
  /** The report as JSON, instead of lines. */
  readonly json?: boolean;
  /** What was created and exercised, as `canticle run` tells it. */
  readonly coverage?: boolean;
  /** The same in the words of `daml test`. */
  readonly showCoverage?: boolean;
  readonly coverageJson?: string;
  readonly coveragePackage: readonly string[];
  /** `Main:script=rows.csv`: the script with each row as its argument, instead of the others. */
  readonly rows: readonly string[];
  /** Again whenever a DAR changes. */
  readonly watch?: boolean;
}

/** @returns the exit status, the worst of all files */
export async function runTests(
  files: readonly string[],
  terminal: Terminal,
  flags: TestFlags,
): Promise<number> {
  let dars: readonly TestedDar[] = [];
  return whileWatched(
    flags.watch,
    () => files,
    terminal,
    () => {
      const ran = runOnce(files, terminal, flags, dars);
      dars = ran.dars;
      keepCompiled();
      return ran.status;
    },
  );
}

/** @param before the DARs of an earlier run: of what they share with these, nothing is read or compiled again */
function runOnce(
  files: readonly string[],
  terminal: Terminal,
  flags: TestFlags,
  before: readonly TestedDar[],
): { readonly status: number; readonly dars: readonly TestedDar[] } {
  const { stdout } = terminal;
  const tell = (text: string) => flags.json !== true && stdout.write(text);
  const dars: TestedDar[] = [];
  for (const file of files) {
    const tested = testDar(file, terminal, flags, [...dars, ...before], tell);
    if (tested !== undefined) dars.push(tested);
  }
  const broken = files.length - dars.length;
  tell(summaryText(dars, broken));
  const covered = dars
    .map(({ coverage }) => coverage)
    .reduce(mergedCoverage, { packages: [] } as CoverageReport);
  if (flags.coverage === true) tell(`\n${coverageText(covered)}`);
  if (flags.showCoverage === true) for (const dar of dars) tell(`\n${coverageWords(dar)}`);
  if (flags.json === true) stdout.write(`${JSON.stringify(dars.map(darJson), undefined, 2)}\n`);
  if (flags.junit !== undefined) writeResult(flags.junit, junitText(dars.map(suiteOf)));
  if (flags.coverageJson !== undefined) keepCoverage(flags.coverageJson, covered);
  const isRed = dars.some(({ scripts }) => scripts.some(({ failure }) => failure));
  return { status: broken > 0 ? BROKEN : isRed ? FAIL : PASS, dars };
}

/** @returns undefined where the DAR cannot be read, which is told */
function testDar(
  file: string,
  terminal: Terminal,
  flags: TestFlags,
  others: readonly TestedDar[],
  tell: (text: string) => void,
): TestedDar | undefined {
  const tests = read(file, terminal, flags, others);
  if (tests === undefined) return undefined;
  const { main, packages } = tests;
  const cases = casesOf(tests, flags);
  tell(headText(file, main, cases.length, isNarrowed(flags)));
  const scripts = cases.map(({ name, script, argument }) => {
    const began = performance.now();
    const tested = tests.run(script, argument);
    const timed = { ...tested, name, milliseconds: Math.round(performance.now() - began) };
    tell(scriptText(packages, timed));
    return timed;
  });
  const { coveragePackage: names } = flags;
  const scope = names.length > 0 ? { packages: names } : {};
  return { file, main, packages, scripts, coverage: tests.coverage.report(scope) };
}

interface Case {
  readonly name: string;
  readonly script: Script;
  readonly argument?: unknown;
}

/** Scripts without arguments, and the rows of those with one. */
function casesOf(tests: ScriptTests, flags: TestFlags): readonly Case[] {
  const plain = tests.scripts(flags).map((script) => ({ name: tests.nameOf(script), script }));
  const rows = flags.rows.flatMap((given) => {
    const [name = '', file = ''] = given.split('=');
    try {
      const script = scriptNamed(tests.main, name);
      return readRows(tests.packages, script, file).map(({ label, argument }) => ({
        name: `${name}, ${label}`,
        script,
        argument,
      }));
    } catch (error) {
      throw new CommandFailed(`failed to read the rows of '${given}': ${causeOf(error)}`);
    }
  });
  return flags.rows.length > 0 && !isNarrowed(flags) ? rows : [...plain, ...rows];
}

function read(
  file: string,
  { stderr }: Terminal,
  { cache, seed, protocolVersion }: TestFlags,
  others: readonly TestedDar[],
): ScriptTests | undefined {
  const known = {
    package(id: string) {
      for (const { packages } of others) if (packages.package(id)) return packages.package(id);
      return undefined;
    },
  };
  try {
    return new ScriptTests(file, { seed, protocolVersion, known }, cache);
  } catch (error) {
    if (error instanceof TypeError || error instanceof InvariantError) throw error;
    stderr.write(`canticle: failed to read ${file}: ${causeOf(error)}\n`);
    return undefined;
  }
}

const isNarrowed = ({ testPattern, files }: TestFlags): boolean =>
  testPattern !== undefined || files !== undefined;
