/** The explanation of a refused submission. It uses the submission's trace, which is computed on first use. */
import { REDACTED_CODE } from '../errors/error-catalogue.js';
import { encodeValue } from '../codec/json/codec.js';
import type {
  ExplainedAction,
  ExplainedSubmission,
  Explanation,
  ExplanationJson,
  ShownError,
  TextOptions,
} from '../errors/explanation.js';
import type { LedgerError } from '../errors/ledger-error.js';
import { MAX_CAUSE } from '../errors/limits.js';
import type { PackageLookup } from '../model/package.js';
import { formatInstant } from '../model/time.js';
import type { Transaction } from '../model/transaction.js';
import type { Timestamp } from '../model/values.js';
import { bodyText, cutArguments } from './explanation-text.js';
import type { Sampling } from '../tracing/run-traced.js';
import { shortenedIds } from './short-ids.js';
import type { Trace, TracedAction, TypedValue } from '../tracing/trace.js';

/** The interpretation of commands that a later step refused. */
export interface Interpreted {
  readonly transaction: Transaction;
  /** The ledger time that their code read. */
  readonly effectiveAt: Timestamp;
  /** As in the interpreter's input. */
  readonly rollsBackEffects: boolean;
}

export interface ExplanationFacts {
  readonly error: LedgerError;
  readonly packages: PackageLookup;
  readonly submission: ExplainedSubmission;
  readonly reasons: readonly string[];
  /** The commands if there are no Daml actions, a line each. */
  readonly commands?: readonly string[];
  readonly interpreted?: Interpreted;
  readonly trace: (sampling?: Sampling) => Trace | undefined;
}

/** The errors that Daml code itself causes. */
const OF_THE_CODE: ReadonlySet<string> = new Set([
  'DAML_FAILURE',
  'UNHANDLED_EXCEPTION',
  'INTERPRETATION_USER_ERROR',
  'TEMPLATE_PRECONDITION_VIOLATED',
]);

/** The limit of actions up to which a trace is stored after it is computed. */
const MAX_STORED_ACTIONS = 1_000;

export class SubmissionExplanation implements Explanation {
  private found: { readonly trace: Trace | undefined } | undefined;

  private readonly more: string[] = [];

  constructor(readonly facts: ExplanationFacts) {}

  addReason(reason: string): void {
    this.more.push(reason);
  }

  /** The reasons. If the code itself fails, the ledger time that it read may be the cause. */
  get reasons(): readonly string[] {
    const { facts, trace, more } = this;
    const { ledgerTime } = trace ?? {};
    const time =
      ledgerTime === undefined || !OF_THE_CODE.has(facts.error.code)
        ? []
        : [`The code looked at the ledger's time, which is ${formatInstant(ledgerTime)}.`];
    return [...facts.reasons, ...time, ...more];
  }

  /**
   * The trace. A large trace is computed again each time, because an explanation stays in memory as long as its
   * error.
   */
  get trace(): Trace | undefined {
    if (this.found !== undefined) return this.found.trace;
    const trace = this.facts.trace();
    if (trace === undefined || countOf(trace.actions, MAX_STORED_ACTIONS) <= MAX_STORED_ACTIONS)
      this.found = { trace };
    return trace;
  }

  body(options: TextOptions = {}): string {
    const { facts, trace } = this;
    const shown = { ...facts, reasons: this.reasons };
    const text = bodyText(shown, trace, options.colors === true);
    return cutArguments(shortenedIds(options.humanize?.(text) ?? text));
  }

  isOf({ code, cause, correlationId }: ShownError): boolean {
    const { error } = this.facts;
    if (code === REDACTED_CODE)
      return error.isRedacted && correlationId != null && error.correlationId === correlationId;
    return error.code === code && cause.includes(error.details.cause.slice(0, MAX_CAUSE));
  }

  text(options: TextOptions = {}): string {
    const { code, details } = this.facts.error;
    const head = `${code}: ${details.cause}`;
    return `${shortenedIds(options.humanize?.(head) ?? head)}\n\n${this.body(options)}`;
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
      actions: explainedAll(facts.packages, trace?.actions ?? []),
      stack: trace?.stack ?? [],
      reasons: [...(facts.commands ?? []), ...this.reasons],
    };
  }
}

/** The number of actions, nested ones included. If there are more than `most`, it may stop at any number above it. */
function countOf(actions: Trace['actions'], most: number): number {
  let count = actions.length;
  for (const action of actions) {
    if (count > most) break;
    if (typeof action !== 'string') count += countOf(action.children, most - count);
  }
  return count;
}

function explained(packages: PackageLookup, action: TracedAction): ExplainedAction {
  const { id: definition, templateId: template, isCulprit, children } = action;
  const { kind, contractId, choice, consuming, at, outcome, given, required } = action;
  const json = (typed: TypedValue | undefined): unknown =>
    typed && encodeValue(packages, typed.type, typed.value);
  return {
    ...{ kind, definition, template, contractId, choice, consuming },
    ...{ key: json(action.key), argument: json(action.argument), payload: json(action.payload) },
    ...{ at, outcome, ...(isCulprit && { culprit: true }), given, required },
    traces: children.filter((child) => typeof child === 'string'),
    actions: explainedAll(packages, children),
  };
}

function explainedAll(packages: PackageLookup, actions: Trace['actions']): ExplainedAction[] {
  return actions.flatMap((each) => (typeof each === 'string' ? [] : explained(packages, each)));
}
