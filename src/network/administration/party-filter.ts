/** The filter of a list of parties. */
import { partyError, tooLong } from '../../daml/model/identifiers.js';
import type { Party } from '../model/ids.js';
import { invalidField } from '../model/request-errors.js';

const LONGEST_FILTER = 185;

/** A prefix, up to the complete id. The participant's store uses LIKE, in which `_` matches any character. */
export function partyFilter(prefix: string): (party: Party) => boolean {
  if (prefix === '') return () => true;
  const error =
    partyError(prefix) ??
    (prefix.length > LONGEST_FILTER ? tooLong('string', LONGEST_FILTER, prefix) : undefined);
  if (error !== undefined) throw invalidField('filterString', error);
  const pattern = new RegExp(`^${prefix.replace(/_/g, '.')}`);
  return (party) => pattern.test(party);
}
