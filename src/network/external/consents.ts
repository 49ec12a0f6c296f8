/** The consents to a hosting by its signatures: of the party's keys, the owners of its namespace, and its hosts. */
import type { SharedNamespace } from '../topology/external-parties.js';
import { requireDerivedNamespace, topologyRefusal } from '../topology/topology-refusals.js';
import { isValidSignature, type PartyKey, type Signature } from '../topology/party-keys.js';
import type { Of, Onboarding, SignedTransaction } from './onboarding.js';

/**
 * Fingerprints of the signers. Signatures of keys without authority are ignored; invalid signatures of the other keys
 * are errors.
 */
export class Consents {
  constructor(
    private readonly covered: Uint8Array,
    private readonly multiHashSignatures: readonly Signature[],
    private readonly onboarding: Onboarding,
  ) {}

  /** Delegations of the party's namespace, or of its owners, that the delegated key signed. */
  delegations(): readonly Of<'NamespaceDelegation'>[] {
    const { namespace } = this.onboarding;
    const owners = namespace?.kind === 'decentralized' ? namespace.owners : [];
    const all = namespace?.kind === 'centralized' ? [namespace.delegation] : owners;
    return all.filter((each) => this.signersOf(each, [each.mapping.target]).size > 0);
  }

  /** @param speaking keys that speak for the party's namespace, or for a host */
  all(speaking: readonly PartyKey[]): ReadonlySet<string> {
    const { hostingTransaction } = this.onboarding;
    const keys = [...(hostingTransaction.mapping.signing?.keys ?? []), ...speaking];
    return this.signersOf(hostingTransaction, keys);
  }

  /**
   * A new decentralized namespace needs the signature of every owner. Its mappings need the number of signatures in
   * its threshold.
   */
  definition(): SharedNamespace | undefined {
    if (this.onboarding.namespace?.kind !== 'decentralized') return undefined;
    const { definition, owners } = this.onboarding.namespace;
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
