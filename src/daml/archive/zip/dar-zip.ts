/**
 * The outside of a DAR: a zip with a manifest and the archives that it names. Only these are inflated; sources and
 * interface files are left alone. What is inside an archive is for `lf-archive.ts`.
 *
 * NOTE: a participant reads a zip front to back, this from its directory at the end. They differ for damaged files
 * alone: whatever starts like a zip and has no directory counts as cut off.
 */
import { invalidDar, missingEntry, missingManifest, parseError, zipBomb } from '../dar-refusals.js';
import { ManifestFault, readManifest, type DarManifest } from './dar-manifest.js';
import { zipBytes, zipEntries, ZipFault, type ZipEntry } from './zip.js';

const MANIFEST = 'META-INF/MANIFEST.MF';

/** Bytes, inflated, that no entry of a DAR may reach. */
const MAX_DAR_ENTRY_SIZE = 1024 * 1024 * 1024;
/**
 * Bytes, inflated, of all the archives that a manifest names, as often as it names them: some forty times those of the largest DARs
 * there are. NOTE: a participant bounds each entry alone.
 */
const MAX_DAR_SIZE = 256 * 1024 * 1024;
/** Bytes of a manifest: room for ten thousand dependencies. */
const MAX_MANIFEST_SIZE = 1024 * 1024;

export interface DarFile {
  readonly main: Uint8Array;
  /** In the manifest's order. */
  readonly dependencies: readonly Uint8Array[];
}

export interface DarFileOptions {
  /** What error texts call the file. Uploads over the Ledger API have no name. */
  readonly name?: string;
  readonly maxEntrySize?: number;
  readonly maxSize?: number;
}

export function readDarFile(bytes: Uint8Array, options: DarFileOptions = {}): DarFile {
  const { name = 'unknown-file-name' } = options;
  const { maxEntrySize = MAX_DAR_ENTRY_SIZE, maxSize = MAX_DAR_SIZE } = options;
  const entries = listEntries(bytes);
  for (const entry of entries.values()) {
    if (entry.originalSize >= maxEntrySize) {
      throw zipBomb(`${entry.name} has ${entry.originalSize} bytes; the limit is ${maxEntrySize}.`);
    }
  }
  const names = [...entries.keys()];
  const ownManifest = entries.get(MANIFEST);
  if (ownManifest === undefined) throw missingManifest(MANIFEST, name, names);
  if (ownManifest.originalSize > MAX_MANIFEST_SIZE)
    throw zipBomb(
      `${MANIFEST} has ${ownManifest.originalSize} bytes; the limit is ${MAX_MANIFEST_SIZE}.`,
    );
  const inflated = new Map<string, Uint8Array>();
  const read = (entry: string): Uint8Array => {
    const found = inflated.get(entry) ?? inflate(bytes, entries.get(entry)!);
    inflated.set(entry, found);
    return found;
  };
  const manifest = parseManifest(read(MANIFEST), names);
  const wanted = [manifest.main, ...manifest.dependencies];
  const missing = wanted.find((entry) => !entries.has(entry));
  if (missing !== undefined) throw missingEntry(missing, names);
  const size = wanted.reduce((sum, each) => sum + entries.get(each)!.originalSize, 0);
  if (size > maxSize)
    throw zipBomb(`The archives that it names have ${size} bytes; the limit is ${maxSize}.`);
  return { main: read(manifest.main), dependencies: manifest.dependencies.map(read) };
}

function parseManifest(bytes: Uint8Array, entries: readonly string[]): DarManifest {
  try {
    return readManifest(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof ManifestFault)) throw error;
    throw invalidDar(
      entries,
      `DarManifestReaderException: ${error.message}`,
      `Its manifest cannot be read: ${error.message}.`,
    );
  }
}

function startsLikeZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

function listEntries(bytes: Uint8Array): ReadonlyMap<string, ZipEntry> {
  try {
    return zipEntries(bytes);
  } catch (error) {
    // What is no zip has no entries, and so no manifest.
    if (!startsLikeZip(bytes)) return new Map();
    throw refusalOf(error);
  }
}

function inflate(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  try {
    return zipBytes(bytes, entry);
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof ZipFault)) return error;
  const exception = error.endsEarly ? 'java.io.EOFException' : 'java.util.zip.ZipException';
  return parseError(`IO error: ${exception}: ${error.message}`);
}
