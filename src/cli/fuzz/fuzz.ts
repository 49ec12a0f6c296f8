/**
 * `canticle fuzz`: runs random sequences of the actions of a DAR and reports bugs. The same flags give the same report, byte for byte,
 * unless a time or a signal ends the run. It shows the progress on stderr if that is a terminal.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { codecOf, failuresOf, reproduced } from '../../assembly/fuzzing/emitted.js';
import { CorpusFolder, type StoredSequences } from '../../assembly/fuzzing/corpus-folder.js';
import { FuzzCampaign } from '../../assembly/fuzzing/fuzz-campaign.js';
import { FuzzProject } from '../../assembly/fuzzing/fuzz-project.js';
import { solveRun } from '../../assembly/fuzzing/solve-run.js';
import type { FuzzRun } from '../../fuzzing/running/fuzz-run.js';
import { FuzzSettingsError, type FuzzSettings } from '../../assembly/fuzzing/settings.js';
import type { Check } from '../../fuzzing/model/finding.js';
import type { ProtocolVersion } from '../../network/model/protocol.js';
import { junitText } from '../junit.js';
import { onStop } from '../stop.js';
import type { Terminal } from '../terminal.js';
import { writeResult } from '../write-result.js';
import { emit } from './emit.js';
import { problemOf } from './problem.js';
import { reportJson, reportText, suiteOf, type FuzzedDar } from './fuzz-report.js';

/** Exit status: no bug, a bug, the run cannot start. */
const NO_BUG = 0;
const BUG = 1;
const BROKEN = 2;

const DEFAULT_RUNS = 1_000;
/** A run that a signal stops shrinks each of its bugs with at most this many replays. */
const REPLAYS_AFTER_STOP = 500;
const MINUTE_MS = 60_000;

export interface FuzzFlags {
  readonly cache?: string | false;
  readonly protocolVersion?: ProtocolVersion;
  readonly seed?: number;
  readonly dar: readonly string[];
  readonly package: readonly string[];
  readonly setup?: string;
  readonly scenario?: string;
  readonly load?: string;
  readonly party: readonly string[];
  readonly template: readonly string[];
  readonly exclude: readonly string[];
  readonly weight: Readonly<Record<string, number>>;
  readonly action: readonly string[];
  readonly skipCheck: readonly string[];
  readonly failOn: readonly string[];
  readonly invariant: readonly string[];
  readonly stepBudget?: number;
  readonly trafficBudget?: number;
  readonly runs?: number;
  readonly minutes?: number;
  readonly steps?: number;
  /** Percent. */
  readonly untilCoverage?: number;
  readonly corpus?: string;
  readonly workers?: number;
  readonly json?: boolean;
  readonly junit?: string;
  readonly emit?: string;
  readonly solve?: boolean;
}

/** @returns the exit status */
export async function fuzz(file: string, flags: FuzzFlags, terminal: Terminal): Promise<number> {
  const opening = opened(file, flags, terminal);
  if (opening === undefined) return BROKEN;
  const fuzzed = await run(opening, flags, terminal);
  const { stdout } = terminal;
  if (flags.json === true) stdout.write(`${JSON.stringify(reportJson(fuzzed), undefined, 2)}\n`);
  else stdout.write(reportText(fuzzed));
  if (flags.emit !== undefined)
    for (const path of emit(flags.emit, opening.project, fuzzed.reproduced))
      terminal.stderr.write(`canticle: wrote ${path}\n`);
  if (flags.junit !== undefined) writeResult(flags.junit, junitText([suiteOf(fuzzed)]));
  return fuzzed.reproduced.length > 0 ? BUG : NO_BUG;
}

function settingsOf(file: string, flags: FuzzFlags): FuzzSettings {
  const { cache, protocolVersion, seed = 0, setup, scenario, load, steps } = flags;
  const { stepBudget, trafficBudget } = flags;
  const starts = [setup, scenario, load, flags.party[0]].filter((each) => each !== undefined);
  if (starts.length > 1)
    throw new FuzzSettingsError('Only one of --setup, --scenario, --load and --party is possible.');
  return {
    file,
    seed,
    dars: flags.dar,
    packages: flags.package,
    only: flags.template,
    exclude: flags.exclude,
    weights: flags.weight,
    actions: flags.action,
    skipChecks: flags.skipCheck,
    failOn: flags.failOn,
    invariants: flags.invariant,
    budget: {
      ...(stepBudget !== undefined && { steps: stepBudget }),
      ...(trafficBudget !== undefined && { bytes: trafficBudget }),
    },
    ...(flags.party.length > 0 && { parties: flags.party }),
    ...(cache !== undefined && { cache }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(setup !== undefined && { setup }),
    ...(scenario !== undefined && { scenario }),
    ...(load !== undefined && { load }),
    ...(steps !== undefined && { steps }),
  };
}

interface Opened {
  readonly project: FuzzProject;
  readonly checks: readonly Check[];
  readonly folder: CorpusFolder | undefined;
  readonly stored: StoredSequences;
}

/** Undefined if the run cannot start, after it printed why. */
function opened(file: string, flags: FuzzFlags, { stderr }: Terminal): Opened | undefined {
  try {
    const project = new FuzzProject(settingsOf(file, flags));
    const { corpus } = flags;
    const folder = corpus === undefined ? undefined : new CorpusFolder(corpus, codecOf(project));
    const stored = folder?.read() ?? { bugs: [], corpus: [], unfit: 0 };
    const checks = project.checks();
    project.judgeStart(checks);
    return { project, checks, folder, stored };
  } catch (error) {
    const why = problemOf(error);
    if (why === undefined) throw error;
    stderr.write(`canticle: failed to fuzz ${file}: ${why}\n`);
    return undefined;
  }
}

async function run(opening: Opened, flags: FuzzFlags, terminal: Terminal): Promise<FuzzedDar> {
  const { project, checks, folder, stored } = opening;
  const { coverage } = project;
  const { minutes, untilCoverage, workers = 1 } = flags;
  const { runs = minutes === undefined ? DEFAULT_RUNS : Infinity } = flags;
  const { clock } = terminal;
  const end = minutes === undefined ? Infinity : clock.now() + minutes * MINUTE_MS;
  let isStopped = false;
  const order = onStop({ shutdownStdinClose: false }, terminal);
  void order.stopped.then(() => (isStopped = true));
  let solved: number | undefined;
  const solve = async (ran: FuzzRun): Promise<void> => {
    if (!isStopped) solved = await solveRun(project, ran);
  };
  const campaign = new FuzzCampaign(project, {
    checks,
    threads: workers,
    workerFile: terminal.fuzzWorker,
    stored,
    sequences: runs,
    isOver: () =>
      isStopped ||
      clock.now() >= end ||
      (untilCoverage !== undefined && 100 * coverage.share >= untilCoverage),
    pause: () => nextTurn(),
    atEnd: flags.solve === true ? solve : undefined,
  });
  try {
    const report = await campaign.carryOut();
    const replays = isStopped ? { maxReplays: REPLAYS_AFTER_STOP } : {};
    const bugs = reproduced(project, failuresOf(report), replays);
    folder?.write(
      campaign.run.corpus.map(({ steps }) => steps),
      bugs.flatMap(({ steps }) => (steps.length === 0 ? [] : [steps])),
    );
    return {
      ...{ project, report, reproduced: bugs, unfit: stored.unfit, solved, isStopped },
      coverage: coverage.summary(),
    };
  } finally {
    order.forget();
  }
}
