/**
 * The interpreter of a fuzzed ledger: the ids of new contracts depend only on the step, the name of the
 * template, and the order of creation.
 * So they do not depend on the package, and another version of a model can run the same steps.
 */
import { Interpreter } from '../../daml/interpreter/interpreter.js';
import type { InterpreterInput } from '../../daml/interpreter/input.js';
import { sha256Hex } from '../../daml/model/hash.js';
import type { Template } from '../../daml/model/package.js';
import { remembered } from '../../daml/model/remembered.js';
import { qualifiedNameOf, type QualifiedName } from '../../daml/model/types.js';
import type { ContractId } from '../../daml/model/values.js';

/** The rest of an id in the format of Canton, so that all code accepts it. */
const SUFFIX = `ca121220${'0'.repeat(64)}`;
const STEP_DIGITS = 12;
const SUBMISSION_DIGITS = 4;
const NAME_DIGITS = 16;
const NO_NAME = '0'.repeat(NAME_DIGITS);
const ORDER_DIGITS = 64 - STEP_DIGITS - SUBMISSION_DIGITS - NAME_DIGITS;
/** In place of a step number, for the contracts of the start state. */
const START = 2 ** 48 - 1;

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** The part of the contract ids of one submission that is the same for all its contracts. */
export const idPrefix = (step: number, submission: number): string =>
  `00${hex(step, STEP_DIGITS)}${hex(submission, SUBMISSION_DIGITS)}`;

/** The id of a contract of the start state. @param place its place in the order of creation */
export const startId = (place: number): ContractId =>
  contractId(idPrefix(START, 0), NO_NAME, place);

/** Digits of the template's name, so that commands on another template can be removed from a submission. */
const digestOf = remembered((name: QualifiedName): string => sha256Hex(name).slice(0, NAME_DIGITS));

const contractId = (prefix: string, name: string, place: number): ContractId =>
  prefix + name + hex(place, ORDER_DIGITS) + SUFFIX;

export class FuzzInterpreter extends Interpreter {
  private readonly created = new Map<QualifiedName, number>();

  constructor(
    input: InterpreterInput,
    private readonly prefix: string,
  ) {
    super(input);
  }

  protected override newContractId({ id }: Template): ContractId {
    const name = qualifiedNameOf(id);
    const place = this.created.get(name) ?? 0;
    this.created.set(name, place + 1);
    return contractId(this.prefix, digestOf(name), place);
  }
}
