/**
 * The vetted packages of participants by synchronizer, as one participant sees them, in pages (B-VET-001 to
 * B-VET-007).
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { PackageId } from '../../daml/model/types.js';
import { abbreviatedId, type ParticipantId, type SynchronizerId } from '../model/ids.js';
import type { Participant } from '../participant.js';
import type { VettedPackage, Vetting } from '../topology/topology.js';

/** Also the default size. It counts pairs of a participant and a synchronizer. */
export const MAX_VETTED_PACKAGES_PAGE_SIZE = 100;

export interface VettedState {
  readonly synchronizerId: SynchronizerId;
  readonly participantId: ParticipantId;
  readonly serial: number;
  readonly packages: readonly VettedPackage[];
}

/** Empty lists do not restrict the result. A package passes if an id or a prefix matches. */
export interface VettedFilter {
  readonly packageIds: readonly PackageId[];
  readonly namePrefixes: readonly string[];
  readonly participantIds: readonly ParticipantId[];
  readonly synchronizerIds: readonly SynchronizerId[];
}

/** The pair after which a page starts. */
export type VettedPosition = Pick<VettedState, 'synchronizerId' | 'participantId'>;

/**
 * One page, by synchronizer and participant. As on a participant, the size counts pairs before packages are filtered:
 * a page can be short or empty although more pages follow.
 * @throws LedgerError TOPOLOGY_STORE_NOT_FOUND for a synchronizer that this participant is not connected to
 */
export function listVetted(
  participant: Participant,
  filter: VettedFilter,
  after: VettedPosition | undefined,
  size: number,
): readonly VettedState[] {
  const { ledger } = participant;
  const wanted = filter.synchronizerIds.length > 0 ? filter.synchronizerIds : participant.connected;
  const states: VettedState[] = [];
  for (const synchronizerId of [...new Set(wanted)].sort()) {
    if (after !== undefined && synchronizerId < after.synchronizerId) continue;
    if (!participant.isConnectedTo(synchronizerId))
      throw ledgerError('TOPOLOGY_STORE_NOT_FOUND', {
        cause: `No active synchronizer found for ${abbreviatedId(synchronizerId)}.`,
        context: { synchronizerId: abbreviatedId(synchronizerId) },
      });
    for (const { id } of [...ledger.members].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      if (after?.synchronizerId === synchronizerId && id <= after.participantId) continue;
      if (filter.participantIds.length > 0 && !filter.participantIds.includes(id)) continue;
      const vetting = ledger.topology.vetting(id, synchronizerId);
      if (vetting.serial > 0) states.push(vettedState(id, synchronizerId, vetting));
    }
  }
  return states
    .slice(0, size)
    .map((state) => ({
      ...state,
      packages: state.packages.filter(({ packageId }) => passes(participant, filter, packageId)),
    }))
    .filter(({ packages }) => packages.length > 0);
}

export function vettedState(
  participantId: ParticipantId,
  synchronizerId: SynchronizerId,
  { serial, packages }: Vetting,
): VettedState {
  return { synchronizerId, participantId, serial, packages: [...packages.values()] };
}

/** Prefixes match names of packages that this participant knows. */
function passes(
  { packages }: Participant,
  { packageIds, namePrefixes }: VettedFilter,
  id: PackageId,
): boolean {
  if (packageIds.length === 0 && namePrefixes.length === 0) return true;
  const name = packages.package(id)?.name;
  return (
    packageIds.includes(id) ||
    (name !== undefined && namePrefixes.some((prefix) => name.startsWith(prefix)))
  );
}
