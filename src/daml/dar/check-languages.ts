/** Whether packages are of language versions that a participant takes. */
import { disallowedLanguageVersion } from '../archive/dar-refusals.js';
import { isLegacy, type LegacyArchive, type LfArchive } from '../archive/lf-archive.js';
import {
  allowedLanguages,
  STABLE_PACKAGE_IDS,
  type LanguageSupport,
} from '../archive/lf-version.js';
import { scalaOrder, textHash } from '../errors/scala-order.js';

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
