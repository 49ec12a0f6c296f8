/** The container of a DAR: a zip with a manifest and the archives in it. `lf-archive.ts` reads the archives. */
import { TextDecoder } from 'node:util';
import {
  invalidDar,
  missingEntry,
  missingManifest,
  parseError,
  unexpected,
  zipBomb,
} from '../dar-refusals.js';
import {
  ManifestError,
  MalformedManifest,
  readManifest,
  type DarManifest,
} from './dar-manifest.js';
import { scalaOrder, textHash } from '../../errors/scala-order.js';
import { unexpectedFailure } from '../../errors/unexpected.js';
import { zipEntries, ZipError } from './zip.js';

const MANIFEST = 'META-INF/MANIFEST.MF';

/** The maximum size of an inflated entry, in bytes; exclusive. */
const MAX_DAR_ENTRY_SIZE = 1024 * 1024 * 1024;
/**
 * The maximum size in bytes of all inflated entries, and of all archives as often as the manifest names them: 40 times those of the largest
 * known DARs. NOTE: a participant limits each entry only.
 */
const MAX_DAR_SIZE = 256 * 1024 * 1024;
/** The maximum size of a manifest in bytes: enough for 10,000 dependencies. */
const MAX_MANIFEST_SIZE = 1024 * 1024;

export interface DarFile {
  /** Names of the archives: the main package, then its dependencies in the manifest's order. */
  readonly names: readonly string[];
  /** @throws LedgerError INVALID_ZIP_ENTRY */
  archive(name: string): Uint8Array;
}

export interface DarFileOptions {
  /** The file's name in errors. */
  readonly name?: string | undefined;
  readonly maxEntrySize?: number;
  readonly maxSize?: number;
}

export function readDarFile(bytes: Uint8Array, options: DarFileOptions = {}): DarFile {
  const { name = 'unknown-file-name' } = options;
  const { maxEntrySize = MAX_DAR_ENTRY_SIZE, maxSize = MAX_DAR_SIZE } = options;
  const entries = readEntries(bytes, maxEntrySize, maxSize);
  const entryNames = scalaOrder([...entries.keys()], textHash);
  const ownManifest = entries.get(MANIFEST);
  if (ownManifest === undefined) throw missingManifest(MANIFEST, name, entryNames);
  if (ownManifest.length > MAX_MANIFEST_SIZE)
    throw zipBomb(
      `${MANIFEST} has ${ownManifest.length} bytes; the limit is ${MAX_MANIFEST_SIZE}.`,
    );
  const { main, dependencies } = parseManifest(ownManifest, entryNames);
  const names = [main, ...dependencies];
  const size = names.reduce((sum, each) => sum + (entries.get(each)?.length ?? 0), 0);
  if (size > maxSize)
    throw zipBomb(`The archives that it names have ${size} bytes; the limit is ${maxSize}.`);
  return {
    names,
    archive: (entry) => {
      const found = entries.get(entry);
      if (found === undefined) throw missingEntry(entry, entryNames);
      return found;
    },
  };
}

function parseManifest(bytes: Uint8Array, entries: readonly string[]): DarManifest {
  try {
    return readManifest(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (error instanceof MalformedManifest)
      throw unexpectedFailure(`Its manifest is none: ${error.message}.`);
    if (!(error instanceof ManifestError)) throw error;
    throw invalidDar(
      entries,
      `DarManifestReaderException: ${error.message}`,
      `Its manifest cannot be read: ${error.message}.`,
    );
  }
}

/** If several entries have the same name, the last one counts. */
function readEntries(
  bytes: Uint8Array,
  maxEntrySize: number,
  maxSize: number,
): ReadonlyMap<string, Uint8Array> {
  const entries = new Map<string, Uint8Array>();
  try {
    for (const entry of zipEntries(bytes, maxSize)) {
      const { length } = entry.bytes;
      if (length >= maxEntrySize)
        throw zipBomb(`${entry.name} has ${length} bytes; the limit is ${maxEntrySize}.`);
      entries.set(entry.name, entry.bytes);
    }
  } catch (error) {
    throw error instanceof ZipError ? refusalOf(error, maxSize) : error;
  }
  return entries;
}

function refusalOf({ exception, message }: ZipError, maxSize: number): Error {
  switch (exception) {
    case 'Bomb':
      return zipBomb(`Its entries have more than ${maxSize} bytes.`);
    case 'IllegalArgumentException':
      return unexpected(exception, 'The name of an entry is no UTF-8.');
    case 'EOFException':
      return parseError(`IO error: java.io.EOFException${message && `: ${message}`}`);
    case 'ZipException':
      return parseError(`IO error: java.util.zip.ZipException: ${message}`);
  }
}
