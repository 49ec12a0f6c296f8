/**
 * Numbers from which request ids are drawn. Each request has a unique number, even if it changes nothing in the
 * journal. A snapshot includes the counters, so that ids repeat after a revert. Rejections have a separate counter:
 * failed requests do not change the bytes of later commits.
 */
import type { Journal } from './journal.js';
import type { SavedPart } from './saved-parts.js';

export interface RequestMark {
  readonly submissions: number;
  readonly refusals: number;
}

export class RequestNumbers implements SavedPart {
  private submissions = 0;
  private refusals = 0;

  constructor({ parts }: Journal) {
    parts.add('requests', this);
  }

  saved(): unknown {
    return this.mark;
  }

  restore(content: unknown): void {
    this.goBackTo(content as RequestMark);
  }

  /** For ids of a submission, whether it succeeds or fails. */
  ofSubmission(): number {
    return this.submissions++;
  }

  /** For ids of other rejected requests. */
  ofRefusal(): number {
    return this.refusals++;
  }

  get mark(): RequestMark {
    const { submissions, refusals } = this;
    return { submissions, refusals };
  }

  isAt({ submissions, refusals }: RequestMark): boolean {
    return this.submissions === submissions && this.refusals === refusals;
  }

  goBackTo({ submissions, refusals }: RequestMark): void {
    this.submissions = submissions;
    this.refusals = refusals;
  }
}
