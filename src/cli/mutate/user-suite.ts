/** Runs the tests of a user against mutants, one process after another. The environment names the mutant to compile. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { MutantFile, ReachedLine } from '../../assembly/cache/mutants-here.js';
import type { MutatedDar } from '../../assembly/mutating/mutated-dar.js';
import type { Mutant } from '../../mutating/operators/mutant.js';
import type { Outcome } from '../../mutating/reporting/mutation-report.js';
import { NO_DIFFERENCE, NOT_REACHED, type Verdict } from '../../mutating/running/verdict.js';
import { runCommand, type CommandEnd } from '../rehearse/run-command.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import type { ChooseMutants, SuiteRun } from './flags.js';

/** A run with a mutant may take this many times as long as the run without. */
const TIMES_LONGER = 10;
/** Milliseconds that every run may take. */
const LEAST_TIME = 30_000;
/** Milliseconds that the run without mutants may take. */
const LONGEST_FIRST = 1_800_000;

/** @throws CommandFailed if the tests fail without mutants, or the user stops them */
export async function runUserSuite(
  dar: MutatedDar,
  command: readonly string[],
  choose: ChooseMutants,
  terminal: Terminal,
): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'canticle-mutants-'));
  try {
    return await new UserSuite(dar, command, folder, terminal).run(choose);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type TestFiles = Map<string, Set<string>>;

class UserSuite {
  /** By the key of the first mutant of a place: the test files that reach it. */
  private readonly reached: TestFiles = new Map();
  /** By the key of a mutant: the test files in which its value differs. */
  private readonly differs: TestFiles = new Map();
  /** Milliseconds that a run may take. */
  private longest = LONGEST_FIRST;

  constructor(
    private readonly dar: MutatedDar,
    private readonly command: readonly string[],
    private readonly folder: string,
    private readonly terminal: Terminal,
  ) {}

  async run(choose: ChooseMutants): Promise<SuiteRun> {
    const { clock } = this.terminal;
    const began = clock.now();
    await this.record();
    this.longest = Math.max(TIMES_LONGER * (clock.now() - began), LEAST_TIME);
    const { mutants } = this.dar.mutation;
    const known = [...new Set([...this.reached.values()].flatMap((each) => [...each]))].sort();
    const testsOf = ({ place }: Mutant) => [...(this.reached.get(mutants[place - 1]!.key) ?? [])];
    const outcomes: Outcome[] = [];
    for (const mutant of choose(mutants, (each) => testsOf(each).length > 0)) {
      const tests = testsOf(mutant).sort();
      const verdict = await this.judge(mutant, tests, known);
      outcomes.push({ mutant, verdict, tests: tests.map(shortName) });
    }
    return { tests: known.map((file) => ({ name: shortName(file) })), outcomes };
  }

  /** Runs the command without a mutant, and finds the test files that reach each. */
  private async record(): Promise<void> {
    const { command, folder, terminal } = this;
    const record = join(folder, 'reached');
    mkdirSync(record);
    const text = command.join(' ');
    terminal.stderr.write(`canticle: ${text}, without mutants\n`);
    const { status } = await this.start({ record }, command, false);
    if (status !== 0)
      throw new CommandFailed(
        `'${text}' fails without mutants: it has to succeed before its tests can be judged.`,
      );
    for (const name of readdirSync(record).sort())
      for (const line of readFileSync(join(record, name), 'utf8').split('\n'))
        if (line !== '') this.note(JSON.parse(line) as ReachedLine);
  }

  private note({ kind, key, test }: ReachedLine): void {
    const files = kind === 'reached' ? this.reached : this.differs;
    files.set(key, (files.get(key) ?? new Set()).add(test));
  }

  private async judge(
    { key, isCompared }: Mutant,
    tests: readonly string[],
    known: readonly string[],
  ): Promise<Verdict> {
    if (tests.length === 0) return NOT_REACHED;
    const affected = isCompared ? [...(this.differs.get(key) ?? [])].sort() : tests;
    if (affected.length === 0) return NO_DIFFERENCE;
    const command = withFiles(this.command, affected, known);
    const { status, isLate } = await this.start({ only: key }, command, true);
    const by = affected.map(shortName).join(', ');
    if (isLate) return { status: 'timeout', by };
    return status === 0 ? { status: 'survived' } : { status: 'killed', by };
  }

  private async start(
    what: Pick<MutantFile, 'only' | 'record'>,
    command: readonly string[],
    isQuiet: boolean,
  ): Promise<CommandEnd> {
    const { mutated, affected, options } = this.dar;
    const path = join(this.folder, 'mutants.json');
    const { operators } = options;
    const packages = mutated.map(({ id }) => id);
    const file: MutantFile = { packages, affected, ...(operators && { operators }), ...what };
    writeFileSync(path, JSON.stringify(file));
    const environment = { CANTICLE_MUTANT: path };
    const run = { command, environment, timeout: this.longest, isQuiet };
    const end = await runCommand(run, this.terminal);
    if (end.isStopped) throw new CommandFailed('the run was stopped.');
    return end;
  }
}

const shortName = (file: string): string => relative(process.cwd(), file) || file;

/**
 * The command with only these test files, for runners that take their names.
 * @param known all test files, some of which the command may name
 */
export function withFiles(
  whole: readonly string[],
  files: readonly string[],
  known: readonly string[] = files,
): readonly string[] {
  const command = whole.filter((word) => !known.includes(resolve(word)));
  const runs = (name: string) => command.some((word) => new RegExp(`(?:^|/)${name}$`).test(word));
  if (files.includes('')) return whole;
  if (runs('jest')) return [...command, '--runTestsByPath', ...files];
  if (runs('vitest')) return [...command, ...files];
  return command.includes('--test') ? [...command, ...files] : whole;
}
