/**
 * Finds packages that exclude a synchronizer: all informees of a part of a transaction must have vetted the packages
 * of that part.
 */
import type { Transaction } from '../../daml/model/transaction.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import {
  abbreviatedHash,
  abbreviatedId,
  type ParticipantId,
  type SynchronizerId,
} from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import { packagesByParty, packagesIn } from '../packages/party-packages.js';
import { requiredPackages } from '../packages/required-packages.js';
import type { Participant } from '../participant.js';
import { invalidPrescription } from './common-synchronizers.js';

interface Judged {
  readonly ledger: Ledger;
  readonly participant: Participant;
  readonly transaction: Transaction;
  readonly informees: readonly Party[];
  /** By node id. */
  readonly witnesses: readonly (readonly Party[])[];
}

/**
 * The reason why packages exclude the synchronizer, in Canton's words; undefined if they do not. Each party needs the
 * packages of the part that it sees.
 */
export function unvetted(routing: Judged, at: SynchronizerId): string | undefined {
  const { ledger, transaction, informees, participant } = routing;
  const needed = requiredPackages(
    ledger.protocolOf(at),
    participant.packages,
    packagesIn(transaction),
  );
  // Usually every participant has vetted every package. Then it is not necessary to compute what each party sees.
  if (haveVettedAll(ledger, informees, at, needed)) return undefined;
  return whatIsMissing(routing, at);
}

function whatIsMissing(routing: Judged, at: SynchronizerId): string | undefined {
  const { ledger, transaction, witnesses } = routing;
  const { topology } = ledger;
  const protocol = ledger.protocolOf(at);
  const { packages } = routing.participant;
  const now = ledger.clock.now();
  const isVetted = (host: ParticipantId, id: PackageId): boolean =>
    topology.isVetted(host, at, id, now);
  const missing = new Set<string>();
  for (const [party, needed] of packagesByParty(transaction, witnesses))
    for (const host of topology.hostIds(party, at))
      for (const id of [...requiredPackages(protocol, packages, [...needed])].sort())
        if (!isVetted(host, id)) missing.add(hasNotVetted(host, id));
  return missing.size === 0 ? undefined : notKnown(ledger, at, [...missing]);
}

function notKnown(ledger: Ledger, at: SynchronizerId, missing: readonly string[]): string {
  const { printedId } = ledger.synchronizer(at)!;
  return [
    `Some packages are not known to all informees on synchronizer ${printedId}`,
    ...missing,
  ].join('\n');
}

/**
 * For a transaction from another participant, before its content is checked.
 * @throws LedgerError INVALID_PRESCRIBED_SYNCHRONIZER_ID
 */
export function requireKnownPackages(
  { ledger, packages }: Participant,
  submitters: readonly Party[],
  at: SynchronizerId,
  ids: readonly PackageId[],
): void {
  const unknown = ids.filter((id) => packages.package(id) === undefined).sort();
  if (unknown.length === 0) return;
  const hosts = new Set(submitters.flatMap((party) => [...ledger.topology.hostIds(party, at)]));
  const missing = [...hosts].flatMap((host) => unknown.map((id) => hasNotVetted(host, id)));
  throw invalidPrescription(at, notKnown(ledger, at, missing));
}

const hasNotVetted = (host: ParticipantId, id: PackageId): string =>
  `Participant PAR::${abbreviatedId(host)} has not vetted ${abbreviatedHash(id)}`;

function haveVettedAll(
  { topology, clock }: Ledger,
  parties: readonly Party[],
  at: SynchronizerId,
  packages: readonly PackageId[],
): boolean {
  const now = clock.now();
  for (let i = 0; i < parties.length; i++)
    for (const host of topology.hostIds(parties[i]!, at))
      for (let p = 0; p < packages.length; p++)
        if (!topology.isVetted(host, at, packages[p]!, now)) return false;
  return true;
}
