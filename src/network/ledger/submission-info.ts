/** Who asked for an update, as the log keeps it: ids that were made up are made up again whenever they are asked for. */
import { loggedIn, QUOTED } from '../../daml/errors/logging-context.js';
import type { Party } from '../../daml/model/values.js';
import { traceparentAt, type ParticipantId } from '../ids.js';
import type { RequestNumbers } from '../journal/request-numbers.js';
import type { SeededRandom } from '../journal/random.js';
import type { GivenOrDrawnTrace, SubmissionInfo, TraceContext } from '../updates.js';

/** An id that was given, or the number of the draw that makes it up. */
export type GivenOrDrawn = string | number;

/** What ids are made up with. */
export interface SubmissionNumbers {
  readonly random: SeededRandom;
  readonly requestNumbers: RequestNumbers;
  /** The number of the next submission that is not refused: no other has it, but one that a revert took back. */
  readonly nextNumber: number;
}

/** Draws are numbered by the submissions so far. */
const SUBMISSION = 'submission';
/** Draws are numbered by the record times given so far: one submission comes to one of them at most. */
const COMMAND = 'command';

/** Where a made-up command id names the number of its draw, hexadecimal, so that it can be told from others. */
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

/** Of a submission, as its update and its completion tell it. */
export function traceOf(
  random: SeededRandom,
  trace: GivenOrDrawnTrace | undefined,
): TraceContext | undefined {
  if (typeof trace !== 'number') return trace;
  return { traceparent: traceparentAt(random, 'submission trace', trace) };
}

/** For what the validation of a submission refuses: it is found by its id. @param submissionId made up where absent or empty */
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

/** Whether the text is a command id that {@link commandIdOf} made up. @param draws how many there were */
export function isMadeUpCommandId(random: SeededRandom, text: string, draws: number): boolean {
  if (text.length !== NUMBER_START + NUMBER_DIGITS) return false;
  const draw = parseInt(text.slice(NUMBER_START), 16);
  return draw < draws && commandIdOf(random, draw) === text;
}

/** What {@link StoredSubmissionInfo} is made of. */
export type KeptSubmissionInfo = readonly [
  submissionId: GivenOrDrawn,
  participantId: ParticipantId,
  userId: string,
  commandId: GivenOrDrawn,
  actAs: readonly Party[],
  readAs: readonly Party[],
];

const NOBODY: readonly Party[] = [];

/** Who asks, mostly again and again: what their submissions share is held once. */
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

  /** @param actAs each once, as they were named; @param readAs sorted */
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

  /** The same, as the log keeps it. */
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

  /** What it is made of: fewer objects where there are as many as a history has. */
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

  /** For files: ids that were made up are not in them. */
  get kept(): KeptSubmissionInfo {
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
