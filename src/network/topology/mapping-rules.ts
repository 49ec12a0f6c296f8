/** Canton's rules for each mapping: its unique key, its required signers, and its code in delegations. */
import { namespaceOf } from '../model/ids.js';
import { byFingerprint, signs } from './mapped-keys.js';
import type {
  DelegationRestriction,
  SigningKeys,
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

/** The id of a node without its code. */
export const memberUid = (member: string): string => member.slice(member.indexOf('::') + 2);

/** Equal for two mappings of which one replaces the other. */
export function uniqueKey(mapping: TopologyMapping): string {
  switch (mapping.kind) {
    case 'NamespaceDelegation':
      return `${mapping.kind}|${mapping.namespace}|${mapping.target.fingerprint}`;
    case 'DecentralizedNamespaceDefinition':
      return `${mapping.kind}|${mapping.namespace}`;
    case 'OwnerToKeyMapping':
      return `${mapping.kind}|${memberUid(mapping.member)}`;
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
      return mapping.keys.filter(signs);
    case 'PartyToKeyMapping':
      return mapping.signing.keys;
    case 'PartyToParticipant':
      return mapping.signing?.keys ?? [];
    default:
      return [];
  }
}

/** A hosting may name the key of its party's namespace, which then speaks for the namespace without a delegation. */
export function selfAuthorizingKey(mapping: TopologyMapping): PartyKey | undefined {
  return mapping.kind === 'PartyToParticipant'
    ? mapping.signing?.keys.find(({ fingerprint }) => fingerprint === namespaceOf(mapping.party))
    : undefined;
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

/** The fingerprints of keys that the mapping adds. Except in a hosting, a key with other usages is another one. */
function addedKeys(
  mapping: TopologyMapping,
  before: TopologyMapping | undefined,
): readonly string[] {
  const shown = mapping.kind === 'PartyToParticipant' ? fingerprintOf : shownKey;
  const known = new Set((before ? mappedKeys(before) : []).map(shown));
  return mappedKeys(mapping)
    .filter((key) => !known.has(shown(key)))
    .map(fingerprintOf);
}

const fingerprintOf = ({ fingerprint }: PartyKey): string => fingerprint;

const shownKey = ({ fingerprint, usage }: PartyKey): string =>
  `${fingerprint}|${[...usage].sort().join()}`;

/** Equal for the same keys with the same threshold, in any order. */
const shownSigning = (signing: SigningKeys | undefined): string =>
  signing === undefined
    ? ''
    : [signing.threshold, ...[...signing.keys].sort(byFingerprint).map(shownKey)].join();

/** Equal for equal mappings, regardless of their encoding. */
export function shownMapping(mapping: TopologyMapping): string {
  const signing = 'signing' in mapping ? shownSigning(mapping.signing) : undefined;
  return JSON.stringify({ ...mapping, signing }, (_, each: unknown) =>
    typeof each === 'bigint' ? String(each) : each,
  );
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
  const isOther =
    before?.threshold !== mapping.threshold ||
    shownSigning(before.signing) !== shownSigning(mapping.signing);
  if (isOther) clauses.push([party]);
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
  return { clauses: clauses.length > 0 ? clauses : [[party]], keys: added };
}
