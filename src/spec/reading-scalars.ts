/** The scalars of a request and the texts with which the real servers refuse them. */
import { typeReferenceFormFault } from '../daml/model/identifiers.js';
import { isBase64 } from '../daml/model/scans.js';
import type { Read } from './reading.js';
import { refuse, wrongType } from './reading-words.js';

/** Why a text is no time, where it is none. */
export type TimeFault = (text: string) => string | undefined;

/** A text that is more than a text. */
export type TextKind =
  | { kind: 'bytes' }
  | { kind: 'identifier' }
  | { kind: 'timestamp'; fault: TimeFault }
  | { kind: 'enum'; values: readonly string[]; name?: string };

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const INT_NAMES: Readonly<Record<string, string>> = { int8: 'Int', int32: 'Int', int64: 'Long' };
const INT_LIMITS: Readonly<Record<string, number>> = {
  int8: 2 ** 31,
  int32: 2 ** 31,
  int64: Number.MAX_SAFE_INTEGER,
};

/**
 * A whole number, given as a number or as a text that is one.
 * NOTE: beyond 2^53 - 1 a number in JSON has already lost digits here, so it is refused; a participant would take it.
 */
export function integerReader(format = 'int64'): Read {
  const name = INT_NAMES[format] ?? 'Long';
  const limit = INT_LIMITS[format] ?? Number.MAX_SAFE_INTEGER;
  const highest = limit === 2 ** 31 ? limit - 1 : limit;
  return (value, path, faults) => {
    const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number))
      return refuse(faults, name, path);
    return number < -limit || number > highest ? refuse(faults, name, path) : number;
  };
}

export function textReader(kind: TextKind | undefined): Read {
  return (value, path, faults) => {
    if (typeof value !== 'string') return refuse(faults, wrongType(value, 'string'), path);
    const reason = kind && textFault(kind, value);
    return reason === undefined ? value : refuse(faults, reason, path);
  };
}

function textFault(kind: TextKind, text: string): string | undefined {
  switch (kind.kind) {
    case 'bytes':
      return isBase64(text) ? undefined : `The string is not a valid Base64: ${text}`;
    case 'identifier':
      return typeReferenceFormFault(text);
    case 'timestamp':
      return kind.fault(text);
    case 'enum':
      return enumFault(kind, text);
  }
}

/** `UNRECOGNIZED` reads as the unknown value where the enum is one of protobuf's (B-GEN-025). */
function enumFault(
  kind: { values: readonly string[]; name?: string },
  text: string,
): string | undefined {
  if (kind.values.includes(text)) return undefined;
  if (kind.name !== undefined) return `${text} not member of ${kind.name}`;
  if (text === 'UNRECOGNIZED') return undefined;
  return `Unrecognized enum value ${text}. Supported values: [${kind.values.join(', ')}]`;
}
