/** The submitter of an update, in the form of the log: generated ids are generated again on each read. */
import { loggedIn, QUOTED } from '../../daml/errors/logging-context.js';
import type { Party } from '../../daml/model/values.js';
import { traceparentAt, type ParticipantId } from '../model/ids.js';
import type { RequestNumbers } from '../journal/request-numbers.js';
import type { SeededRandom } from '../journal/random.js';
import type { GivenOrDrawnTrace, SubmissionInfo, TraceContext } from '../model/updates.js';

/** An id from the request, or the number of the draw that generates it. */
export type GivenOrDrawn = string | number;

/** The numbers that generate ids. */
export interface SubmissionNumbers {
  readonly random: SeededRandom;
  readonly requestNumbers: RequestNumbers;
  /** The number of the next accepted submission. It is unique, except after a revert. */
  readonly nextNumber: number;
}

/** Draws for submissions use the count of submissions. */
const SUBMISSION = 'submission';
/** Draws for commands use the count of record times: a submission has at most one. */
const COMMAND = 'command';

/**
 * The position in a generated command id that has the number of its draw, in hexadecimal. It distinguishes such ids
 * from others.
 */
const NUMBER_START = 24;
const NUMBER_DIGITS = 12;

export function commandIdOf(random: SeededRandom, id: GivenOrDrawn): string {
  if (typeof id === 'string') return id;
  const number = id.toString(16).padStart(NUMBER_DIGITS, '0');
  return random.uuidAt(COMMAND, id).slice(0, NUMBER_START) + number;
}

export function submissionIdOf(random: SeededRandom, id: GivenOrDrawn): string {
  return typeof id === 'string' ? id : random.uuidAt(SUBMISSION, id);
}

/** The trace context of a submission, in its update and its completion. */
export function traceOf(
  random: SeededRandom,
  trace: GivenOrDrawnTrace | undefined,
): TraceContext | undefined {
  if (typeof trace !== 'number') return trace;
  return { traceparent: traceparentAt(random, 'submission trace', trace) };
}

/**
 * Adds the correlation id to validation errors of a submission.
 * @param submissionId generated if absent or empty
 */
export function correlated<R>(
  { random, requestNumbers }: SubmissionNumbers,
  submissionId: string | undefined,
  run: () => R,
): R {
  return loggedIn(() => {
    const id = submissionIdOf(random, submissionId || requestNumbers.ofSubmission());
    return { ...QUOTED, correlationId: id };
  }, run);
}

/**
 * Whether {@link commandIdOf} generated the command id.
 * @param draws the number of draws
 */
export function isMadeUpCommandId(random: SeededRandom, text: string, draws: number): boolean {
  if (text.length !== NUMBER_START + NUMBER_DIGITS) return false;
  const draw = parseInt(text.slice(NUMBER_START), 16);
  return draw < draws && commandIdOf(random, draw) === text;
}

/** The parts of {@link StoredSubmissionInfo}. */
export type SavedSubmissionInfo = readonly [
  submissionId: GivenOrDrawn,
  participantId: ParticipantId,
  userId: string,
  commandId: GivenOrDrawn,
  actAs: readonly Party[],
  readAs: readonly Party[],
];

const NOBODY: readonly Party[] = [];

/** The user and parties of a submission. They repeat often, so that submissions share them. */
export class Submitter {
  private static readonly latest = new WeakMap<readonly Party[], Submitter>();

  private constructor(
    readonly random: SeededRandom,
    readonly participantId: ParticipantId,
    readonly userId: string,
    readonly actAs: readonly Party[],
    readonly readAs: readonly Party[],
  ) {}

  static of(
    random: SeededRandom,
    participantId: ParticipantId,
    userId: string,
    actAs: readonly Party[],
    readAs: readonly Party[],
  ): Submitter {
    const known = Submitter.latest.get(actAs);
    if (
      known?.random === random &&
      known.participantId === participantId &&
      known.userId === userId &&
      known.readAs === readAs
    )
      return known;
    const submitter = new Submitter(random, participantId, userId, actAs, readAs);
    Submitter.latest.set(actAs, submitter);
    return submitter;
  }
}

export class StoredSubmissionInfo implements SubmissionInfo {
  readonly #submitter: Submitter;
  readonly #submissionId: GivenOrDrawn;
  readonly #commandId: GivenOrDrawn;

  constructor(submitter: Submitter, submissionId: GivenOrDrawn, commandId: GivenOrDrawn) {
    this.#submitter = submitter;
    this.#submissionId = submissionId;
    this.#commandId = commandId;
  }

  /**
   * @param actAs without duplicates, in the order of the request
   * @param readAs sorted
   */
  static of(
    random: SeededRandom,
    submissionId: GivenOrDrawn,
    participantId: ParticipantId,
    userId: string,
    commandId: GivenOrDrawn,
    actAs: readonly Party[],
    readAs: readonly Party[] = NOBODY,
  ): StoredSubmissionInfo {
    const submitter = Submitter.of(random, participantId, userId, actAs, readAs);
    return new StoredSubmissionInfo(submitter, submissionId, commandId);
  }

  /** The submission in the form of the log. */
  static from(random: SeededRandom, info: SubmissionInfo): StoredSubmissionInfo {
    if (info instanceof StoredSubmissionInfo) return info;
    const { submissionId, participantId, userId, commandId, actAs, readAs } = info;
    return StoredSubmissionInfo.of(
      random,
      submissionId,
      participantId,
      userId,
      commandId,
      actAs,
      readAs,
    );
  }

  /** The parts of a submission: storing them directly saves objects in a long history. */
  get parts(): readonly [Submitter, submissionId: GivenOrDrawn, commandId: GivenOrDrawn] {
    return [this.#submitter, this.#submissionId, this.#commandId];
  }

  get participantId(): ParticipantId {
    return this.#submitter.participantId;
  }

  get userId(): string {
    return this.#submitter.userId;
  }

  get actAs(): readonly Party[] {
    return this.#submitter.actAs;
  }

  get readAs(): readonly Party[] {
    return this.#submitter.readAs;
  }

  /** For files, without generated ids. */
  get saved(): SavedSubmissionInfo {
    const { participantId, userId, actAs, readAs } = this;
    return [this.#submissionId, participantId, userId, this.#commandId, actAs, readAs];
  }

  get submissionId(): string {
    return submissionIdOf(this.#submitter.random, this.#submissionId);
  }

  get commandId(): string {
    return commandIdOf(this.#submitter.random, this.#commandId);
  }

  get hasMadeUpCommandId(): boolean {
    return typeof this.#commandId === 'number';
  }
}
