/** The interpreter of a fuzzed ledger: the ids of new contracts depend only on the step and the node. */
import { Interpreter } from '../../daml/interpreter/interpreter.js';
import type { InterpreterInput } from '../../daml/interpreter/input.js';
import type { Template } from '../../daml/model/package.js';
import type { ContractId } from '../../daml/model/values.js';

/** The rest of an id in the format of Canton, so that all code accepts it. */
const SUFFIX = `ca121220${'0'.repeat(64)}`;
const STEP_DIGITS = 12;
const SUBMISSION_DIGITS = 4;
const NODE_DIGITS = 64 - STEP_DIGITS - SUBMISSION_DIGITS;

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** The part of the contract ids of one submission that is the same for all its contracts. */
export const idPrefix = (step: number, submission: number): string =>
  `00${hex(step, STEP_DIGITS)}${hex(submission, SUBMISSION_DIGITS)}`;

export class FuzzInterpreter extends Interpreter {
  constructor(
    input: InterpreterInput,
    private readonly prefix: string,
  ) {
    super(input);
  }

  protected override newContractId(_template: Template, nodeId: number): ContractId {
    return this.prefix + hex(nodeId, NODE_DIGITS) + SUFFIX;
  }
}
