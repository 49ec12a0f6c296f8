/** Canton's rules for each mapping: its unique key, its required signers, and its code in delegations. */
import { namespaceOf } from '../model/ids.js';
import type {
  DelegationRestriction,
  TopologyMapping,
  TopologyTransaction,
} from './party-hosting.js';
import type { PartyKey } from './party-keys.js';

type Kind = TopologyMapping['kind'];
type Of<K extends Kind> = Extract<TopologyMapping, { kind: K }>;

/** The codes of Canton's enumeration, to which a delegation can be restricted. */
const CODES: Readonly<Record<Kind, number>> = {
  NamespaceDelegation: 1,
  DecentralizedNamespaceDefinition: 3,
  OwnerToKeyMapping: 4,
  SynchronizerTrustCertificate: 5,
  VettedPackages: 8,
  PartyToParticipant: 9,
  PartyToKeyMapping: 18,
};

/** The required signers: one namespace of each clause, and every key. */
interface RequiredSigners {
  readonly clauses: readonly (readonly string[])[];
  /** Fingerprints. */
  readonly keys: readonly string[];
}

/** Equal for two mappings of which one replaces the other. */
export function uniqueKey(mapping: TopologyMapping): string {
  switch (mapping.kind) {
    case 'NamespaceDelegation':
      return `${mapping.kind}|${mapping.namespace}|${mapping.target.fingerprint}`;
    case 'DecentralizedNamespaceDefinition':
      return `${mapping.kind}|${mapping.namespace}`;
    case 'OwnerToKeyMapping':
      return `${mapping.kind}|${mapping.member}`;
    case 'SynchronizerTrustCertificate':
      return `${mapping.kind}|${mapping.participantId}|${mapping.synchronizerId}`;
    case 'VettedPackages':
      return `${mapping.kind}|${mapping.participantId}`;
    case 'PartyToParticipant':
    case 'PartyToKeyMapping':
      return `${mapping.kind}|${mapping.party}`;
  }
}

/** The keys that a mapping assigns to an owner: each must prove its possession by a signature. */
export function mappedKeys(mapping: TopologyMapping): readonly PartyKey[] {
  switch (mapping.kind) {
    case 'OwnerToKeyMapping':
      return mapping.keys;
    case 'PartyToKeyMapping':
      return mapping.signing.keys;
    case 'PartyToParticipant':
      return mapping.signing?.keys ?? [];
    default:
      return [];
  }
}

export function mayDelegateFor(restriction: DelegationRestriction, kind: Kind): boolean {
  if (restriction === 'all') return true;
  if (restriction === 'all but delegations') return kind !== 'NamespaceDelegation';
  return restriction.includes(CODES[kind]);
}

/** Whether a key delegates its own namespace. */
export const isRootDelegation = (mapping: TopologyMapping): mapping is Of<'NamespaceDelegation'> =>
  mapping.kind === 'NamespaceDelegation' &&
  mapping.target.fingerprint === mapping.namespace &&
  mayDelegateFor(mapping.restriction, 'NamespaceDelegation');

/** @param last the latest mapping with the same unique key that was in force, even if it was removed */
export function requiredSigners(
  mapping: TopologyMapping,
  last: Pick<TopologyTransaction, 'mapping' | 'replaces'> | undefined,
): RequiredSigners {
  const before = last?.replaces ? last.mapping : undefined;
  const added = addedKeys(mapping, before);
  switch (mapping.kind) {
    case 'NamespaceDelegation':
      return { clauses: [[mapping.namespace]], keys: [] };
    case 'DecentralizedNamespaceDefinition': {
      // Also if it was removed: no key signs for it any more, so that it cannot return (B-EXT-034).
      const known = last?.mapping;
      if (known?.kind !== mapping.kind) return { clauses: each(mapping.owners), keys: [] };
      const owners = mapping.owners.filter((owner) => !known.owners.includes(owner));
      return { clauses: each([mapping.namespace, ...owners]), keys: [] };
    }
    case 'OwnerToKeyMapping':
      return { clauses: [[namespaceOf(mapping.member)]], keys: added };
    case 'SynchronizerTrustCertificate':
    case 'VettedPackages':
      return { clauses: [[namespaceOf(mapping.participantId)]], keys: [] };
    case 'PartyToKeyMapping':
      return { clauses: [[namespaceOf(mapping.party)]], keys: added };
    case 'PartyToParticipant':
      return ofHosting(mapping, before?.kind === mapping.kind ? before : undefined, added);
  }
}

const each = (namespaces: readonly string[]): readonly (readonly string[])[] =>
  namespaces.map((namespace) => [namespace]);

function addedKeys(
  mapping: TopologyMapping,
  before: TopologyMapping | undefined,
): readonly string[] {
  const known = new Set((before ? mappedKeys(before) : []).map(({ fingerprint }) => fingerprint));
  return mappedKeys(mapping)
    .map(({ fingerprint }) => fingerprint)
    .filter((fingerprint) => !known.has(fingerprint));
}

/** How much each permission allows. */
const RANK = { observation: 0, confirmation: 1, submission: 2 } as const;

/**
 * A host with a higher permission must consent, and so must the party. To reduce a permission, the consent of
 * either is sufficient.
 */
function ofHosting(
  mapping: Of<'PartyToParticipant'>,
  before: Of<'PartyToParticipant'> | undefined,
  added: readonly string[],
): RequiredSigners {
  const party = namespaceOf(mapping.party);
  const clauses: (readonly string[])[] = [];
  if (before?.threshold !== mapping.threshold) clauses.push([party]);
  const areKeysOther =
    JSON.stringify(before?.signing?.keys.map(({ fingerprint }) => fingerprint)) !==
      JSON.stringify(mapping.signing?.keys.map(({ fingerprint }) => fingerprint)) ||
    before?.signing?.threshold !== mapping.signing?.threshold;
  if (areKeysOther) clauses.push([party]);
  const known = new Map(before?.hosts.map((host) => [host.participantId, host.permission]));
  for (const { participantId, permission } of mapping.hosts) {
    const previous = known.get(participantId);
    known.delete(participantId);
    if (previous === permission) continue;
    const host = namespaceOf(participantId);
    if (previous === undefined || RANK[previous] < RANK[permission]) clauses.push([party], [host]);
    else clauses.push([party, host]);
  }
  for (const left of known.keys()) clauses.push([party, namespaceOf(left)]);
  return clauses.length > 0
    ? { clauses, keys: areKeysOther ? added : [] }
    : { clauses: [[party]], keys: added };
}
