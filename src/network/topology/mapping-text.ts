/**
 * Topology mappings as Canton prints them where it refuses them.
 * NOTE: keys and vetted packages are printed by their ids alone.
 */
import { toHex } from '../../daml/model/hash.js';
import { abbreviatedHash, abbreviatedId } from '../model/ids.js';
import { byFingerprint, encrypts, signs, type NodeKey } from './mapped-keys.js';
import type { TopologyMapping, TopologyTransaction } from './party-hosting.js';

type Parameter = readonly [name: string, value: string] | false;

/** @param mapping a mapping in Canton's format */
export function transactionText(
  mapping: string,
  { serial, replaces, hash }: Pick<TopologyTransaction, 'serial' | 'replaces' | 'hash'>,
): string {
  const operation = replaces ? 'Replace' : 'Remove';
  const digits = abbreviatedHash(toHex(hash).slice(4));
  return `TopologyTransaction(${mapping}, serial = ${serial}, operation = ${operation}, hash = SHA-256:${digits})`;
}

export function mappingText(mapping: TopologyMapping): string {
  const shown = parametersOf(mapping).filter((each) => each !== false);
  return `${mapping.kind}(${shown.map(([name, value]) => `${name} = ${value}`).join(', ')})`;
}

function parametersOf(mapping: TopologyMapping): readonly Parameter[] {
  switch (mapping.kind) {
    case 'PartyToParticipant': {
      const { party, threshold, hosts } = mapping;
      const participants = hosts.map(
        ({ participantId, permission }) =>
          `${participantText(participantId)} -> ${permission[0]!.toUpperCase()}${permission.slice(1)}`,
      );
      return [
        ['partyId', abbreviatedId(party)],
        threshold > 1 && ['threshold', String(threshold)],
        ['participants', sequence(participants)],
      ];
    }
    case 'PartyToKeyMapping': {
      const { party, signing } = mapping;
      const keys = signing.keys.map(({ fingerprint }) => fingerprint);
      return [
        ['party', abbreviatedId(party)],
        ['signingKeys', sequence(keys.sort().map(abbreviatedHash))],
        signing.threshold > 1 && ['threshold', String(signing.threshold)],
      ];
    }
    case 'NamespaceDelegation': {
      const { namespace, target, restriction } = mapping;
      const labels = { all: 'none', 'all but delegations': 'not-nsd' };
      return [
        ['namespace', abbreviatedHash(namespace)],
        ['target', abbreviatedHash(target.fingerprint)],
        [
          'restriction',
          typeof restriction === 'string' ? labels[restriction] : restriction.join(','),
        ],
      ];
    }
    case 'DecentralizedNamespaceDefinition': {
      const { namespace, threshold, owners } = mapping;
      return [
        ['namespace', abbreviatedHash(namespace)],
        ['threshold', String(threshold)],
        ['owners', sequence([...owners].sort().map(abbreviatedHash))],
      ];
    }
    case 'OwnerToKeyMapping': {
      const shown = (keys: readonly NodeKey[]): string =>
        sequence(
          [...keys].sort(byFingerprint).map(({ fingerprint }) => abbreviatedHash(fingerprint)),
        );
      const encryption = mapping.keys.filter(encrypts);
      return [
        ['member', abbreviatedId(mapping.member)],
        ['signingKeys', shown(mapping.keys.filter(signs))],
        encryption.length > 0 && ['encryptionKeys', shown(encryption)],
      ];
    }
    case 'SynchronizerTrustCertificate':
      return [
        ['participantId', participantText(mapping.participantId)],
        ['synchronizerId', abbreviatedId(mapping.synchronizerId)],
        mapping.featureFlags.length > 0 && [
          'featureFlags',
          sequence(mapping.featureFlags.map(featureFlagText)),
        ],
      ];
    case 'VettedPackages':
      return [
        ['participantId', participantText(mapping.participantId)],
        ['packages', mapping.packages.map(({ packageId }) => abbreviatedHash(packageId)).join(',')],
      ];
  }
}

/** By their numbers. */
const FEATURE_FLAGS: Readonly<Record<number, string>> = {
  1: 'ExternalSigningLocalContractsInSubview',
  2: 'EnableMultiSynchronizer',
};

const featureFlagText = (flag: number): string =>
  FEATURE_FLAGS[flag] ?? `UnrecognizedFeatureFlag(${flag})`;

const participantText = (id: string): string => `PAR::${abbreviatedId(id)}`;

/** One alone is printed without the name of the collection. */
const sequence = (texts: readonly string[]): string =>
  texts.length === 1 ? texts[0]! : `Seq(${texts.join(', ')})`;
