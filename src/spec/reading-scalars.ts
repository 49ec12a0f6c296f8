/** The scalars of a request and the texts with which the real servers refuse them. */
import { typeReferenceFormError } from '../daml/model/identifiers.js';
import { isBase64 } from '../daml/model/scans.js';
import type { Read } from './reading.js';
import { refuse, wrongType } from './reading-words.js';

/** The reason why a text is not a time; undefined if it is one. */
export type TimeError = (text: string) => string | undefined;

/** A text with a special format. */
export type TextKind =
  | { kind: 'bytes' }
  | { kind: 'identifier' }
  | { kind: 'timestamp'; error: TimeError }
  | { kind: 'enum'; values: readonly string[]; name?: string };

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const INT_NAMES: Readonly<Record<string, string>> = { int8: 'Int', int32: 'Int', int64: 'Long' };
const LONG = 'Long';

/** An integer, as a number or as a text. Beyond 2^53 it is a bigint (B-GEN-051). */
export function integerReader(format = 'int64'): Read {
  const name = INT_NAMES[format] ?? LONG;
  const bits = name === LONG ? 64 : 32;
  return (value, path, errors) => {
    const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number)) return refuse(errors, name, path);
    if (bits === 64 && Number.isSafeInteger(number)) return number;
    const whole = wholeNumber(value as number | string, number);
    if (BigInt.asIntN(bits, whole) !== whole) return refuse(errors, name, path);
    return bits === 32 ? number : whole;
  };
}

/** @param rounded the same with the digits that a number has */
function wholeNumber(given: number | string, rounded: number): bigint {
  const digits = typeof given === 'string' ? /^(-?\d+)(?:\.0+)?$/.exec(given)?.[1] : undefined;
  return BigInt(digits ?? rounded);
}

export function textReader(kind: TextKind | undefined): Read {
  return (value, path, errors) => {
    if (typeof value !== 'string') return refuse(errors, wrongType(value, 'string'), path);
    const reason = kind && textError(kind, value);
    if (reason === undefined) return value;
    errors.push(
      kind?.kind === 'identifier' ? { reason, path, identifier: value } : { reason, path },
    );
    return undefined;
  };
}

function textError(kind: TextKind, text: string): string | undefined {
  switch (kind.kind) {
    case 'bytes':
      return isBase64(text) ? undefined : `The string is not a valid Base64: ${text}`;
    case 'identifier':
      return typeReferenceFormError(text);
    case 'timestamp':
      return kind.error(text);
    case 'enum':
      return enumError(kind, text);
  }
}

export const UNRECOGNIZED = 'UNRECOGNIZED';

/** It reads as the unknown value if the enum comes from protobuf (B-GEN-025). */
function enumError(
  kind: { values: readonly string[]; name?: string },
  text: string,
): string | undefined {
  if (kind.values.includes(text)) return undefined;
  if (kind.name !== undefined) return `${text} not member of ${kind.name}`;
  if (text === UNRECOGNIZED) return undefined;
  return `Unrecognized enum value ${text}. Supported values: [${kind.values.join(', ')}]`;
}
