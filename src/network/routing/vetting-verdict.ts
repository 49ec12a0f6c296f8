/**
 * The check of confirming participants that packages are still vetted. The submitting participant checked them when it
 * chose the synchronizer, so only a vetting change before the sequencing matters (B-VET-024).
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Transaction } from '../../daml/model/transaction.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import {
  abbreviatedHash,
  abbreviatedId,
  type ParticipantId,
  type SynchronizerId,
} from '../model/ids.js';
import { packagesByParty } from '../packages/party-packages.js';
import { requiredPackages } from '../packages/required-packages.js';
import type { Participant } from '../participant.js';

interface Confirmed {
  readonly transaction: Transaction;
  /** By node id. */
  readonly witnesses: readonly (readonly Party[])[];
  readonly effectiveAt: Timestamp;
}

/**
 * Until protocol version 35 they check only the packages of informees of root nodes; from 36 on those of each part
 * (R-36-069).
 */
export function vettingVerdict(
  { ledger, packages }: Participant,
  { transaction, witnesses, effectiveAt }: Confirmed,
  at: SynchronizerId,
): LedgerError | undefined {
  const { topology } = ledger;
  const protocol = ledger.protocolOf(at);
  const ofRoots = new Set(transaction.roots.flatMap((root) => witnesses[root]!));
  const missing = new Map<ParticipantId, Set<PackageId>>();
  for (const [party, needed] of packagesByParty(transaction, witnesses)) {
    if (!protocol.confirmsVettingOfParts && !ofRoots.has(party)) continue;
    for (const host of topology.hostIds(party, at))
      for (const id of requiredPackages(protocol, packages, [...needed]))
        if (!topology.isVetted(host, at, id, effectiveAt))
          missing.set(host, (missing.get(host) ?? new Set()).add(id));
  }
  if (missing.size === 0) return undefined;
  const sentences = [...missing].map(
    ([host, ids]) => `PAR::${abbreviatedId(host)} has not vetted ${shown(ids)}`,
  );
  return ledgerError('LOCAL_VERDICT_FAILED_MODEL_CONFORMANCE_CHECK', {
    cause: `Rejected transaction due to a failed model conformance check: UnvettedPackages(${sentences.join('\n')})`,
    explanation:
      'The vetting of the packages changed after the submission, before the transaction was sequenced.',
  });
}

/** Canton's form of a set: a single element appears alone. */
function shown(ids: ReadonlySet<PackageId>): string {
  const all = [...ids].map(abbreviatedHash);
  return all.length === 1 ? all[0]! : `Set(${all.join(', ')})`;
}
