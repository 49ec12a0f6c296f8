/**
 * The errors that a participant finds in a message of its admin API while it parses it, before any lookup. Some
 * services print the error in Scala's format, others print its message.
 */
import { ProtoFault } from '../../../daml/codec/protobuf/reading.js';
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

export const valueConversion = (field: string, fault: string): ConversionError =>
  new ConversionError(
    `ValueConversionError(${field},${fault})`,
    `Unable to convert field \`${field}\`: ${fault}`,
  );

/** @param field the field that the error names, if any */
export const stringConversion = (fault: string, field?: string): ConversionError =>
  field === undefined
    ? new ConversionError(`StringConversionError(${fault},None)`, fault)
    : new ConversionError(
        `StringConversionError(${fault},Some(${field}))`,
        `Unable to parse string in ${field}: ${fault}`,
      );

export const invariantViolation = (field: string, fault: string): ConversionError =>
  new ConversionError(
    `InvariantViolation(Some(${field}),${fault})`,
    `Invariant violation in field \`${field}\`: ${fault}`,
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

export const unrecognizedField = (fault: string): ConversionError =>
  new ConversionError(`UnrecognizedField(${fault})`, fault);

export const timestampConversion = (fault: string): ConversionError =>
  new ConversionError(`TimestampConversionError(${fault})`, fault);

/** The error for an invalid key. */
const cryptoError = (fault: string): ConversionError =>
  new ConversionError(`CryptoDeserializationError(CryptoParseAndValidationError(${fault}))`, fault);

export const otherError = (fault: string): ConversionError =>
  new ConversionError(`OtherError(${fault})`, fault);

const BYTES = 'com.google.protobuf.InvalidProtocolBufferException';
const WIRE_TYPE = 'Protocol message tag had invalid wire type.';
/** The texts of protobuf's JVM library for bytes that are not a valid message. */
const OF_BYTES = /^(Protocol message|While parsing a protocol message|CodedInputStream)/;

const isOfBytes = (fault: string): boolean => OF_BYTES.test(fault);

const bufferException = (fault: string): ConversionError =>
  new ConversionError(
    `BufferException(${BYTES}${fault === WIRE_TYPE ? '$InvalidWireTypeException' : ''}: ${fault})`,
    fault,
  );

/** An error without a standard form. */
export const plainError = (fault: string): ConversionError => new ConversionError(fault, fault);

/** Of the keys of a mapping: too many, or one of them repeated. */
const OF_KEYS =
  /^(All (signing )?keys must be unique|(Invalid PartyToParticipant: )?At most \d+ key)/;

/** Runs what reads bytes. Throws a ConversionError. */
export function ofFault<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ProtoFault ? conversionOf(error.message) : error;
  }
}

/** The error with this text. @param fault of bytes that are no such message */
function conversionOf(fault: string): ConversionError {
  const [, missing] = /^Field `(.*)` is not set$/.exec(fault) ?? [];
  if (missing !== undefined) return fieldNotSet(missing);
  const [, unlike, why] = /^Unable to convert field `(.*?)`: (.*)$/s.exec(fault) ?? [];
  if (unlike !== undefined) return valueConversion(unlike, why!);
  const [, value, type] = /^Unrecognized value `(.*)` in enum field `(.*)`$/.exec(fault) ?? [];
  if (value !== undefined) return unrecognizedEnum(type!, value);
  const [, field, rule] = /^Invariant violation in field `(.*?)`: (.*)$/s.exec(fault) ?? [];
  if (field !== undefined) return invariantViolation(field, rule!);
  if (/^(KeyParseAndValidateError|InvalidKeyUsage)\(/.test(fault)) return cryptoError(fault);
  if (OF_KEYS.test(fault)) return new ConversionError(`InvariantViolation(None,${fault})`, fault);
  return isOfBytes(fault) ? bufferException(fault) : otherError(fault);
}
