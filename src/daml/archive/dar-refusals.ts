/**
 * Errors for an uploaded DAR, with the codes, texts and context of Canton's archive reader and package validation. The readers in this
 * folder throw only these errors.
 */
import { ledgerError, type LedgerError } from '../errors/ledger-error.js';
import { scalaList, scalaSet } from '../errors/scala-text.js';
import type { PackageId } from '../model/types.js';

function darInfo(darName: string, entries: readonly string[]): string {
  // Canton's text has this closing brace.
  return `${darName}, content: [${entries.join(', ')}}]`;
}

/** The manifest is missing or incomplete. A file that is not a zip has no manifest either. */
export function invalidDar(
  entries: readonly string[],
  throwable: string,
  explanation: string,
): LedgerError {
  return ledgerError('INVALID_DAR', {
    cause: 'Dar file is corrupt',
    context: {
      entries: scalaList(entries),
      throwable: `com.digitalasset.daml.lf.archive.Error$${throwable}`,
    },
    explanation,
  });
}

export function missingManifest(
  name: string,
  darName: string,
  entries: readonly string[],
): LedgerError {
  return invalidDar(
    entries,
    `InvalidZipEntry: Invalid zip entryName: ${name}, DAR: ${darInfo(darName, entries)}`,
    entries.length === 0 ? 'It is no zip, or an empty one.' : `The zip holds no ${name}.`,
  );
}

export function missingEntry(name: string, entries: readonly string[]): LedgerError {
  return ledgerError('INVALID_ZIP_ENTRY', {
    cause: 'Dar zip file is corrupt',
    context: { name, entries: scalaList(entries) },
    explanation: `The manifest names '${name}', and the zip holds no such entry.`,
  });
}

export function zipBomb(explanation: string): LedgerError {
  return ledgerError('ZIP_BOMB', {
    cause: 'Dar zip file seems to be a zip bomb.',
    context: { msg: 'An entry is too large, rejected as a possible zip bomb' },
    explanation,
  });
}

const PARSING_FAILED = 'Failed to parse the dar file content.';

export function parseError(reason: string, explanation = `${reason}.`): LedgerError {
  return ledgerError('DAR_PARSE_ERROR', {
    cause: PARSING_FAILED,
    context: { reason },
    explanation,
  });
}

/** An entry of a table that is a mere reference to another entry. */
export function illegalInterning(what: string): LedgerError {
  return parseError(`Immediate ${what} in interning table (needs concrete constructor)`);
}

const INVALID_MESSAGE = 'com.google.protobuf.InvalidProtocolBufferException';

export function protobufError(text: string, exception = INVALID_MESSAGE): LedgerError {
  return parseError(`IO error: ${exception}: ${text}`);
}

export function invalidWireType(): LedgerError {
  return protobufError(
    'Protocol message tag had invalid wire type.',
    `${INVALID_MESSAGE}$InvalidWireTypeException`,
  );
}

/**
 * Canton's decoder fails with an exception, and the error has only the exception's class.
 * @param exception the class's name
 */
export function unexpected(exception: string, explanation?: string): LedgerError {
  return parseError(`Unexpected ${exception} Exception`, explanation);
}

/** Two definitions of one name, for which Canton's collection of definitions fails. */
export function duplicateDefinition(what: string): LedgerError {
  return unexpected('PackageError', what);
}

/** A language version that Canton 3.4 does not know. Its decoder fails without details, and the error's context has no separate key. */
export function languageFromLater(
  packageId: PackageId,
  languageVersion: string,
  known: readonly string[],
): LedgerError {
  const reason = 'Unexpected NoSuchElementException Exception';
  return ledgerError('DAR_PARSE_ERROR', {
    cause: PARSING_FAILED,
    context: { [reason]: reason },
    explanation: `Package ${packageId} is of Daml-LF ${languageVersion}, and this release knows ${known.join(', ')}. Build it with --target=2.2, or speak a later release.`,
  });
}

export function disallowedLanguageVersion(
  packageId: PackageId,
  languageVersion: string,
  allowed: readonly string[],
  asRange = false,
): LedgerError {
  const [first, last] = [allowed[0], allowed.at(-1)];
  const [expected, printed] = asRange
    ? [`version between ${first} and ${last}`, `VersionRange(${first},${last})`]
    : [`version range is ${scalaList(allowed)}`, scalaList(allowed)];
  return ledgerError('ALLOWED_LANGUAGE_VERSIONS', {
    cause:
      `Disallowed language version in package ${packageId}: ` +
      `Expected ${expected} but got ${languageVersion}`,
    context: { packageId, languageVersion, allowedLanguageVersions: printed },
    explanation: `Build it with a compiler that targets Daml-LF ${allowed.join(', ')}.`,
  });
}

export function notSelfConsistent(
  mainPackageId: PackageId,
  missing: readonly PackageId[],
  extra: readonly PackageId[],
): LedgerError {
  return ledgerError('DAR_DEPENDENCIES_NOT_VALID', {
    cause:
      'The set of packages in the dar is not self-consistent and is missing dependencies or has extra dependencies',
    context: {
      mainPackageId,
      missingDependencies: scalaSet(missing),
      extraDependencies: scalaSet(extra),
    },
    explanation: [
      ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
      ...(extra.length > 0 ? [`Not needed: ${extra.join(', ')}.`] : []),
    ].join(' '),
  });
}

/** The number of characters of an expression that an error shows. */
const MAX_EXPLAINED = 1_000;

/** `where` is the checked item, such as `data type p:M:T`; '' for the whole package. */
export function validationError(kind: string, where: string, text: string): LedgerError {
  const place = where === '' ? '' : ` in ${where}`;
  return ledgerError('DAR_VALIDATION_ERROR', {
    cause: 'Package validation failed.',
    context: {
      validationError: `com.digitalasset.daml.lf.validation.${kind}: validation error${place}: ${text}`,
    },
    explanation: `${kind}${place}: ${text.length > MAX_EXPLAINED ? `${text.slice(0, MAX_EXPLAINED)}…` : text}`,
  });
}
