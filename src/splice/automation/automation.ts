/**
 * Runs what the DSO and validators do by themselves: whatever is due, in the order in which tasks were added, after each update and as
 * time moves. Time that somebody moves stops on its way where something is due (NOTE: but see {@link LONGEST_WALK}); where it is a
 * machine's, its clock is asked to call. No timers, no chance: what a real node does at a random moment is done once it is due (A-GEN-008).
 */
import { ledgerError, LedgerError } from '../../daml/errors/ledger-error.js';
import type { Timestamp } from '../../daml/model/values.js';
import { templateNameOf, type TemplateName } from '../../network/ledger/active-contracts.js';
import { JournaledCell, type Undoable } from '../../network/journal/journal.js';
import type { KeptPart } from '../../network/journal/kept-parts.js';
import type { Network } from '../../network/network.js';
import type { Update } from '../../network/updates.js';
import type { Task } from './task.js';

/** After how long what was refused is tried again, in microseconds: the polling interval of Splice's triggers (A-GEN-001). */
const RETRY_AFTER = 30_000_000n;

/**
 * How far time jumps with all that falls due on its way done at its moment, in microseconds: eight days.
 * NOTE: a longer jump is as a time in which the nodes were down: what is due then is done at its end.
 */
const LONGEST_WALK = 8n * 86_400_000_000n;

/** How often tasks run at one moment, before those that still have work wait for the next one. */
const MOST_RUNS_AT_ONCE = 10_000;

/** A task, with what is known of it. No part of the state: it is found again after a revert. */
interface Entry {
  readonly task: Task;
  /** As it was last told; not later than that, for tasks that tell it of each contract. */
  due: Timestamp | undefined;
  /** It has to be asked again. */
  isStale: boolean;
  /** It was refused, and waits until then. */
  retryAt: Timestamp | undefined;
  /** It was refused while a synchronizer was paused, and waits until none is. */
  isBlocked: boolean;
}

/** How a task stands. */
export interface TaskState {
  readonly name: string;
  /** It, or all. */
  readonly isPaused: boolean;
  /** When it has something to do, past or to come. */
  readonly due: Timestamp | undefined;
}

export class Automation implements Undoable, KeptPart {
  private readonly tasks: JournaledCell<readonly Task[]>;
  private readonly paused: JournaledCell<ReadonlySet<string>>;
  private readonly off: JournaledCell<boolean>;
  private readonly known = new Map<Task, Entry>();
  /** Of a file: when what was refused is tried again, by the task's name. */
  private retries: ReadonlyMap<string, Timestamp> = new Map();
  private entries: readonly Entry[] = [];
  private watchers: ReadonlyMap<TemplateName, readonly Entry[]> = new Map();
  /** Those that watch no template. */
  private curious: readonly Entry[] = [];
  /** While one runs, others wait: time may move and updates happen meanwhile. */
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

  kept(): unknown {
    const waiting = this.entries.filter(({ retryAt }) => retryAt !== undefined);
    if (waiting.length === 0) return undefined;
    return new Map(waiting.map(({ task, retryAt }) => [task.name, retryAt]));
  }

  restore(kept: unknown): void {
    this.retries = kept as ReadonlyMap<string, Timestamp>;
  }

  /** Of all tasks, in the order in which they run. */
  get names(): readonly string[] {
    return this.tasks.value.map(({ name }) => name);
  }

  /** Of all tasks, in the same order. */
  get states(): readonly TaskState[] {
    return this.tasks.value.map((task) => ({
      name: task.name,
      isPaused: this.isPaused(task.name),
      due: task.due(),
    }));
  }

  /** They run behind those that are there; one of the same name makes room. What is due is done at the next update or jump. */
  add(...tasks: readonly Task[]): void {
    const names = new Set(tasks.map(({ name }) => name));
    this.tasks.value = [...this.tasks.value.filter(({ name }) => !names.has(name)), ...tasks];
    this.journal.record(this, undefined, undefined);
    this.undo();
    this.setAlarm();
  }

  /** @throws LedgerError INVALID_ARGUMENT for a name that no task has */
  pause(...names: readonly string[]): void {
    for (const name of names) this.requireKnown(name);
    this.paused.value = new Set([...this.paused.value, ...names]);
  }

  /** It runs at once, where something is due. @throws LedgerError INVALID_ARGUMENT for a name that no task has */
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

  /** Off, none runs by itself, whether it is paused or not. */
  set isOff(isOff: boolean) {
    this.off.value = isOff;
    this.carryOut();
  }

  /**
   * Does what is due of one task now, paused or not.
   * @returns whether anything was
   * @throws LedgerError INVALID_ARGUMENT for a name that no task has, and what the ledger refuses
   */
  runOnce(name: string): boolean {
    const { task } = this.requireKnown(name);
    const due = task.due();
    if (due === undefined || due > this.now) return false;
    this.exclusively(() => this.journal.atomically(() => task.run()));
    this.carryOut();
    return true;
  }

  /** When the first task has something to do that is not paused or waiting; undefined where none has. */
  get nextDue(): Timestamp | undefined {
    let next: Timestamp | undefined;
    for (const entry of this.upToDate()) {
      if (!this.mayRun(entry)) continue;
      const at = later(entry.due!, entry.retryAt);
      if (next === undefined || at < next) next = at;
    }
    return next;
  }

  /** Runs `action` without a task between what it does. */
  exclusively<T>(action: () => T): T {
    const before = this.isUnderWay;
    this.isUnderWay = true;
    try {
      return action();
    } finally {
      this.isUnderWay = before;
    }
  }

  /** All has to be asked again: tasks were added, or what was done is taken back. */
  undo(): void {
    this.isStale = true;
  }

  /** Does what is due. What the ledger refuses is left for later: time goes on also where the DSO cannot. */
  carryOut(): void {
    if (this.isUnderWay || this.tasks.value.length === 0) return;
    this.exclusively(() => this.runAllDue());
    this.setAlarm();
  }

  /** Does now what is due of some tasks, paused or not. @throws LedgerError for what the ledger refuses */
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

  /** Marks the tasks that an update concerns. What takes it back marks all. */
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

  /** With what is due of each. */
  private upToDate(): readonly Entry[] {
    if (this.isStale) this.askAll();
    for (const entry of this.entries)
      if (entry.isStale && !this.isPaused(entry.task.name)) {
        entry.due = entry.task.due();
        entry.isStale = false;
      }
    return this.entries;
  }

  private askAll(): void {
    this.isStale = false;
    const { value: tasks } = this.tasks;
    this.entries = tasks.map((task) => {
      const { retryAt } = this.known.get(task) ?? { retryAt: this.retries.get(task.name) };
      // After a revert time may be before the moment at which it was refused.
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

  /** Where a jump of time stops next; what is due already and was refused is tried again when something else happens. */
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

  /** Has itself called at the next moment that something is due, where nobody moves time. One call that is not too late is enough. */
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

/** With one more contract it may be due earlier. */
function hasten(entry: Entry, due: Timestamp | undefined): void {
  if (due !== undefined && (entry.due === undefined || due < entry.due)) entry.due = due;
}

function later(due: Timestamp, retryAt: Timestamp | undefined): Timestamp {
  return retryAt !== undefined && retryAt > due ? retryAt : due;
}
