/** Stores the operands of comparisons until they are taken, up to a limit. */
import type { OperandObserver } from '../lowering/expression.js';

export class ComparisonRecorder implements OperandObserver {
  private count = 0;
  private readonly numbers: number[] = [];
  private readonly lefts: unknown[] = [];
  private readonly rights: unknown[] = [];
  /** Comparisons over the limit, since the last call of {@link take}. */
  dropped = 0;

  /** @param limit the stored comparisons */
  constructor(readonly limit: number) {}

  compare(number: number, left: unknown, right: unknown): void {
    const { count } = this;
    if (count >= this.limit) {
      this.dropped += 1;
      return;
    }
    this.numbers[count] = number;
    this.lefts[count] = left;
    this.rights[count] = right;
    this.count = count + 1;
  }

  /**
   * Takes the comparisons since the last call, in their order.
   * @param take gets run-time values. An Int64 or a Timestamp is a number, or a bigint if it is not a safe integer. A Date is a number of
   *   days. Text and Party are strings.
   */
  take(take: (number: number, left: unknown, right: unknown) => void): void {
    const { count } = this;
    this.count = 0;
    this.dropped = 0;
    for (let at = 0; at < count; at += 1) take(this.numbers[at]!, this.lefts[at], this.rights[at]);
  }
}
