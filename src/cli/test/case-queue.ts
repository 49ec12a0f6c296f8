/** A queue of cases for several threads. Each thread takes the next case. */
const ADDED = 0;
const TAKEN = 1;

export class CaseQueue {
  private readonly cells: Int32Array;

  /** @param memory memory shared by all threads */
  constructor(readonly memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.cells = new Int32Array(memory);
  }

  /** Those that were added by now. */
  get added(): number {
    return Atomics.load(this.cells, ADDED);
  }

  add(count: number): void {
    Atomics.add(this.cells, ADDED, count);
  }

  /** Numbers from 0 on, in order; undefined if there are currently no more. */
  take(): number | undefined {
    for (;;) {
      const next = Atomics.load(this.cells, TAKEN);
      if (next >= this.added) return undefined;
      if (Atomics.compareExchange(this.cells, TAKEN, next, next + 1) === next) return next;
    }
  }
}
