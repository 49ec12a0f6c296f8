/** What a refused submission did, as an error tells it. Ids and parties are texts here. */
import type { SourceLocation } from './source-location.js';

/** A place in a file of TypeScript, lines and columns from 1. */
export interface ScriptLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type Place = SourceLocation | ScriptLocation;

/** A function that runs, and where in it. */
export interface CodeCall {
  /** `Module:function`, of a choice `Module:Template Choice`; absent of TypeScript. */
  readonly function?: string;
  /** Absent where its code says no place. */
  readonly at?: Place;
}

export type ActionKind = 'create' | 'exercise' | 'fetch' | 'lookup';

/** `failed`: the refusal came out of it. `rolledBack`: an exception handler took it back. */
export type ActionOutcome = 'done' | 'failed' | 'rolledBack' | 'notReached';

/** What was submitted, and by whom. */
export interface ExplainedSubmission {
  /** The name of the participant that it was submitted to. */
  readonly participant: string;
  /** The client's. */
  readonly commandId: string;
  /** Parties it acts as. */
  readonly actAs: readonly string[];
  /** Parties that it may look with. */
  readonly readAs: readonly string[];
}

/** An action of the submission. Ids and parties are whole. */
export interface ExplainedAction {
  /** What it is. */
  readonly kind: ActionKind;
  /** The template or interface that the code names. */
  readonly definition: string;
  /** The contract's template, where that is another. */
  readonly template?: string;
  /** Of the contract that it is about; absent where there is none yet. */
  readonly contractId?: string;
  /** Of an exercise. */
  readonly choice?: string;
  /** Of an exercise: whether it archives the contract. */
  readonly consuming?: boolean;
  /** By which the contract was found, as Ledger API JSON. */
  readonly key?: unknown;
  /** Payload of a creation, argument of a choice, or key: as Ledger API JSON. */
  readonly argument?: unknown;
  /** Of the contract that is exercised or was fetched: as Ledger API JSON. */
  readonly payload?: unknown;
  /** Where in the source it stands: of Daml by module, of TypeScript by file. Absent for commands. */
  readonly at?: Place;
  /** How far it came. */
  readonly outcome: ActionOutcome;
  /** The innermost action that the refusal came out of. */
  readonly culprit?: true;
  /** Authorizers that the action had. */
  readonly given: readonly string[];
  /** Who has to authorize it, where that is known. */
  readonly required?: readonly string[];
  /** Messages of `trace` that came directly out of this action's body. */
  readonly traces: readonly string[];
  /** Those that came out of it, in order. */
  readonly actions: readonly ExplainedAction[];
}

/** An explanation as JSON. */
export interface ExplanationJson {
  /** The refusal: its code and its cause. */
  readonly error: { readonly code: string; readonly cause: string };
  /** What was refused. */
  readonly submission: ExplainedSubmission;
  /** One for each command that was interpreted, and those that were not reached. */
  readonly actions: readonly ExplainedAction[];
  /** Where the code was when it failed, innermost first. */
  readonly stack: readonly Place[];
  /** Why contracts could not be used, and what may be done. */
  readonly reasons: readonly string[];
}

export interface TextOptions {
  /** For terminals. */
  readonly colors?: boolean;
  /** Puts names in place of ids, before what is left of those is shortened. */
  readonly tell?: (text: string) => string;
}

/** An error as its body shows it to a client. */
export interface ShownError {
  readonly code: string;
  readonly cause: string;
  readonly correlationId?: string | null;
}

/**
 * Why a submission was refused, for people and for programs. What it takes to know is found when it is first asked for: the room
 * `explanation` makes them; a {@link LedgerError} carries one.
 */
export interface Explanation {
  /** One more, from whoever knows what the submission was for. */
  addReason(reason: string): void;
  /** The tree of actions, and why: without the error itself. Lines of plain text, without a break at the end. */
  body(options?: TextOptions): string;
  /**
   * Whether it explains the error that a client was shown so: a long cause comes without its end, one of several lines with the
   * code before it. Of a redacted error the correlation id is all that is left to know it by.
   */
  isOf(error: ShownError): boolean;
  /** The error and all of {@link body}. */
  text(options?: TextOptions): string;
  /** As `text()`. */
  toString(): string;
  /** All of it, as JSON. */
  toJSON(): ExplanationJson;
}
