/**
 * The interpreter of a fuzzed ledger: the ids of new contracts depend only on the step and the order of their creation.
 * So they do not depend on the package, and another version of a model can run the same steps.
 */
import { Interpreter } from '../../daml/interpreter/interpreter.js';
import type { InterpreterInput } from '../../daml/interpreter/input.js';
import type { ContractId } from '../../daml/model/values.js';

/** The rest of an id in the format of Canton, so that all code accepts it. */
const SUFFIX = `ca121220${'0'.repeat(64)}`;
const STEP_DIGITS = 12;
const SUBMISSION_DIGITS = 4;
const ORDER_DIGITS = 64 - STEP_DIGITS - SUBMISSION_DIGITS;
/** In place of a step number, for the contracts of the start state. */
const START = 2 ** 48 - 1;

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** The part of the contract ids of one submission that is the same for all its contracts. */
export const idPrefix = (step: number, submission: number): string =>
  `00${hex(step, STEP_DIGITS)}${hex(submission, SUBMISSION_DIGITS)}`;

/** The id of a contract of the start state. @param place its place in the order of creation */
export const startId = (place: number): ContractId => contractId(idPrefix(START, 0), place);

const contractId = (prefix: string, place: number): ContractId =>
  prefix + hex(place, ORDER_DIGITS) + SUFFIX;

export class FuzzInterpreter extends Interpreter {
  private created = 0;

  constructor(
    input: InterpreterInput,
    private readonly prefix: string,
  ) {
    super(input);
  }

  protected override newContractId(): ContractId {
    return contractId(this.prefix, this.created++);
  }
}
