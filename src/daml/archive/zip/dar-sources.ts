/** The Daml sources that a DAR carries of its main package. Whoever reads them wants no more than their texts: nothing is refused. */
import { TextDecoder } from 'node:util';
import { zipEntries, ZipFault, type ZipEntry } from './zip.js';

/** Bytes, inflated, of all sources of a DAR: some thirty times those of the largest that there are. What is beyond is left out. */
const MAX_SOURCES_SIZE = 32 * 1024 * 1024;

/** The same of all entries. */
const MAX_SIZE = 256 * 1024 * 1024;

export interface DarSource {
  /** In the DAR, such as `my-package-1.0.0-<hash>/Main/Types.daml`. */
  readonly path: string;
  readonly text: string;
}

/** In the order of their paths. */
export function darSources(bytes: Uint8Array): readonly DarSource[] {
  return sourceEntries(bytes).map(({ name, bytes: text }) => ({
    path: name,
    text: new TextDecoder().decode(text),
  }));
}

/** Their paths alone, in order. */
export const darSourcePaths = (bytes: Uint8Array): readonly string[] =>
  sourceEntries(bytes).map(({ name }) => name);

/** Up to the first one that cannot be read. */
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
    if (!(error instanceof ZipFault)) throw error;
  }
  return [...sources.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
