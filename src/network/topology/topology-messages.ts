/** The messages of Canton's topology transactions (protocol v30), as far as external parties and the identities of nodes need them. */
import type { PublicKeyMessage, Signature } from './party-keys.js';
import {
  Versioned,
  bool,
  bytes,
  int32,
  message,
  nested,
  oneOf,
  optional,
  plain,
  repeated,
  submessage,
  text,
  uint32,
  uint64,
  type Field,
} from '../protobuf/messages.js';

export interface KeysMessage {
  readonly keys: readonly PublicKeyMessage[];
  readonly threshold: number;
}

interface HostMessage {
  readonly participantUid: string;
  readonly permission: number;
}

export interface PartyToParticipantMessage {
  readonly party: string;
  readonly threshold: number;
  readonly participants: readonly HostMessage[];
  readonly signingKeys?: KeysMessage;
}

export interface DelegationMessage {
  readonly namespace: string;
  readonly targetKey?: PublicKeyMessage;
  readonly isRoot: boolean;
  /** The newer form of the same restriction. */
  readonly canSignAll?: Uint8Array;
  readonly canSignAllButDelegations?: Uint8Array;
  readonly canSignSpecific?: { readonly mappings: readonly number[] };
}

interface TrustCertificateMessage {
  readonly participantUid: string;
  readonly synchronizerId: string;
  readonly featureFlags: readonly number[];
}

interface TimestampMessage {
  readonly seconds: bigint;
  readonly nanos: number;
}

interface VettedPackageMessage {
  readonly packageId: string;
  readonly validFromInclusive?: TimestampMessage;
  readonly validUntilExclusive?: TimestampMessage;
}

export interface VettedPackagesMessage {
  readonly participantUid: string;
  /** The older way to name packages, without bounds. */
  readonly packageIds: readonly string[];
  readonly packages: readonly VettedPackageMessage[];
}

interface PartyToKeyMessage {
  readonly party: string;
  readonly threshold: number;
  readonly keys: readonly PublicKeyMessage[];
}

/** The keys of a node. */
export interface OwnerToKeyMessage {
  readonly member: string;
  readonly publicKeys: readonly { readonly signingPublicKey?: PublicKeyMessage }[];
}

export interface DecentralizedMessage {
  readonly namespace: string;
  readonly threshold: number;
  readonly owners: readonly string[];
}

/** Numbers of mappings about synchronizers, and about their participants and parties. Only the number is read. */
const UNMODELLED = {
  ParticipantSynchronizerPermission: 6,
  PartyHostingLimits: 7,
  SynchronizerParametersState: 11,
  MediatorSynchronizerState: 12,
  SequencerSynchronizerState: 13,
  SequencingParametersState: 15,
  LsuAnnouncement: 17,
  LsuSequencerConnectionSuccessor: 18,
} as const;
export type UnmodelledKind = keyof typeof UNMODELLED;
export const UNMODELLED_KINDS = Object.keys(UNMODELLED) as readonly UnmodelledKind[];

export interface MappingMessage extends Partial<Record<UnmodelledKind, Uint8Array>> {
  readonly namespaceDelegation?: DelegationMessage;
  readonly decentralizedNamespace?: DecentralizedMessage;
  readonly ownerToKey?: OwnerToKeyMessage;
  readonly partyToParticipant?: PartyToParticipantMessage;
  readonly partyToKey?: PartyToKeyMessage;
  readonly trustCertificate?: TrustCertificateMessage;
  readonly vettedPackages?: VettedPackagesMessage;
}

interface TransactionMessage {
  readonly operation: number;
  readonly serial: number;
  readonly mapping?: MappingMessage;
}

export const SigningPublicKeyMessage = message<PublicKeyMessage>({
  format: plain(2, int32),
  publicKey: plain(3, bytes),
  usage: repeated(5, int32),
  keySpec: plain(6, int32),
});
const Host = message<HostMessage>({ participantUid: plain(1, text), permission: plain(2, int32) });
const Keys = message<KeysMessage>({
  keys: repeated(
    1,
    nested(() => SigningPublicKeyMessage),
  ),
  threshold: plain(2, uint32),
});
const PartyToParticipant = message<PartyToParticipantMessage>({
  party: plain(1, text),
  threshold: plain(2, uint32),
  participants: repeated(
    3,
    nested(() => Host),
  ),
  signingKeys: submessage(6, () => Keys),
});
const SpecificMappings = message<{ readonly mappings: readonly number[] }>({
  mappings: repeated(1, int32),
});
const Delegation = message<DelegationMessage>({
  namespace: plain(1, text),
  targetKey: submessage(2, () => SigningPublicKeyMessage),
  isRoot: plain(3, bool),
  canSignAll: optional(4, bytes),
  canSignAllButDelegations: optional(5, bytes),
  canSignSpecific: submessage(6, () => SpecificMappings),
});
const TrustCertificate = message<TrustCertificateMessage>({
  participantUid: plain(1, text),
  synchronizerId: plain(2, text),
  featureFlags: repeated(5, int32),
});
const TimestampMessage = message<TimestampMessage>({
  seconds: plain(1, uint64),
  nanos: plain(2, int32),
});
const VettedPackage = message<VettedPackageMessage>({
  packageId: plain(1, text),
  validFromInclusive: submessage(2, () => TimestampMessage),
  validUntilExclusive: submessage(3, () => TimestampMessage),
});
const VettedPackages = message<VettedPackagesMessage>({
  participantUid: plain(1, text),
  packageIds: repeated(2, text),
  packages: repeated(
    4,
    nested(() => VettedPackage),
  ),
});
const Decentralized = message<DecentralizedMessage>({
  namespace: plain(1, text),
  threshold: plain(2, int32),
  owners: repeated(3, text),
});
const PartyToKey = message<PartyToKeyMessage>({
  party: plain(1, text),
  threshold: plain(3, uint32),
  keys: repeated(
    4,
    nested(() => SigningPublicKeyMessage),
  ),
});
const NodeKey = message<OwnerToKeyMessage['publicKeys'][number]>({
  signingPublicKey: submessage(1, () => SigningPublicKeyMessage),
});
const OwnerToKey = message<OwnerToKeyMessage>({
  member: plain(1, text),
  publicKeys: repeated(
    2,
    nested(() => NodeKey),
  ),
});
const unmodelled = Object.fromEntries(
  UNMODELLED_KINDS.map((kind) => [kind, optional(UNMODELLED[kind], bytes)]),
) as Readonly<Record<UnmodelledKind, Field<Uint8Array | undefined>>>;
const Mapping = message<MappingMessage>(
  oneOf({
    ...unmodelled,
    namespaceDelegation: submessage(1, () => Delegation),
    decentralizedNamespace: submessage(3, () => Decentralized),
    ownerToKey: submessage(4, () => OwnerToKey),
    partyToParticipant: submessage(9, () => PartyToParticipant),
    partyToKey: submessage(16, () => PartyToKey),
    trustCertificate: submessage(5, () => TrustCertificate),
    vettedPackages: submessage(8, () => VettedPackages),
  }),
);
export const TransactionMessage = message<TransactionMessage>({
  operation: plain(1, int32),
  serial: plain(2, uint32),
  mapping: submessage(3, () => Mapping),
});

const SignatureMessage = message<Signature>({
  format: plain(1, int32),
  signature: plain(2, bytes),
  signedBy: plain(3, text),
  algorithm: plain(4, int32),
});
/** The transaction is there as it was signed. */
export const SignedTransactionMessage = message<{
  readonly transaction: Uint8Array;
  readonly signatures: readonly Signature[];
}>({
  transaction: plain(1, bytes),
  signatures: repeated(
    2,
    nested(() => SignatureMessage),
  ),
});

/** The same as a store keeps it, where it may lack signatures, and with those of several transactions at once. */
export const StoredSignedMessage = message<{
  readonly transaction: Uint8Array;
  readonly signatures: readonly Signature[];
  readonly isProposal: boolean;
  readonly joint: readonly {
    readonly hashes: readonly Uint8Array[];
    readonly signatures: readonly Signature[];
  }[];
}>({
  transaction: plain(1, bytes),
  signatures: repeated(
    2,
    nested(() => SignatureMessage),
  ),
  isProposal: plain(3, bool),
  joint: repeated(
    4,
    nested(() => JointMessage),
  ),
});
const JointMessage = message<{
  readonly hashes: readonly Uint8Array[];
  readonly signatures: readonly Signature[];
}>({
  hashes: repeated(1, bytes),
  signatures: repeated(
    2,
    nested(() => SignatureMessage),
  ),
});

const PROTO_VERSION = 30;
/** Adds or replaces a mapping. */
export const ADD_REPLACE = 1;

export function encodeVersioned(data: Uint8Array): Uint8Array {
  return Versioned.encode({ data, version: PROTO_VERSION });
}

/** A transaction that adds a mapping, or puts it in the place of the one before. */
export function encodeAddition(mapping: MappingMessage, serial = 1): Uint8Array {
  return encodeVersioned(TransactionMessage.encode({ operation: ADD_REPLACE, serial, mapping }));
}

const Given = message<{ operation: number; serial: number; mapping: Uint8Array }>({
  operation: plain(1, int32),
  serial: plain(2, uint32),
  mapping: plain(3, bytes),
});

/** The parameters of a synchronizer, if present. */
export const ParametersState = message<{ parameters?: Uint8Array }>({
  parameters: optional(2, bytes),
});

/** A transaction of a mapping of whatever kind, which is bytes already. */
export function encodeGiven(operation: number, serial: number, mapping: Uint8Array): Uint8Array {
  return encodeVersioned(Given.encode({ operation, serial, mapping }));
}
