/**
 * The subscribers to the log of one participant. It registers one listener on the log. For each new entry, it wakes
 * only the subscribers with a witness or submitter of the entry among their parties; a new checkpoint wakes all. Its
 * timers run only while it has subscribers.
 */
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import type { Party } from '../../network/model/ids.js';
import type { Participant } from '../../network/participant.js';
import type { LogEntry } from '../../network/model/updates.js';
import type { UpdateOrder } from './update-order.js';
import type { Checkpoint, CheckpointCache, CheckpointDelays, Checkpoints } from './checkpoints.js';

export interface Subscriber {
  /** The parties whose entries the subscriber needs; undefined for all entries. */
  readonly parties: readonly Party[] | undefined;
  /** Called when there may be new elements. The subscriber sends them at once. */
  deliver(): void;
  /** Called after a time without new entries, for checkpoints. */
  idle(): void;
  /** Called when a revert removed entries from the log. */
  reverted(isTestOver: boolean): void;
}

/**
 * Milliseconds. The answers to the current requests have been sent by then, also if several share a turn of the event
 * loop.
 */
const AFTER_ANSWERS_MS = 3;

export class LogHub {
  private readonly subscribers = new Set<Subscriber>();
  private readonly byParty = new Map<Party, Set<Subscriber>>();
  private readonly ofEveryone = new Set<Subscriber>();
  private readonly concerned = new Set<Party>();
  private isFlushing = false;
  /** The checkpoint at the last delivery to subscribers. */
  private brought: Checkpoint | undefined;
  private stopListening?: () => void;

  private readonly delays: CheckpointDelays;
  private readonly firstDelay: number;
  private readonly cache: CheckpointCache;

  constructor(
    private readonly participant: Participant,
    checkpoints: Checkpoints,
    private readonly order: UpdateOrder = 'before-answers',
  ) {
    this.delays = checkpoints.delays;
    this.firstDelay = checkpoints.firstDelay(participant);
    this.cache = checkpoints.of(participant);
  }

  readonly latestCheckpoint = (): Checkpoint | undefined => this.cache.latest();

  /** See {@link CheckpointCache.sendsPast}. */
  get sendsPast(): boolean {
    return this.cache.sendsPast;
  }

  /** @returns a function that ends the subscription */
  subscribe(subscriber: Subscriber): () => void {
    if (this.subscribers.size === 0) this.start();
    this.subscribers.add(subscriber);
    for (const set of this.setsFor(subscriber)) set.add(subscriber);
    const first = setTimeout(() => subscriber.idle(), this.firstDelay).unref();
    return () => {
      clearTimeout(first);
      if (!this.subscribers.delete(subscriber)) return;
      for (const set of this.setsFor(subscriber)) set.delete(subscriber);
      for (const party of subscriber.parties ?? [])
        if (this.byParty.get(party)?.size === 0) this.byParty.delete(party);
      if (this.subscribers.size === 0) this.stop();
    };
  }

  private setsFor({ parties }: Subscriber): Set<Subscriber>[] {
    if (parties === undefined) return [this.ofEveryone];
    return parties.map((party) => {
      let set = this.byParty.get(party);
      if (set === undefined) this.byParty.set(party, (set = new Set()));
      return set;
    });
  }

  private start(): void {
    const { log, ledger } = this.participant;
    this.brought = this.latestCheckpoint();
    const interval = setInterval(() => this.cache.take(), this.delays.interval).unref();
    const quiet = setInterval(() => this.notifyIdle(), this.delays.idle).unref();
    const stopAppends = log.onAppend((entry, witnesses) => {
      quiet.refresh();
      this.appended(entry, witnesses);
    });
    const stopReverts = ledger.onRevert((isTestOver) => this.reverted(isTestOver));
    this.stopListening = () => {
      clearInterval(interval);
      clearInterval(quiet);
      stopAppends();
      stopReverts();
    };
  }

  private stop(): void {
    this.stopListening?.();
    this.concerned.clear();
  }

  /**
   * An entry can still be undone, and more entries may follow, so subscribers are notified after the current call.
   * Requests that are handled together share one delivery. With `before-answers`, callers that wait for an answer
   * continue after it.
   */
  private appended({ submitters }: LogEntry, witnesses: Iterable<Party>): void {
    for (const party of witnesses) this.concerned.add(party);
    for (const party of submitters) this.concerned.add(party);
    if (this.isFlushing) return;
    this.isFlushing = true;
    if (this.order === 'after-answers') setTimeout(() => this.flush(), AFTER_ANSWERS_MS).unref();
    else void Promise.resolve().then(() => this.flush());
  }

  private flush(): void {
    this.isFlushing = false;
    const latest = this.latestCheckpoint();
    const woken = latest === this.brought ? this.matching() : new Set(this.subscribers);
    this.brought = latest;
    this.concerned.clear();
    for (const subscriber of woken) subscriber.deliver();
  }

  private matching(): Set<Subscriber> {
    const woken = new Set(this.ofEveryone);
    for (const party of this.concerned)
      for (const subscriber of this.byParty.get(party) ?? []) woken.add(subscriber);
    return woken;
  }

  private notifyIdle(): void {
    for (const subscriber of [...this.subscribers]) subscriber.idle();
  }

  private reverted(isTestOver: boolean): void {
    for (const subscriber of [...this.subscribers]) subscriber.reverted(isTestOver);
  }
}
