/**
 * The outside of a DAR: a zip with a manifest and the archives that it names. Only these are inflated; sources and
 * interface files are left alone. What is inside an archive is for `lf-archive.ts`.
 *
 * NOTE: a participant reads a zip front to back, this from its directory at the end. They differ for damaged files
 * alone: whatever starts like a zip and has no directory counts as cut off.
 */
import { unzipSync, type UnzipFileInfo } from 'fflate';
import { invalidDar, missingEntry, missingManifest, parseError, zipBomb } from './dar-refusals.js';
import { ManifestFault, readManifest, type DarManifest } from './dar-manifest.js';

const MANIFEST = 'META-INF/MANIFEST.MF';

/** Bytes, inflated, that no entry of a DAR may reach. */
const MAX_DAR_ENTRY_SIZE = 1024 * 1024 * 1024;

/** Bytes that one byte can turn into, by the format of deflate. */
const MAX_DEFLATE_RATIO = 1032;

export interface DarFile {
  readonly main: Uint8Array;
  /** In the manifest's order. */
  readonly dependencies: readonly Uint8Array[];
}

export interface DarFileOptions {
  /** What error texts call the file. Uploads over the Ledger API have no name. */
  readonly name?: string;
  readonly maxEntrySize?: number;
}

export function readDarFile(bytes: Uint8Array, options: DarFileOptions = {}): DarFile {
  const { name = 'unknown-file-name', maxEntrySize = MAX_DAR_ENTRY_SIZE } = options;
  const entries = listEntries(bytes);
  for (const entry of entries.values()) {
    if (entry.originalSize >= maxEntrySize) {
      throw zipBomb(`${entry.name} has ${entry.originalSize} bytes; the limit is ${maxEntrySize}.`);
    }
  }
  const names = [...entries.keys()];
  if (!entries.has(MANIFEST)) throw missingManifest(MANIFEST, name, names);
  const manifest = parseManifest(inflate(bytes, new Set([MANIFEST])).get(MANIFEST)!, names);
  const wanted = [manifest.main, ...manifest.dependencies];
  const missing = wanted.find((entry) => !entries.has(entry));
  if (missing !== undefined) throw missingEntry(missing, names);
  const archives = inflate(bytes, new Set(wanted));
  return {
    main: archives.get(manifest.main)!,
    dependencies: manifest.dependencies.map((entry) => archives.get(entry)!),
  };
}

function parseManifest(bytes: Uint8Array, entries: readonly string[]): DarManifest {
  try {
    return readManifest(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof ManifestFault)) throw error;
    throw invalidDar(entries, `DarManifestReaderException: ${error.message}`);
  }
}

function startsLikeZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

function listEntries(bytes: Uint8Array): Map<string, UnzipFileInfo> {
  const entries = new Map<string, UnzipFileInfo>();
  try {
    unzipSync(bytes, {
      filter: (entry) => {
        entries.set(entry.name, entry);
        return false;
      },
    });
  } catch {
    // What is no zip has no entries, and so no manifest.
    if (!startsLikeZip(bytes)) return new Map();
    throw parseError('IO error: java.io.EOFException: Unexpected end of ZLIB input stream');
  }
  return entries;
}

function inflate(bytes: Uint8Array, wanted: ReadonlySet<string>): Map<string, Uint8Array> {
  try {
    const files = unzipSync(bytes, {
      filter: (entry) => {
        if (!wanted.has(entry.name)) return false;
        // Room is made for what an entry claims to be: no more than its bytes can turn into.
        if (entry.originalSize <= entry.size * MAX_DEFLATE_RATIO + 1024) return true;
        throw new Error(`invalid entry size (${entry.originalSize} of ${entry.size} bytes)`);
      },
    });
    return new Map(Object.entries(files));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw parseError(`IO error: java.util.zip.ZipException: ${text}`);
  }
}
