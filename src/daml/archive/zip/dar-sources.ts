/** The Daml sources of a DAR's main package. Reading them never fails, because they are for display only. */
import { TextDecoder } from 'node:util';
import { zipEntries, ZipError, type ZipEntry } from './zip.js';

/** Bytes of all inflated sources of a DAR: 30 times those of the largest known DARs. Sources beyond the limit are left out. */
const MAX_SOURCES_SIZE = 32 * 1024 * 1024;

/** Bytes of all inflated entries. */
const MAX_SIZE = 256 * 1024 * 1024;

export interface DarSource {
  /** The path in the DAR, such as `my-package-1.0.0-<hash>/Main/Types.daml`. */
  readonly path: string;
  readonly text: string;
}

/** Sorted by path. */
export function darSources(bytes: Uint8Array): readonly DarSource[] {
  return sourceEntries(bytes).map(({ name, bytes: text }) => ({
    path: name,
    text: new TextDecoder().decode(text),
  }));
}

/** The paths only, sorted. */
export const darSourcePaths = (bytes: Uint8Array): readonly string[] =>
  sourceEntries(bytes).map(({ name }) => name);

/** Entries up to the first unreadable one. */
function sourceEntries(bytes: Uint8Array): readonly ZipEntry[] {
  const sources = new Map<string, ZipEntry>();
  let left = MAX_SOURCES_SIZE;
  try {
    for (const entry of zipEntries(bytes, MAX_SIZE)) {
      if (!entry.name.endsWith('.daml')) continue;
      left -= entry.bytes.length;
      if (left >= 0) sources.set(entry.name, entry);
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
  }
  return [...sources.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
