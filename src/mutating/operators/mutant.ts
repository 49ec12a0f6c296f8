/** Mutants: small changes of Daml code, each like a mistake that a developer could make. */
import type { SourceLocation } from '../../daml/errors/source-location.js';
import type { CompiledDefinition } from '../../daml/lf/lowering/instrument.js';

/** The changes, by name. */
export const OPERATORS = {
  'drop-controller': 'One of several controllers of a choice is no longer needed.',
  'swap-controller': 'Another party of the contract controls a choice.',
  'drop-signatory': 'One of several signatories of a template does not sign.',
  'swap-signatory': 'Another party of the contract signs.',
  'drop-observer': 'An observer of a template or a choice does not see it.',
  'add-observer': 'Another party of the contract sees it.',
  consuming: 'A consuming choice keeps its contract, or a nonconsuming choice archives it.',
  'drop-ensure': 'A template accepts every contract.',
  'drop-assertion': 'An assertion does not fail.',
  comparison: 'A comparison includes or excludes the equal case, or an equality is negated.',
  arithmetic:
    'A calculation adds instead of subtracting or multiplies instead of dividing, or the reverse.',
  time: 'A time check is off by one microsecond.',
  condition: 'A condition is always true or always false, or one of its operands is ignored.',
  'drop-update': 'An update of a record keeps the old value of a field.',
  constant: 'A number or a date is one higher, or a time one microsecond later.',
} as const;

export type OperatorName = keyof typeof OPERATORS;

export interface Mutant {
  /** From 1. The same archive and operators give the same numbers. */
  readonly number: number;
  /** Names the mutant in its package: the definition, and an index in it. */
  readonly key: string;
  /** The number that records whether code reached the place of the mutant. */
  readonly place: number;
  /** Whether a run of the original code records if its value differs. Other mutants always differ. */
  readonly isCompared: boolean;
  readonly operator: OperatorName;
  readonly definition: CompiledDefinition;
  /** Undefined if the archive has no position. */
  readonly at: SourceLocation | undefined;
  /** Code in the syntax of Daml. */
  readonly before: string;
  readonly after: string;
}
