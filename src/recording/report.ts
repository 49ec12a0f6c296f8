/** What became of a recording that was verified: by operation, in the order in which they first came. */
import type { Difference } from './compare.js';
import { MAX_TOLD_EXCHANGES } from './limits.js';

/** What is told of one exchange, counted from 1 in the file. */
export type Outcome =
  | { readonly kind: 'equal' }
  | { readonly kind: 'different'; readonly differences: readonly Difference[] }
  | { readonly kind: 'notComparable'; readonly why: string };

export interface VerifiedExchange {
  /** From 1. */
  readonly exchange: number;
  readonly request: string;
  readonly differences?: readonly Difference[];
  readonly why?: string;
}

export interface VerifiedOperation {
  /** `ledger postV2Users`, or the method and the path where there is none. */
  readonly operation: string;
  readonly equal: number;
  readonly different: number;
  readonly notComparable: number;
  /** Those that are not equal; the first ones, where there are many. */
  readonly exchanges: readonly VerifiedExchange[];
  /** Where recorded answers do not fit their schema, and `now` those of a live system. */
  readonly unfitting: readonly Unfitting[];
}

export interface Unfitting {
  readonly exchange: number;
  readonly fault: string;
  /** Whether it is the answer that has just come, not the recorded one. */
  readonly now?: true;
}

export interface Verification {
  readonly exchanges: number;
  readonly equal: number;
  readonly different: number;
  readonly notComparable: number;
  readonly operations: readonly VerifiedOperation[];
  /** Why it ended before all was asked, as sentences. */
  readonly stopped?: string;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Counted = Writable<Omit<VerifiedOperation, 'exchanges' | 'unfitting'>> & {
  readonly exchanges: VerifiedExchange[];
  readonly unfitting: Unfitting[];
};

export class VerificationReport {
  private readonly operations = new Map<string, Counted>();
  private count = 0;
  private stopped: string | undefined;

  /**
   * @param fault why the recorded answer does not fit its schema, where it does not
   * @param live the same of the answer that has just come
   */
  add(operation: string, request: string, outcome: Outcome, fault?: string, live?: string): void {
    const exchange = (this.count += 1);
    const counted = this.of(operation);
    counted[outcome.kind] += 1;
    const { kind, ...told } = outcome;
    if (kind !== 'equal' && counted.exchanges.length < MAX_TOLD_EXCHANGES)
      counted.exchanges.push({ exchange, request, ...told });
    if (fault !== undefined && counted.unfitting.length < MAX_TOLD_EXCHANGES)
      counted.unfitting.push({ exchange, fault });
    if (live !== undefined && counted.unfitting.length < MAX_TOLD_EXCHANGES)
      counted.unfitting.push({ exchange, fault: live, now: true });
  }

  /** @param why sentences */
  stop(why: string): void {
    this.stopped = why;
  }

  get whole(): Verification {
    const operations = [...this.operations.values()];
    const sum = (kind: Outcome['kind']) => operations.reduce((all, each) => all + each[kind], 0);
    return {
      exchanges: this.count,
      equal: sum('equal'),
      different: sum('different'),
      notComparable: sum('notComparable'),
      operations,
      ...(this.stopped !== undefined && { stopped: this.stopped }),
    };
  }

  private of(operation: string): Counted {
    let counted = this.operations.get(operation);
    if (counted === undefined) {
      counted = {
        operation,
        equal: 0,
        different: 0,
        notComparable: 0,
        exchanges: [],
        unfitting: [],
      };
      this.operations.set(operation, counted);
    }
    return counted;
  }
}
