/** The consents to a hosting by its signatures: of the party's keys, the owners of its namespace, and its hosts. */
import { namespaceOf } from '../model/ids.js';
import type { SharedNamespace } from '../topology/external-parties.js';
import { requireDerivedNamespace, topologyRefusal } from '../topology/topology-refusals.js';
import { isValidSignature, type PartyKey, type Signature } from '../topology/party-keys.js';
import type { Onboarding, PartyNamespace, SignedTransaction } from './onboarding.js';

/**
 * Fingerprints of the signers. Signatures of keys without authority are ignored; invalid signatures of the other keys
 * are errors.
 */
export class Consents {
  constructor(
    private readonly covered: Uint8Array,
    private readonly multiHashSignatures: readonly Signature[],
    private readonly onboarding: Onboarding,
    private readonly hosts: readonly PartyKey[],
  ) {}

  all(): { readonly consents: ReadonlySet<string>; readonly shared?: SharedNamespace } {
    const { hosting, hostingTransaction, keyMapping, namespace } = this.onboarding;
    const owners = namespace?.kind === 'decentralized' ? namespace.owners : [];
    const delegations = namespace?.kind === 'centralized' ? [namespace.delegation] : owners;
    const delegated = delegations.map(({ mapping }) => mapping.target);
    const proved = delegations
      .filter((each) => this.signersOf(each, [each.mapping.target]).size > 0)
      .map(({ mapping }) => mapping.target);
    const consents = this.signersOf(hostingTransaction, [
      ...(hostingTransaction.mapping.signing?.keys ?? []),
      ...delegated,
      ...this.hosts,
    ]);
    // A mapping of keys does not prove a namespace: that needs a delegation, or a key in the hosting (B-EXT-025).
    if (keyMapping !== undefined)
      for (const each of this.signersOf(keyMapping, [
        ...keyMapping.mapping.signing.keys,
        ...delegated,
      ]))
        if (each !== namespaceOf(hosting.party)) consents.add(each);
    return namespace?.kind === 'decentralized'
      ? { consents, shared: { ...this.founded(namespace), keys: proved } }
      : { consents };
  }

  /**
   * A new decentralized namespace needs the signature of every owner. Its mappings need the number of signatures in
   * its threshold.
   */
  private founded({
    definition,
    owners,
  }: Extract<PartyNamespace, { kind: 'decentralized' }>): Omit<SharedNamespace, 'keys'> {
    const { mapping } = definition;
    requireDerivedNamespace(mapping);
    const keys = owners.filter(isRootDelegation).map((owner) => owner.mapping.target);
    const { namespace, threshold } = mapping;
    const founders = this.signersOf(definition, keys);
    return {
      namespace,
      threshold,
      owners: mapping.owners,
      hash: definition.hash,
      transaction: definition.encoded,
      signatures: definition.signatures,
      founders,
    };
  }

  private signersOf(
    { hash, signatures }: SignedTransaction,
    keys: readonly PartyKey[],
  ): Set<string> {
    const signers = new Set<string>();
    for (const key of keys) {
      const single = signatures.find(({ signedBy }) => signedBy === key.fingerprint);
      const joint = this.multiHashSignatures.find(({ signedBy }) => signedBy === key.fingerprint);
      const signature = single ?? joint;
      if (signature === undefined) continue;
      if (!isValidSignature(single === undefined ? this.covered : hash, key, signature))
        throw topologyRefusal(
          'TOPOLOGY_INVALID_TX_SIGNATURE',
          'Transaction signature verification failed',
        );
      signers.add(key.fingerprint);
    }
    return signers;
  }
}

function isRootDelegation({
  mapping,
}: {
  readonly mapping: {
    readonly isRoot: boolean;
    readonly namespace: string;
    readonly target: PartyKey;
  };
}): boolean {
  return mapping.isRoot && mapping.target.fingerprint === mapping.namespace;
}
