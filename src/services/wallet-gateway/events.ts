/**
 * The events of a user, for the pages that are connected now. Like the gateway, it does not repeat an event for a page
 * that connects later, unless the test asks for it.
 */
import { JournaledCell, type Journal } from '../../network/journal/journal.js';

export type EventName =
  | 'accountsChanged'
  | 'statusChanged'
  | 'connected'
  | 'txChanged'
  // NOTE: the gateway has no such event. Only a provider in a page asks for it, because a wallet in a page answers the call itself.
  | 'failure';

export interface GatewayEvent {
  readonly userId: string;
  readonly name: EventName;
  /** The arguments of the listener. */
  readonly args: readonly unknown[];
}

type Listener = (event: GatewayEvent) => void;

/** The number of events that it keeps for later subscribers: the latest ones. */
export const MAX_KEPT_EVENTS = 1000;

/** The number of open streams of events. */
export const MAX_EVENT_STREAMS = 1000;

export class Events {
  private readonly kept: JournaledCell<readonly GatewayEvent[]>;
  private readonly listeners = new Map<Listener, { readonly userId: string; end: () => void }>();

  constructor(journal: Journal) {
    this.kept = new JournaledCell<readonly GatewayEvent[]>(journal, 'wallet-gateway/events', []);
  }

  emit(userId: string, name: EventName, ...args: readonly unknown[]): void {
    // A later change must not alter what a subscriber has read.
    const event = { userId, name, args: JSON.parse(JSON.stringify(args)) as unknown[] };
    this.kept.value = [...this.kept.value, event].slice(-MAX_KEPT_EVENTS);
    for (const [listener, { userId: of }] of [...this.listeners])
      if (of === userId) listener(event);
  }

  /** A new session of a user begins without events. */
  forget(userId: string): void {
    this.kept.value = this.kept.value.filter((each) => each.userId !== userId);
  }

  /** The events of a user, oldest first. */
  of(userId: string): readonly GatewayEvent[] {
    return this.kept.value.filter((each) => each.userId === userId);
  }

  /** @param ended is called if the gateway ends the subscription @returns a function that ends it */
  subscribe(userId: string, listener: Listener, ended: () => void = () => undefined): () => void {
    this.listeners.set(listener, { userId, end: ended });
    return () => void this.listeners.delete(listener);
  }

  /** The number of subscriptions. */
  get size(): number {
    return this.listeners.size;
  }

  /** Whether there is no room for another subscription. */
  get isFull(): boolean {
    return this.size >= MAX_EVENT_STREAMS;
  }

  /** Ends the subscriptions of a user, or all of them. */
  end(userId?: string): void {
    for (const [listener, { userId: of, end }] of [...this.listeners])
      if (userId === undefined || of === userId) {
        this.listeners.delete(listener);
        end();
      }
  }
}
