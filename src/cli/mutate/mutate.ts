/** `canticle mutate`: tells whether the scripts of a DAR would notice mistakes in its Daml code. */
import { MutatedDar } from '../../assembly/mutating/mutated-dar.js';
import { readNamedFile } from '../../assembly/dar-files.js';
import { darSources } from '../../daml/archive/zip/dar-sources.js';
import { InvariantError } from '../../daml/errors/ledger-error.js';
import { isError } from '../../daml/errors/realms.js';
import { OPERATORS, type Mutant, type OperatorName } from '../../mutating/operators/mutant.js';
import { reportHtml } from '../../mutating/reporting/report-html.js';
import {
  mutationReport,
  type MutationReport,
  type Outcome,
} from '../../mutating/reporting/mutation-report.js';
import { reportText } from '../../mutating/reporting/report-text.js';
import { SourceLines } from '../../mutating/reporting/source-lines.js';
import type { ScriptFacts } from '../../mutating/running/script-suite.js';
import { NO_DIFFERENCE, NOT_REACHED, type Verdict } from '../../mutating/running/verdict.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { writeResult } from '../write-result.js';
import { MutantThreads } from './mutant-threads.js';
import type { Order } from './orders.js';
import { runUserSuite, type ChooseMutants, type SuiteRun } from './user-suite.js';

/** Exit status: the score is high enough, it is too low, nothing could run. */
const PASS = 0;
const FAIL = 1;
const BROKEN = 2;

export interface MutateFlags {
  readonly package: readonly string[];
  readonly operator: readonly string[];
  readonly testPattern?: string;
  /** The keys of mutants to run. */
  readonly only: readonly string[];
  /** Runs this many of the mutants. */
  readonly max?: number;
  readonly minScore?: number;
  readonly json?: boolean;
  /** A file for the report as HTML. */
  readonly html?: string;
  readonly workers?: number;
  readonly seed?: number;
  readonly cache?: string | false;
}

/** @returns the exit status @throws CommandFailed */
export async function mutate(
  file: string,
  command: readonly string[],
  flags: MutateFlags,
  terminal: Terminal,
): Promise<number> {
  const { stdout, stderr } = terminal;
  const dar = read(file, flags);
  const { mutation, mutated } = dar;
  if (mutated.length === 0) throw noPackage(file, flags);
  const choose: ChooseMutants = (mutants, isReached) => chosenMutants(mutants, isReached, flags);
  const { tests, outcomes } =
    command.length > 0
      ? await runUserSuite(dar, command, choose, terminal)
      : await runScripts(dar, choose, flags, terminal);
  const lines = new SourceLines(sourcesOf(dar));
  const packages = mutated.map(({ id, name, version }) => ({ id, name, version }));
  const report = mutationReport(mutation, packages, tests, outcomes, lines);
  stdout.write(
    flags.json === true ? `${JSON.stringify(report, undefined, 2)}\n` : reportText(report),
  );
  if (flags.html !== undefined) writeResult(flags.html, reportHtml(report, lines));
  return status(report, flags, stderr);
}

async function runScripts(
  dar: MutatedDar,
  choose: ChooseMutants,
  flags: MutateFlags,
  terminal: Terminal,
): Promise<SuiteRun> {
  const { mutation, suite, options } = dar;
  const { file } = options;
  if (suite.scripts.length === 0)
    throw new CommandFailed(`${file} has no script that can run as a test: name a DAR with tests.`);
  const threads = new MutantThreads(dar, terminal.mutateWorker, flags.workers);
  try {
    const facts = await threads.all<ScriptFacts>(
      suite.scripts.map((_, index) => ({ kind: 'facts', index })),
    );
    const reached = new Set(facts.flatMap((each) => (each.failure ? [] : each.reached)));
    const chosen = choose(mutation.mutants, ({ number }) => reached.has(number));
    const outcomes = await judged(threads, chosen, facts, progress(chosen.length, terminal));
    const tests = facts.map(({ name, failure }) => ({ name, ...(failure && { failure }) }));
    return { tests, outcomes };
  } finally {
    await threads.end();
  }
}

function read(file: string, flags: MutateFlags): MutatedDar {
  const { package: packages, testPattern, seed = 0, cache } = flags;
  const operators = flags.operator.map((name) => {
    if (name in OPERATORS) return name as OperatorName;
    const known = Object.keys(OPERATORS).join(', ');
    throw new CommandFailed(`unknown operator '${name}': expected one of ${known}.`);
  });
  try {
    return new MutatedDar({
      ...{ file, packages, seed },
      ...(operators.length > 0 && { operators }),
      ...(testPattern !== undefined && { testPattern }),
      ...(cache !== undefined && { cache }),
    });
  } catch (error) {
    if (isError(error, 'TypeError') || error instanceof InvariantError) throw error;
    throw new CommandFailed(`failed to read ${file}: ${causeOf(error)}`);
  }
}

const noPackage = (file: string, { package: names }: MutateFlags): CommandFailed =>
  new CommandFailed(
    names.length > 0
      ? `${file} has no package named ${names.join(' or ')}.`
      : `${file} has no template, and neither have the packages that it uses: name packages with --package.`,
  );

/** Those that the flags name. If they limit the number, those that tests reach, at equal distances. */
function chosenMutants(
  mutants: readonly Mutant[],
  isReached: (each: Mutant) => boolean,
  { only, max }: MutateFlags,
): readonly Mutant[] {
  const unknown = only.find((key) => !mutants.some((each) => each.key === key));
  if (unknown !== undefined)
    throw new CommandFailed(`unknown mutant '${unknown}': the JSON report has the keys.`);
  const named = only.length === 0 ? mutants : mutants.filter(({ key }) => only.includes(key));
  if (max === undefined || named.length <= max) return named;
  const some = named.filter(isReached);
  if (some.length <= max) return some;
  return Array.from({ length: max }, (_, index) => some[Math.floor((index * some.length) / max)]!);
}

async function judged(
  threads: MutantThreads,
  mutants: readonly Mutant[],
  facts: readonly ScriptFacts[],
  onDone: (count: number) => void,
): Promise<readonly Outcome[]> {
  // The shortest tests first.
  const usable = facts
    .map((each, index) => ({
      ...each,
      index,
      reached: new Set(each.reached),
      affected: new Set(each.affected),
    }))
    .filter(({ failure }) => failure === undefined)
    .sort((a, b) => a.steps - b.steps || a.index - b.index);
  const plans = mutants.map((mutant) => {
    const tests = usable.filter(({ reached }) => reached.has(mutant.number));
    return { mutant, tests, affected: tests.filter(({ affected }) => affected.has(mutant.number)) };
  });
  const run = plans.filter(({ affected }) => affected.length > 0);
  const orders = run.map(({ mutant, affected }): Order => {
    const scripts = affected.map(({ index, steps, effect }) => ({ index, steps, effect }));
    return { kind: 'judge', number: mutant.number, scripts };
  });
  const verdicts = await threads.all<Verdict>(orders, onDone);
  const byMutant = new Map(run.map(({ mutant }, index) => [mutant, verdicts[index]!]));
  return plans.map(({ mutant, tests }) => ({
    mutant,
    verdict: byMutant.get(mutant) ?? (tests.length > 0 ? NO_DIFFERENCE : NOT_REACHED),
    tests: [...tests].sort((a, b) => a.index - b.index).map(({ name }) => name),
  }));
}

/** Prints the number of finished mutants to a terminal. */
function progress(total: number, { stderr }: Terminal): (count: number) => void {
  if (stderr.isTTY !== true) return () => undefined;
  return (count) => {
    if (count % 50 === 0) stderr.write(`canticle: ${count} of up to ${total} mutants ran\n`);
  };
}

function* sourcesOf({ options, main }: MutatedDar): Generator<[string, string, string]> {
  for (const { path, text } of darSources(readNamedFile(options.file))) {
    const module = /^[^/]+\/(.+)\.daml$/.exec(path)?.[1]?.replaceAll('/', '.');
    if (module !== undefined) yield [main.id, module, text];
  }
}

function status(
  { score, mutants }: MutationReport,
  { minScore = 0 }: MutateFlags,
  stderr: Terminal['stderr'],
): number {
  if (mutants.length === 0) {
    stderr.write('canticle: these packages have no code that can be changed.\n');
    return BROKEN;
  }
  if (score >= minScore) return PASS;
  stderr.write(`canticle: the score is ${score.toFixed(1)} %, below ${minScore} %\n`);
  return FAIL;
}
