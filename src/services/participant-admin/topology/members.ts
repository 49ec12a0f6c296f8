/** The nodes of a synchronizer and their keys, for `TopologyAggregationService`. */
import type { Timestamp } from '../../../daml/model/values.js';
import { encrypts, signs, type OwnedKeys } from '../../../network/topology/mapped-keys.js';
import { memberUid } from '../../../network/topology/mapping-rules.js';
import type { StoredMapping } from '../../../network/topology/signed-mappings.js';
import { logOn } from '../../../network/topology/synchronizer-store.js';
import type { AdminContext } from '../admin-context.js';
import { instant, uniqueIdentifier } from '../parsing/fields.js';
import { parsed } from '../parsing/parsed.js';
import { memberCode } from '../parsing/topology.js';
import { encryptionKeyMessage, keyOf } from '../parsing/key-messages.js';
import { passes } from './items.js';
import { synchronizersNamed } from './stores.js';

export interface OwnersQuery {
  readonly asOf?: string;
  readonly limit: number;
  readonly synchronizerIds: readonly string[];
  readonly filterKeyOwnerType: string;
  readonly filterKeyOwnerUid: string;
}

/** Whether the requested time is before the ledger's start. */
export function isBefore({ network }: AdminContext, asOf: Timestamp | undefined): boolean {
  return asOf !== undefined && asOf <= network.startTime;
}

/** Whether a mapping is in force now, or at a time. */
function isInForce(
  { transaction, isProposal, since, until }: StoredMapping,
  asOf: Timestamp | undefined,
): boolean {
  if (isProposal || !transaction.replaces) return false;
  if (asOf === undefined) return until === undefined;
  return since < asOf && (until === undefined || until >= asOf);
}

/** @param limit the maximum number of keys of each node */
function keyOwners(
  context: AdminContext,
  query: Omit<OwnersQuery, 'asOf'> & { readonly asOf: Timestamp | undefined },
): object {
  const { limit, synchronizerIds, filterKeyOwnerType: type, filterKeyOwnerUid: filter } = query;
  const synchronizers = synchronizersNamed(context, synchronizerIds);
  if (isBefore(context, query.asOf)) return { results: [] };
  const left = Math.max(0, limit);
  const results = synchronizers.flatMap((synchronizer) =>
    logOn(context.network, synchronizer)
      .all('OwnerToKeyMapping')
      .filter((each) => isInForce(each, query.asOf))
      .map(({ transaction }) => transaction.mapping as unknown as OwnedKeys)
      .filter(
        ({ member }) =>
          (type === '' || member.startsWith(`${type}::`)) && passes(memberUid(member), filter),
      )
      .map(({ member, keys }) => {
        const own = keys.filter(signs);
        return {
          synchronizerId: synchronizer.id,
          keyOwner: member,
          signingKeys: own.slice(0, left).map(keyOf),
          encryptionKeys: keys
            .filter(encrypts)
            .slice(0, Math.max(0, left - own.length))
            .map(encryptionKeyMessage),
          physicalSynchronizerId: synchronizer.physicalId,
        };
      }),
  );
  return { results };
}

export const listKeyOwners = parsed((query: OwnersQuery) => {
  memberCode('filterKeyOwnerType', query.filterKeyOwnerType);
  query.synchronizerIds.forEach((id) => uniqueIdentifier('synchronizer_ids', id));
  return { ...query, asOf: query.asOf === undefined ? undefined : instant(query.asOf) };
}, keyOwners);
