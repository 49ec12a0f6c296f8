/**
 * Numbers that ids of requests are drawn by: each request has its own, also where it changes nothing and the journal stays where
 * it was. A snapshot keeps how far they had come, so that what follows a revert to it gets the ids that it got before. Refusals
 * count apart from submissions: however often somebody asks for what is not there yet, what is committed has the same bytes.
 */
import type { Journal } from './journal.js';
import type { KeptPart } from './kept-parts.js';

export interface RequestMark {
  readonly submissions: number;
  readonly refusals: number;
}

export class RequestNumbers implements KeptPart {
  private submissions = 0;
  private refusals = 0;

  constructor({ parts }: Journal) {
    parts.add('requests', this);
  }

  kept(): unknown {
    return this.mark;
  }

  restore(kept: unknown): void {
    this.goBackTo(kept as RequestMark);
  }

  /** For ids of a submission, whatever comes of it. */
  ofSubmission(): number {
    return this.submissions++;
  }

  /** For ids of any other request that is refused. */
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
