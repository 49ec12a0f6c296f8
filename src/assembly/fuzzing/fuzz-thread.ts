/** The work of one thread of a fuzzed run, with its results as data for another thread. */
import type { StepCodec, StepJson } from '../../fuzzing/model/step-json.js';
import type { FuzzCounts } from '../../fuzzing/running/counts.js';
import { bugKey, FuzzRun } from '../../fuzzing/running/fuzz-run.js';
import type { CorpusEntry } from '../../fuzzing/guidance/corpus.js';
import type { Step } from '../../fuzzing/model/step.js';
import { codecOf } from './emitted.js';
import { FuzzProject } from './fuzz-project.js';
import type { FuzzSettings } from './settings.js';

export interface KeptJson {
  readonly steps: readonly StepJson[];
  readonly isOfCode: boolean;
}

/** A part of a run. */
export interface Portion {
  /** The number of its first sequence. */
  readonly from: number;
  readonly count: number;
  /** Sequences to add before. */
  readonly absorb: readonly KeptJson[];
}

/** A bug with its steps; the thread that reports it replays them. */
export interface BugJson {
  /** `bugKey` of the finding. */
  readonly key: string;
  readonly steps: readonly StepJson[];
  readonly sequence: number;
  readonly times: number;
}

export interface ThreadReport {
  readonly counts: FuzzCounts;
  /** The keys of bugs that this thread shows not to exist. */
  readonly refuted: readonly string[];
  readonly bugs: readonly BugJson[];
}

export const runOf = (project: FuzzProject, checks = project.checks()): FuzzRun => {
  const { packages, start, actions, constants, ledger, settings, coverage } = project;
  return new FuzzRun({
    ...{ packages, start, actions, constants, ledger, checks },
    guidance: coverage,
    isShared: true,
    seed: String(settings.seed),
    ...(settings.steps !== undefined && { steps: settings.steps }),
  });
};

export class FuzzThread {
  private readonly run: FuzzRun;
  private readonly codec: StepCodec;

  constructor(settings: FuzzSettings) {
    const project = new FuzzProject(settings);
    this.run = runOf(project);
    this.codec = codecOf(project);
  }

  /** @returns the sequences that reached something new in this thread */
  runPortion({ from, count, absorb }: Portion): readonly KeptJson[] {
    this.run.absorb(absorb.map((each) => keptOf(this.codec, each)));
    for (let sequence = from; sequence < from + count; sequence++) this.run.next(sequence);
    return this.run.takeKept().map((each) => keptJson(this.codec, each));
  }

  report(): ThreadReport {
    const { counts, bugs } = this.run.report();
    return {
      counts,
      refuted: this.run.refuted(),
      bugs: bugs.map(({ finding, steps, sequence, times }) => ({
        ...{ key: bugKey(finding), sequence, times },
        steps: encoded(this.codec, steps),
      })),
    };
  }
}

const encoded = (codec: StepCodec, steps: readonly Step[]): readonly StepJson[] =>
  steps.map((step) => codec.encode(step));

export const keptJson = (codec: StepCodec, { steps, isOfCode }: CorpusEntry): KeptJson => ({
  steps: encoded(codec, steps),
  isOfCode,
});

export const keptOf = (codec: StepCodec, { steps, isOfCode }: KeptJson): CorpusEntry => ({
  steps: steps.map((step) => codec.decode(step)),
  isOfCode,
});
