/** The types of explanations: what a refused submission did. Ids and parties are strings. */
import type { SourceLocation } from './source-location.js';

/** A position in a TypeScript file. Lines and columns count from 1. */
export interface ScriptLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type Place = SourceLocation | ScriptLocation;

/** A called function, with the position in it. */
export interface CodeCall {
  /** `Module:function`; for a choice, `Module:Template Choice`. Absent for TypeScript. */
  readonly function?: string;
  /** Absent if the code has no position. */
  readonly at?: Place;
}

export type ActionKind = 'create' | 'exercise' | 'fetch' | 'lookup';

/** `failed`: the action caused the error. `rolledBack`: an exception handler reverted it. */
export type ActionOutcome = 'done' | 'failed' | 'rolledBack' | 'notReached';

/** The submission and its parties. */
export interface ExplainedSubmission {
  /** The name of the submitting participant. */
  readonly participant: string;
  /** The client's command id. */
  readonly commandId: string;
  /** Parties it acts as. */
  readonly actAs: readonly string[];
  /** Parties it reads as. */
  readonly readAs: readonly string[];
}

/** An action of the submission. Ids and parties are complete. */
export interface ExplainedAction {
  /** The kind of action. */
  readonly kind: ActionKind;
  /** The template or interface that the code names. */
  readonly definition: string;
  /** The contract's template, if it differs. */
  readonly template?: string;
  /** The contract; absent if it does not exist yet. */
  readonly contractId?: string;
  /** The choice of an exercise. */
  readonly choice?: string;
  /** For an exercise: whether it archives the contract. */
  readonly consuming?: boolean;
  /** The key by which the contract was found, as Ledger API JSON. */
  readonly key?: unknown;
  /** Payload of a create, argument of a choice, or key, as Ledger API JSON. */
  readonly argument?: unknown;
  /** Payload of the exercised or fetched contract, as Ledger API JSON. */
  readonly payload?: unknown;
  /** Its position in the source: by module for Daml, by file for TypeScript. Absent for commands. */
  readonly at?: Place;
  /** Its outcome. */
  readonly outcome: ActionOutcome;
  /** Set on the innermost action that caused the error. */
  readonly culprit?: true;
  /** The authorizers of the action. */
  readonly given: readonly string[];
  /** The required authorizers, if known. */
  readonly required?: readonly string[];
  /** Messages of `trace` directly in this action's body. */
  readonly traces: readonly string[];
  /** The actions that it caused, in order. */
  readonly actions: readonly ExplainedAction[];
}

/** An explanation as JSON. */
export interface ExplanationJson {
  /** The code and the cause of the error. */
  readonly error: { readonly code: string; readonly cause: string };
  /** The refused submission. */
  readonly submission: ExplainedSubmission;
  /** One for each command, including those that were not reached. */
  readonly actions: readonly ExplainedAction[];
  /** The positions in the code at the failure, innermost first. */
  readonly stack: readonly Place[];
  /** Reasons why contracts could not be used, and possible fixes. */
  readonly reasons: readonly string[];
}

export interface TextOptions {
  /** For terminals. */
  readonly colors?: boolean;
  /** Replaces ids by names, before the remaining ids are shortened. */
  readonly humanize?: (text: string) => string;
}

/** An error as a client sees it in a response. */
export interface ShownError {
  readonly code: string;
  readonly cause: string;
  readonly correlationId?: string | null;
}

/** Explains why a submission was refused, for people and programs. It is computed on first use. A {@link LedgerError} carries one. */
export interface Explanation {
  /** Adds a reason, from code that has more context. */
  addReason(reason: string): void;
  /** The tree of actions and the reasons, without the error. Lines of plain text without a final line break. */
  body(options?: TextOptions): string;
  /**
   * Whether it explains an error that a client saw. There, a long cause is cut, and a cause of several lines starts with the code. A
   * redacted error has only the correlation id.
   */
  isOf(error: ShownError): boolean;
  /** The error, followed by {@link body}. */
  text(options?: TextOptions): string;
  /** The same as `text()`. */
  toString(): string;
  /** The whole explanation as JSON. */
  toJSON(): ExplanationJson;
}
