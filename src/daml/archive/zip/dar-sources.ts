/** The Daml sources that a DAR carries of its main package. Whoever reads them wants no more than their texts: nothing is refused. */
import { zipBytes, zipEntries, ZipFault, type ZipEntry } from './zip.js';

/** Bytes, inflated, of all sources of a DAR: some thirty times those of the largest that there are. What is beyond is left out. */
const MAX_SOURCES_SIZE = 32 * 1024 * 1024;

export interface DarSource {
  /** In the DAR, such as `my-package-1.0.0-<hash>/Main/Types.daml`. */
  readonly path: string;
  readonly text: string;
}

/** In the order of their paths. Those that cannot be read are left out. */
export function darSources(bytes: Uint8Array): readonly DarSource[] {
  let left = MAX_SOURCES_SIZE;
  return sourceEntries(bytes).flatMap((entry) => {
    left -= entry.originalSize;
    if (left < 0) return [];
    try {
      return [{ path: entry.name, text: new TextDecoder().decode(zipBytes(bytes, entry)) }];
    } catch (error) {
      if (error instanceof ZipFault) return [];
      throw error;
    }
  });
}

/** Their paths alone, in order. */
export const darSourcePaths = (bytes: Uint8Array): readonly string[] =>
  sourceEntries(bytes).map(({ name }) => name);

function sourceEntries(bytes: Uint8Array): readonly ZipEntry[] {
  try {
    const entries = [...zipEntries(bytes).values()];
    return entries
      .filter(({ name }) => name.endsWith('.daml'))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    if (error instanceof ZipFault) return [];
    throw error;
  }
}
