/** Checks that packages have language versions that a participant accepts. */
import { disallowedLanguageVersion } from '../archive/dar-refusals.js';
import { isLegacy, type LegacyArchive, type LfArchive } from '../archive/lf-archive.js';
import {
  LANGUAGE_VERSIONS,
  STABLE_PACKAGE_IDS,
  type LanguageVersion,
} from '../archive/lf-version.js';
import { scalaOrder, textHash } from '../errors/scala-order.js';

/** The versions that a participant can read, and those that it accepts. */
export interface LanguageSupport {
  /** The names of the versions that it can read; if absent, all that Canticle reads. */
  readonly known?: readonly string[];
  /** Whether it accepts versions that are not stable, like Canton with `alpha-version-support`. */
  readonly alpha?: boolean;
  /** Whether errors name the first and last accepted version, as in Canton 3.4. */
  readonly asRange?: boolean;
}

/** For readers other than participants. */
export const ALL_LANGUAGES: LanguageSupport = { alpha: true };

/** Names of the accepted versions, oldest first. */
function allowedLanguages({ known, alpha = false }: LanguageSupport): readonly string[] {
  const isAllowed = ({ name, stable }: LanguageVersion): boolean =>
    (alpha || stable) && (known?.includes(name) ?? true);
  return LANGUAGE_VERSIONS.filter(isAllowed).map(({ name }) => name);
}

type Archive = LfArchive | LegacyArchive;

const nameOf = (archive: Archive): string =>
  isLegacy(archive) ? archive.legacyVersion : archive.version.name;

/** @throws LedgerError ALLOWED_LANGUAGE_VERSIONS, for the package that a participant finds first (B-PKG-027) */
export function checkLanguages(archives: readonly Archive[], languages: LanguageSupport): void {
  const allowed = allowedLanguages(languages);
  const refused = new Map(
    archives
      .filter((each) => !allowed.includes(nameOf(each)) && !STABLE_PACKAGE_IDS.has(each.packageId))
      .map((each) => [each.packageId, nameOf(each)]),
  );
  if (refused.size === 0) return;
  const ids = [...new Set(archives.map(({ packageId }) => packageId))];
  const first = scalaOrder(ids, textHash).find((id) => refused.has(id))!;
  throw disallowedLanguageVersion(first, refused.get(first)!, allowed, languages.asRange);
}
