/**
 * Held calls: each waits until you release it, or until enough calls have arrived. Those then have their turns
 * one by one.
 */

/** A call that waits. */
export interface HeldCall {
  /** The id of the rule that holds it. */
  readonly fault: string;
  readonly operation: string;
}

/** Continues a held call, or abandons it so that it never ends. */
interface Hold {
  readonly over: Promise<void>;
  readonly cancel: () => void;
}

interface Held extends HeldCall {
  readonly go: () => void;
}

interface Gathered {
  /** The content of the request: the order must not depend on which call came first. */
  readonly key: string;
  readonly go: () => void;
}

export class Waiting {
  private calls: Held[] = [];
  private readonly gatherings = new Map<string, Gathered[]>();
  /** Calls whose turn is still to come. */
  private readonly running = new Map<string, Gathered[]>();

  /** @param drawn a number from 0 to 1, which the seed determines */
  constructor(private readonly drawn: (purpose: string, number: number) => number) {}

  get held(): readonly HeldCall[] {
    return this.calls.map(({ fault, operation }) => ({ fault, operation }));
  }

  hold(fault: string, operation: string): Hold {
    let cancel = (): void => undefined;
    const over = new Promise<void>((go) => (cancel = this.holdFor(fault, operation, go)));
    return { over, cancel };
  }

  /**
   * Calls `go` when the call is released, for a call that waits alone.
   * @returns a function that ends the waiting
   */
  holdFor(fault: string, operation: string, go: () => void): () => void {
    const held = { fault, operation, go };
    this.calls.push(held);
    return () => void (this.calls = this.calls.filter((each) => each !== held));
  }

  /**
   * Waits until `size` calls of the fault have arrived. Each then has its turn after the call before it called the
   * function that it received.
   * @param key identifies the call's content: calls with the same key are equal
   */
  gather(fault: string, size: number, key: string): Promise<() => void> {
    return new Promise((resolve) => {
      const gathered = this.gatherings.get(fault) ?? [];
      this.gatherings.set(fault, gathered);
      gathered.push({ key, go: () => resolve(() => this.next(fault)) });
      if (gathered.length === size) this.begin(fault);
    });
  }

  /** @returns the number of released calls */
  release(fault: string): number {
    const released = this.calls.filter((each) => each.fault === fault);
    this.calls = this.calls.filter((each) => each.fault !== fault);
    for (const { go } of released) go();
    const gathered = this.gatherings.get(fault)?.length ?? 0;
    if (gathered > 0) this.begin(fault);
    return released.length + gathered;
  }

  releaseAll(): number {
    const faults = new Set([...this.calls.map(({ fault }) => fault), ...this.gatherings.keys()]);
    return [...faults].reduce((sum, fault) => sum + this.release(fault), 0);
  }

  step(): boolean {
    const oldest = this.calls.shift();
    oldest?.go();
    return oldest !== undefined;
  }

  private begin(fault: string): void {
    const gathered = this.gatherings.get(fault) ?? [];
    this.gatherings.delete(fault);
    gathered.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
    const order: Gathered[] = [];
    const keys = gathered.map(({ key }) => key).join();
    while (gathered.length > 0) {
      const draw = this.drawn(`turn-${fault}-${keys}`, gathered.length);
      order.push(...gathered.splice(Math.floor(draw * gathered.length), 1));
    }
    const before = this.running.get(fault);
    this.running.set(fault, [...(before ?? []), ...order]);
    if (before === undefined) this.next(fault);
  }

  private next(fault: string): void {
    const next = this.running.get(fault)?.shift();
    if (next === undefined) this.running.delete(fault);
    else next.go();
  }
}
