/** Scan's lookups of single amulet contracts. */
import type { SomeHandlers } from '../handler.js';
import { lookupFeaturedAppRight, lookupTransferPreapproval } from './contracts.js';

export const amuletLookupHandlers: SomeHandlers<
  'scan',
  'lookupFeaturedAppRight' | 'lookupTransferPreapprovalByParty'
> = {
  lookupFeaturedAppRight: ({ splice }, { path }) =>
    lookupFeaturedAppRight(splice, path.provider_party_id),
  lookupTransferPreapprovalByParty: ({ splice }, { path }) =>
    lookupTransferPreapproval(splice, path.party),
};
