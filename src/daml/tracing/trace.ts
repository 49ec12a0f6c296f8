/**
 * What a submission did until it was refused: a tree of ledger actions, as {@link retrace} finds it by running the same
 * commands again. Values are Daml values with their types; the {@link Explanation} words them.
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
type Told =
  | 'kind'
  | 'contractId'
  | 'choice'
  | 'consuming'
  | 'at'
  | 'outcome'
  | 'given'
  | 'required';

/** `given` is sorted, and `required` is absent where it did not come so far. */
export interface TracedAction extends Changing<Pick<ExplainedAction, Told>> {
  /** The template, or the interface, that the code names. */
  readonly id: TypeId;
  /** The contract's own template, where it is known and another than `id`. */
  templateId?: TypeId;
  /** By which the contract was found, where it was. */
  readonly key?: TypedValue;
  /** Of a creation the payload, of an exercise the choice's argument, else the key that was looked up. */
  readonly argument?: TypedValue;
  /** Of the contract that is exercised or was fetched, as it was created. */
  payload?: TypedValue;
  /** Who called whom in the choice that it is done in, innermost first: up to the code of the choice itself. */
  readonly calls?: readonly CodeCall[];
  /** What of `children` is a text was said by `trace`. */
  readonly children: (TracedAction | string)[];
  /** Made by it and by all below it. */
  steps?: number;
  /** Of the transaction, where one came about. */
  node?: Action;
  /** Of a look-up: what was found. */
  found?: readonly ContractId[];
  /** Tries that were rolled back with it, outermost first. */
  scopes?: readonly Savepoint[];
  /** Set on the innermost action that the refusal came out of. */
  isCulprit?: boolean;
}

export interface Trace {
  /** Of the commands, in their order. */
  readonly actions: readonly (TracedAction | string)[];
  /** Where the code was when it failed, innermost first. */
  readonly stack: readonly Place[];
  /** Of the ledger, where the code asked for it. */
  readonly ledgerTime?: Timestamp;
}
