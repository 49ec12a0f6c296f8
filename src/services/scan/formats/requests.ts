/** Request checks of Scan's handlers, in addition to those of the generated server (S-GEN-018 to S-GEN-022). */
import { uniqueIdentifierError } from '../../../daml/model/identifiers.js';
import type { Party } from '../../../daml/model/values.js';
import { spliceReleaseOf } from '../../../spec/versions.js';
import { HttpRefusal, type ScanContext } from '../../handler.js';

/** The maximum number of items on a page, and from 0.9 on in a list of a request. */
export const MAX_ITEMS = 1000;

/** @throws HttpRefusal 400 (S-GEN-018) */
export function checkPageSize(size: number): void {
  if (size > MAX_ITEMS)
    throw new HttpRefusal(400, `Exceeded limit maximum (${size} > ${MAX_ITEMS}).`);
  if (size < 1) throw new HttpRefusal(400, 'Limit must be at least 1.');
}

/** @throws HttpRefusal 400, from the release on that limits lists (S-GEN-021) */
export function checkCount(
  { spliceVersion }: Pick<ScanContext, 'spliceVersion'>,
  field: string,
  items: readonly unknown[],
): void {
  if (items.length > MAX_ITEMS && spliceReleaseOf(spliceVersion).limitsLists)
    throw new HttpRefusal(
      400,
      `Expected '${field}' to contain at most ${MAX_ITEMS} items, but contained ${items.length}.`,
    );
}

/** @throws HttpRefusal 400, with the id parser's text (S-GEN-010) */
export function readParty(text: string): Party {
  const error = uniqueIdentifierError(text);
  if (error !== undefined) throw new HttpRefusal(400, error);
  return text;
}
