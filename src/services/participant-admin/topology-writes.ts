/**
 * `TopologyManagerWriteService` as far as external parties and other hosts of parties need it: transactions made of mappings, those that the party's keys have
 * signed, and this participant's own word for them. The rules are those of `AllocateExternalParty`.
 * NOTE: what a key may sign follows from the hosting itself: a delegation or keys that come without one are not served.
 */
import {
  decodeTopologyTransaction,
  type TopologyMapping,
} from '../../network/topology/party-hosting.js';
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
import { temporaryStores, temporaryWrites, type SignedMessage } from './temporary-topology.js';
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
      const temporary = required(store).temporary?.name;
      // Without one it is the first.
      const { hash, encoded: transaction } =
        temporary === undefined
          ? decodeTopologyTransaction(encodeGiven(number, serial || 1, proposed.mapping))
          : temporaryWrites.generate(context, temporary, proposed);
      return { serializedTransaction: base64(transaction), transactionHash: base64(hash) };
    }),
  };
}

export interface Addition {
  readonly transactions: readonly SignedMessage[];
  readonly forceChanges: readonly string[];
  readonly store?: StoreId;
}

/** What synchronizers' stores take; nodes' own mappings and vetted packages go into temporary ones alone. */
const isOfParties = (kind: TopologyMapping['kind']): boolean =>
  !['OwnerToKeyMapping', 'SynchronizerTrustCertificate', 'VettedPackages'].includes(kind);

/** @throws LedgerError as AllocateExternalParty @throws NotServed */
function addTransactions(
  context: AdminContext,
  { transactions, store, forceChanges }: Addition,
): object {
  const { temporary, synchronizer } = required(store);
  if (temporary !== undefined) {
    temporaryWrites.add(context, temporary.name, transactions, forceChanges);
    return {};
  }
  const onboardingTransactions = transactions.map(({ transaction, signatures }) => ({
    transaction: fromBase64(transaction),
    signatures: signatures.map(readSignature),
  }));
  const kinds = onboardingTransactions.map(
    ({ transaction }) => decodeTopologyTransaction(transaction).mapping.kind,
  );
  const others = kinds.find((kind) => !isOfParties(kind));
  if (others !== undefined) throw new NotServed(`${others} in the store of a synchronizer`);
  if (kinds.length === 0) return {};
  if (!kinds.includes('PartyToParticipant'))
    throw new NotServed(`${kinds[0]!} without the PartyToParticipant that it is for`);
  const [first] = connected(context);
  const { id = first?.id, physicalId } = synchronizer ?? {};
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
  const temporary = required(request.store).temporary?.name;
  if (temporary !== undefined) {
    const choice = { signedBy: request.signedBy, force: request.forceChanges };
    const hash = transactionHash.toLowerCase();
    const accepted = temporaryWrites.accept(context, temporary, hash, choice, mustFullyAuthorize);
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
  const { temporary, synchronizer } = required(store);
  if (temporary !== undefined) {
    const proposed = { operation, serial, mapping: fromBase64(mapping) };
    const choice = { signedBy: request.signedBy, force: request.forceChanges };
    const { name } = temporary;
    const result = temporaryWrites.authorize(context, name, proposed, choice, mustFullyAuthorize);
    return { transaction: result };
  }
  const encoded = encodeGiven(operation, serial || 1, fromBase64(mapping));
  const read = decodeTopologyTransaction(encoded);
  if (read.mapping.kind !== 'PartyToParticipant')
    throw new NotServed(`${read.mapping.kind} outside of temporary topology stores`);
  const hosting = read.replaces ? read.mapping : { ...read.mapping, hosts: [] };
  const { id, physicalId } = synchronizer ?? {};
  const named = connected(context).filter(
    (each) => synchronizer === undefined || each.id === id || each.physicalId === physicalId,
  );
  if (named.length === 0)
    throw ledgerError(
      'TOPOLOGY_STORE_NOT_FOUND',
      `Topology store ${physicalId ?? id ?? 'Authorized'} is not known.`,
    );
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
  const temporary = required(store).temporary?.name;
  if (temporary !== undefined)
    return {
      transactions: transactions.map((each) =>
        temporaryWrites.sign(context, temporary, each, { signedBy, force }),
      ),
    };
  return { transactions: transactions.map((each) => signed(context, each, signedBy)) };
}

function signed(
  { network, participant: { id, name } }: AdminContext,
  given: SignedMessage,
  signedBy: readonly string[],
): SignedMessage {
  const all = signingKeysOf(network.random, participantMember(id, name));
  const { hash, mapping } = decodeTopologyTransaction(fromBase64(given.transaction));
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
