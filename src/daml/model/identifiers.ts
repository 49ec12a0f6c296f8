/**
 * The lexical rules of Daml-LF names and ids (B-ID-001 to B-ID-011). Each rule returns the ledger's error for a text, or undefined.
 * `require…` throws the Ledger API's MISSING_FIELD, INVALID_FIELD or INVALID_ARGUMENT.
 */
import { ledgerError, type LedgerError } from '../errors/ledger-error.js';
import { withoutTrailing } from './scans.js';

/** Returns the error for an invalid text; undefined for a valid one. */
export type TextRule = (text: string) => string | undefined;

const ALPHANUMERIC = 'A-Za-z0-9';

function charset(description: string, extra: string, longest: number): TextRule {
  const foreign = new RegExp(`[^${ALPHANUMERIC}${extra}]`);
  return (text) => {
    if (text.length === 0) return `${description} is empty`;
    if (text.length > longest) return `${description} is too long (max: ${longest})`;
    const found = foreign.exec(text)?.[0];
    return found === undefined
      ? undefined
      : `non expected character ${hex(found)} in ${description} "${text}"`;
  };
}

/** Caches the valid texts of a rule, up to a maximum number, for rules that get the same texts repeatedly. */
function cachedRule(rule: TextRule): TextRule {
  const cache = new Set<string>();
  return (text) => {
    if (cache.has(text)) return undefined;
    const error = rule(text);
    if (error !== undefined) return error;
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.add(text);
    return undefined;
  };
}

const MAX_CACHED = 10_000;

/** Command, submission, workflow and update ids (B-ID-001). */
export const ledgerStringError = charset('Daml-LF Ledger String', '._:\\-#/ ', 255);
export const partyError = cachedRule(charset('Daml-LF Party', ':\\-_ ', 255));
export const packageIdError = charset('Daml-LF Package ID', '\\-_ ', 64);
export const packageNameError = charset('Daml-LF Package Name', '\\-_', 255);

const USER_ID = "[a-zA-Z0-9@^$.!`\\-#+'~_|:\\(\\)]{1,128}";
const USER_ID_PATTERN = new RegExp(`^${USER_ID}$`);

export const userIdError: TextRule = (text) =>
  USER_ID_PATTERN.test(text) ? undefined : `User ID "${text}" does not match regex "${USER_ID}"`;

const NAME = /^[A-Za-z$_][A-Za-z0-9$_]*$/;

/** Fields, constructors, choices and the parts of module and entity names (B-ID-008). */
export const nameError: TextRule = (text) => {
  // A quick check for valid names, which almost all are.
  if (text.length <= 1000 && NAME.test(text)) return undefined;
  if (text.length === 0) return 'Daml-LF Name is empty';
  if (text.length > 1000) return 'Name is too long (max: 1000)';
  if (!/^[A-Za-z$_]/.test(text))
    return `non expected first character ${hex(text)} in Daml-LF Name "${text}"`;
  const found = /[^A-Za-z0-9$_]/.exec(text)?.[0];
  return found === undefined
    ? undefined
    : `non expected non first character ${hex(found)} in Daml-LF Name "${text}"`;
};

const DOTTED_NAME = /^[A-Za-z$_][A-Za-z0-9$_]*(?:\.[A-Za-z$_][A-Za-z0-9$_]*)*$/;

/** Module and entity names: names separated by dots. */
export const dottedNameError: TextRule = (text) => {
  // A quick check for valid names, which almost all are.
  if (text.length <= 1000 && DOTTED_NAME.test(text)) return undefined;
  if (text.length === 0) return 'Expected a non-empty string';
  for (const part of text.split('.')) {
    const error = nameError(part);
    if (error !== undefined) return error;
  }
  return text.length > 1000 ? 'DottedName is too long (max: 1000)' : undefined;
};

/** `#name` or a package id. */
export const packageReferenceError: TextRule = (text) =>
  text.startsWith('#') ? packageNameError(text.slice(1)) : packageIdError(text);

/** `1220` and 64 lower-case hexadecimal digits (B-ID-010). NOTE: this is our text, because no request is refused for it. */
export const fingerprintError: TextRule = (text) =>
  /^1220[0-9a-f]{64}$/.test(text)
    ? undefined
    : `Invalid fingerprint \`${text}\`: expected 1220 and 64 hexadecimal digits`;

const LONGEST_IDENTIFIER = 185;
const LONGEST_FINGERPRINT = 68;

/** The part before `::` of a party, participant or synchronizer id (B-ID-009), and party hints (B-ID-004). */
export const identifierError: TextRule = (text) => {
  const error = wordError(text);
  if (error !== undefined) return error;
  return text.length > LONGEST_IDENTIFIER ? tooLong('string', LONGEST_IDENTIFIER, text) : undefined;
};

/** `<identifier>::<namespace>` (B-ID-009, B-ID-011). The namespace of a real id is a fingerprint, but any short text is valid. */
export const uniqueIdentifierError: TextRule = cachedRule((text) => {
  const delimiter = text.indexOf('::');
  if (text.length === 0) return 'Empty string is not a valid unique identifier.';
  if (delimiter === 0) return `Invalid unique identifier \`${text}\` with empty identifier.`;
  if (delimiter < 0) return `Invalid unique identifier \`${text}\` with missing namespace.`;
  const identifier = identifierError(text.slice(0, delimiter));
  if (identifier !== undefined)
    return `Identifier decoding of \`${text.slice(0, 200)}\` failed with: ${identifier}`;
  const namespace = namespaceError(text.slice(delimiter + 2));
  return namespace === undefined
    ? undefined
    : `Fingerprint decoding of \`${text.slice(0, 200)}\` failed with: ${namespace}`;
});

/** For any text in place of a fingerprint; real fingerprints have stricter rules. */
export const anyFingerprintError: TextRule = (text) =>
  wordError(text) ??
  (text.length > LONGEST_FINGERPRINT
    ? `Invariant violation in field \`Fingerprint\`: ${tooLong('Fingerprint', LONGEST_FINGERPRINT, text)}`
    : undefined);

/** The same rule, with Canton's text for an error inside an id. */
const namespaceError: TextRule = (text) => {
  const error = wordError(text);
  if (error !== undefined) return `StringConversionError(${error},None)`;
  return text.length > LONGEST_FINGERPRINT
    ? `InvariantViolation(Some(Fingerprint),${tooLong('Fingerprint', LONGEST_FINGERPRINT, text)})`
    : undefined;
};

/** For either part of an id, without a limit of length. */
export const wordError: TextRule = (text) =>
  partyError(text) ??
  (text.includes('::') ? 'String contains reserved delimiter `::`.' : undefined);

/** @param name the kind of text */
export function tooLong(name: string, longest: number, text: string): string {
  const shown = text.length > longest + 50 ? `${text.slice(0, longest + 50)}...` : text;
  return `The given ${name} has a maximum length of ${longest} but a ${name} of length ${text.length} ('${shown}.') was given`;
}

export function missingField(field: string): LedgerError {
  return ledgerError('MISSING_FIELD', {
    cause: `The submitted command is missing a mandatory field: ${field}`,
    context: { field_name: field },
  });
}

export function invalidField(field: string, reason: string): LedgerError {
  return ledgerError('INVALID_FIELD', {
    cause: `The submitted command has a field with invalid value: Invalid field ${field}: ${reason}`,
  });
}

export function invalidArgument(reason: string): LedgerError {
  return ledgerError('INVALID_ARGUMENT', {
    cause: `The submitted request has invalid arguments: ${reason}`,
  });
}

/** Returns a valid text. An empty text is a missing field. */
export function requireField(rule: TextRule, text: string, field: string): string {
  if (text.length === 0) throw missingField(field);
  const error = rule(text);
  if (error !== undefined) throw invalidField(field, error);
  return text;
}

/** For texts that are not separate fields, such as the members of a party list. */
export function requireArgument(rule: TextRule, text: string): string {
  const error = rule(text);
  if (error !== undefined) throw invalidArgument(error);
  return text;
}

export const checkLedgerString = (text: string, field: string): string =>
  requireField(ledgerStringError, text, field);
export const checkUserId = (text: string, field: string): string =>
  requireField(userIdError, text, field);

export interface TypeReference {
  /** A package id, or `#` and a package name. */
  readonly packageReference: string;
  readonly module: string;
  readonly entity: string;
}

/**
 * The error for a text that is not `<package>:<module>:<entity>`. The JSON layer refuses such a body before all other checks (B-GEN-022).
 * The parts are checked later.
 */
export const typeReferenceFormError: TextRule = (text) =>
  separatorsIn(withoutTrailing(text, ':')) === 2
    ? undefined
    : `Invalid identifier format (${text}) not matching the expected format (<package>:<moduleName>:<entityName>)`;

/** The size of a cache, because clients use the same few types repeatedly. */
const MAX_KNOWN_REFERENCES = 1000;
const knownReferences = new Map<string, TypeReference>();

/**
 * Parses `<package id>:<Module.Path>:<Entity>` or `#<package name>:…`, as requests name templates and interfaces. Throws the ledger's error
 * for each invalid part.
 */
export function parseTypeReference(text: string): TypeReference {
  let reference = knownReferences.get(text);
  if (reference !== undefined) return reference;
  reference = readTypeReference(text);
  if (knownReferences.size >= MAX_KNOWN_REFERENCES) knownReferences.clear();
  knownReferences.set(text, reference);
  return reference;
}

function readTypeReference(text: string): TypeReference {
  // Parts may be empty, because a request that is not text has empty parts for missing fields.
  const parts = text.split(':');
  if (parts.length !== 3)
    throw invalidArgument(typeReferenceFormError(text) ?? typeReferenceFormError('')!);
  const [packageReference, module, entity] = parts as [string, string, string];
  for (const [name, part] of [
    ['module_name', module],
    ['entity_name', entity],
  ] as const) {
    const error = dottedNameError(part);
    if (error !== undefined) throw invalidField(name, error);
  }
  const problem = packageReferenceError(packageReference);
  if (problem !== undefined) throw invalidField('package reference', problem);
  return { packageReference, module, entity };
}

/** The parts of a text in that form, without further checks. */
export function partsOfReference(
  text: string,
): readonly [packageReference: string, module: string, entity: string] {
  return splitReference(text) as [string, string, string];
}

/** Splits like the JVM: empty parts at the end do not count. */
function splitReference(text: string): readonly string[] {
  return withoutTrailing(text, ':').split(':');
}

function separatorsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

function hex(text: string): string {
  return `0x${text.charCodeAt(0).toString(16)}`;
}
