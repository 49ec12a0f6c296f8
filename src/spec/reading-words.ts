/** The errors that all parts of the reader report for an unreadable value and its path. */
import type { Issue } from './reading.js';

export const MISSING_FIELD = 'Missing required field';

/** Notes an error; nothing was read. */
export function refuse(errors: Issue[], reason: string, path: string): undefined {
  errors.push({ reason, path });
}

export const join = (path: string, name: string): string =>
  path === '' ? name : `${path}.${name}`;

export const wrongType = (value: unknown, expected: string): string =>
  `Got value '${quoted(value)}' with wrong type, expecting ${expected}`;

/** A value as the real error texts quote it. A value that nests too deeply for printing is quoted by its kind. */
function quoted(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? '[...]' : '{...}';
  }
}

/** An own member, never one that every object inherits. */
export function member(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
