/**
 * The errors that a participant finds in a message of its admin API while it parses it, before any lookup. Some
 * services print the error in Scala's format, others print its message.
 */
import { ProtobufError } from '../../../daml/codec/protobuf/reading.js';
import { scalaList } from '../../../daml/errors/scala-text.js';

/** Thrown by functions that parse messages. */
export class ConversionError extends Error {
  /** @param printed in Scala's format @param message its message */
  constructor(
    readonly printed: string,
    message: string,
  ) {
    super(message);
  }
}

export const fieldNotSet = (field: string): ConversionError =>
  new ConversionError(`FieldNotSet(${field})`, `Field \`${field}\` is not set`);

export const valueConversion = (field: string, error: string): ConversionError =>
  new ConversionError(
    `ValueConversionError(${field},${error})`,
    `Unable to convert field \`${field}\`: ${error}`,
  );

/** @param field the field that the error names, if any */
export const stringConversion = (error: string, field?: string): ConversionError =>
  field === undefined
    ? new ConversionError(`StringConversionError(${error},None)`, error)
    : new ConversionError(
        `StringConversionError(${error},Some(${field}))`,
        `Unable to parse string in ${field}: ${error}`,
      );

export const invariantViolation = (field: string, error: string): ConversionError =>
  new ConversionError(
    `InvariantViolation(Some(${field}),${error})`,
    `Invariant violation in field \`${field}\`: ${error}`,
  );

/** @param value its name, if it has one, otherwise its number @param known the known values, if the error lists them */
export const unrecognizedEnum = (
  field: string,
  value: string,
  known: readonly string[] = [],
): ConversionError =>
  new ConversionError(
    `UnrecognizedEnum(${field},${value},${scalaList(known)})`,
    `Unrecognized value \`${value}\` in enum field \`${field}\``,
  );

export const unrecognizedField = (error: string): ConversionError =>
  new ConversionError(`UnrecognizedField(${error})`, error);

export const timestampConversion = (error: string): ConversionError =>
  new ConversionError(`TimestampConversionError(${error})`, error);

/** The error for an invalid key. */
const cryptoError = (error: string): ConversionError =>
  new ConversionError(`CryptoDeserializationError(CryptoParseAndValidationError(${error}))`, error);

export const otherError = (error: string): ConversionError =>
  new ConversionError(`OtherError(${error})`, error);

const BYTES = 'com.google.protobuf.InvalidProtocolBufferException';
const WIRE_TYPE = 'Protocol message tag had invalid wire type.';
/** The texts of protobuf's JVM library for bytes that are not a valid message. */
const OF_BYTES = /^(Protocol message|While parsing a protocol message|CodedInputStream)/;

const isOfBytes = (error: string): boolean => OF_BYTES.test(error);

const bufferException = (error: string): ConversionError =>
  new ConversionError(
    `BufferException(${BYTES}${error === WIRE_TYPE ? '$InvalidWireTypeException' : ''}: ${error})`,
    error,
  );

/** An error without a standard form. */
export const plainError = (error: string): ConversionError => new ConversionError(error, error);

/** Texts about the keys of a mapping: too many keys, or a repeated key. */
const OF_KEYS =
  /^(All (signing )?keys must be unique|(Invalid PartyToParticipant: )?At most \d+ key)/;

/** Runs code that reads bytes. Throws a ConversionError. */
export function ofError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ProtobufError ? conversionOf(error.message) : error;
  }
}

/** The error with this text. @param error the error for invalid bytes of a message */
function conversionOf(error: string): ConversionError {
  const [, missing] = /^Field `(.*)` is not set$/.exec(error) ?? [];
  if (missing !== undefined) return fieldNotSet(missing);
  const [, unlike, why] = /^Unable to convert field `(.*?)`: (.*)$/s.exec(error) ?? [];
  if (unlike !== undefined) return valueConversion(unlike, why!);
  const [, value, type] = /^Unrecognized value `(.*)` in enum field `(.*)`$/.exec(error) ?? [];
  if (value !== undefined) return unrecognizedEnum(type!, value);
  const [, field, rule] = /^Invariant violation in field `(.*?)`: (.*)$/s.exec(error) ?? [];
  if (field !== undefined) return invariantViolation(field, rule!);
  if (/^(KeyParseAndValidateError|InvalidKeyUsage)\(/.test(error)) return cryptoError(error);
  if (OF_KEYS.test(error)) return new ConversionError(`InvariantViolation(None,${error})`, error);
  return isOfBytes(error) ? bufferException(error) : otherError(error);
}
