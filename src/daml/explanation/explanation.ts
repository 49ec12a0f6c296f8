/** Why a submission was refused, for people and for programs. What it takes to know is found when it is first asked for. */
import { REDACTED_CODE } from '../error-catalogue.js';
import { encodeValue } from '../json-codec.js';
import type { LedgerError } from '../ledger-error.js';
import { MAX_CAUSE } from '../limits.js';
import type { PackageLookup } from '../package.js';
import type { TypeId } from '../types.js';
import type { ContractId, Party } from '../values.js';
import { bodyText, cutArguments } from './explanation-text.js';
import { shortenedIds } from './short-ids.js';
import type { ActionKind, ActionOutcome, Place, Trace, TracedAction } from './trace.js';

export interface ExplainedSubmission {
  /** The name of the participant that it was submitted to. */
  readonly participant: string;
  readonly commandId: string;
  readonly actAs: readonly Party[];
  readonly readAs: readonly Party[];
}

/** An action of the submission. Ids and parties are whole. */
export interface ExplainedAction {
  readonly kind: ActionKind;
  /** The template or interface that the code names. */
  readonly definition: TypeId;
  /** The contract's template, where that is another. */
  readonly template?: TypeId;
  readonly contractId?: ContractId;
  readonly choice?: string;
  readonly consuming?: boolean;
  /** By which the contract was found, as Ledger API JSON. */
  readonly key?: unknown;
  /** Payload of a creation, argument of a choice, or key: as Ledger API JSON. */
  readonly argument?: unknown;
  /** Of the contract that is exercised or was fetched: as Ledger API JSON. */
  readonly payload?: unknown;
  /** Where in the source it stands: of Daml by module, of TypeScript by file. Absent for commands. */
  readonly at?: Place;
  readonly outcome: ActionOutcome;
  /** The innermost action that the refusal came out of. */
  readonly culprit?: true;
  /** Authorizers that the action had. */
  readonly given: readonly Party[];
  readonly required?: readonly Party[];
  /** Messages of `trace` that came directly out of this action's body. */
  readonly traces: readonly string[];
  readonly actions: readonly ExplainedAction[];
}

export interface ExplanationJson {
  readonly error: { readonly code: string; readonly cause: string };
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

export interface ExplanationFacts {
  readonly error: LedgerError;
  readonly packages: PackageLookup;
  readonly submission: ExplainedSubmission;
  readonly reasons: readonly string[];
  /** What is done where there are no Daml actions, a line each. */
  readonly commands?: readonly string[];
  readonly trace: () => Trace | undefined;
}

/** An error as its body shows it to a client. */
export interface ShownError {
  readonly code: string;
  readonly cause: string;
  readonly correlationId?: string | null;
}

export class Explanation {
  private found: { readonly trace: Trace | undefined } | undefined;

  constructor(private readonly facts: ExplanationFacts) {}

  private get trace(): Trace | undefined {
    this.found ??= { trace: this.facts.trace() };
    return this.found.trace;
  }

  /** The tree of actions, and why: without the error itself. Lines of plain text, without a break at the end. */
  body(options: TextOptions = {}): string {
    const { facts, trace } = this;
    const text = bodyText(facts, trace, options.colors === true);
    return cutArguments(shortenedIds(options.tell?.(text) ?? text));
  }

  /**
   * Whether it explains the error that a client was shown so: a long cause comes without its end, one of several lines with the
   * code before it. Of a redacted error the correlation id is all that is left to know it by.
   */
  isOf({ code, cause, correlationId }: ShownError): boolean {
    const { error } = this.facts;
    if (code === REDACTED_CODE)
      return error.isRedacted && correlationId != null && error.correlationId === correlationId;
    return error.code === code && cause.includes(error.details.cause.slice(0, MAX_CAUSE));
  }

  /** The error and all of {@link body}. */
  text(options: TextOptions = {}): string {
    const { code, details } = this.facts.error;
    const head = `${code}: ${details.cause}`;
    return `${shortenedIds(options.tell?.(head) ?? head)}\n\n${this.body(options)}`;
  }

  toString(): string {
    return this.text();
  }

  toJSON(): ExplanationJson {
    const { facts, trace } = this;
    const { code, details } = facts.error;
    return {
      error: { code, cause: details.cause },
      submission: facts.submission,
      actions: (trace?.actions ?? [])
        .filter((action) => typeof action !== 'string')
        .map((action) => explained(facts.packages, action)),
      stack: trace?.stack ?? [],
      reasons: [...(facts.commands ?? []), ...facts.reasons],
    };
  }
}

function explained(packages: PackageLookup, action: TracedAction): ExplainedAction {
  const { kind, id, templateId, contractId, choice, consuming, key, argument, at, outcome } =
    action;
  const { given, required, children, payload } = action;
  return {
    kind,
    definition: id,
    template: templateId,
    contractId,
    choice,
    consuming,
    key: key && encodeValue(packages, key.type, key.value),
    argument: argument && encodeValue(packages, argument.type, argument.value),
    payload: payload && encodeValue(packages, payload.type, payload.value),
    at,
    outcome,
    ...(action.isCulprit && { culprit: true }),
    given,
    required,
    traces: children.filter((child) => typeof child === 'string'),
    actions: children
      .filter((child) => typeof child !== 'string')
      .map((child) => explained(packages, child)),
  };
}
