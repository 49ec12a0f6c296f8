/**
 * The evaluation of a script. Its value is in a free monad of questions: it has either ended or asks the next question.
 */
import {
  listToArray,
  Variant,
  type Cons,
  type RuntimeRecord,
} from '../daml/lf/runtime/runtime-values.js';
import { ScriptError, type ScriptPlace } from './failures.js';

export interface Question {
  readonly name: string;
  readonly version: number;
  readonly payload: RuntimeRecord;
  /** The places of the question, innermost first. */
  readonly places: readonly ScriptPlace[];
  /** A function from the answer to the next step. */
  readonly resume: unknown;
}

export type Step =
  | { readonly isDone: true; readonly result: unknown }
  | { readonly isDone: false; readonly question: Question };

const [PURE, FREE] = [0, 1];

/** @throws ScriptError if the value is not a step of a script */
export function stepOf(value: unknown): Step {
  if (!(value instanceof Variant)) throw notFree();
  const { t, v } = value as Variant & { v: RuntimeRecord };
  // The state of the monad is a unit.
  if (t === PURE) return { isDone: true, result: v['p0'] };
  const question = v['p0'] as RuntimeRecord | undefined;
  if (t !== FREE || question === undefined) throw notFree();
  const { p0: name, p1: version, p2: payload, p3: locations, p4: resume } = question;
  if (typeof name !== 'string' || typeof version !== 'number') throw notFree();
  const places = listToArray(locations as Cons).map(placeOf);
  return {
    isDone: false,
    question: { name, version, payload: payload as RuntimeRecord, places, resume },
  };
}

const notFree = () => new ScriptError('Expected Free Question or Pure');

/** `(Text, SrcLoc)`, as `DA.Stack` has it. */
export function placeOf(pair: unknown): ScriptPlace {
  const { p0: definition, p1: location } = pair as RuntimeRecord;
  const { p1: module, p3: line, p4: column } = location as RuntimeRecord;
  return {
    definition: definition as string,
    module: module as string,
    line: Number(line) + 1,
    column: Number(column) + 1,
  };
}

export const placeText = ({ module, line, column, definition }: ScriptPlace): string =>
  `${definition} at ${module}:${line}:${column}`;
