/**
 * The topology transactions that host an external party, in Canton's format (protocol v30): creating, reading and
 * hashing them for signing, one by one or together.
 */
import { createHash } from 'node:crypto';
import { notSet, requireParty, requirePositive, requireUid } from './mapping-fields.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import type { PartyKey, PublicKeyMessage } from './party-keys.js';
import {
  byFingerprint,
  readKey,
  readOwnedKeys,
  requireDistinct,
  requireFewKeys,
  type OwnedKeys,
} from './mapped-keys.js';
import { scalaSet } from '../../daml/errors/scala-text.js';
import type { VettedPackage } from './topology.js';
import { abbreviatedHash, type Party } from '../model/ids.js';
import { HASH_PURPOSE, int32, purposeHash } from '../model/keys.js';
import { Versioned } from '../protobuf/versioned.js';
import {
  ADD_REPLACE,
  encodeAddition,
  TransactionMessage,
  type DecentralizedMessage,
  type DelegationMessage,
  type MappingMessage,
  type PartyToParticipantMessage,
  type VettedPackagesMessage,
} from './topology-messages.js';
import type { PartyPermission } from '../model/updates.js';

const PERMISSIONS: readonly PartyPermission[] = ['submission', 'confirmation', 'observation'];

export interface PartyHost {
  /** `identifier::namespace` of a participant. */
  readonly participantId: string;
  readonly permission: PartyPermission;
}

/** Keys that sign for a party, and how many of them have to. */
export interface SigningKeys {
  readonly keys: readonly PartyKey[];
  readonly threshold: number;
}

export interface PartyHosting {
  readonly party: Party;
  /** How many of the confirming participants must confirm. */
  readonly threshold: number;
  readonly hosts: readonly PartyHost[];
  readonly signing?: SigningKeys;
}

/** A namespace with several owners, of which this number must sign together. */
interface DecentralizedNamespace {
  readonly namespace: string;
  readonly threshold: number;
  readonly owners: readonly string[];
}

/** Which mappings a delegated key may sign. A list contains the numbers of Canton's mapping codes. */
export type DelegationRestriction = 'all' | 'all but delegations' | readonly number[];

export type TopologyMapping =
  | ({ readonly kind: 'PartyToParticipant' } & PartyHosting)
  | { readonly kind: 'PartyToKeyMapping'; readonly party: Party; readonly signing: SigningKeys }
  | {
      readonly kind: 'NamespaceDelegation';
      readonly namespace: string;
      readonly target: PartyKey;
      readonly isRoot: boolean;
      readonly restriction: DelegationRestriction;
    }
  | ({ readonly kind: 'DecentralizedNamespaceDefinition' } & DecentralizedNamespace)
  | ({ readonly kind: 'OwnerToKeyMapping' } & OwnedKeys)
  | {
      readonly kind: 'SynchronizerTrustCertificate';
      readonly participantId: string;
      readonly synchronizerId: string;
      /** Numbers of Canton's enumeration. */
      readonly featureFlags: readonly number[];
    }
  | {
      readonly kind: 'VettedPackages';
      readonly participantId: string;
      readonly packages: readonly VettedPackage[];
    };

/** Mappings about synchronizers, and about their participants and parties. Only the kind is read. */
const UNMODELLED = [
  ['participantPermission', 'ParticipantSynchronizerPermission'],
  ['partyHostingLimits', 'PartyHostingLimits'],
  ['synchronizerParametersState', 'SynchronizerParametersState'],
  ['mediatorSynchronizerState', 'MediatorSynchronizerState'],
  ['sequencerSynchronizerState', 'SequencerSynchronizerState'],
  ['sequencingDynamicParametersState', 'SequencingParametersState'],
  ['synchronizerUpgradeAnnouncement', 'LsuAnnouncement'],
  ['sequencerConnectionSuccessor', 'LsuSequencerConnectionSuccessor'],
] as const satisfies readonly (readonly [keyof MappingMessage, string])[];

/** A mapping that Canticle does not model. */
interface UnmodelledMapping {
  readonly kind: (typeof UNMODELLED)[number][1];
}

export interface TopologyTransaction<M = TopologyMapping> {
  readonly serial: number;
  readonly mapping: M;
  /** If false, the transaction removes the mapping. */
  readonly replaces: boolean;
  /** The data of a signature for this transaction alone. */
  readonly hash: Uint8Array;
  /** The signed bytes. */
  readonly encoded: Uint8Array;
}

export function encodeHosting(
  { party, threshold, hosts, signing }: PartyHosting,
  serial?: number,
): Uint8Array {
  const partyToParticipant = {
    party,
    threshold,
    participants: hosts.map(({ participantId, permission }) => ({
      participantUid: participantId,
      permission: PERMISSIONS.indexOf(permission) + 1,
    })),
    partySigningKeys: signing,
  };
  return encodeAddition({ partyToParticipant }, serial);
}

/**
 * The three transactions by which a party of one key and one participant came to be before hostings named keys: the delegation of its
 * namespace, its hosting, its key.
 */
export function encodeSeparately(
  party: Party,
  key: PartyKey,
  participantId: string,
): readonly Uint8Array[] {
  const hosts = [{ participantId, permission: 'confirmation' }] as const;
  const { fingerprint: namespace, ...targetKey } = key;
  return [
    encodeAddition({
      namespaceDelegation: { namespace, targetKey, canSignAllMappings: {} },
    }),
    encodeHosting({ party, threshold: 1, hosts }),
    encodeAddition({ partyToKeyMapping: { party, threshold: 1, signingKeys: [targetKey] } }),
  ];
}

/** @param participantUid whose packages they are */
export function encodeVettedPackages(
  participantUid: string,
  serial: number,
  packages: Iterable<VettedPackage>,
): Uint8Array {
  const moment = (at: bigint | undefined) =>
    at === undefined
      ? undefined
      : { seconds: at / 1_000_000n, nanos: Number(at % 1_000_000n) * 1000 };
  const vettedPackages = {
    participantUid,
    packages: Array.from(packages, ({ packageId, validFrom, validUntil }) => ({
      packageId,
      validFromInclusive: moment(validFrom),
      validUntilExclusive: moment(validUntil),
    })),
  };
  return encodeAddition({ vettedPackages }, serial);
}

/** A transaction with any mapping. */
export type AnyTopologyTransaction = TopologyTransaction<TopologyMapping | UnmodelledMapping>;

export const isModelled = (given: AnyTopologyTransaction): given is TopologyTransaction =>
  !UNMODELLED.some(([, kind]) => kind === given.mapping.kind);

/** @throws ProtobufError for bytes that are not a topology transaction */
export function decodeTopologyTransaction(encoded: Uint8Array): AnyTopologyTransaction {
  // The newest converter reads every version.
  const { data } = Versioned.decode(encoded);
  if (data === undefined) throw notSet('TopologyTransaction: data');
  const { operation, serial, mapping: given } = TransactionMessage.decode(data);
  const mapping = readMapping(given);
  requirePositive('serial', serial);
  if (operation === 0) throw notSet('operation');
  const replaces = operation === ADD_REPLACE;
  return { serial, mapping, replaces, hash: topologyHash(encoded), encoded };
}

function readMapping(mapping: MappingMessage = {}): TopologyMapping | UnmodelledMapping {
  const { partyToParticipant, namespaceDelegation, partyToKeyMapping } = mapping;
  const { ownerToKeyMapping, synchronizerTrustCertificate, vettedPackages } = mapping;
  if (partyToParticipant) return { kind: 'PartyToParticipant', ...readHosting(partyToParticipant) };
  if (partyToKeyMapping) {
    const { party, signingKeys: keys, threshold } = partyToKeyMapping;
    requireParty(party);
    const read = readKeys({ keys, threshold }, 'signing_keys');
    // Here a repeated key counts once. Canton keeps them in the order of their fingerprints.
    const byId = new Map(read.keys.map((key) => [key.fingerprint, key]));
    const signing = { threshold, keys: [...byId.values()].sort(byFingerprint) };
    requireFewKeys(signing.keys, '');
    return { kind: 'PartyToKeyMapping', party, signing };
  }
  if (namespaceDelegation) {
    const { namespace, targetKey, isRootDelegation, canSignAllMappings } = namespaceDelegation;
    if (targetKey === undefined) throw notSet('target_key');
    return {
      kind: 'NamespaceDelegation',
      namespace,
      target: readKey(targetKey),
      isRoot: isRootDelegation || canSignAllMappings !== undefined,
      restriction: readRestriction(namespaceDelegation),
    };
  }
  const { decentralizedNamespaceDefinition: decentralized, synchronizerParametersState } = mapping;
  if (decentralized)
    return { kind: 'DecentralizedNamespaceDefinition', ...readDecentralized(decentralized) };
  if (ownerToKeyMapping) return { kind: 'OwnerToKeyMapping', ...readOwnedKeys(ownerToKeyMapping) };
  if (synchronizerTrustCertificate) {
    const { participantUid: participantId, synchronizerId } = synchronizerTrustCertificate;
    const { featureFlags } = synchronizerTrustCertificate;
    requireUid('participant_uid', participantId);
    requireUid('synchronizer_id', synchronizerId);
    return { kind: 'SynchronizerTrustCertificate', participantId, synchronizerId, featureFlags };
  }
  if (vettedPackages) return readVettedPackages(vettedPackages);
  if (synchronizerParametersState && !synchronizerParametersState.synchronizerParameters)
    throw notSet('synchronizer_parameters');
  const unmodelled = UNMODELLED.find(([member]) => mapping[member] !== undefined);
  if (unmodelled === undefined) throw notSet('mapping');
  return { kind: unmodelled[1] };
}

function readRestriction(given: DelegationMessage): DelegationRestriction {
  const { isRootDelegation: isRoot, canSignAllMappings: all } = given;
  const { canSignAllButNamespaceDelegations: most, canSignSpecificMapings: some } = given;
  if (isRoot && (all ?? most ?? some))
    throw new ProtobufError(
      'Invariant violation in field `is_root_delegation`: is_root_delegation was set to true, but the list of mapping restrictions did not contain NamespaceDelegation',
    );
  if (some) {
    if (some.mappings.length === 0) throw notSet('Sequence mappings not set or empty');
    return some.mappings;
  }
  if (most) return 'all but delegations';
  return all || isRoot ? 'all' : 'all but delegations';
}

function readVettedPackages(given: VettedPackagesMessage): TopologyMapping {
  const { participantUid, packageIds, packages } = given;
  requireUid('participant_uid', participantUid);
  const both = packageIds.filter((id) => packages.some(({ packageId }) => packageId === id));
  if (both.length > 0)
    throw new ProtobufError(
      `packages ${scalaSet(both)} are listed in both fields 'package_ids' and 'packages' but may only be set in one.`,
    );
  const microseconds = (at: { readonly seconds: bigint; readonly nanos: number } | undefined) =>
    at && at.seconds * 1_000_000n + BigInt(Math.trunc(at.nanos / 1000));
  return {
    kind: 'VettedPackages',
    participantId: participantUid,
    packages: [
      ...packageIds.map((packageId) => ({ packageId })),
      ...packages.map(({ packageId, validFromInclusive, validUntilExclusive }) => ({
        packageId,
        validFrom: microseconds(validFromInclusive),
        validUntil: microseconds(validUntilExclusive),
      })),
    ],
  };
}

function readDecentralized(given: DecentralizedMessage): DecentralizedNamespace {
  const { decentralizedNamespace: namespace, threshold } = given;
  const owners = [...new Set(given.owners)].sort();
  requirePositive('threshold', threshold);
  if (owners.length === 0)
    throw new ProtobufError('Invariant violation in field `owners`: cannot be empty');
  if (threshold > owners.length)
    throw new ProtobufError(
      `Invalid threshold (${threshold}) for ${abbreviatedHash(namespace)} with ${owners.length} owners`,
    );
  return { namespace, threshold, owners };
}

function readHosting({
  party,
  threshold,
  participants,
  partySigningKeys: signingKeys,
}: PartyToParticipantMessage): PartyHosting {
  requireParty(party);
  requirePositive('threshold', threshold);
  const given = participants.map(({ participantUid, permission }) => {
    requireUid('participant_uid', participantUid);
    const known = PERMISSIONS[permission - 1];
    if (permission === 0) throw notSet('PARTICIPANT_PERMISSION_UNSPECIFIED');
    if (known === undefined)
      throw new ProtobufError(
        `Unrecognized value \`${permission}\` in enum field \`UNRECOGNIZED\``,
      );
    return { participantId: participantUid, permission: known };
  });
  const hosts = eachOnce(given);
  const signing = signingKeys && readKeys(signingKeys, 'keys');
  if (signing) {
    requireDistinct(signing.keys, 'signing keys');
    requireFewKeys(signing.keys, 'Invalid PartyToParticipant: ');
  }
  return { party, threshold, hosts, signing };
}

/** If a participant appears several times, its highest permission counts. */
function eachOnce(hosts: readonly PartyHost[]): readonly PartyHost[] {
  const byId = new Map<string, PartyHost>();
  for (const host of hosts) {
    const known = byId.get(host.participantId);
    if (known === undefined || rank(host) < rank(known)) byId.set(host.participantId, host);
  }
  return byId.size === hosts.length ? hosts : [...byId.values()];
}

const rank = ({ permission }: PartyHost): number => PERMISSIONS.indexOf(permission);

interface GivenKeys {
  readonly keys: readonly PublicKeyMessage[];
  readonly threshold: number;
}

function readKeys({ keys, threshold }: GivenKeys, field: string): SigningKeys {
  if (keys.length === 0) throw notSet(`Sequence ${field} not set or empty`);
  const read = keys.map(readKey);
  requirePositive('threshold', threshold);
  return { keys: read, threshold };
}

export function topologyHash(encoded: Uint8Array): Uint8Array {
  return purposeHash(HASH_PURPOSE.topologyTransactionSignature, encoded);
}

/** The data of one signature for several transactions: their number and hashes, in the order of the hashes. */
export function multiHash(hashes: readonly Uint8Array[]): Uint8Array {
  const distinct = new Map(hashes.map((hash) => [Buffer.from(hash).toString('hex'), hash]));
  const sorted = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, hash]) => hash);
  const hasher = createHash('sha256')
    .update(int32(HASH_PURPOSE.multiTopologyTransaction))
    .update(int32(sorted.length));
  for (const hash of sorted) hasher.update(int32(hash.length)).update(hash);
  return Buffer.concat([Buffer.from([0x12, 0x20]), hasher.digest()]);
}
