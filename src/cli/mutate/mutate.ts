/** `canticle mutate`: tells whether the scripts of a DAR would notice mistakes in its Daml code. */
import { readNamedFile } from '../../assembly/dar-files.js';
import { MutatedDar } from '../../assembly/mutating/mutated-dar.js';
import { darSources } from '../../daml/archive/zip/dar-sources.js';
import type { DarPackage } from '../../daml/dar/dar-package.js';
import { InvariantError } from '../../daml/errors/ledger-error.js';
import { isError } from '../../daml/errors/realms.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Mutation } from '../../mutating/mutation.js';
import { OPERATORS, type Mutant, type OperatorName } from '../../mutating/operators/mutant.js';
import { mutationReport, type MutationReport } from '../../mutating/reporting/mutation-report.js';
import { reportHtml } from '../../mutating/reporting/report-html.js';
import { reportText } from '../../mutating/reporting/report-text.js';
import { SourceLines } from '../../mutating/reporting/source-lines.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { writeResult } from '../write-result.js';
import type { ChooseMutants, MutateFlags, SuiteRun } from './flags.js';
import { fuzzedDar, runSequences } from './fuzz-runs.js';
import { runScripts } from './script-runs.js';
import { runUserSuite } from './user-suite.js';

/** Exit status: the score is high enough, it is too low, nothing could run. */
const PASS = 0;
const FAIL = 1;
const BROKEN = 2;

/** @returns the exit status @throws CommandFailed */
export async function mutate(
  file: string,
  command: readonly string[],
  flags: MutateFlags,
  terminal: Terminal,
): Promise<number> {
  const { stdout, stderr } = terminal;
  const { mutation, mutated, main, run } = prepared(file, command, flags, terminal);
  if (mutated.length === 0) throw noPackage(file, flags);
  const { tests, outcomes } = await run((mutants, isReached) =>
    chosenMutants(mutants, isReached, flags),
  );
  const lines = new SourceLines(sourcesOf(file, main));
  const packages = mutated.map(({ id, name, version }) => ({ id, name, version }));
  const report = mutationReport(mutation, packages, tests, outcomes, lines);
  stdout.write(
    flags.json === true ? `${JSON.stringify(report, undefined, 2)}\n` : reportText(report),
  );
  if (flags.html !== undefined) writeResult(flags.html, reportHtml(report, lines));
  return status(report, flags, stderr);
}

/** The mutants, and the tests to run against them. */
interface Prepared {
  readonly mutation: Mutation;
  readonly mutated: readonly DarPackage[];
  readonly main: PackageId;
  readonly run: (choose: ChooseMutants) => Promise<SuiteRun>;
}

function prepared(
  file: string,
  command: readonly string[],
  flags: MutateFlags,
  terminal: Terminal,
): Prepared {
  const operators = flags.operator.length === 0 ? undefined : flags.operator.map(operatorNamed);
  try {
    if (flags.fuzz === true) {
      if (command.length > 0)
        throw new CommandFailed('--fuzz and a command exclude each other: give one of them.');
      const [dar, options] = fuzzedDar(file, operators, flags);
      const run = (choose: ChooseMutants) => runSequences(dar, options, choose, flags, terminal);
      return { mutation: dar.mutation, mutated: dar.mutated, main: dar.main.id, run };
    }
    if (flags.invariant.length > 0)
      throw new CommandFailed('--invariant needs --fuzz: only random sequences have invariants.');
    const dar = mutatedDar(file, operators, flags);
    const run = (choose: ChooseMutants) =>
      command.length > 0
        ? runUserSuite(dar, command, choose, terminal)
        : runScripts(dar, choose, flags, terminal);
    return { mutation: dar.mutation, mutated: dar.mutated, main: dar.main.id, run };
  } catch (error) {
    if (error instanceof CommandFailed || error instanceof InvariantError) throw error;
    if (isError(error, 'TypeError')) throw error;
    throw new CommandFailed(`failed to read ${file}: ${causeOf(error)}`);
  }
}

function operatorNamed(name: string): OperatorName {
  if (name in OPERATORS) return name as OperatorName;
  const known = Object.keys(OPERATORS).join(', ');
  throw new CommandFailed(`unknown operator '${name}': expected one of ${known}.`);
}

function mutatedDar(
  file: string,
  operators: readonly OperatorName[] | undefined,
  { package: packages, testPattern, seed = 0, cache }: MutateFlags,
): MutatedDar {
  return new MutatedDar({
    ...{ file, packages, seed },
    ...(operators && { operators }),
    ...(testPattern !== undefined && { testPattern }),
    ...(cache !== undefined && { cache }),
  });
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

function* sourcesOf(file: string, main: PackageId): Generator<[string, string, string]> {
  for (const { path, text } of darSources(readNamedFile(file))) {
    const module = /^[^/]+\/(.+)\.daml$/.exec(path)?.[1]?.replaceAll('/', '.');
    if (module !== undefined) yield [main, module, text];
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
