/** The known differences between releases of Canton and of Splice. */
import { lazy } from '../../daml/errors/lazy.js';

/** A difference between releases. */
export interface ReleaseFact {
  readonly id: string;
  /** The part of the APIs that differs. */
  readonly topic: string;
  readonly text: string;
  /** `holds`: a test shows it. `note`: it cannot hold here. `open`: it is not shown, or not implemented. */
  readonly state: 'holds' | 'note' | 'open';
  /** The reason why it cannot hold here. */
  readonly note?: string;
}

/** An operation of the release's document without a handler. */
export interface MissingOperation {
  /** Such as `POST /v2/updates`. */
  readonly operation: string;
  readonly reason: string;
}

const facts = lazy(
  () => (require('../facts/releases.json') as { facts: readonly ReleaseFact[] }).facts,
);

/** @param release the middle of the ids: `36` for R-36-001 */
export const factsAbout = (release: string): readonly ReleaseFact[] =>
  facts().filter(({ id }) => id.split('-')[1] === release);
