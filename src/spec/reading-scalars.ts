/** The scalars of a request and the texts with which the real servers refuse them. */
import type { Reading } from './reading.js';

/** A text that is more than a text. */
export type TextKind =
  | { kind: 'bytes' }
  | { kind: 'identifier' }
  | { kind: 'timestamp' }
  | { kind: 'enum'; values: readonly string[]; name?: string };

/** As java.util.Base64's basic decoder: padding may be missing, a single left-over character may not. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const INSTANT =
  /^[+-]?\d{4,10}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d{0,9})?)?(?:[Zz]|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)$/;
const INSTANT_SHAPE = [
  'd',
  'd',
  'd',
  'd',
  '-',
  'd',
  'd',
  '-',
  'd',
  'd',
  'T',
  'd',
  'd',
  ':',
  'd',
  'd',
  ':',
  'd',
  'd',
];
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const IDENTIFIER_FORM = '<package>:<moduleName>:<entityName>';

const INT_NAMES: Readonly<Record<string, string>> = { int8: 'Int', int32: 'Int', int64: 'Long' };
const INT_LIMITS: Readonly<Record<string, number>> = {
  int8: 2 ** 31,
  int32: 2 ** 31,
  int64: Number.MAX_SAFE_INTEGER,
};

const fault = (reason: string, path: string): Reading => ({ faults: [{ reason, path }] });

/** A value as the real texts quote it. One that nests too deeply to be printed is quoted by its kind. */
export function quoted(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? '[...]' : '{...}';
  }
}

/**
 * A whole number, given as a number or as a text that is one.
 * NOTE: beyond 2^53 - 1 a number in JSON has already lost digits here, so it is refused; a participant would take it.
 */
export function readInteger(format: string | undefined, value: unknown, path: string): Reading {
  const name = INT_NAMES[format ?? ''] ?? 'Long';
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return fault(name, path);
  const limit = INT_LIMITS[format ?? ''] ?? Number.MAX_SAFE_INTEGER;
  return number < -limit || number >= limit + (limit === 2 ** 31 ? 0 : 1)
    ? fault(name, path)
    : { value: number };
}

export function readText(kind: TextKind | undefined, value: unknown, path: string): Reading {
  if (typeof value !== 'string')
    return fault(`Got value '${quoted(value)}' with wrong type, expecting string`, path);
  const reason = kind && textFault(kind, value);
  return reason === undefined ? { value } : fault(reason, path);
}

function textFault(kind: TextKind, text: string): string | undefined {
  switch (kind.kind) {
    case 'bytes':
      return BASE64.test(text) ? undefined : `The string is not a valid Base64: ${text}`;
    case 'identifier':
      // Java's split drops empty parts at the end, so "a:b:" has two parts.
      return text.replace(/:+$/, '').split(':').length === 3
        ? undefined
        : `Invalid identifier format (${text}) not matching the expected format (${IDENTIFIER_FORM})`;
    case 'timestamp':
      return isInstant(text)
        ? undefined
        : `Text '${text}' could not be parsed at index ${instantFaultAt(text)}`;
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

export function isInstant(text: string): boolean {
  if (!INSTANT.test(text)) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
    text.match(/\d+/g) ?? []
  ).map(Number);
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, month - 1, day);
  return (
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  );
}

/** Where the text stops looking like a time. */
function instantFaultAt(text: string): number {
  for (const [index, shape] of INSTANT_SHAPE.entries()) {
    const character = text[index] ?? '';
    if (shape === 'd' ? !/\d/.test(character) : character.toUpperCase() !== shape)
      return shape === 'd' && index < 4 ? 0 : index;
  }
  return INSTANT_SHAPE.length < text.length ? INSTANT_SHAPE.length : 0;
}
