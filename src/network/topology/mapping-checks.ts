/** Rules of a synchronizer for mappings, besides signatures. Canton checks them before the serial. */
import { scalaList } from '../../daml/errors/scala-text.js';
import { abbreviatedHash, abbreviatedId, namespaceOf } from '../model/ids.js';
import type { Synchronizer } from '../synchronizer.js';
import { ENCRYPTION_SPEC_NAMES } from './encryption-keys.js';
import { encrypts, nodeKeyText, signs, type NodeKey } from './mapped-keys.js';
import { selfAuthorizingKey } from './mapping-rules.js';
import { mappingText, transactionText } from './mapping-text.js';
import { topologyHash, type TopologyMapping, type TopologyTransaction } from './party-hosting.js';
import { SIGNING_SPEC_NAMES } from './party-keys.js';
import type { Delegations, StoredMapping } from './signed-mappings.js';
import { encodeAddition } from './topology-messages.js';
import { invalidMapping, requireDerivedNamespace, topologyRefusal } from './topology-refusals.js';
import { memberId, trustCertificate, type Member } from './topology-transactions.js';

/** The state of a synchronizer that the checks read. */
export interface Known {
  readonly synchronizer: Synchronizer;
  readonly members: readonly Member[];
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
 * @throws LedgerError TOPOLOGY_MEMBER_CANNOT_REJOIN_SYNCHRONIZER, TOPOLOGY_INVALID_OWNER_TO_KEY_MAPPING,
 * TOPOLOGY_INVALID_REMOVAL_OF_OWNER_TO_KEY_MAPPING, TOPOLOGY_NAMESPACE_ALREADY_IN_USE,
 * TOPOLOGY_NAMESPACE_HAS_BEEN_REVOKED, TOPOLOGY_INVALID_MAPPING, TOPOLOGY_UNKNOWN_MEMBERS
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
function requireUnused(
  { members, synchronizer }: Known,
  { member }: Of<'OwnerToKeyMapping'>,
): void {
  const used = members.find((each) => memberId(each) === member);
  if (used === undefined) return;
  const inUseBy = membershipText(used, synchronizer);
  throw topologyRefusal(
    'TOPOLOGY_INVALID_REMOVAL_OF_OWNER_TO_KEY_MAPPING',
    `The owner to key mapping of ${memberText(member)} cannot be removed as it is referenced by ${inUseBy}`,
    { member: memberText(member), inUseBy },
  );
}

/** The transaction that makes the node a member, in Canton's format. */
function membershipText(member: Member, { id: synchronizerId }: Synchronizer): string {
  const { code, uid } = member;
  if (code === 'PAR') {
    const certificate = trustCertificate(uid, synchronizerId);
    return transactionText(mappingText(certificate.mapping), certificate);
  }
  const state = { synchronizerId, threshold: 1, active: [uid] };
  const [kind, group, mapping] =
    code === 'MED'
      ? (['Mediator', 'group = 0, ', { mediatorSynchronizerState: state }] as const)
      : (['Sequencer', '', { sequencerSynchronizerState: state }] as const);
  const encoded = encodeAddition(mapping);
  const active = memberText(memberId(member));
  return transactionText(
    `${kind}SynchronizerState(synchronizerId = ${abbreviatedId(synchronizerId)}, ${group}threshold = 1, active = ${active})`,
    { serial: 1, replaces: true, hash: topologyHash(encoded) },
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
  const last = before?.transaction.replaces ? before.transaction.mapping : undefined;
  const hosts = last?.kind === 'PartyToParticipant' ? last.hosts : [];
  const added = mapping.hosts.filter(
    ({ participantId }) => !hosts.some((each) => each.participantId === participantId),
  );
  requireMembers(
    added.map(({ participantId }) => participantId),
    known.members.map(({ uid }) => uid),
  );
  const namespace = namespaceOf(mapping.party);
  if (selfAuthorizingKey(mapping) && known.isRevoked(namespace)) throw namespaceRevoked(namespace);
}

/** @throws LedgerError TOPOLOGY_UNKNOWN_MEMBERS */
export function requireMembers(hosts: readonly string[], known: readonly string[]): void {
  const unknown = hosts.filter((id) => !known.includes(id));
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
