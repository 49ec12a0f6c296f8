/**
 * Runs the automation of the DSO and the validators. Due tasks run in the order in which they were added, after each update and as time
 * moves. If a test moves time, time stops at each moment at which a task is due (NOTE: except beyond {@link LONGEST_WALK}). If the clock
 * follows the machine, the automation sets an alarm on the clock. There are no timers and no randomness: work that a real node does at a
 * random moment is done as soon as it is due (A-GEN-008).
 */
import { ledgerError, LedgerError } from '../../daml/errors/ledger-error.js';
import type { Timestamp } from '../../daml/model/values.js';
import { templateNameOf, type TemplateName } from '../../network/ledger/active-contracts.js';
import { JournaledCell, type Undoable } from '../../network/journal/journal.js';
import type { SavedPart } from '../../network/journal/saved-parts.js';
import type { Network } from '../../network/network.js';
import type { Update } from '../../network/model/updates.js';
import type { Task } from './task.js';

/** Delay before a refused task is retried, in microseconds: the polling interval of Splice's triggers (A-GEN-001). */
const RETRY_AFTER = 30_000_000n;

/**
 * The longest jump of time, in microseconds, in which each task runs at the moment it is due: eight days. NOTE: a longer jump acts like
 * downtime of the nodes: all tasks that became due run at its end.
 */
const LONGEST_WALK = 8n * 86_400_000_000n;

/** The number of task runs at one moment. Tasks with more work wait for the next moment. */
const MOST_RUNS_AT_ONCE = 10_000;

/** A task and its scheduling state. This is not part of the journaled state: it is computed again after a revert. */
interface Entry {
  readonly task: Task;
  /** The result of the last call of `due`. For tasks with `dueOf`, it may also be earlier than that. */
  due: Timestamp | undefined;
  /** Whether `due` has to be called again. */
  isStale: boolean;
  /** The ledger refused the task; it waits until this moment. */
  retryAt: Timestamp | undefined;
  /** The ledger refused the task because a synchronizer was paused; it waits until none is paused. */
  isBlocked: boolean;
}

/** The state of a task. */
export interface TaskState {
  readonly name: string;
  /** Whether this task, or all automation, is paused. */
  readonly isPaused: boolean;
  /** When the task has work to do, in the past or in the future; undefined if it has none. */
  readonly due: Timestamp | undefined;
}

export class Automation implements Undoable, SavedPart {
  private readonly tasks: JournaledCell<readonly Task[]>;
  private readonly paused: JournaledCell<ReadonlySet<string>>;
  private readonly off: JournaledCell<boolean>;
  private readonly known = new Map<Task, Entry>();
  /** Read from a saved file: the moment at which a refused task is retried, by task name. */
  private retries: ReadonlyMap<string, Timestamp> = new Map();
  private entries: readonly Entry[] = [];
  private watchers: ReadonlyMap<TemplateName, readonly Entry[]> = new Map();
  /** Tasks without `watches`, which every update concerns. */
  private curious: readonly Entry[] = [];
  /** Set while a task runs, during which time may move and updates may happen. No other task starts until it ends. */
  private isUnderWay = false;
  private isStale = false;
  private alarm: Timestamp | undefined;

  constructor(private readonly network: Network) {
    const { journal, clock } = network;
    this.tasks = new JournaledCell<readonly Task[]>(journal, undefined, []);
    this.paused = new JournaledCell<ReadonlySet<string>>(journal, 'automation-paused', new Set());
    this.off = new JournaledCell(journal, 'automation-off', false);
    journal.parts.add('automation-retries', this);
    network.onCommit((update) => this.note(update));
    network.whenDue(() => this.carryOut());
    clock.onJump(() => this.carryOut());
    clock.stopOnTheWay((from, to) => this.nextStop(from, to));
    network.onRevert(() => {
      this.undo();
      this.setAlarm();
    });
  }

  saved(): unknown {
    const waiting = this.entries.filter(({ retryAt }) => retryAt !== undefined);
    if (waiting.length === 0) return undefined;
    return new Map(waiting.map(({ task, retryAt }) => [task.name, retryAt]));
  }

  restore(content: unknown): void {
    this.retries = content as ReadonlyMap<string, Timestamp>;
  }

  /** Names of all tasks, in the order in which they run. */
  get names(): readonly string[] {
    return this.tasks.value.map(({ name }) => name);
  }

  /** States of all tasks, in the same order. */
  get states(): readonly TaskState[] {
    return this.tasks.value.map((task) => ({
      name: task.name,
      isPaused: this.isPaused(task.name),
      due: task.due(),
    }));
  }

  /** Adds tasks behind the existing ones. A task replaces an existing one of the same name. Due work is done at the next update or jump. */
  add(...tasks: readonly Task[]): void {
    const names = new Set(tasks.map(({ name }) => name));
    this.tasks.value = [...this.tasks.value.filter(({ name }) => !names.has(name)), ...tasks];
    this.journal.record(this, undefined, undefined);
    this.undo();
    this.setAlarm();
  }

  /** @throws LedgerError INVALID_ARGUMENT if there is no task of that name */
  pause(...names: readonly string[]): void {
    for (const name of names) this.requireKnown(name);
    this.paused.value = new Set([...this.paused.value, ...names]);
  }

  /**
   * Resumes tasks, and runs them at once if they are due.
   * @throws LedgerError INVALID_ARGUMENT if there is no task of that name
   */
  resume(...names: readonly string[]): void {
    for (const name of names) this.requireKnown(name);
    this.paused.value = new Set([...this.paused.value].filter((name) => !names.includes(name)));
    this.carryOut();
  }

  isPaused(name: string): boolean {
    return this.off.value || this.paused.value.has(name);
  }

  get isOff(): boolean {
    return this.off.value;
  }

  /** While this is true, no task runs automatically, paused or not. */
  set isOff(isOff: boolean) {
    this.off.value = isOff;
    this.carryOut();
  }

  /**
   * Runs one task now if it is due, even if it is paused.
   * @returns whether it was due
   * @throws LedgerError INVALID_ARGUMENT if there is no task of that name; any error with which the ledger refuses the task
   */
  runOnce(name: string): boolean {
    const { task } = this.requireKnown(name);
    const due = task.due();
    if (due === undefined || due > this.now) return false;
    this.exclusively(() => this.journal.atomically(() => task.run()));
    this.carryOut();
    return true;
  }

  /** The earliest moment at which a task has work, among those that are neither paused nor waiting; undefined if there is none. */
  get nextDue(): Timestamp | undefined {
    let next: Timestamp | undefined;
    for (const entry of this.upToDate()) {
      if (!this.mayRun(entry)) continue;
      const at = later(entry.due!, entry.retryAt);
      if (next === undefined || at < next) next = at;
    }
    return next;
  }

  /** Calls `action` without running tasks in between. */
  exclusively<T>(action: () => T): T {
    const before = this.isUnderWay;
    this.isUnderWay = true;
    try {
      return action();
    } finally {
      this.isUnderWay = before;
    }
  }

  /** Marks all tasks for another call of `due`, because tasks were added or a revert took updates back. */
  undo(): void {
    this.isStale = true;
  }

  /** Runs all due tasks. Tasks that the ledger refuses are retried later: time moves on even if the DSO cannot act. */
  carryOut(): void {
    if (this.isUnderWay || this.tasks.value.length === 0) return;
    this.exclusively(() => this.runAllDue());
    this.setAlarm();
  }

  /**
   * Runs the due tasks of these names now, even if they are paused.
   * @throws LedgerError if the ledger refuses one
   */
  runDue(names: readonly string[]): void {
    const tasks = this.tasks.value.filter(({ name }) => names.includes(name));
    this.exclusively(() => {
      for (let runs = 0; runs < MOST_RUNS_AT_ONCE; runs++) {
        const task = tasks.find((each) => {
          const due = each.due();
          return due !== undefined && due <= this.now;
        });
        if (task === undefined) return;
        task.run();
      }
    });
  }

  private runAllDue(): void {
    for (let runs = 0; ; runs++) {
      const entry = this.firstDue();
      if (entry === undefined) return;
      if (runs < MOST_RUNS_AT_ONCE) this.tryToRun(entry);
      else entry.retryAt = this.now + RETRY_AFTER;
    }
  }

  private firstDue(): Entry | undefined {
    const { now } = this;
    for (const entry of this.upToDate()) {
      if (!this.mayRun(entry) || entry.due! > now || entry.retryAt! > now) continue;
      if (entry.task.dueOf !== undefined) entry.due = entry.task.due();
      if (entry.due! <= now) return entry;
    }
    return undefined;
  }

  private tryToRun(entry: Entry): void {
    const { journal, updates } = this.network;
    const before = updates.length;
    entry.retryAt = undefined;
    entry.isBlocked = false;
    entry.isStale = true;
    try {
      journal.atomically(() => entry.task.run());
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
    }
    if (updates.length > before) return;
    if (this.isSequencingPaused) entry.isBlocked = true;
    else entry.retryAt = this.now + RETRY_AFTER;
  }

  private mayRun({ task, due, isBlocked }: Entry): boolean {
    if (due === undefined || this.isPaused(task.name)) return false;
    return !isBlocked || !this.isSequencingPaused;
  }

  private get isSequencingPaused(): boolean {
    return this.network.synchronizers.some(({ isPaused }) => isPaused);
  }

  /** Marks the tasks that an update concerns. If an update is taken back, `undo` marks all tasks. */
  private note(update: Update): void {
    if (this.tasks.value.length === 0) return;
    let isConcerned = this.curious.length > 0;
    for (const entry of this.curious) entry.isStale = true;
    if (update.kind === 'transaction') {
      for (const node of update.transaction.nodes) {
        if (node.kind !== 'create' && !(node.kind === 'exercise' && node.consuming)) continue;
        const watchers = this.watchers.get(templateNameOf(node.contract));
        if (watchers === undefined) continue;
        isConcerned = true;
        for (const entry of watchers)
          if (entry.task.dueOf === undefined) entry.isStale = true;
          else if (node.kind === 'create') hasten(entry, entry.task.dueOf(node.contract));
      }
    } else {
      isConcerned = true;
      this.isStale = true;
    }
    if (isConcerned) this.journal.record(this, undefined, undefined);
  }

  /** The entries, each with its current `due`. */
  private upToDate(): readonly Entry[] {
    if (this.isStale) this.refresh();
    for (const entry of this.entries)
      if (entry.isStale && !this.isPaused(entry.task.name)) {
        entry.due = entry.task.due();
        entry.isStale = false;
      }
    return this.entries;
  }

  private refresh(): void {
    this.isStale = false;
    const { value: tasks } = this.tasks;
    this.entries = tasks.map((task) => {
      const { retryAt } = this.known.get(task) ?? { retryAt: this.retries.get(task.name) };
      // After a revert, time may be before the moment of the refusal.
      const waits = retryAt !== undefined && retryAt <= this.now + RETRY_AFTER;
      return {
        task,
        due: undefined,
        isStale: true,
        retryAt: waits ? retryAt : undefined,
        isBlocked: false,
      };
    });
    this.known.clear();
    const watchers = new Map<TemplateName, Entry[]>();
    for (const entry of this.entries) {
      this.known.set(entry.task, entry);
      for (const name of entry.task.watches ?? [])
        watchers.set(name, [...(watchers.get(name) ?? []), entry]);
    }
    this.watchers = watchers;
    this.curious = this.entries.filter(({ task }) => task.watches === undefined);
  }

  /** The moment at which a jump of time stops next. A task that is already due and was refused is retried at another event. */
  private nextStop(from: Timestamp, to: Timestamp): Timestamp | undefined {
    if (this.isUnderWay || to - from > LONGEST_WALK) return undefined;
    const { now } = this;
    let next: Timestamp | undefined;
    for (const entry of this.upToDate()) {
      const { due } = entry;
      if (!this.mayRun(entry) || due! <= now) continue;
      if (next === undefined || due! < next) next = due;
    }
    return next;
  }

  /** Sets an alarm for the next due moment, if the clock runs without the test. One alarm that is not too late is enough. */
  private setAlarm(): void {
    const { clock } = this.network;
    if (clock.mode === 'virtual' || this.isUnderWay) return;
    const at = this.nextDue;
    if (at === undefined) return;
    if (this.alarm !== undefined && this.alarm <= at && this.alarm > clock.now()) return;
    this.alarm = at;
    clock.onTime(at, () => {
      if (this.alarm !== at) return;
      this.alarm = undefined;
      this.carryOut();
    });
  }

  private requireKnown(name: string): Entry {
    const entry = this.upToDate().find(({ task }) => task.name === name);
    if (entry === undefined)
      throw ledgerError(
        'INVALID_ARGUMENT',
        `There is no automation '${name}'. There are: ${this.names.join(', ')}.`,
      );
    return entry;
  }

  private get journal() {
    return this.network.journal;
  }

  private get now(): Timestamp {
    return this.network.clock.now();
  }
}

/** Another contract can only make the task due earlier. */
function hasten(entry: Entry, due: Timestamp | undefined): void {
  if (due !== undefined && (entry.due === undefined || due < entry.due)) entry.due = due;
}

function later(due: Timestamp, retryAt: Timestamp | undefined): Timestamp {
  return retryAt !== undefined && retryAt > due ? retryAt : due;
}
