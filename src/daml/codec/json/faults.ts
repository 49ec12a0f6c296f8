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
  private readonly path: (string | number)[] = ['', '', '', ''];
  private steps = 0;
  private byValidator: LedgerError | undefined;
  private byPreprocessor: LedgerError | undefined;

  /** @param isFromLast whether the fields of a record are read from the last to the first */
  constructor(
    private readonly root: string,
    readonly isFromLast = false,
  ) {}

  /** How many values enclose the one that is being read. */
  depth = 0;

  enter(step: string | number): void {
    this.path[this.steps++] = step;
  }

  leave(): void {
    this.steps -= 1;
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
    const cause = `Unexpected case: ${name}`;
    return this.unexpected(
      cause,
      `java.lang.Exception: ${cause}`,
      `"${name}" is no constructor of the enum.${didYouMean(name, known)}`,
    );
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
    const reason = `${render(json)} is not a valid numeric value`;
    return this.fromJson(
      'INVALID_ARGUMENT',
      invalidArguments(reason),
      'expected a decimal as a string or number',
    );
  }

  badVariant(reason: string): LedgerError {
    return this.fromJson('INVALID_ARGUMENT', invalidArguments(reason), reason);
  }

  /**
   * @param given the members that are not null
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
    const cause = `Missing non-optional fields: ${scalaSet(names, { largest: required.length })}`;
    const missing = names.map((name) => {
      const misspelt = nearest(name, strangers);
      return misspelt === undefined ? name : `${name} (there is "${misspelt}")`;
    });
    return this.fromJson('COMMAND_PREPROCESSING_FAILED', cause, `missing ${missing.join(', ')}`);
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
