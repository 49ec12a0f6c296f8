/** What flags of several commands take: each refused here, where it cannot be meant, before anything starts. */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { ProtocolVersion } from '../network/protocol.js';
import { causeOf, CommandFailed } from './terminal.js';

export function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (value <= 65_535) return value;
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
}

export function seed(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError(`A seed is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
}

export function count(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value > 0 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('A number is a whole one from 1.');
}

export function milliseconds(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value > 0 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('A time to wait is a whole number of milliseconds from 1.');
}

export function instant(text: string): string {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,6})?Z$/.exec(text);
  // The round trip refuses what Date would quietly roll over, such as 30 February.
  const parsed = match ? new Date(`${match[1]}Z`) : undefined;
  const exists = parsed && !isNaN(parsed.getTime()) && parsed.toISOString().startsWith(match![1]!);
  if (exists) return text;
  throw new InvalidArgumentError('A time looks like 2026-01-01T00:00:00Z, in UTC.');
}

/** Like Canton, one flag may also hold several files with commas between them. */
export function append(text: string, previous: string[]): string[] {
  return [...previous, ...text.split(',').filter((file) => file !== '')];
}

/** What stands in a file. */
export function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`Failed to read '${path}': ${causeOf(error)}.`);
  }
}

/** @throws CommandFailed where it is no protocol version */
export function protocolVersionOf(text: string): ProtocolVersion {
  const found = ([34, 35] as const).find((each) => String(each) === text);
  if (found === undefined)
    throw new CommandFailed(`there is no protocol version ${text}: there are 34 and 35.`);
  return found;
}
