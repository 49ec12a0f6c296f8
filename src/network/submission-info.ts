/** Who asked for an update, as the log keeps it: ids that were made up are made up again whenever they are asked for. */
import type { Party } from '../daml/values.js';
import type { ParticipantId } from './ids.js';
import type { SeededRandom } from './random.js';
import type { SubmissionInfo } from './updates.js';

/** An id that was given, or the number of the draw that makes it up. */
export type GivenOrDrawn = string | number;

/** Draws are numbered by the record times given so far: one submission comes to one of them at most. */
const SUBMISSION = 'submission';
const COMMAND = 'command';

export function commandIdOf(random: SeededRandom, id: GivenOrDrawn): string {
  return typeof id === 'string' ? id : random.uuidAt(COMMAND, id);
}

/** Whether the text is a command id that {@link commandIdOf} made up. @param draws how many there were */
export function isMadeUpCommandId(random: SeededRandom, text: string, draws: number): boolean {
  if (text.length !== 36) return false;
  const draw = random.drawThatBegins(COMMAND, parseInt(text.slice(0, 8), 16));
  return draw < draws && random.uuidAt(COMMAND, draw) === text;
}

export class StoredSubmissionInfo implements SubmissionInfo {
  readonly #random: SeededRandom;
  readonly #submissionId: GivenOrDrawn;
  readonly #commandId: GivenOrDrawn;

  constructor(
    random: SeededRandom,
    submissionId: GivenOrDrawn,
    readonly participantId: ParticipantId,
    readonly userId: string,
    commandId: GivenOrDrawn,
    /** Sorted. */
    readonly actAs: readonly Party[],
  ) {
    this.#random = random;
    this.#submissionId = submissionId;
    this.#commandId = commandId;
  }

  get submissionId(): string {
    const id = this.#submissionId;
    return typeof id === 'string' ? id : this.#random.uuidAt(SUBMISSION, id);
  }

  get commandId(): string {
    return commandIdOf(this.#random, this.#commandId);
  }

  get hasMadeUpCommandId(): boolean {
    return typeof this.#commandId === 'number';
  }
}
