/** Whether packages are of language versions that a participant takes. */
import { disallowedLanguageVersion } from '../archive/dar-refusals.js';
import { isLegacy, type LegacyArchive, type LfArchive } from '../archive/lf-archive.js';
import {
  LANGUAGE_VERSIONS,
  STABLE_PACKAGE_IDS,
  type LanguageVersion,
} from '../archive/lf-version.js';
import { scalaOrder, textHash } from '../errors/scala-order.js';

/** Which versions a participant can read, and which of those it takes. */
export interface LanguageSupport {
  /** Names of those that it can read; all of ours where absent. */
  readonly known?: readonly string[];
  /** Whether it takes those that are not stable, as Canton does with `alpha-version-support`. */
  readonly alpha?: boolean;
  /** Whether refusals name the first and the last of those that it takes, as Canton 3.4 does. */
  readonly asRange?: boolean;
}

/** Of readers that are no participant. */
export const ALL_LANGUAGES: LanguageSupport = { alpha: true };

/** Names of the versions that are taken, oldest first. */
function allowedLanguages({ known, alpha = false }: LanguageSupport): readonly string[] {
  const isAllowed = ({ name, stable }: LanguageVersion): boolean =>
    (alpha || stable) && (known?.includes(name) ?? true);
  return LANGUAGE_VERSIONS.filter(isAllowed).map(({ name }) => name);
}

type Archive = LfArchive | LegacyArchive;

const nameOf = (archive: Archive): string =>
  isLegacy(archive) ? archive.legacyVersion : archive.version.name;

/** @throws LedgerError ALLOWED_LANGUAGE_VERSIONS; of several packages for the one that a participant finds first (B-PKG-027) */
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
