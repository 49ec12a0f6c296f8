/**
 * The errors of a Daml value's JSON, with Canton's error for each. Errors that the JSON layer finds are thrown at
 * once. The ledger behind it has a validator, then a preprocessor. Their errors count only if the JSON is valid, so
 * the reader notes the first of each.
 */
import { nearest } from '../../errors/edit-distance.js';
import {
  ledgerError,
  type LedgerError,
  type LedgerErrorDetails,
} from '../../errors/ledger-error.js';
import { JsonLayerError } from './json-layer.js';
import { NO_VALUE_RULES, type ValueRules } from './value-rules.js';
import { didYouMean } from '../name-hints.js';
import { jsonDouble } from '../java-number.js';
import { isJsonObject } from '../../model/own-members.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import { scalaOrder, textHash } from '../../errors/scala-order.js';
import { scalaSet } from '../../errors/scala-text.js';
import { isError } from '../../errors/realms.js';

/** The kinds of JSON as the JSON layer names them in its messages. */
export type JsonKind = 'Str' | 'Bool' | 'Arr' | 'Obj';

const KIND_NAMES: Readonly<Record<JsonKind, string>> = {
  Str: 'a string',
  Bool: 'true or false',
  Arr: 'an array',
  Obj: 'an object',
};

/** One reading of one value: the current position, and the errors that the ledger would refuse later. */
export class JsonReading {
  /** The current path: the first {@link steps} elements. It is long enough for most values, so it rarely grows. */
  private path: (string | number)[] = ['', '', '', ''];
  private steps = 0;
  private byValidator: LedgerError | undefined;
  private byPreprocessor: LedgerError | undefined;

  /** The items of lists and maps that are read last, in their order. */
  private deferred: (() => void)[] | undefined;

  /**
   * @param isOfLayer whether it finds the error that the JSON layer finds first. Most releases read the fields of a
   * record from the last to the first. A release that reads them in order reads the items of lists and maps last.
   */
  constructor(
    private readonly root: string,
    readonly rules: ValueRules = NO_VALUE_RULES,
    isOfLayer = false,
  ) {
    this.isFromLast = isOfLayer && !rules.readsFieldsInOrder;
    if (isOfLayer && rules.readsFieldsInOrder) this.deferred = [];
  }

  /** Whether the fields of a record are read from the last to the first. */
  readonly isFromLast: boolean;

  /** How many values enclose the one that is being read. */
  depth = 0;

  enter(step: string | number): void {
    this.path[this.steps++] = step;
  }

  leave(): void {
    this.steps -= 1;
  }

  /** Reads the items of a list or map; or later, if this reading defers them. Then no caller uses the result. */
  each<T, R>(items: readonly T[], read: (item: T, index: number) => R): R[] {
    if (this.deferred === undefined) return items.map(read);
    const { depth } = this;
    const path = this.path.slice(0, this.steps);
    this.deferred.push(() => {
      for (const [index, item] of items.entries()) {
        this.path = [...path];
        this.steps = path.length;
        this.depth = depth;
        read(item, index);
        this.readDeferred();
      }
    });
    return [];
  }

  /** Reads the items that were deferred, each with the items inside it. */
  readDeferred(): void {
    const { deferred } = this;
    if (deferred === undefined) return;
    this.deferred = [];
    for (const read of deferred) read();
  }

  /** The ledger's error for valid JSON. The validator's errors come before the preprocessor's. */
  get refusal(): LedgerError | undefined {
    return this.byValidator ?? this.byPreprocessor;
  }

  /** The ledger's validator refuses it (INVALID_ARGUMENT). */
  noteInvalid(reason: string): void {
    this.byValidator ??= ledgerError('INVALID_ARGUMENT', {
      cause: invalidArguments(reason),
      explanation: this.explain(reason),
    });
  }

  /** The ledger's command preprocessing refuses it (COMMAND_PREPROCESSING_FAILED). */
  noteMismatch(reason: string): void {
    this.byPreprocessor ??= ledgerError('COMMAND_PREPROCESSING_FAILED', {
      cause: reason,
      explanation: this.explain(reason),
    });
  }

  wrongKind(expected: JsonKind, json: unknown): LedgerError {
    const cause = `Expected ujson.${expected} (data: ${render(json)})`;
    return this.unexpected(
      cause,
      `ujson.Value$InvalidData: ${cause}`,
      `expected ${KIND_NAMES[expected]}`,
    );
  }

  unknownEnumConstructor(name: string, known: readonly string[]): LedgerError {
    if (this.rules.looksUpConstructors) return this.unknownCase(name, 'enum', known);
    const cause = `Unexpected case: ${name}`;
    return this.unexpected(
      cause,
      `java.lang.Exception: ${cause}`,
      noConstructor(name, 'enum', known),
    );
  }

  /** A constructor that is not in the map of all constructors. */
  unknownCase(name: string, kind: 'enum' | 'variant', known: readonly string[]): LedgerError {
    return this.keyNotFound(name, noConstructor(name, kind, known));
  }

  /** A lookup in a map that does not contain the key. */
  keyNotFound(key: string, hint: string): LedgerError {
    const cause = `key not found: ${key}`;
    return this.unexpected(cause, `java.util.NoSuchElementException: ${cause}`, hint);
  }

  missingElement(index: number, length: number): LedgerError {
    const cause = `${index} is out of bounds (min 0, max ${length - 1})`;
    return this.unexpected(
      cause,
      `java.lang.IndexOutOfBoundsException: ${cause}`,
      'a map entry is [key, value]',
    );
  }

  unparsableTime(cause: string, expected: string): LedgerError {
    return this.unexpected(
      cause,
      `java.time.format.DateTimeParseException: ${cause}`,
      `expected ${expected}`,
    );
  }

  noValues(name: string): LedgerError {
    const cause = 'Failed to decode payload of unknown type';
    return this.unexpected(cause, `java.lang.RuntimeException: ${cause}`, `${name} has no values`);
  }

  badNumber(text: string): LedgerError {
    return this.fromJson(
      'INVALID_ARGUMENT',
      invalidArguments(`For input string: "${text}"`),
      'expected a 64-bit integer',
    );
  }

  badNumericKind(json: unknown): LedgerError {
    return this.badKindOfNumber(json, 'numeric', 'expected a decimal as a string or number');
  }

  badIntKind(json: unknown): LedgerError {
    return this.badKindOfNumber(json, 'Int64', 'expected an integer as a string or number');
  }

  private badKindOfNumber(json: unknown, type: string, hint: string): LedgerError {
    const reason = `${render(json)} is not a valid ${type} value`;
    return this.fromJson('INVALID_ARGUMENT', invalidArguments(reason), hint);
  }

  badVariant(reason: string): LedgerError {
    return this.fromJson('INVALID_ARGUMENT', invalidArguments(reason), reason);
  }

  /**
   * @param given the members that count: those that are not null, or all of them
   * @param known the fields that the record has
   */
  unexpectedMembers(given: readonly string[], known: readonly string[]): LedgerError {
    const unexpected = given.filter((name) => !known.includes(name));
    const names = scalaOrder(unexpected, textHash, given.length);
    // NOTE: the real message also has no separator between the names.
    const cause = invalidArguments(`Unexpected fields: ${names.join('')}`);
    return this.fromJson(
      'INVALID_ARGUMENT',
      cause,
      `the record has no ${names.map((name) => `"${name}"`).join(', ')}.${didYouMean(names[0]!, known)}`,
    );
  }

  /**
   * @param required the fields that the record must have (B-VAL-035)
   * @param strangers members that are not fields: they often contain the missing field, misspelt
   */
  missingMembers(
    names: readonly string[],
    required: readonly string[],
    strangers: readonly string[],
  ): LedgerError {
    const set = scalaSet(names, { largest: required.length });
    return this.missing(`fields: ${set}`, names, strangers);
  }

  /** The first missing field of a record whose fields are read in order. */
  missingMember(name: string, strangers: readonly string[]): LedgerError {
    return this.missing(`field: ${name}`, [name], strangers);
  }

  private missing(
    text: string,
    names: readonly string[],
    strangers: readonly string[],
  ): LedgerError {
    const missing = names.map((name) => {
      const misspelt = nearest(name, strangers);
      return misspelt === undefined ? name : `${name} (there is "${misspelt}")`;
    });
    return this.fromJson(
      'COMMAND_PREPROCESSING_FAILED',
      `Missing non-optional ${text}`,
      `missing ${missing.join(', ')}`,
    );
  }

  private unexpected(cause: string, exception: string, hint: string): LedgerError {
    return this.fromJson('LEDGER_API_INTERNAL_ERROR', cause, hint, {
      throwableO: `Some(${exception})`,
    });
  }

  private fromJson(
    code: ErrorCode,
    cause: string,
    hint: string,
    context?: LedgerErrorDetails['context'],
  ): LedgerError {
    return new JsonLayerError(code, { cause, context, explanation: this.explain(hint) });
  }

  private explain(hint: string): string {
    let path = this.root;
    for (const step of this.path.slice(0, this.steps)) {
      path += typeof step === 'number' ? `[${step}]` : path === '' ? step : `.${step}`;
    }
    return path === '' ? hint : `${path}: ${hint}`;
  }
}

const noConstructor = (name: string, kind: 'enum' | 'variant', known: readonly string[]): string =>
  `"${name}" is no constructor of the ${kind}.${didYouMean(name, known)}`;

function invalidArguments(reason: string): string {
  return `The submitted request has invalid arguments: ${reason}`;
}

/**
 * Shows a value in an error. Values from the same process may not be JSON. Deeply nested values are shown by their
 * kind.
 */
function render(json: unknown): string {
  try {
    return printed(json);
  } catch (error) {
    if (isError(error, 'RangeError')) return Array.isArray(json) ? '[...]' : '{...}';
    throw error;
  }
}

function printed(json: unknown): string {
  if (typeof json === 'number' || typeof json === 'bigint') return printedNumber(Number(json));
  if (Array.isArray(json)) return `[${json.map(printed).join(',')}]`;
  if (isJsonObject(json)) {
    const members = Object.entries(json).filter(([, value]) => value !== undefined);
    return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${printed(value)}`).join(',')}}`;
  }
  return JSON.stringify(json) ?? 'null';
}

const printedNumber = (value: number): string =>
  Number.isFinite(value) ? jsonDouble(value) : JSON.stringify(String(value));
