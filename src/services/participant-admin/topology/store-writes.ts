/** Writes to any topology store over the admin API, with the same code to build, sign, merge and add transactions. */
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { scalaSet } from '../../../daml/errors/scala-text.js';
import { abbreviatedHash } from '../../../network/model/ids.js';
import type { SigningKey } from '../../../network/model/keys.js';
import {
  decodeTopologyTransaction,
  encodeHosting,
  isModelled,
  type AnyTopologyTransaction,
  type TopologyMapping,
  type TopologyTransaction,
} from '../../../network/topology/party-hosting.js';
import type { Signature } from '../../../network/topology/party-keys.js';
import {
  isSame,
  signersOf,
  type SignedMapping,
  type StoredMapping,
} from '../../../network/topology/signed-mappings.js';
import { memberUid, shownMapping } from '../../../network/topology/mapping-rules.js';
import { serialMismatch, type TopologyStore } from '../../../network/topology/store-rules.js';
import { encodeOwnedKeys } from '../../../network/topology/mapped-keys.js';
import { keysToSignWith, signatureOf } from '../../../network/topology/store-signing.js';
import { encodeTransaction } from '../../../network/topology/topology-messages.js';
import {
  participantMember,
  signingKeysOf,
} from '../../../network/topology/topology-transactions.js';
import type { Signature as SignatureMessage } from '../../../spec/generated/ledger.js';
import {
  base64,
  fromBase64,
  readSignature,
  writeSignature,
} from '../../ledger-api/formats/crypto-messages.js';
import { fieldNotSet, ofError } from '../parsing/conversion.js';
import { reading } from '../parsing/parsed.js';
import { mappingText } from '../../../network/topology/mapping-text.js';
import { NotServed } from '../not-served.js';
import { generatedKey } from '../vault/new-keys.js';
import type { AdminContext } from '../admin-context.js';

/** In the form of messages: bytes are base64. */
export interface SignedMessage {
  readonly transaction: string;
  readonly signatures: readonly SignatureMessage[];
  readonly proposal: boolean;
  readonly multiTransactionSignatures: readonly {
    readonly transactionHashes: readonly string[];
    readonly signatures: readonly SignatureMessage[];
  }[];
}

/** A writable store. */
export interface WritableStore extends TopologyStore {
  /** Further checks of its manager, which force flags turn off. Throws a LedgerError. */
  readonly requireSafe?: (transaction: TopologyTransaction, force: readonly string[]) => void;
  readonly add: (
    transactions: readonly SignedMapping[],
    mustBeComplete: boolean,
    force: readonly string[],
  ) => void;
}

/** @throws ConversionError */
export function readAny(encoded: Uint8Array): AnyTopologyTransaction {
  if (encoded.length === 0) throw fieldNotSet('TopologyTransaction: data');
  return ofError(() => decodeTopologyTransaction(encoded));
}

/**
 * @throws NotServed for a mapping that the model does not have, and the errors of {@link readAny}; a ConversionError as
 * PROTO_DESERIALIZATION_FAILURE
 */
export function readKnown(encoded: Uint8Array): TopologyTransaction {
  const read = reading(() => readAny(encoded));
  if (isModelled(read)) return read;
  throw new NotServed(read.mapping.kind);
}

/** @param serial 0 for the next one */
export interface Proposed {
  readonly operation: number;
  readonly serial: number;
  readonly mapping: Uint8Array;
}

/**
 * With the next serial, if the request has none.
 * @throws LedgerError TOPOLOGY_SERIAL_MISMATCH, TOPOLOGY_MAPPING_ALREADY_EXISTS
 */
function built(store: TopologyStore, proposed: Proposed): TopologyTransaction {
  const { serial } = proposed;
  const first = transactionOf(proposed, 1);
  const latest = store.latest(first.mapping);
  const before = latest?.transaction;
  if (before === undefined) {
    if (serial > 1) throw serialMismatch(serial, 1);
    return first;
  }
  const isThere =
    before.replaces === first.replaces &&
    shownMapping(before.mapping) === shownMapping(first.mapping);
  if (isThere && serial !== 0 && serial !== before.serial) throw alreadyExists(latest!);
  const next = before.serial + 1;
  if (!isThere && serial !== 0 && serial !== next) throw serialMismatch(serial, next);
  return isThere ? before : transactionOf(proposed, next);
}

/** In normal form: a repeated host appears once, and keys have their usages. */
function transactionOf({ operation, mapping }: Proposed, serial: number): TopologyTransaction {
  const given = readKnown(encodeTransaction(operation, serial, mapping));
  const { mapping: read, replaces } = given;
  if (read.kind === 'PartyToParticipant' && read.signing === undefined && replaces)
    return readKnown(encodeHosting(read, serial));
  if (read.kind === 'OwnerToKeyMapping' && replaces)
    return readKnown(encodeOwnedKeys(read, serial));
  return given;
}

const alreadyExists = (existing: StoredMapping) =>
  ledgerError('TOPOLOGY_MAPPING_ALREADY_EXISTS', {
    cause: 'A matching topology mapping authorized with the same keys already exists in this state',
    context: {
      existing: mappingText(existing.transaction.mapping),
      keys: scalaSet(signersOf(existing).map(abbreviatedHash)),
    },
  });

/** The participant's own keys, and keys that its operator generated. */
function ownKeys({ network, participant }: AdminContext): readonly SigningKey[] {
  const { id, name, generatedKeys } = participant;
  return [
    ...signingKeysOf(network.random, participantMember(id, name)),
    ...generatedKeys.value.flatMap((each) => generatedKey(network.random, each) ?? []),
  ];
}

const MAY_BE_ALIEN = 'FORCE_FLAG_ALIEN_MEMBER';
const MAY_SIGN_WITH_ANY = 'FORCE_FLAG_ALLOW_UNVALIDATED_SIGNING_KEYS';
const MAY_LACK_CONFIRMERS = 'FORCE_FLAG_ALLOW_CONFIRMING_THRESHOLD_CANNOT_BE_MET';

/** The checks of a topology manager for any store. */
function requireHarmless(
  { participant }: AdminContext,
  mapping: TopologyMapping,
  force: readonly string[],
): void {
  const owner =
    mapping.kind === 'OwnerToKeyMapping'
      ? memberUid(mapping.member)
      : mapping.kind === 'VettedPackages'
        ? mapping.participantId
        : participant.id;
  if (owner !== participant.id && !force.includes(MAY_BE_ALIEN))
    throw ledgerError(
      'TOPOLOGY_DANGEROUS_COMMAND_REQUIRES_FORCE_ALIEN_MEMBER',
      `Issuing ${mapping.kind} for alien members requires ForceFlag.AlienMember`,
    );
  const isOfKeys = mapping.kind === 'PartyToKeyMapping' || mapping.kind === 'PartyToParticipant';
  const signing = isOfKeys ? mapping.signing : undefined;
  if (signing !== undefined && signing.threshold > signing.keys.length)
    throw ledgerError('TOPOLOGY_SIGNING_THRESHOLD_CANNOT_BE_REACHED', {
      cause: `Tried to set a signing threshold (${signing.threshold}) above the number of signing keys (${signing.keys.length}).`,
      context: {
        threshold: String(signing.threshold),
        numberOfSigningKeys: String(signing.keys.length),
      },
    });
  if (mapping.kind !== 'PartyToParticipant' || force.includes(MAY_LACK_CONFIRMERS)) return;
  const { threshold, hosts } = mapping;
  if (hosts.length > 0 && threshold > hosts.length)
    throw ledgerError('TOPOLOGY_CONFIRMING_THRESHOLD_CANNOT_BE_REACHED', {
      cause: `Tried to set a confirming threshold (${threshold}) above the number of hosting nodes (${hosts.length}).`,
      context: { threshold: String(threshold), numberOfHostingNodes: String(hosts.length) },
    });
}

function read(given: SignedMessage): SignedMapping {
  const { transaction, signatures, proposal: isProposal, multiTransactionSignatures } = given;
  return {
    transaction: readKnown(fromBase64(transaction)),
    signatures: signatures.map(readSignature),
    joint: multiTransactionSignatures.map((each) => ({
      hashes: each.transactionHashes.map(fromBase64),
      signatures: each.signatures.map(readSignature),
    })),
    isProposal,
  };
}

function written({ transaction, signatures, joint, isProposal }: SignedMapping) {
  return {
    transaction: base64(transaction.encoded),
    signatures: signatures.map(writeSignature),
    proposal: isProposal,
    multiTransactionSignatures: joint.map((each) => ({
      transactionHashes: each.hashes.map(base64),
      signatures: each.signatures.map(writeSignature),
    })),
  };
}

interface Choice {
  /** Fingerprints. If empty, this participant selects the keys. */
  readonly signedBy: readonly string[];
  readonly force: readonly string[];
}

/** Adds this participant's signatures to the existing ones. */
function extended(
  context: AdminContext,
  store: TopologyStore,
  given: SignedMapping,
  { signedBy, force }: Choice,
): SignedMapping {
  const keys = keysToSignWith(
    ownKeys(context),
    given.transaction,
    store.latest(given.transaction.mapping),
    store.delegations,
    signedBy,
    force.includes(MAY_SIGN_WITH_ANY),
  );
  const before = new Set(signersOf(given));
  const added: readonly Signature[] = keys
    .filter(({ fingerprint }) => !before.has(fingerprint))
    .map((key) => signatureOf(key, given.transaction.hash));
  return { ...given, signatures: [...given.signatures, ...added] };
}

function add(
  context: AdminContext,
  store: WritableStore,
  transactions: readonly SignedMapping[],
  force: readonly string[],
  mustBeComplete: boolean,
): void {
  for (const { transaction } of transactions) {
    requireHarmless(context, transaction.mapping, force);
    store.requireSafe?.(transaction, force);
  }
  context.network.journal.atomically(() => store.add(transactions, mustBeComplete, force));
}

/** Each function throws the errors of a topology manager. */
export const storeWrites = {
  generate: built,

  add: (
    context: AdminContext,
    store: WritableStore,
    transactions: readonly SignedMessage[],
    force: readonly string[],
  ) => add(context, store, transactions.map(read), force, false),

  sign(context: AdminContext, store: TopologyStore, given: SignedMessage, choice: Choice) {
    return written(extended(context, store, read(given), choice));
  },

  /** @param hash hexadecimal, of the proposal */
  accept(
    context: AdminContext,
    store: WritableStore,
    hash: string,
    choice: Choice,
    isWhole: boolean,
  ) {
    const found = store.byHash(hash);
    if (found === undefined) return undefined;
    const result = extended(context, store, found, choice);
    add(context, store, [result], choice.force, isWhole);
    return written(result);
  },

  authorize(
    context: AdminContext,
    store: WritableStore,
    proposed: Proposed,
    choice: Choice,
    isWhole: boolean,
  ) {
    const transaction = built(store, proposed);
    const before = store.latest(transaction.mapping);
    const given = { transaction, signatures: [], joint: [], isProposal: !isWhole };
    const result = extended(context, store, given, choice);
    const isKnown = before !== undefined && isSame(before.transaction.hash, transaction.hash);
    const known = isKnown ? signersOf(before) : undefined;
    if (known && signersOf(result).every((each) => known.includes(each)))
      throw alreadyExists(before!);
    add(context, store, [result], choice.force, isWhole);
    return written(result);
  },
};
