/**
 * Topology stores that a participant keeps beside those of synchronizers, for as long as it runs: transactions are signed, joined and
 * looked at there, and nothing of them has an effect. Held to the same rules of serials and signatures as any store.
 * NOTE: as a real participant's, they are gone once it starts anew: files of worlds do not have them.
 */
import { toHex } from '../../daml/model/hash.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { Timestamp } from '../../daml/model/values.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import { uniqueKey } from './mapping-rules.js';
import type { TopologyMapping } from './party-hosting.js';
import {
  authorized,
  Delegations,
  isSame,
  signersOf,
  type SignedMapping,
  type StoredMapping,
} from './signed-mappings.js';

/** Most stores at once, and most transactions in one: what is not read by anybody else is still held in memory. */
const MAX_STORES = 1000;
const MAX_TRANSACTIONS = 100_000;

export class TemporaryStores {
  private readonly stores: JournaledMap<string, readonly StoredMapping[]>;

  constructor(journal: Journal) {
    this.stores = new JournaledMap(journal, undefined);
  }

  names(): readonly string[] {
    return this.stores.sortedKeys();
  }

  /** @throws LedgerError TOPOLOGY_TEMPORARY_STORE_ALREADY_EXISTS */
  create(name: string): void {
    if (this.stores.has(name))
      throw ledgerError(
        'TOPOLOGY_TEMPORARY_STORE_ALREADY_EXISTS',
        `Cannot create topology store with id ${name}, because it already exists.`,
      );
    requireRoom(this.stores.size, MAX_STORES);
    this.stores.set(name, []);
  }

  /** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
  drop(name: string): void {
    this.all(name);
    this.stores.delete(name);
  }

  /** All that it ever took, in order. @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
  all(name: string): readonly StoredMapping[] {
    const found = this.stores.get(name);
    if (found === undefined)
      throw ledgerError('TOPOLOGY_STORE_NOT_FOUND', `Topology store '${name}' is not known.`);
    return found;
  }

  /** What is in force of the same as the mapping, or was taken away; proposals aside. */
  latest(name: string, mapping: TopologyMapping): StoredMapping | undefined {
    const key = uniqueKey(mapping);
    return inForce(this.all(name)).find((each) => uniqueKey(each.transaction.mapping) === key);
  }

  /** The latest of a hash, proposals among them. @param hash hexadecimal */
  byHash(name: string, hash: string): StoredMapping | undefined {
    return current(this.all(name)).find((each) => toHex(each.transaction.hash) === hash);
  }

  delegations(name: string): Delegations {
    return new Delegations(inForce(this.all(name)).filter((each) => each.transaction.replaces));
  }

  /**
   * In order; what adds no signature to what is there is passed over.
   * @throws LedgerError TOPOLOGY_SERIAL_MISMATCH and what {@link authorized} throws
   */
  add(
    name: string,
    transactions: readonly SignedMapping[],
    mustBeComplete: boolean,
    now: Timestamp,
  ): void {
    for (const each of transactions) this.addOne(name, each, mustBeComplete, now);
  }

  private addOne(
    name: string,
    given: SignedMapping,
    mustBeComplete: boolean,
    now: Timestamp,
  ): void {
    const { transaction } = given;
    const known = this.byHash(name, toHex(transaction.hash));
    const knownSigners = known && signersOf(known);
    if (knownSigners && signersOf(given).every((each) => knownSigners.includes(each))) return;
    const before = this.latest(name, transaction.mapping);
    const isJoined = before !== undefined && isSame(before.transaction.hash, transaction.hash);
    const next = before === undefined ? undefined : before.transaction.serial + 1;
    if (!isJoined && next !== undefined && next !== transaction.serial)
      throw serialMismatch(transaction.serial, next);
    const joined = known === undefined ? given : joinedSignatures(known, given);
    const accepted = authorized(joined, before, this.delegations(name), mustBeComplete);
    const all = this.all(name);
    requireRoom(all.length, MAX_TRANSACTIONS);
    // What is in force takes the place of what was before it, and of every proposal that it overtakes.
    const isReplaced = (each: StoredMapping): boolean =>
      each === known ||
      (!accepted.isProposal &&
        uniqueKey(each.transaction.mapping) === uniqueKey(transaction.mapping) &&
        each.transaction.serial <= transaction.serial);
    this.stores.set(name, [
      ...all.map((each) =>
        each.until === undefined && isReplaced(each) ? { ...each, until: now } : each,
      ),
      { ...accepted, since: now },
    ]);
  }
}

export function serialMismatch(actual: number, expected: number) {
  return ledgerError('TOPOLOGY_SERIAL_MISMATCH', {
    cause: `The provided serial Some(${actual}) did not match the expected serial Some(${expected}).`,
    context: { actual: `Some(${actual})`, expected: `Some(${expected})` },
  });
}

const current = (all: readonly StoredMapping[]) => all.filter(({ until }) => until === undefined);
const inForce = (all: readonly StoredMapping[]) =>
  current(all).filter(({ isProposal }) => !isProposal);

/** Each key's signature once. */
function joinedSignatures(known: SignedMapping, given: SignedMapping): SignedMapping {
  const before = new Set(signersOf(known));
  const fresh = ({ signedBy }: { readonly signedBy: string }) => !before.has(signedBy);
  const joint = given.joint.map((each) => ({ ...each, signatures: each.signatures.filter(fresh) }));
  return {
    ...given,
    signatures: [...known.signatures, ...given.signatures.filter(fresh)],
    joint: [...known.joint, ...joint.filter(({ signatures }) => signatures.length > 0)],
  };
}

function requireRoom(size: number, limit: number): void {
  if (size >= limit)
    throw ledgerError(
      'TOPOLOGY_TOO_MANY_PENDING_TOPOLOGY_TRANSACTIONS',
      'Too many pending topology transactions on this node.',
    );
}
