/** Topology stores over the admin API: the stores of a request, and the requested mappings in each. */
import { formatInstant } from '../../../daml/model/time.js';
import type { Timestamp } from '../../../daml/model/values.js';
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { abbreviatedId } from '../../../network/model/ids.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import type { StoredMapping } from '../../../network/topology/signed-mappings.js';
import { base64 } from '../../ledger-api/formats/crypto-messages.js';
import type { AdminContext } from '../admin-context.js';
import type { SynchronizerReference } from '../parsing/fields.js';
import type { BaseQuery, StoreMessage, StoreReference } from '../parsing/topology.js';

const registered = ({ network, participant }: AdminContext): readonly Synchronizer[] =>
  network.synchronizers.filter(({ id }) => participant.registered.includes(id));

export type Store =
  | { readonly kind: 'synchronizer'; readonly synchronizer: Synchronizer }
  | { readonly kind: 'temporary'; readonly name: string }
  | { readonly kind: 'authorized' };

/** The named store; all stores if none is named. @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
export function storesOf(
  context: AdminContext,
  reference: StoreReference | undefined,
): readonly Store[] {
  if (reference === undefined)
    return [
      ...registered(context).map(
        (synchronizer) => ({ kind: 'synchronizer', synchronizer }) as const,
      ),
      ...context.participant.temporaryStores
        .names()
        .map((name) => ({ kind: 'temporary', name }) as const),
      { kind: 'authorized' },
    ];
  if (reference.kind !== 'synchronizer') return [reference];
  return [{ kind: 'synchronizer', synchronizer: synchronizerNamed(context, reference) }];
}

/** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
function synchronizerNamed(
  context: AdminContext,
  { id, physicalId }: SynchronizerReference,
): Synchronizer {
  const found = registered(context).find((each) => each.id === id);
  if (found === undefined && physicalId === undefined) {
    const synchronizerId = abbreviatedId(id);
    throw ledgerError('TOPOLOGY_STORE_NOT_FOUND', {
      cause: `No active synchronizer found for ${synchronizerId}.`,
      context: { synchronizerId },
    });
  }
  if (found === undefined || (physicalId !== undefined && physicalId !== found.physicalId)) {
    const storeId = `${abbreviatedId(id)}${physicalId!.slice(id.length)}`;
    throw ledgerError('TOPOLOGY_STORE_NOT_FOUND', {
      cause: `Topology store '${storeId}' is not known.`,
      context: { storeId },
    });
  }
  return found;
}

/** All of them if none is named. @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
export function synchronizersNamed(
  context: AdminContext,
  ids: readonly string[],
): readonly Synchronizer[] {
  return ids.length === 0
    ? registered(context)
    : [...new Set(ids)].map((id) => synchronizerNamed(context, { id }));
}

export function storeMessage(store: Store): StoreMessage {
  if (store.kind === 'authorized') return { authorized: {} };
  if (store.kind === 'temporary') return { temporary: { name: store.name } };
  return { synchronizer: { physicalId: store.synchronizer.physicalId } };
}

/** A mapping in a store, with its metadata. */
export interface Entry {
  readonly since: Timestamp;
  /** The time when another mapping replaced it. */
  readonly until?: Timestamp | undefined;
  readonly replaces: boolean;
  readonly serial: number;
  readonly hash: Uint8Array;
  /** The transaction in its signed form. */
  readonly encoded: Uint8Array;
  /** NOTE: of foreign keys, only the signatures of keys that onboarded a party are stored. */
  readonly signed: () => Pick<StoredMapping, 'signatures' | 'joint'>;
  readonly signedBy: readonly string[];
  readonly isProposal: boolean;
}

export function matchesQuery(entry: Entry, query: BaseQuery): boolean {
  const { proposals, replaces, filterSignedKey: key } = query;
  return (
    isThen(entry, query.time) &&
    entry.isProposal === proposals &&
    (replaces === undefined || replaces === entry.replaces) &&
    (key === '' || entry.signedBy.some((by) => by.startsWith(key)))
  );
}

/** Whether the entry matches the requested time. A snapshot excludes entries that start at its time. */
function isThen({ since, until }: Entry, time: BaseQuery['time']): boolean {
  if (time.kind === 'head') return until === undefined;
  if (time.kind === 'snapshot') return since < time.at && (until === undefined || until >= time.at);
  return (
    (time.from === undefined || since >= time.from) &&
    (time.until === undefined || since <= time.until)
  );
}

export function entryMessage(store: Store, entry: Entry): object {
  const { since, until, replaces, hash, serial, signedBy } = entry;
  return {
    store: storeMessage(store),
    sequenced: formatInstant(since),
    validFrom: formatInstant(since),
    ...(until !== undefined && { validUntil: formatInstant(until) }),
    operation: replaces ? 'TOPOLOGY_CHANGE_OP_ADD_REPLACE' : 'TOPOLOGY_CHANGE_OP_REMOVE',
    transactionHash: base64(hash),
    serial,
    signedByFingerprints: signedBy,
  };
}
