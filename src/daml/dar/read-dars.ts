/**
 * The archives of DARs that were read without an error. While packages of them are in use, another read of the same bytes does not
 * inflate and hash them again.
 */
import { checkKnown, isLegacy, readArchive } from '../archive/lf-archive.js';
import type { LegacyArchive, LfArchive } from '../archive/lf-archive.js';
import { readDarFile, type DarFileOptions } from '../archive/zip/dar-zip.js';
import { sha256Hex } from '../model/hash.js';
import type { PackageId } from '../model/types.js';
import type { LanguageSupport } from './check-languages.js';

/** The limit of DARs. One more, and all are forgotten. Each is an entry of package ids. */
export const MAX_REMEMBERED_DARS = 1000;

interface Options extends DarFileOptions {
  readonly languages?: LanguageSupport;
}

export interface Archives {
  /** The main package, then its dependencies in the manifest's order. */
  readonly archives: readonly (LfArchive | LegacyArchive)[];
  /** The hash of a DAR that can be remembered, and is not yet. */
  readonly unknown: string | undefined;
}

export class ReadDars {
  /** The packages of a DAR by its hash, in the order of its archives. */
  private readonly dars = new Map<string, readonly PackageId[]>();
  private readonly known = new Map<PackageId, WeakRef<LfArchive>>();

  constructor(private readonly maxDars = MAX_REMEMBERED_DARS) {}

  /** @throws LedgerError for an invalid DAR, or a language version that the reader does not know */
  archives(bytes: Uint8Array, options: Options): Archives {
    const { languages = {}, maxSize, maxEntrySize } = options;
    // Another limit could reject the DAR.
    const hash = (maxSize ?? maxEntrySize) === undefined ? sha256Hex(bytes) : undefined;
    const found = hash === undefined ? undefined : this.found(hash);
    if (found !== undefined) {
      for (const each of found) checkKnown(each, languages);
      return { archives: found, unknown: undefined };
    }
    const file = readDarFile(bytes, options);
    const archives = file.names.map((name) => readArchive(file.archive(name), languages));
    return { archives, unknown: archives.some(isLegacy) ? undefined : hash };
  }

  /** Remembers a DAR that had no error. */
  add({ archives, unknown }: Archives): void {
    if (unknown === undefined) return;
    if (this.dars.size >= this.maxDars) for (const map of [this.dars, this.known]) map.clear();
    for (const each of archives as readonly LfArchive[])
      this.known.set(each.packageId, new WeakRef(each));
    this.dars.set(
      unknown,
      archives.map(({ packageId }) => packageId),
    );
  }

  private found(hash: string): readonly LfArchive[] | undefined {
    const found: LfArchive[] = [];
    for (const id of this.dars.get(hash) ?? []) {
      const archive = this.known.get(id)?.deref();
      if (archive === undefined) return undefined;
      found.push(archive);
    }
    return found.length === 0 ? undefined : found;
  }
}
