/**
 * `TopologyManagerWriteService` as far as external parties and other hosts of parties need it: transactions made of mappings, those that the party's keys have
 * signed, and this participant's own word for them. The rules are those of `AllocateExternalParty`. Vetted packages and temporary stores have their own.
 * NOTE: what a key may sign follows from the hosting itself: a delegation or keys that come without one are not served.
 */
import { participantMember, signingKeysOf } from '../../network/topology/topology-transactions.js';
import type { Synchronizer } from '../../network/synchronizer.js';
import { encodeGiven } from '../../network/topology/topology-messages.js';
import { allocateExternalParty, authorizeHosting } from '../../network/external/allocation.js';
import { proposeHosting } from '../../network/external/rehosting.js';
import { toHex } from '../../daml/model/hash.js';
import { formatInstant } from '../../daml/model/time.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { base64, fromBase64, readSignature } from '../ledger-api/formats/crypto-messages.js';
import { protoDeserializationFailure } from '../ledger-api/formats/requests.js';
import {
  readAny,
  readKnown,
  storeWrites,
  type SignedMessage,
  type WritableStore,
} from './store-writes.js';
import { temporaryStore, temporaryStores } from './temporary-topology.js';
import { vettingStore } from './vetting-store.js';
import { NotServed } from './not-served.js';
import { connected, type AdminContext, type StoreId } from './topology-reads.js';

/** @throws LedgerError PROTO_DESERIALIZATION_FAILURE */
function required(store: StoreId | undefined): StoreId {
  if (store === undefined) throw protoDeserializationFailure('FieldNotSet(store)');
  return store;
}

const OPERATIONS: Readonly<Record<string, number>> = {
  TOPOLOGY_CHANGE_OP_ADD_REPLACE: 1,
  TOPOLOGY_CHANGE_OP_REMOVE: 2,
};

export interface Proposals {
  readonly proposals: readonly {
    readonly operation: string;
    readonly serial: number;
    /** Base64. */
    readonly mapping?: string;
    readonly store?: StoreId;
  }[];
}

/** @throws LedgerError PROTO_DESERIALIZATION_FAILURE */
function generateTransactions(context: AdminContext, { proposals }: Proposals) {
  return {
    generatedTransactions: proposals.map(({ operation, serial, mapping, store }) => {
      if (mapping === undefined) throw protoDeserializationFailure('FieldNotSet(mapping)');
      const number = OPERATIONS[operation];
      if (number === undefined) throw protoDeserializationFailure('FieldNotSet(operation)');
      const proposed = { operation: number, serial, mapping: fromBase64(mapping) };
      const first = readKnown(encodeGiven(number, serial || 1, proposed.mapping));
      const [written] = writable(context, required(store), [first.mapping.kind]) ?? [];
      // Without one it is the first.
      const { hash, encoded } = written ? storeWrites.generate(written, proposed) : first;
      return { serializedTransaction: base64(encoded), transactionHash: base64(hash) };
    }),
  };
}

/**
 * The stores that are written by rules of their own: a temporary one; for vetted packages those of synchronizers, all of them where
 * the participant's own is named. Undefined where what is written follows from what parties are.
 */
function writable(
  context: AdminContext,
  store: StoreId,
  kinds: readonly string[],
): readonly WritableStore[] | undefined {
  if (store.temporary !== undefined) return [temporaryStore(context, store.temporary.name)];
  const isVetting = kinds.length > 0 && kinds.every((kind) => kind === 'VettedPackages');
  if (!isVetting) return undefined;
  return synchronizersOf(context, store).map((each) => vettingStore(context, each));
}

/** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
function synchronizersOf(
  context: AdminContext,
  { synchronizer }: StoreId,
): readonly Synchronizer[] {
  const { id, physicalId } = synchronizer ?? {};
  const named = connected(context).filter(
    (each) => synchronizer === undefined || each.id === id || each.physicalId === physicalId,
  );
  if (named.length > 0) return named;
  throw ledgerError(
    'TOPOLOGY_STORE_NOT_FOUND',
    `Topology store ${physicalId ?? id ?? 'Authorized'} is not known.`,
  );
}

export interface Addition {
  readonly transactions: readonly SignedMessage[];
  readonly forceChanges: readonly string[];
  readonly store?: StoreId;
}

/** What may come with the hosting of a party. */
const OF_PARTIES: readonly string[] = [
  'NamespaceDelegation',
  'DecentralizedNamespaceDefinition',
  'PartyToParticipant',
  'PartyToKeyMapping',
];

/** @throws LedgerError as AllocateExternalParty @throws NotServed */
function addTransactions(
  context: AdminContext,
  { transactions, store: given, forceChanges }: Addition,
): object {
  const store = required(given);
  const onboardingTransactions = transactions.map(({ transaction, signatures }) => ({
    transaction: fromBase64(transaction),
    signatures: signatures.map(readSignature),
  }));
  const kinds = onboardingTransactions.map(({ transaction }) => readAny(transaction).mapping.kind);
  const stores = writable(context, store, kinds);
  if (stores !== undefined) {
    context.network.journal.atomically(() => {
      for (const each of stores) storeWrites.add(context, each, transactions, forceChanges);
    });
    return {};
  }
  const others = kinds.find((kind) => !OF_PARTIES.includes(kind));
  if (others !== undefined) throw new NotServed(`${others} in the store of a synchronizer`);
  if (kinds.length === 0) return {};
  if (!kinds.includes('PartyToParticipant'))
    throw new NotServed(`${kinds[0]!} without the PartyToParticipant that it is for`);
  const [first] = connected(context);
  const { id = first?.id, physicalId } = store.synchronizer ?? {};
  allocateExternalParty(context.participant, {
    synchronizer: physicalId ?? id ?? '',
    onboardingTransactions,
    multiHashSignatures: transactions
      .flatMap((each) => each.multiTransactionSignatures)
      .flatMap(({ signatures }) => signatures.map(readSignature)),
    withoutOwnConsent: true,
  });
  return {};
}

export interface Authorization {
  /** Hexadecimal. */
  readonly transactionHash?: string;
  readonly proposal?: {
    readonly change: string;
    readonly serial: number;
    readonly mapping?: string;
  };
  readonly mustFullyAuthorize: boolean;
  readonly forceChanges: readonly string[];
  /** Fingerprints of keys; this participant's own choice where empty. */
  readonly signedBy: readonly string[];
  readonly store?: StoreId;
}

/**
 * What was proposed can be authorized, and another hosting of a party.
 * @throws LedgerError TOPOLOGY_TRANSACTION_NOT_FOUND, TOPOLOGY_UNAUTHORIZED_TRANSACTION, …
 * @throws NotServed
 */
function authorize(context: AdminContext, request: Authorization) {
  const { transactionHash, mustFullyAuthorize } = request;
  if (transactionHash === undefined) return authorizeMapping(context, request);
  const [store] = writable(context, required(request.store), []) ?? [];
  if (store !== undefined) {
    const choice = { signedBy: request.signedBy, force: request.forceChanges };
    const hash = transactionHash.toLowerCase();
    const accepted = storeWrites.accept(context, store, hash, choice, mustFullyAuthorize);
    if (accepted === undefined) throw notFound(context, transactionHash);
    return { transaction: accepted };
  }
  const ids = connected(context).map(({ id }) => id);
  const { participant } = context;
  const found = authorizeHosting(participant, ids, transactionHash, mustFullyAuthorize);
  if (found === undefined) throw notFound(context, transactionHash);
  return { transaction: { transaction: base64(found) } };
}

const notFound = ({ network }: AdminContext, hash: string) =>
  ledgerError(
    'TOPOLOGY_TRANSACTION_NOT_FOUND',
    `Topology transaction with hash ${hash} does not exist or is not active or is not an active proposal at ${formatInstant(network.clock.now())}`,
  );

/** On the synchronizer whose store is named; on every one, where the participant's own store is. */
function authorizeMapping(context: AdminContext, request: Authorization) {
  const { proposal, mustFullyAuthorize, store } = request;
  if (proposal === undefined)
    throw protoDeserializationFailure('FieldNotSet(AuthorizeRequest.type)');
  const { serial, mapping, change } = proposal;
  if (mapping === undefined)
    throw protoDeserializationFailure('FieldNotSet(AuthorizeRequest.mapping)');
  const operation = OPERATIONS[change];
  if (operation === undefined) throw protoDeserializationFailure('FieldNotSet(change)');
  const proposed = { operation, serial, mapping: fromBase64(mapping) };
  const encoded = encodeGiven(operation, serial || 1, proposed.mapping);
  const read = readKnown(encoded);
  const stores = writable(context, required(store), [read.mapping.kind]);
  if (stores !== undefined) {
    const choice = { signedBy: request.signedBy, force: request.forceChanges };
    const [transaction] = context.network.journal.atomically(() =>
      stores.map((each) =>
        storeWrites.authorize(context, each, proposed, choice, mustFullyAuthorize),
      ),
    );
    return { transaction };
  }
  if (read.mapping.kind !== 'PartyToParticipant')
    throw new NotServed(`${read.mapping.kind} outside of temporary topology stores`);
  const hosting = read.replaces ? read.mapping : { ...read.mapping, hosts: [] };
  const named = synchronizersOf(context, required(store));
  context.network.journal.atomically(() => {
    for (const each of named)
      proposeHosting(context.participant, each.id, read, hosting, mustFullyAuthorize);
  });
  const transaction = base64(encoded);
  const isHostedNow = (each: Synchronizer): boolean =>
    context.network.externalParties.proposal(each.id, toHex(read.hash)) === undefined;
  const given = { transaction, signatures: [], proposal: false, multiTransactionSignatures: [] };
  const member = participantMember(context.participant.id, context.participant.name);
  const [key] = signingKeysOf(context.network.random, member);
  const { signatures } = signed(context, given, [key!.fingerprint]);
  return { transaction: { transaction, signatures, proposal: !named.every(isHostedNow) } };
}

export interface Signing {
  readonly transactions: readonly SignedMessage[];
  /** Fingerprints of keys; this participant's own choice where empty. */
  readonly signedBy: readonly string[];
  readonly forceFlags: readonly string[];
  readonly store?: StoreId;
}

/** @throws LedgerError TOPOLOGY_SECRET_KEY_NOT_IN_STORE, TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE */
function signTransactions(context: AdminContext, request: Signing) {
  const { transactions, signedBy, store, forceFlags: force } = request;
  const given = required(store);
  return {
    transactions: transactions.map((each) => {
      const { kind } = readKnown(fromBase64(each.transaction)).mapping;
      const [written] = writable(context, given, [kind]) ?? [];
      return written
        ? storeWrites.sign(context, written, each, { signedBy, force })
        : signed(context, each, signedBy);
    }),
  };
}

function signed(
  { network, participant: { id, name } }: AdminContext,
  given: SignedMessage,
  signedBy: readonly string[],
): SignedMessage {
  const all = signingKeysOf(network.random, participantMember(id, name));
  const { hash, mapping } = readKnown(fromBase64(given.transaction));
  const unknown = signedBy.find((each) => !all.some(({ fingerprint }) => fingerprint === each));
  if (unknown !== undefined)
    throw ledgerError(
      'TOPOLOGY_SECRET_KEY_NOT_IN_STORE',
      'Secret key with given fingerprint could not be found',
    );
  const isHost =
    mapping.kind === 'PartyToParticipant' &&
    mapping.hosts.some(({ participantId }) => participantId === id);
  const chosen = all.filter(({ fingerprint }) => signedBy.includes(fingerprint));
  const keys = signedBy.length > 0 ? chosen : isHost ? all.slice(0, 1) : [];
  if (keys.length === 0)
    throw ledgerError(
      'TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE',
      'Could not find an appropriate signing key to issue the topology transaction',
    );
  const added = keys.map(({ fingerprint, sign }) => ({
    format: 'SIGNATURE_FORMAT_CONCAT',
    signature: base64(sign(hash)),
    signedBy: fingerprint,
    signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
  }));
  const others = given.signatures.filter(
    ({ signedBy: by }) => !added.some((each) => each.signedBy === by),
  );
  return { ...given, signatures: [...others, ...added] };
}

export const topologyWrites = {
  ...temporaryStores,
  generateTransactions,
  addTransactions,
  authorize,
  signTransactions,
};
