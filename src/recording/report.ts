/** The report of a verified recording: by operation, in the order of their first exchange. */
import type { Difference } from './compare.js';
import { MAX_LISTED_EXCHANGES } from './limits.js';

/** The outcome of one exchange. */
export type Outcome =
  | { readonly kind: 'equal' }
  | { readonly kind: 'different'; readonly differences: readonly Difference[] }
  | { readonly kind: 'notComparable'; readonly why: string };

export interface VerifiedExchange {
  /** The number in the file, from 1. */
  readonly exchange: number;
  readonly request: string;
  readonly differences?: readonly Difference[];
  readonly why?: string;
}

export interface VerifiedOperation {
  /** `ledger postV2Users`, or the method and path if there is no operation. */
  readonly operation: string;
  readonly equal: number;
  readonly different: number;
  readonly notComparable: number;
  /** The exchanges that are not equal; only the first ones if there are many. */
  readonly exchanges: readonly VerifiedExchange[];
  /** Recorded answers that do not match their schema, and those of the live system with `now`. */
  readonly unfitting: readonly Unfitting[];
}

export interface Unfitting {
  readonly exchange: number;
  readonly fault: string;
  /** Whether it is the current answer, not the recorded answer. */
  readonly now?: true;
}

export interface Verification {
  readonly exchanges: number;
  readonly equal: number;
  readonly different: number;
  readonly notComparable: number;
  readonly operations: readonly VerifiedOperation[];
  /** Why the verification stopped early, as sentences. */
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
   * @param fault why the recorded answer does not match its schema, if so
   * @param live why the current answer does not match its schema, if so
   */
  add(operation: string, request: string, outcome: Outcome, fault?: string, live?: string): void {
    const exchange = (this.count += 1);
    const counted = this.of(operation);
    counted[outcome.kind] += 1;
    const { kind, ...details } = outcome;
    if (kind !== 'equal' && counted.exchanges.length < MAX_LISTED_EXCHANGES)
      counted.exchanges.push({ exchange, request, ...details });
    if (fault !== undefined && counted.unfitting.length < MAX_LISTED_EXCHANGES)
      counted.unfitting.push({ exchange, fault });
    if (live !== undefined && counted.unfitting.length < MAX_LISTED_EXCHANGES)
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
