/** Rules of a synchronizer for mappings, besides signatures. Canton checks them before the serial. */
import { scalaList } from '../../daml/errors/scala-text.js';
import { abbreviatedHash, abbreviatedId, namespaceOf } from '../model/ids.js';
import type { Synchronizer } from '../synchronizer.js';
import { ENCRYPTION_SPEC_NAMES } from './encryption-keys.js';
import { encrypts, nodeKeyText, signs, type NodeKey } from './mapped-keys.js';
import { memberUid, selfAuthorizingKey } from './mapping-rules.js';
import { mappingText, transactionText } from './mapping-text.js';
import { topologyHash, type TopologyMapping, type TopologyTransaction } from './party-hosting.js';
import { SIGNING_SPEC_NAMES } from './party-keys.js';
import type { Delegations, StoredMapping } from './signed-mappings.js';
import { encodeAddition } from './topology-messages.js';
import { invalidMapping, requireDerivedNamespace, topologyRefusal } from './topology-refusals.js';
import { memberId, type Member } from './topology-transactions.js';

/** The state of a synchronizer that the checks read. */
export interface Known {
  readonly synchronizer: Synchronizer;
  /** The nodes that were there from the start. */
  readonly founders: readonly Member[];
  /** Whether a certificate of the participant is in force. */
  readonly isMember: (participantId: string) => boolean;
  /** The latest transaction with a certificate of the participant. */
  readonly certificateOf: (participantId: string) => TopologyTransaction | undefined;
  /** Whether an owner-to-key mapping of the member is in force. */
  readonly hasKeys: (member: string) => boolean;
  readonly delegations: Delegations;
  /** Whether the namespace has any delegation. */
  readonly isDelegated: (namespace: string) => boolean;
  /** Whether the root delegation of the namespace was removed. */
  readonly isRevoked: (namespace: string) => boolean;
  /** Whether the namespace is decentralized. */
  readonly isShared: (namespace: string) => boolean;
}

type Of<K extends TopologyMapping['kind']> = Extract<TopologyMapping, { kind: K }>;
type Before = StoredMapping | undefined;

/**
 * @param before the latest mapping with the same unique key, in force or removed
 * @throws LedgerError TOPOLOGY_MEMBER_CANNOT_REJOIN_SYNCHRONIZER, TOPOLOGY_INSUFFICIENT_KEYS, TOPOLOGY_INVALID_OWNER_TO_KEY_MAPPING,
 * TOPOLOGY_INVALID_REMOVAL_OF_OWNER_TO_KEY_MAPPING, TOPOLOGY_NAMESPACE_ALREADY_IN_USE,
 * TOPOLOGY_NAMESPACE_HAS_BEEN_REVOKED, TOPOLOGY_INVALID_MAPPING, TOPOLOGY_PARTY_ID_CONFLICT_WITH_ADMIN_PARTY, TOPOLOGY_UNKNOWN_MEMBERS
 */
export function checkMapping(
  known: Known,
  { mapping, replaces }: TopologyTransaction,
  before: Before,
): void {
  if (mapping.kind === 'OwnerToKeyMapping' && !replaces) requireUnused(known, mapping);
  if (!replaces) return;
  switch (mapping.kind) {
    case 'OwnerToKeyMapping':
      return checkOwnedKeys(mapping, before);
    case 'NamespaceDelegation':
      return checkDelegation(known, mapping, before);
    case 'DecentralizedNamespaceDefinition':
      return checkDefinition(known, mapping, before);
    case 'PartyToParticipant':
      return checkHosting(known, mapping, before);
    case 'SynchronizerTrustCertificate':
      return checkCertificate(known, mapping, before);
  }
}

const memberText = (member: string): string => abbreviatedId(member);

/** Every node needs a key that signs, and a participant also one that encrypts. Removed keys do not return. */
function checkOwnedKeys({ member, keys }: Of<'OwnerToKeyMapping'>, before: Before): void {
  if (before?.transaction.replaces === false)
    throw topologyRefusal(
      'TOPOLOGY_MEMBER_CANNOT_REJOIN_SYNCHRONIZER',
      `Member ${memberText(member)} tried to re-register its keys which they had previously removed.`,
      { member: memberText(member) },
    );
  requireKey(member, 'signing', keys.filter(signs), SIGNING_SPEC_NAMES);
  if (member.startsWith('PAR::'))
    requireKey(member, 'encryption', keys.filter(encrypts), ENCRYPTION_SPEC_NAMES);
}

/** A synchronizer supports every specification that Canton's crypto provider has. */
function requireKey(
  member: string,
  keyType: string,
  provided: readonly NodeKey[],
  specs: readonly string[],
): void {
  if (provided.length > 0) return;
  const supported = scalaList(specs);
  throw topologyRefusal(
    'TOPOLOGY_INVALID_OWNER_TO_KEY_MAPPING',
    `The owner to key mapping for ${memberText(member)} was rejected, as no ${keyType} key was provided. Supported specs are: ${supported}`,
    {
      member: memberText(member),
      keyType,
      provided: scalaList(provided.map(nodeKeyText)),
      supported,
    },
  );
}

/** A node that is part of the synchronizer keeps its keys. */
function requireUnused(known: Known, { member }: Of<'OwnerToKeyMapping'>): void {
  const inUseBy = membershipText(known, member);
  if (inUseBy === undefined) return;
  throw topologyRefusal(
    'TOPOLOGY_INVALID_REMOVAL_OF_OWNER_TO_KEY_MAPPING',
    `The owner to key mapping of ${memberText(member)} cannot be removed as it is referenced by ${inUseBy}`,
    { member: memberText(member), inUseBy },
  );
}

/** The transaction that makes the node a member, in Canton's format. */
function membershipText(
  { founders, isMember, certificateOf, synchronizer: { id: synchronizerId } }: Known,
  id: string,
): string | undefined {
  if (id.startsWith('PAR::')) {
    if (!isMember(memberUid(id))) return undefined;
    const certificate = certificateOf(memberUid(id))!;
    return transactionText(mappingText(certificate.mapping), certificate);
  }
  const member = founders.find((each) => memberId(each) === id);
  if (member === undefined) return undefined;
  const state = { synchronizerId, threshold: 1, active: [member.uid] };
  const [kind, group, mapping] =
    member.code === 'MED'
      ? (['Mediator', 'group = 0, ', { mediatorSynchronizerState: state }] as const)
      : (['Sequencer', '', { sequencerSynchronizerState: state }] as const);
  const encoded = encodeAddition(mapping);
  const active = memberText(id);
  return transactionText(
    `${kind}SynchronizerState(synchronizerId = ${abbreviatedId(synchronizerId)}, ${group}threshold = 1, active = ${active})`,
    { serial: 1, replaces: true, hash: topologyHash(encoded) },
  );
}

/** A participant that left cannot return, and needs keys. */
function checkCertificate(
  { hasKeys }: Known,
  { participantId }: Of<'SynchronizerTrustCertificate'>,
  before: Before,
): void {
  const member = `PAR::${participantId}`;
  const shown = memberText(member);
  if (before?.transaction.replaces === false)
    throw topologyRefusal(
      'TOPOLOGY_MEMBER_CANNOT_REJOIN_SYNCHRONIZER',
      `Members ${scalaList([shown])} tried to rejoin a synchronizer which they had previously left.`,
      { members: scalaList([shown]) },
    );
  if (!hasKeys(member))
    throw topologyRefusal(
      'TOPOLOGY_INSUFFICIENT_KEYS',
      `Members ${shown} are missing a valid owner to key mapping.`,
      { members: scalaList([shown]) },
    );
}

function checkDelegation(
  { isShared }: Known,
  { namespace }: Of<'NamespaceDelegation'>,
  before: Before,
): void {
  if (isShared(namespace)) throw namespaceInUse(namespace);
  if (before?.transaction.replaces === false) throw namespaceRevoked(namespace);
}

function checkDefinition(
  { delegations, isDelegated }: Known,
  mapping: Of<'DecentralizedNamespaceDefinition'>,
  before: Before,
): void {
  if (before === undefined) requireDerivedNamespace(mapping);
  if (isDelegated(mapping.namespace)) throw namespaceInUse(mapping.namespace);
  const unknown = mapping.owners.filter(
    (each) => delegations.keysOf(each, mapping.kind).flat().length === 0,
  );
  if (unknown.length > 0)
    throw invalidMapping(
      `No root certificate found for ${unknown.map(abbreviatedHash).join(', ')}`,
    );
}

function checkHosting(known: Known, mapping: Of<'PartyToParticipant'>, before: Before): void {
  requireOwnHost(known, mapping);
  const last = before?.transaction.replaces ? before.transaction.mapping : undefined;
  const hosts = last?.kind === 'PartyToParticipant' ? last.hosts : [];
  const added = mapping.hosts.filter(
    ({ participantId }) => !hosts.some((each) => each.participantId === participantId),
  );
  requireMembers(
    added.map(({ participantId }) => participantId),
    known.isMember,
  );
  const namespace = namespaceOf(mapping.party);
  if (selfAuthorizingKey(mapping) && known.isRevoked(namespace)) throw namespaceRevoked(namespace);
}

/** The id of a participant is also that of its admin party, which only this participant hosts, with the submission permission. */
function requireOwnHost(
  { isMember }: Known,
  { party, threshold, hosts }: Of<'PartyToParticipant'>,
): void {
  if (!isMember(party)) return;
  const [host] = hosts;
  const isOwn =
    hosts.length === 1 &&
    threshold === 1 &&
    host!.participantId === party &&
    host!.permission === 'submission';
  if (isOwn) return;
  throw topologyRefusal(
    'TOPOLOGY_PARTY_ID_CONFLICT_WITH_ADMIN_PARTY',
    `Tried to allocate party ${abbreviatedId(party)} with the same UID as an already existing admin party.`,
    { partyId: abbreviatedId(party) },
  );
}

/** @throws LedgerError TOPOLOGY_UNKNOWN_MEMBERS */
export function requireMembers(
  hosts: readonly string[],
  isKnown: (participantId: string) => boolean,
): void {
  const unknown = hosts.filter((id) => !isKnown(id));
  if (unknown.length === 0) return;
  const members = unknown.sort().map((id) => `PAR::${abbreviatedId(id)}`);
  throw topologyRefusal('TOPOLOGY_UNKNOWN_MEMBERS', `Members ${members.join(', ')} are unknown.`, {
    members: scalaList(members),
  });
}

const namespaceInUse = (namespace: string) =>
  topologyRefusal(
    'TOPOLOGY_NAMESPACE_ALREADY_IN_USE',
    `The namespace ${abbreviatedHash(namespace)} is already in use by another entity.`,
    { namespace: abbreviatedHash(namespace) },
  );

const namespaceRevoked = (namespace: string) =>
  topologyRefusal(
    'TOPOLOGY_NAMESPACE_HAS_BEEN_REVOKED',
    `The namespace ${abbreviatedHash(namespace)} has been revoked.`,
    { namespace: abbreviatedHash(namespace) },
  );
