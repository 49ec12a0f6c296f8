/**
 * The transactions of topology stores in the order of their arrival, with those in force, the proposals, and those
 * that ended.
 */
import { toHex } from '../../daml/model/hash.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { Timestamp } from '../../daml/model/values.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import type { ParticipantId, SynchronizerId } from '../model/ids.js';
import type { Synchronizer } from '../synchronizer.js';
import { uniqueKey } from './mapping-rules.js';
import type { TopologyMapping } from './party-hosting.js';
import type { NamespaceRecords, SignedMapping, StoredMapping } from './signed-mappings.js';

/** The most transactions of a store: they stay in memory. */
const MAX_TRANSACTIONS = 100_000;
/** The most proposals of one mapping: each new transaction of the mapping is compared with them. */
const MAX_PROPOSALS = 1_000;

type Of<K extends TopologyMapping['kind']> = Extract<TopologyMapping, { kind: K }>;

/** Each store has a name, which is a text of any kind. */
export class MappingLog {
  /** The number of all transactions that each received. */
  private readonly sizes: JournaledMap<string, number>;
  /** Transactions by their numbers in the store. */
  private readonly entries: JournaledMap<string, StoredMapping>;
  /** The numbers of a mapping's transaction in force and of its proposals. */
  private readonly current: JournaledMap<string, readonly number[]>;
  /** The latest number of each transaction, also of one that ended. */
  private readonly hashes: JournaledMap<string, number>;
  /** By namespace, the unique keys of all its delegations so far. */
  private readonly delegated: JournaledMap<string, readonly string[]>;

  /** @param name its name in files of the state; absent if files do not contain it */
  constructor(journal: Journal, name?: string) {
    const map = <V>(part: string) =>
      new JournaledMap<string, V>(journal, name && `${name}/${part}`);
    this.sizes = map('sizes');
    this.entries = map('entries');
    this.current = map('current');
    this.hashes = map('hashes');
    this.delegated = map('delegated');
  }

  names(): readonly string[] {
    return this.sizes.sortedKeys();
  }

  /** The number of stores. */
  get size(): number {
    return this.sizes.size;
  }

  has(store: string): boolean {
    return this.sizes.has(store);
  }

  /** Makes an empty store. */
  create(store: string): void {
    this.sizes.set(store, 0);
  }

  drop(store: string): void {
    this.all(store).forEach(({ transaction: { hash, mapping } }, index) => {
      this.entries.delete(keyIn(store, index));
      this.current.delete(keyIn(store, uniqueKey(mapping)));
      this.hashes.delete(keyIn(store, toHex(hash)));
      if ('namespace' in mapping) this.delegated.delete(keyIn(store, mapping.namespace));
    });
    this.sizes.delete(store);
  }

  /** All transactions that the store received, in order. */
  all(store: string): readonly StoredMapping[] {
    const length = this.sizes.get(store) ?? 0;
    return Array.from({ length }, (_, index) => this.entry(store, index));
  }

  private entry(store: string, index: number): StoredMapping {
    return this.entries.get(keyIn(store, index))!;
  }

  /** The latest without a missing signature, in force or removed. @param key the mapping's unique key */
  latest(store: string, key: string): StoredMapping | undefined {
    const numbers = this.current.get(keyIn(store, key));
    return numbers?.map((index) => this.entry(store, index)).find(({ isProposal }) => !isProposal);
  }

  private inForce(store: string, key: string): StoredMapping | undefined {
    const found = this.latest(store, key);
    return found?.transaction.replaces ? found : undefined;
  }

  /** The mapping in force. @param like a mapping with the same unique key */
  mapping<M extends TopologyMapping>(store: string, like: M): Of<M['kind']> | undefined {
    return this.inForce(store, uniqueKey(like))?.transaction.mapping as Of<M['kind']> | undefined;
  }

  /** The latest of a hash, also one that ended. @param hash hexadecimal */
  byHash(store: string, hash: string): StoredMapping | undefined {
    const index = this.hashes.get(keyIn(store, hash));
    return index === undefined ? undefined : this.entry(store, index);
  }

  /** The delegations and definitions in force in a store. */
  namespaces(store: string): NamespaceRecords {
    return {
      delegationsOf: (namespace) =>
        this.delegations(store, namespace).filter(({ transaction }) => transaction.replaces),
      definitionOf: (namespace) => this.inForce(store, definitionKey(namespace)),
    };
  }

  /** The latest delegations of a namespace, in force or removed. */
  delegations(store: string, namespace: string): readonly StoredMapping[] {
    const keys = this.delegated.get(keyIn(store, namespace)) ?? [];
    return keys.flatMap((key) => this.latest(store, key) ?? []);
  }

  /**
   * A transaction in force ends the earlier one, and each proposal up to its serial. One with more signatures ends
   * the same transaction with fewer.
   * @throws LedgerError TOPOLOGY_TOO_MANY_PENDING_TOPOLOGY_TRANSACTIONS
   */
  append(store: string, accepted: SignedMapping, since: Timestamp): void {
    const { mapping, serial } = accepted.transaction;
    const hash = toHex(accepted.transaction.hash);
    const index = this.sizes.get(store) ?? 0;
    requireWithinLimit(index, MAX_TRANSACTIONS);
    const key = keyIn(store, uniqueKey(mapping));
    const known = this.current.get(key) ?? [];
    const remaining = known.filter((other) => {
      const { transaction } = this.entry(store, other);
      const isOvertaken = !accepted.isProposal && transaction.serial <= serial;
      return toHex(transaction.hash) !== hash && !isOvertaken;
    });
    requireWithinLimit(remaining.length, MAX_PROPOSALS);
    for (const other of known)
      if (!remaining.includes(other))
        this.entries.set(keyIn(store, other), { ...this.entry(store, other), until: since });
    this.entries.set(keyIn(store, index), { ...accepted, since });
    this.current.set(key, [...remaining, index]);
    this.hashes.set(keyIn(store, hash), index);
    this.sizes.set(store, index + 1);
    if (mapping.kind === 'NamespaceDelegation') this.storeDelegation(store, mapping);
  }

  private storeDelegation(store: string, mapping: Of<'NamespaceDelegation'>): void {
    const key = keyIn(store, mapping.namespace);
    const known = this.delegated.get(key) ?? [];
    const added = uniqueKey(mapping);
    if (!known.includes(added)) this.delegated.set(key, [...known, added]);
  }
}

const keyIn = (store: string, key: string | number): string => `${store.length}|${store}|${key}`;

const definitionKey = (namespace: string): string =>
  uniqueKey({ kind: 'DecentralizedNamespaceDefinition', namespace, threshold: 1, owners: [] });

export function requireWithinLimit(size: number, limit: number): void {
  if (size >= limit)
    throw ledgerError(
      'TOPOLOGY_TOO_MANY_PENDING_TOPOLOGY_TRANSACTIONS',
      'Too many pending topology transactions on this node.',
    );
}

/** The part of the ledger that decides which participants are members of a synchronizer. */
interface Memberships {
  readonly members: readonly {
    readonly id: ParticipantId;
    readonly registered: readonly SynchronizerId[];
  }[];
  readonly mappings: MappingLog;
}

/** A certificate without feature flags. */
export const certificateFor = ({ id: synchronizerId }: Synchronizer, participantId: string) =>
  ({
    kind: 'SynchronizerTrustCertificate',
    participantId,
    synchronizerId,
    featureFlags: [],
  }) as const;

/** Whether a certificate of the participant is in force: from the start, or by a later transaction. */
export function isMember(
  { members, mappings }: Memberships,
  synchronizer: Synchronizer,
  participantId: string,
): boolean {
  const { id } = synchronizer;
  const found = mappings.latest(id, uniqueKey(certificateFor(synchronizer, participantId)));
  if (found !== undefined) return found.transaction.replaces;
  return members.some((each) => each.id === participantId && each.registered.includes(id));
}
