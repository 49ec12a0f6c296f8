/** The lexical rules of Daml-LF names, with the texts that an error is refused with. */
import { packageVersionError } from '../model/versions.js';
import { duplicateDefinition, parseError } from './dar-refusals.js';

const MAX_NAME_LENGTH = 1000;
const MAX_PACKAGE_NAME_LENGTH = 255;
const MAX_PACKAGE_ID_LENGTH = 64;

const hex = (char: string): string => `0x${char.charCodeAt(0).toString(16)}`;

/** A segment of a dotted name, a field, a choice, a variable. */
export function checkName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH && /^[A-Za-z$_][A-Za-z0-9$_]*$/.test(name)) return name;
  if (name === '') throw parseError('Daml-LF Name is empty');
  if (name.length > MAX_NAME_LENGTH) {
    throw parseError(`Name is too long (max: ${MAX_NAME_LENGTH})`);
  }
  if (!/^[A-Za-z$_]/.test(name)) {
    throw parseError(`non expected first character ${hex(name)} in Daml-LF Name "${name}"`);
  }
  const illegal = /[^A-Za-z0-9$_]/.exec(name);
  if (illegal) {
    throw parseError(
      `non expected non first character ${hex(illegal[0])} in Daml-LF Name "${name}"`,
    );
  }
  return name;
}

/** @param segments that were checked */
export function joinSegments(segments: readonly string[]): string {
  if (segments.length === 0) throw parseError('No segments provided');
  const name = segments.join('.');
  if (name.length > MAX_NAME_LENGTH) {
    throw parseError(`DottedName is too long (max: ${MAX_NAME_LENGTH})`);
  }
  return name;
}

function checkCharacters(description: string, text: string, illegal: RegExp, max: number): string {
  if (text === '') throw parseError(`${description} is empty`);
  if (text.length > max) throw parseError(`${description} is too long (max: ${max})`);
  const found = illegal.exec(text);
  if (found !== null)
    throw parseError(`non expected character ${hex(found[0])} in ${description} "${text}"`);
  return text;
}

export function checkPackageId(id: string): string {
  return checkCharacters('Daml-LF Package ID', id, /[^A-Za-z0-9\-_ ]/, MAX_PACKAGE_ID_LENGTH);
}

export function checkPackageName(name: string): string {
  return checkCharacters('Daml-LF Package Name', name, /[^A-Za-z0-9\-_]/, MAX_PACKAGE_NAME_LENGTH);
}

export function checkPackageVersion(version: string): string {
  const error = packageVersionError(version);
  if (error !== undefined) throw parseError(error);
  return version;
}

/** @throws LedgerError where two have one name */
export function unique<Key, Value>(
  entries: Iterable<readonly [Key, Value]>,
  what: string,
): ReadonlyMap<Key, Value> {
  const map = new Map<Key, Value>();
  for (const [key, value] of entries) {
    if (map.has(key)) throw definedTwice(what, String(key));
    map.set(key, value);
  }
  return map;
}

export function definedTwice(what: string, name: string): Error {
  return duplicateDefinition(`The ${what} '${name}' is defined twice.`);
}
