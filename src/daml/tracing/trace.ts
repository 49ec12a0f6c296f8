/**
 * The record of a refused submission: a tree of ledger actions, which {@link retrace} creates by running the commands again. Values are
 * typed Daml values; the {@link Explanation} formats them.
 */
import type { CodeCall, ExplainedAction, Place } from '../errors/explanation.js';
import type { Savepoint } from '../interpreter/frame.js';
import type { Action } from '../model/transaction.js';
import type { DamlType, TypeId } from '../model/types.js';
import type { ContractId, DamlValue, Timestamp } from '../model/values.js';

export interface TypedValue {
  readonly type: DamlType;
  readonly value: DamlValue;
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };
type ShownFields =
  | 'kind'
  | 'contractId'
  | 'choice'
  | 'consuming'
  | 'at'
  | 'outcome'
  | 'given'
  | 'required';

/** `given` is sorted. `required` is absent if it is unknown. */
export interface TracedAction extends Changing<Pick<ExplainedAction, ShownFields>> {
  /** The template or interface that the code names. */
  readonly id: TypeId;
  /** The contract's template, if it is known and differs from `id`. */
  templateId?: TypeId;
  /** The key by which the contract was found, if any. */
  readonly key?: TypedValue;
  /** The payload of a create, the argument of an exercise, or the key of a lookup. */
  readonly argument?: TypedValue;
  /** The payload of the exercised or fetched contract, as it was created. */
  payload?: TypedValue;
  /** The calls in the choice around it, innermost first, up to the choice's code. */
  readonly calls?: readonly CodeCall[];
  /** Strings in `children` are messages of `trace`. */
  readonly children: (TracedAction | string)[];
  /** Its steps, including those below it. */
  steps?: number;
  /** The node of the transaction, if there is one. */
  node?: Action;
  /** For a lookup: the result. */
  found?: readonly ContractId[];
  /** Rolled back scopes around it, outermost first. */
  scopes?: readonly Savepoint[];
  /** Set on the innermost action that caused the error. */
  isCulprit?: boolean;
}

export interface Trace {
  /** The actions of the commands, in order. */
  readonly actions: readonly (TracedAction | string)[];
  /** The positions in the code at the failure, innermost first. */
  readonly stack: readonly Place[];
  /** The ledger time, if the code read it. */
  readonly ledgerTime?: Timestamp;
}
