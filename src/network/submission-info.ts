/** Who asked for an update, as the log keeps it: a submission id that was made up is made up again whenever it is asked for. */
import type { Party } from '../daml/values.js';
import type { ParticipantId } from './ids.js';
import type { SeededRandom } from './random.js';
import type { SubmissionInfo } from './updates.js';

/** Its draws are numbered by the record times given so far: one submission comes to one of them at most. */
const PURPOSE = 'submission';

export class StoredSubmissionInfo implements SubmissionInfo {
  readonly #random: SeededRandom;
  readonly #id: string | number;

  /** @param id the submission id, or the number of the draw that makes it up */
  constructor(
    random: SeededRandom,
    id: string | number,
    readonly participantId: ParticipantId,
    readonly userId: string,
    readonly commandId: string,
    /** Sorted. */
    readonly actAs: readonly Party[],
  ) {
    this.#random = random;
    this.#id = id;
  }

  get submissionId(): string {
    return typeof this.#id === 'string' ? this.#id : this.#random.uuidAt(PURPOSE, this.#id);
  }
}
