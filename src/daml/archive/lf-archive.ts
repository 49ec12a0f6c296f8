/**
 * The envelope of a package. `Archive` has the payload and its hash, which is the package id. The payload has the language version and the
 * package. Packages of language version 1 are recognized and refused.
 */
import { createHash } from 'node:crypto';
import { LedgerError } from '../errors/ledger-error.js';
import { unexpectedFailure } from '../errors/unexpected.js';
import type { PackageId } from '../model/types.js';
import { languageFromLater, parseError } from './dar-refusals.js';
import { checkPackageId } from './lf-names.js';
import { ENVELOPE } from './wire/lf-schema.js';
import {
  LANGUAGE_VERSIONS,
  LEGACY_MINORS,
  languageVersion,
  type LanguageVersion,
} from './lf-version.js';
import { Message } from './wire/message.js';
import { Messages } from './wire/wire.js';

/** The field number of `metadata` in a package of version 1, and the minor versions without it. */
const LEGACY_METADATA = 4;
const MINORS_WITHOUT_METADATA = ['6', '7'];

const envelope = new Messages('daml_lf', ENVELOPE);

/** A payload with a verified hash and a known language version. */
export interface LfArchive {
  readonly packageId: PackageId;
  readonly version: LanguageVersion;
  /** The hashed bytes. */
  readonly payload: Uint8Array;
  /** The encoded `daml_lf_2.Package`. */
  readonly packageBytes: Uint8Array;
}

/** A package of language version 1. A DAR with such a package is refused after all of it was parsed. */
export interface LegacyArchive {
  readonly packageId: PackageId;
  readonly legacyVersion: string;
}

/** The language versions that a reader knows. */
interface Known {
  /** Their names; all of Canticle's by default. */
  readonly known?: readonly string[];
  /** As in Canton 3.4, which has its own error for a later version. */
  readonly asRange?: boolean;
}

export function readArchive(bytes: Uint8Array, languages: Known = {}): LfArchive | LegacyArchive {
  const { hashFunction, payload, hash } = envelope.decode('Archive', bytes);
  if (hashFunction !== 0) throw parseError('Unrecognized hash function');
  checkHash(hash);
  const ours = createHash('sha256').update(payload).digest('hex');
  if (hash !== ours) throw parseError(`Mismatching hashes! Expected ${ours} but got ${hash}`);
  const archive = readPayload(hash, payload);
  if (!isLegacy(archive)) checkKnown(archive, languages);
  return archive;
}

/** @throws LedgerError for a language version that the reader does not know */
export function checkKnown(
  { packageId, version: { name, minor } }: LfArchive,
  { known, asRange = false }: Known,
): void {
  if (known === undefined || known.includes(name)) return;
  throw asRange ? languageFromLater(packageId, name, known) : unknownMinor(minor);
}

function checkHash(hash: string): void {
  try {
    checkPackageId(hash);
  } catch (error) {
    const reason = error instanceof LedgerError ? error.details.context?.['reason'] : undefined;
    throw parseError(`Invalid hash: ${reason ?? String(error)}`);
  }
}

export function readPayload(packageId: PackageId, payload: Uint8Array): LfArchive | LegacyArchive {
  const { minor, patch, damlLf1, damlLf2 } = envelope.decode('ArchivePayload', payload);
  const version = languageVersion(minor);
  const legacy = LEGACY_MINORS.includes(minor);
  if (damlLf1 === undefined && damlLf2 === undefined) {
    throw parseError('Unrecognized or Unsupported LF version');
  }
  if (damlLf2 === undefined && patch !== 0) {
    throw parseError('Patch version is not supported for LF1');
  }
  if (version === undefined && !legacy) throw unknownMinor(minor);
  if (damlLf2 === undefined) {
    if (legacy) return readLegacy(packageId, minor, damlLf1!);
    throw parseError(`Encountered unsupported LF version 1.${minor} during decoding`);
  }
  if (version === undefined) {
    throw parseError(`Encountered unsupported LF version 2.${minor} during decoding`);
  }
  if (patch !== 0) throw parseError(`Unknown patch version ${patch} for LF ${version.name}`);
  return { packageId, version, payload, packageBytes: damlLf2 };
}

/** Reads the part that a participant reads before it refuses the version. NOTE: this is only the check for metadata. */
function readLegacy(packageId: PackageId, minor: string, bytes: Uint8Array): LegacyArchive {
  const needsMetadata = !MINORS_WITHOUT_METADATA.includes(minor);
  if (needsMetadata && !Message.of(bytes).has(LEGACY_METADATA))
    throw parseError(`Package.metadata is required in Daml-LF 1.${minor}`);
  return { packageId, legacyVersion: `1.${minor}` };
}

function unknownMinor(minor: string): Error {
  const known = [...LANGUAGE_VERSIONS.map((version) => version.minor), ...LEGACY_MINORS];
  return unexpectedFailure(`Minor version ${minor} is not among those known: ${known.join(', ')}.`);
}

export function isLegacy(archive: LfArchive | LegacyArchive): archive is LegacyArchive {
  return 'legacyVersion' in archive;
}
