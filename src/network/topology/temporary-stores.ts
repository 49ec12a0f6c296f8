/**
 * Temporary topology stores of a participant. They follow the rules of serials and signatures of any store, but their
 * transactions have no effect.
 * NOTE: as on a real participant, a restart removes them, so that files of worlds do not contain them.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { Journal } from '../journal/journal.js';
import { MappingLog, requireWithinLimit } from './mapping-log.js';
import { uniqueKey } from './mapping-rules.js';
import { Delegations, type SignedMapping, type StoredMapping } from './signed-mappings.js';
import { taken, type TopologyStore } from './store-rules.js';

/** The most stores: they stay in memory. */
const MAX_STORES = 1000;

export class TemporaryStores {
  private readonly log: MappingLog;

  constructor(journal: Journal) {
    this.log = new MappingLog(journal);
  }

  names(): readonly string[] {
    return this.log.names();
  }

  /** @throws LedgerError TOPOLOGY_TEMPORARY_STORE_ALREADY_EXISTS */
  create(name: string): void {
    if (this.log.has(name))
      throw ledgerError('TOPOLOGY_TEMPORARY_STORE_ALREADY_EXISTS', {
        cause: `Cannot create topology store with id ${name}, because it already exists.`,
        context: { storeId: name },
      });
    requireWithinLimit(this.log.size, MAX_STORES);
    this.log.create(name);
  }

  /** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
  drop(name: string): void {
    this.require(name);
    this.log.drop(name);
  }

  private require(name: string): void {
    if (!this.log.has(name))
      throw ledgerError('TOPOLOGY_STORE_NOT_FOUND', {
        cause: `Topology store '${name}' is not known.`,
        context: { storeId: name },
      });
  }

  /**
   * All transactions that it received, in order.
   * @throws LedgerError TOPOLOGY_STORE_NOT_FOUND
   */
  all(name: string): readonly StoredMapping[] {
    this.require(name);
    return this.log.all(name);
  }

  /** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
  store(name: string): TopologyStore {
    this.require(name);
    return {
      latest: (mapping) => this.log.latest(name, uniqueKey(mapping)),
      byHash: (hash) => this.log.byHash(name, hash),
      delegations: new Delegations(this.log.namespaces(name)),
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
      if (accepted !== undefined) this.log.append(name, accepted, now);
    }
  }
}
