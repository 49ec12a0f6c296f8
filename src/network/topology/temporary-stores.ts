/**
 * Temporary topology stores of a participant. They follow the rules of serials and signatures of any store, but their
 * transactions have no effect.
 * NOTE: as on a real participant, a restart removes them, so that files of worlds do not contain them.
 */
import { toHex } from '../../daml/model/hash.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { Timestamp } from '../../daml/model/values.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import { uniqueKey } from './mapping-rules.js';
import type { TopologyMapping } from './party-hosting.js';
import { Delegations, type SignedMapping, type StoredMapping } from './signed-mappings.js';
import { taken, type TopologyStore } from './store-rules.js';

/** The most stores, and the most transactions of each store: they stay in memory. */
const MAX_STORES = 1000;
const MAX_TRANSACTIONS = 100_000;

export class TemporaryStores {
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

  constructor(journal: Journal) {
    const map = <V>() => new JournaledMap<string, V>(journal, undefined);
    this.sizes = map();
    this.entries = map();
    this.current = map();
    this.hashes = map();
    this.delegated = map();
  }

  names(): readonly string[] {
    return this.sizes.sortedKeys();
  }

  /** @throws LedgerError TOPOLOGY_TEMPORARY_STORE_ALREADY_EXISTS */
  create(name: string): void {
    if (this.sizes.has(name))
      throw ledgerError('TOPOLOGY_TEMPORARY_STORE_ALREADY_EXISTS', {
        cause: `Cannot create topology store with id ${name}, because it already exists.`,
        context: { storeId: name },
      });
    requireWithinLimit(this.sizes.size, MAX_STORES);
    this.sizes.set(name, 0);
  }

  /** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
  drop(name: string): void {
    this.all(name).forEach(({ transaction: { hash, mapping } }, index) => {
      this.entries.delete(keyIn(name, index));
      this.current.delete(keyIn(name, uniqueKey(mapping)));
      this.hashes.delete(keyIn(name, toHex(hash)));
      if ('namespace' in mapping) this.delegated.delete(keyIn(name, mapping.namespace));
    });
    this.sizes.delete(name);
  }

  private sizeOf(name: string): number {
    const size = this.sizes.get(name);
    if (size === undefined)
      throw ledgerError('TOPOLOGY_STORE_NOT_FOUND', {
        cause: `Topology store '${name}' is not known.`,
        context: { storeId: name },
      });
    return size;
  }

  /**
   * All transactions that it received, in order.
   * @throws LedgerError TOPOLOGY_STORE_NOT_FOUND
   */
  all(name: string): readonly StoredMapping[] {
    return Array.from({ length: this.sizeOf(name) }, (_, index) => this.entry(name, index));
  }

  private entry(name: string, index: number): StoredMapping {
    return this.entries.get(keyIn(name, index))!;
  }

  /** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
  store(name: string): TopologyStore {
    this.sizeOf(name);
    const latest = (key: string): StoredMapping | undefined =>
      (this.current.get(keyIn(name, key)) ?? [])
        .map((index) => this.entry(name, index))
        .find(({ isProposal }) => !isProposal);
    const inForce = (key: string): StoredMapping | undefined => {
      const found = latest(key);
      return found?.transaction.replaces ? found : undefined;
    };
    return {
      latest: (mapping) => latest(uniqueKey(mapping)),
      byHash: (hash) => {
        const index = this.hashes.get(keyIn(name, hash));
        return index === undefined ? undefined : this.entry(name, index);
      },
      delegations: new Delegations({
        delegationsOf: (namespace) =>
          (this.delegated.get(keyIn(name, namespace)) ?? []).flatMap((key) => inForce(key) ?? []),
        definitionOf: (namespace) => inForce(definitionKey(namespace)),
      }),
    };
  }

  /**
   * Adds transactions in order, and skips those without a new signature.
   * @throws LedgerError as {@link taken}
   */
  add(
    name: string,
    transactions: readonly SignedMapping[],
    mustBeComplete: boolean,
    now: Timestamp,
  ): void {
    const store = this.store(name);
    for (const each of transactions) {
      const accepted = taken(store, each, mustBeComplete);
      if (accepted !== undefined) this.append(name, accepted, now);
    }
  }

  private append(name: string, accepted: SignedMapping, now: Timestamp): void {
    const { mapping, serial } = accepted.transaction;
    const hash = toHex(accepted.transaction.hash);
    const index = this.sizeOf(name);
    requireWithinLimit(index, MAX_TRANSACTIONS);
    const key = keyIn(name, uniqueKey(mapping));
    const remaining: number[] = [];
    // A transaction in force replaces the earlier one, and each proposal up to its serial.
    for (const other of this.current.get(key) ?? []) {
      const entry = this.entry(name, other);
      const its = toHex(entry.transaction.hash);
      const isOvertaken = !accepted.isProposal && entry.transaction.serial <= serial;
      if (its !== hash && !isOvertaken) remaining.push(other);
      else this.entries.set(keyIn(name, other), { ...entry, until: now });
    }
    this.entries.set(keyIn(name, index), { ...accepted, since: now });
    this.current.set(key, [...remaining, index]);
    this.hashes.set(keyIn(name, hash), index);
    this.sizes.set(name, index + 1);
    if (mapping.kind === 'NamespaceDelegation') this.storeDelegation(name, mapping);
  }

  private storeDelegation(
    name: string,
    mapping: Extract<TopologyMapping, { kind: 'NamespaceDelegation' }>,
  ): void {
    const key = keyIn(name, mapping.namespace);
    const known = this.delegated.get(key) ?? [];
    const added = uniqueKey(mapping);
    if (!known.includes(added)) this.delegated.set(key, [...known, added]);
  }
}

/** Names are texts of any kind. */
const keyIn = (name: string, key: string | number): string => `${name.length}|${name}|${key}`;

const definitionKey = (namespace: string): string =>
  uniqueKey({ kind: 'DecentralizedNamespaceDefinition', namespace, threshold: 1, owners: [] });

function requireWithinLimit(size: number, limit: number): void {
  if (size >= limit)
    throw ledgerError(
      'TOPOLOGY_TOO_MANY_PENDING_TOPOLOGY_TRANSACTIONS',
      'Too many pending topology transactions on this node.',
    );
}
