/**
 * Temporary topology stores over the admin API: made, dropped, written by the same methods as those of synchronizers, and read. What
 * is authorized there has no effect elsewhere.
 */
import { formatInstant, parseTimestamp } from '../../daml/model/time.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { PROTOCOL_VERSIONS } from '../../network/protocol.js';
import type { SigningKey } from '../../network/keys.js';
import {
  decodeTopologyTransaction,
  type TopologyMapping,
  type TopologyTransaction,
} from '../../network/topology/party-hosting.js';
import type { Signature } from '../../network/topology/party-keys.js';
import {
  isSame,
  signersOf,
  type SignedMapping,
  type StoredMapping,
} from '../../network/topology/signed-mappings.js';
import { keysToSignWith, signatureOf } from '../../network/topology/store-signing.js';
import { serialMismatch } from '../../network/topology/temporary-stores.js';
import { participantMember, signingKeysOf } from '../../network/topology/topology-transactions.js';
import { encodeGiven } from '../../network/topology/topology-messages.js';
import type { Signature as SignatureMessage } from '../../spec/generated/ledger.js';
import {
  base64,
  fromBase64,
  readSignature,
  writeSignature,
} from '../ledger-api/formats/crypto-messages.js';
import { protoDeserializationFailure } from '../ledger-api/formats/requests.js';
import type { AdminContext } from './topology-reads.js';

/** As messages have it: bytes are base64. */
export interface SignedMessage {
  readonly transaction: string;
  readonly signatures: readonly SignatureMessage[];
  readonly proposal: boolean;
  readonly multiTransactionSignatures: readonly {
    readonly transactionHashes: readonly string[];
    readonly signatures: readonly SignatureMessage[];
  }[];
}

/** Most characters of a store's name. */
const MAX_NAME = 185;

function requireName(name: string): string {
  if (name.length <= MAX_NAME) return name;
  throw protoDeserializationFailure(
    `StringConversionError(The given string has a maximum length of ${MAX_NAME} but a string of length ${name.length} ('${name.slice(0, MAX_NAME + 1)}...') was given)`,
  );
}

function createTemporaryTopologyStore(
  { participant }: AdminContext,
  { name, protocolVersion }: { readonly name: string; readonly protocolVersion: number },
) {
  if (!(PROTOCOL_VERSIONS as readonly number[]).includes(protocolVersion))
    throw protoDeserializationFailure(
      `OtherError(Protocol version ${protocolVersion} is not supported. The supported versions are ${PROTOCOL_VERSIONS.join(', ')}.)`,
    );
  participant.temporaryStores.create(requireName(name));
  return { storeId: { name } };
}

function dropTemporaryTopologyStore(
  { participant }: AdminContext,
  { storeId }: { readonly storeId?: { readonly name: string } },
) {
  if (storeId === undefined) throw protoDeserializationFailure('FieldNotSet(store_id)');
  participant.temporaryStores.drop(storeId.name);
  return {};
}

/** @param serial 0 for the one that follows */
interface Proposed {
  readonly operation: number;
  readonly serial: number;
  readonly mapping: Uint8Array;
}

/** With the serial that follows, where none is given. @throws LedgerError TOPOLOGY_SERIAL_MISMATCH, TOPOLOGY_MAPPING_ALREADY_EXISTS */
function built(
  { participant }: AdminContext,
  name: string,
  { operation, serial, mapping }: Proposed,
): TopologyTransaction {
  const first = decodeTopologyTransaction(encodeGiven(operation, 1, mapping));
  const before = participant.temporaryStores.latest(name, first.mapping)?.transaction;
  if (before === undefined) {
    if (serial > 1) throw serialMismatch(serial, 1);
    return first;
  }
  const isThere =
    before.replaces === first.replaces && shown(before.mapping) === shown(first.mapping);
  if (isThere && serial !== 0 && serial !== before.serial) throw alreadyExists();
  const next = before.serial + 1;
  if (!isThere && serial !== 0 && serial !== next) throw serialMismatch(serial, next);
  return isThere ? before : decodeTopologyTransaction(encodeGiven(operation, next, mapping));
}

/** The same of two mappings that say the same, however they are encoded. */
const shown = (mapping: TopologyMapping): string =>
  JSON.stringify(mapping, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));

const alreadyExists = () =>
  ledgerError(
    'TOPOLOGY_MAPPING_ALREADY_EXISTS',
    'A matching topology mapping authorized with the same keys already exists in this state',
  );

function ownKeys({ network, participant: { id, name } }: AdminContext): readonly SigningKey[] {
  return signingKeysOf(network.random, participantMember(id, name));
}

const MAY_BE_ALIEN = 'FORCE_FLAG_ALIEN_MEMBER';
const MAY_SIGN_WITH_ANY = 'FORCE_FLAG_ALLOW_UNVALIDATED_SIGNING_KEYS';
const MAY_LACK_CONFIRMERS = 'FORCE_FLAG_ALLOW_CONFIRMING_THRESHOLD_CANNOT_BE_MET';

/** What a topology manager refuses of any store. */
function requireHarmless(
  { participant }: AdminContext,
  mapping: TopologyMapping,
  force: readonly string[],
): void {
  const owner =
    mapping.kind === 'OwnerToKeyMapping'
      ? mapping.member.slice(mapping.member.indexOf('::') + 2)
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
    throw ledgerError(
      'TOPOLOGY_SIGNING_THRESHOLD_CANNOT_BE_REACHED',
      `Tried to set a signing threshold (${signing.threshold}) above the number of signing keys (${signing.keys.length}).`,
    );
  if (mapping.kind !== 'PartyToParticipant' || force.includes(MAY_LACK_CONFIRMERS)) return;
  const { threshold, hosts } = mapping;
  if (hosts.length > 0 && threshold > hosts.length)
    throw ledgerError(
      'TOPOLOGY_CONFIRMING_THRESHOLD_CANNOT_BE_REACHED',
      `Tried to set a confirming threshold (${threshold}) above the number of hosting nodes (${hosts.length}).`,
    );
}

function read(given: SignedMessage): SignedMapping {
  const { transaction, signatures, proposal: isProposal, multiTransactionSignatures } = given;
  return {
    transaction: decodeTopologyTransaction(fromBase64(transaction)),
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
  /** Fingerprints; this participant's own choice where empty. */
  readonly signedBy: readonly string[];
  readonly force: readonly string[];
}

/** With this participant's signatures beside those that are there. */
function extended(
  context: AdminContext,
  name: string,
  given: SignedMapping,
  { signedBy, force }: Choice,
): SignedMapping {
  const { temporaryStores } = context.participant;
  const keys = keysToSignWith(
    ownKeys(context),
    given.transaction,
    temporaryStores.latest(name, given.transaction.mapping),
    temporaryStores.delegations(name),
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
  name: string,
  transactions: readonly SignedMapping[],
  force: readonly string[],
  mustBeComplete: boolean,
): void {
  const { network, participant } = context;
  for (const { transaction } of transactions) requireHarmless(context, transaction.mapping, force);
  network.journal.atomically(() =>
    participant.temporaryStores.add(name, transactions, mustBeComplete, network.clock.now()),
  );
}

/** What is written into a temporary store, by its name. Each throws as a topology manager does. */
export const temporaryWrites = {
  generate: (context: AdminContext, name: string, proposed: Proposed): TopologyTransaction =>
    built(context, name, proposed),

  add: (
    context: AdminContext,
    name: string,
    transactions: readonly SignedMessage[],
    force: readonly string[],
  ) => add(context, name, transactions.map(read), force, false),

  sign(context: AdminContext, name: string, given: SignedMessage, choice: Choice) {
    return written(extended(context, name, read(given), choice));
  },

  /** @param hash hexadecimal, of what was proposed */
  accept(context: AdminContext, name: string, hash: string, choice: Choice, isWhole: boolean) {
    const { temporaryStores } = context.participant;
    const found = temporaryStores.byHash(name, hash);
    if (found === undefined) return undefined;
    const result = extended(context, name, found, choice);
    add(context, name, [result], choice.force, isWhole);
    return written(result);
  },

  authorize(
    context: AdminContext,
    name: string,
    proposed: Proposed,
    choice: Choice,
    isWhole: boolean,
  ) {
    const transaction = built(context, name, proposed);
    const before = context.participant.temporaryStores.latest(name, transaction.mapping);
    const given = { transaction, signatures: [], joint: [], isProposal: !isWhole };
    const result = extended(context, name, given, choice);
    const isKnown = before !== undefined && isSame(before.transaction.hash, transaction.hash);
    const known = isKnown ? signersOf(before) : undefined;
    if (known && signersOf(result).every((each) => known.includes(each))) throw alreadyExists();
    add(context, name, [result], choice.force, isWhole);
    return written(result);
  },
};

export interface TimeQuery {
  readonly proposals: boolean;
  readonly operation: string;
  readonly filterSignedKey: string;
  readonly snapshot?: string;
  readonly range?: { readonly from?: string; readonly until?: string };
}

type Of<K extends TopologyMapping['kind']> = Extract<TopologyMapping, { kind: K }>;

/** What a query finds in a temporary store. @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
export function storedMappings<K extends TopologyMapping['kind']>(
  { participant }: AdminContext,
  name: string,
  kind: K,
  query: TimeQuery,
): readonly { readonly context: object; readonly mapping: Of<K> }[] {
  return participant.temporaryStores
    .all(name)
    .filter((each) => isFound(each, query) && each.transaction.mapping.kind === kind)
    .map((each) => ({
      context: contextOf(name, each),
      mapping: each.transaction.mapping as Of<K>,
    }));
}

const operationOf = ({ replaces }: TopologyTransaction): string =>
  replaces ? 'TOPOLOGY_CHANGE_OP_ADD_REPLACE' : 'TOPOLOGY_CHANGE_OP_REMOVE';

function isFound(each: StoredMapping, query: TimeQuery): boolean {
  const { proposals, operation, filterSignedKey, snapshot, range } = query;
  const { since, until } = each;
  const at = (text: string | undefined) => (text === undefined ? undefined : parseTimestamp(text));
  const [then, from, to] = [at(snapshot), at(range?.from), at(range?.until)];
  const isThen =
    range !== undefined
      ? (from === undefined || since >= from) && (to === undefined || since < to)
      : then !== undefined
        ? since < then && (until === undefined || until >= then)
        : until === undefined;
  return (
    isThen &&
    each.isProposal === proposals &&
    (operation.endsWith('_UNSPECIFIED') || operation === operationOf(each.transaction)) &&
    (filterSignedKey === '' || signersOf(each).some((by) => by.startsWith(filterSignedKey)))
  );
}

function contextOf(name: string, each: StoredMapping): object {
  return {
    store: { temporary: { name } },
    sequenced: formatInstant(each.since),
    validFrom: formatInstant(each.since),
    ...(each.until !== undefined && { validUntil: formatInstant(each.until) }),
    operation: operationOf(each.transaction),
    transactionHash: base64(each.transaction.hash),
    serial: each.transaction.serial,
    signedByFingerprints: signersOf(each),
  };
}

export const temporaryStores = { createTemporaryTopologyStore, dropTemporaryTopologyStore };
