/** Reads and changes the vetted packages of a participant, by names and versions. */
import type { Participant } from '../../network/participant.js';
import { updateVetting } from '../../network/vetting/vetting-update.js';
import type { PackageName } from '../ledger.js';
import { refusedAs } from './refused-as.js';

/** @throws ScriptRefusal if a package is unknown, or the participant refuses the change */
export function changeVetting(
  participant: Participant,
  kind: 'vet' | 'unvet',
  names: readonly PackageName[],
): void {
  refusedAs(() => {
    for (const synchronizerId of participant.connected)
      updateVetting(participant, {
        changes: [{ kind, packages: names }],
        dryRun: false,
        synchronizerId,
        allowIncompatible: true,
        allowUnvettedDependencies: true,
      });
  });
}

export function vettedBy({ packages, ledger, connected, id }: Participant): readonly PackageName[] {
  const [synchronizerId] = connected;
  if (synchronizerId === undefined) return [];
  const now = ledger.clock.now();
  const isVetted = (each: string) => ledger.topology.isVetted(id, synchronizerId, each, now);
  return packages
    .ids()
    .filter(isVetted)
    .map((each) => packages.package(each)!);
}
