/**
 * A fuzzed run in one or several threads. Each thread runs its own sequences. From time to time, all threads add the
 * sequences that reached something new in any of them, in the same order, so that the same settings give the same
 * report.
 */
import { Worker } from 'node:worker_threads';
import type { FoundBug, FuzzReport, FuzzRun } from '../../fuzzing/running/fuzz-run.js';
import { bugKey, OF_RUN, replay } from '../../fuzzing/running/fuzz-run.js';
import { mergedCounts } from '../../fuzzing/running/counts.js';
import type { Check } from '../../fuzzing/model/finding.js';
import type { StepCodec } from '../../fuzzing/model/step-json.js';
import type { Step } from '../../fuzzing/model/step.js';
import type { StoredSequences } from './corpus-folder.js';
import type { FuzzProject } from './fuzz-project.js';
import { codecOf } from './emitted.js';
import {
  keptJson,
  keptOf,
  runOf,
  type BugJson,
  type KeptJson,
  type Portion,
  type ThreadReport,
} from './fuzz-thread.js';

/** The sequences of a thread between two exchanges. */
const PORTION = 20;
/** The number of a stored sequence. */
export const STORED = -2;

export interface CampaignOptions {
  readonly checks: readonly Check[];
  /** The number of threads, this one included. */
  readonly threads: number;
  /** The file that other threads run. */
  readonly workerFile: string | undefined;
  readonly stored: StoredSequences;
  /** How many sequences to run. */
  readonly sequences: number;
  /** Whether to stop, called between two portions. */
  readonly isOver: (run: FuzzRun) => boolean;
  /** Called between two portions, so that other work of the process continues. */
  readonly pause: () => Promise<void>;
  /** Called after the sequences. */
  readonly atEnd?: ((run: FuzzRun) => Promise<void>) | undefined;
}

export class FuzzCampaign {
  readonly run: FuzzRun;
  private readonly codec: StepCodec;
  private readonly others: OtherThread[] = [];

  constructor(
    private readonly project: FuzzProject,
    private readonly options: CampaignOptions,
  ) {
    this.run = runOf(project, options.checks);
    this.codec = codecOf(project);
    const { threads, workerFile } = options;
    if (workerFile === undefined) return;
    while (this.others.length + 1 < threads)
      this.others.push(new OtherThread(workerFile, project.settings));
  }

  /** Resolves at the end of the run. */
  async carryOut(): Promise<FuzzReport> {
    try {
      const { sequences, isOver, pause } = this.options;
      let absorb = this.stored();
      for (let next = 0; next < sequences && !isOver(this.run);) {
        const portions = this.portions(next, absorb);
        const theirs = this.others.map((other, place) => other.runPortion(portions[place + 1]!));
        const own = this.runPortion(portions[0]!);
        absorb = [own, ...(await Promise.all(theirs))].flat();
        next += portions.reduce((sum, { count }) => sum + count, 0);
        await pause();
      }
      this.absorb(absorb);
      await this.options.atEnd?.(this.run);
      return await this.merged();
    } finally {
      await Promise.all(this.others.map((other) => other.end()));
    }
  }

  /** Runs the bugs of earlier runs first. @returns the stored sequences, which all threads add */
  private stored(): readonly KeptJson[] {
    const { bugs, corpus } = this.options.stored;
    for (const steps of [...bugs, ...corpus]) this.run.runSteps(STORED, steps);
    return corpus.map((steps) => keptJson(this.codec, { steps, isOfCode: true }));
  }

  /** One for each thread. */
  private portions(first: number, absorb: readonly KeptJson[]): readonly Portion[] {
    const threads = this.others.length + 1;
    return Array.from({ length: threads }, (_, place) => {
      const from = first + place * PORTION;
      const count = Math.max(0, Math.min(PORTION, this.options.sequences - from));
      return { from, count, absorb };
    });
  }

  private runPortion({ from, count, absorb }: Portion): readonly KeptJson[] {
    this.absorb(absorb);
    for (let sequence = from; sequence < from + count; sequence++) this.run.next(sequence);
    return this.run.takeKept().map((each) => keptJson(this.codec, each));
  }

  private absorb(kept: readonly KeptJson[]): void {
    this.run.absorb(kept.map((each) => keptOf(this.codec, each)));
  }

  private async merged(): Promise<FuzzReport> {
    const own = this.run.report();
    if (this.others.length === 0) return own;
    const theirs = await Promise.all(this.others.map((other) => other.report()));
    const counts = mergedCounts([own.counts, ...theirs.map((each) => each.counts)]);
    const bugs = new Map(own.bugs.map((bug) => [bugKey(bug.finding), bug]));
    for (const report of theirs) {
      for (const bug of report.bugs) {
        const known = bugs.get(bug.key);
        const merged = known === undefined ? this.replayed(bug) : sooner(known, bug, this.codec);
        if (merged !== undefined) bugs.set(bug.key, merged);
      }
    }
    const refuted = new Set([...this.run.refuted(), ...theirs.flatMap((each) => each.refuted)]);
    const holds = ({ finding, sequence }: FoundBug): boolean =>
      sequence !== OF_RUN || !refuted.has(bugKey(finding));
    return { ...own, counts, bugs: inOrder([...bugs.values()].filter(holds)) };
  }

  /** A bug of another thread. Findings that no sequence shows are left out. */
  private replayed({ key, steps: json, sequence, times }: BugJson): FoundBug | undefined {
    const { packages, start, ledger } = this.project;
    const steps = json.map((step) => this.codec.decode(step));
    const finding = replay(packages, start, steps, this.options.checks, { ledger }).find(
      (each) => bugKey(each) === key,
    );
    return finding && { finding, steps, sequence, times };
  }
}

/** The bug with the steps of the earlier sequence. */
function sooner(known: FoundBug, other: BugJson, codec: StepCodec): FoundBug {
  const times = known.times + other.times;
  if (known.sequence < 0 || known.sequence < other.sequence) return { ...known, times };
  const steps: readonly Step[] = other.steps.map((step) => codec.decode(step));
  return { ...known, steps, sequence: other.sequence, times };
}

/** Stored ones first, those about the whole run last. */
function inOrder(bugs: readonly FoundBug[]): readonly FoundBug[] {
  const rank = ({ sequence }: FoundBug): number => (sequence === OF_RUN ? Infinity : sequence);
  return [...bugs].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

class OtherThread {
  private readonly worker: Worker;
  private readonly failed: Promise<never>;

  constructor(file: string, settings: FuzzProject['settings']) {
    this.worker = new Worker(file, { workerData: settings });
    this.failed = new Promise((_, reject) => this.worker.once('error', reject));
    this.failed.catch(() => undefined);
  }

  runPortion(portion: Portion): Promise<readonly KeptJson[]> {
    return this.ask({ kind: 'portion', portion });
  }

  report(): Promise<ThreadReport> {
    return this.ask({ kind: 'report' });
  }

  private ask<T>(order: ThreadOrder): Promise<T> {
    const answer = new Promise<T>((resolve) => this.worker.once('message', resolve));
    this.worker.postMessage(order);
    return Promise.race([answer, this.failed]);
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

/** A thread answers each order with one message. */
export type ThreadOrder =
  | { readonly kind: 'portion'; readonly portion: Portion }
  | { readonly kind: 'report' };
