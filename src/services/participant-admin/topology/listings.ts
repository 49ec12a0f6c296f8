/** The mappings of one kind in a store, and the method that lists them. */
import type { Timestamp } from '../../../daml/model/values.js';
import { namespaceOf } from '../../../network/model/ids.js';
import type { Network } from '../../../network/network.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import { topologyHash, type TopologyMapping } from '../../../network/topology/party-hosting.js';
import { signersOf, type StoredMapping } from '../../../network/topology/signed-mappings.js';
import { signatureOf } from '../../../network/topology/store-signing.js';
import { logOf, logOn } from '../../../network/topology/synchronizer-store.js';
import {
  participantMember,
  signingKeysOf,
  type Member,
} from '../../../network/topology/topology-transactions.js';
import type { AdminContext } from '../admin-context.js';
import { parsed } from '../parsing/parsed.js';
import { baseQuery, type QueryMessage } from '../parsing/topology.js';
import { entryMessage, matchesQuery, storesOf, type Entry, type Store } from './stores.js';

type Kind = TopologyMapping['kind'];

export interface Results {
  readonly results: readonly { readonly context: object; readonly item: object }[];
}

/** A mapping of a store, in the form of its message. */
interface Found {
  readonly store: Store;
  readonly entry: Entry;
  readonly item: object;
}

/** A store whose mappings are derived from the model. */
type KnownStore = Exclude<Store, { kind: 'temporary' }>;

export interface Known<T> {
  readonly entry: Entry;
  readonly mapping: T;
}

/** The list method for the mappings of one kind. */
export interface Listing<Q extends QueryMessage, T> {
  /** Canton's three-letter code of the kind. */
  readonly code: string;
  /** A synchronizer's store, or the participant's own. */
  readonly known: (context: AdminContext, store: KnownStore) => readonly Known<T>[];
  /** Present if temporary stores can have them. */
  readonly kind?: Kind;
  /** The signer of a mapping: an id, or a namespace. */
  readonly owner: (mapping: T) => string;
  /** False if the request filters it out. */
  readonly itemOf: (mapping: T, query: Q) => object | false;
}

/** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
export function entriesIn<Q extends QueryMessage, T>(
  context: AdminContext,
  store: Store,
  { known, kind }: Pick<Listing<Q, T>, 'known' | 'kind'>,
): readonly Known<T>[] {
  if (store.kind !== 'temporary') return known(context, store);
  const all = context.participant.temporaryStores.all(store.name);
  return all
    .filter(({ transaction }) => transaction.mapping.kind === kind)
    .map((each) => ({ entry: entryOf(each), mapping: each.transaction.mapping as T }));
}

export const listing = <Q extends QueryMessage, T>(of: Listing<Q, T>) =>
  parsed(
    (message: Q, supported) => ({ message, base: baseQuery(message, supported) }),
    (context, { message, base }): Results => {
      const found = storesOf(context, base.store).flatMap((store): Found[] =>
        entriesIn(context, store, of).flatMap(({ entry, mapping }): Found[] => {
          const item = matchesQuery(entry, base) && of.itemOf(mapping, message);
          return item === false ? [] : [{ store, entry, item }];
        }),
      );
      return {
        results: found.map(({ store, entry, item }) => ({
          context: entryMessage(store, entry),
          item,
        })),
      };
    },
  );

const entryOf = (stored: StoredMapping): Entry => ({
  since: stored.since,
  until: stored.until,
  replaces: stored.transaction.replaces,
  serial: stored.transaction.serial,
  hash: stored.transaction.hash,
  encoded: stored.transaction.encoded,
  signedBy: signersOf(stored),
  signed: () => stored,
  isProposal: stored.isProposal,
});

interface Given {
  readonly serial?: number;
  /** The signatures of parties and other non-nodes on the same transaction. */
  readonly given?: ReturnType<Entry['signed']> | undefined;
}

/** An entry in force in a synchronizer's store. @param owners ids of the nodes that signed it */
export const inForce = (
  network: Network,
  encoded: Uint8Array,
  owners: readonly string[],
  since: Timestamp,
  { serial = 1, given }: Given = {},
): Entry => {
  const signedBy = owners.map(namespaceOf);
  const said = { encoded, hash: topologyHash(encoded), since, serial, signedBy };
  return wordsOf(network, { ...said, replaces: true, isProposal: false }, given);
};

/** An entry that nodes signed, alone or with others. @param said with the namespaces of all signers */
export const wordsOf = (
  network: Network,
  said: Omit<Entry, 'signed'>,
  given: Given['given'],
): Entry => ({
  ...said,
  signed: () => {
    const own = nodesOf(network)
      .filter(({ uid }) => said.signedBy.includes(namespaceOf(uid)))
      .map((member) => signatureOf(signingKeysOf(network.random, member)[0]!, said.hash));
    return { signatures: [...(given?.signatures ?? []), ...own], joint: given?.joint ?? [] };
  },
});

/** All nodes whose keys are derived from the seed. */
const nodesOf = ({ participants, synchronizers }: Network): readonly Member[] => [
  ...participants.map(({ id, name }) => participantMember(id, name)),
  ...synchronizers.flatMap(({ sequencerId, mediatorId, alias }): Member[] => [
    { code: 'SEQ', uid: sequencerId, owner: `sequencer/${alias}` },
    { code: 'MED', uid: mediatorId, owner: `mediator/${alias}` },
  ]),
];

/** For mappings that only the stores of synchronizers have. Empty for the participant's own store. */
export const ofSynchronizers =
  <T>(known: (context: AdminContext, synchronizer: Synchronizer) => readonly Known<T>[]) =>
  (context: AdminContext, store: KnownStore) =>
    store.kind === 'authorized' ? [] : known(context, store.synchronizer);

/** For delegations and keys, which are a log in every store. */
export const ofLog =
  <T>(kind: Kind) =>
  ({ network, participant }: AdminContext, store: KnownStore): readonly Known<T>[] => {
    const log =
      store.kind === 'authorized'
        ? logOf(network, participant)
        : logOn(network, store.synchronizer);
    return log.all(kind).map((each) => {
      return { entry: entryOf(each), mapping: each.transaction.mapping as T };
    });
  };
