/** Vets all versions of a package, or none: for tests that change vetting in the middle of a flow. */
import { suggestion } from '../../daml/errors/edit-distance.js';
import type { Participant } from '../participant.js';
import { invalidArgument } from '../model/request-errors.js';
import { updateVetting } from './vetting-update.js';

/**
 * Applies to all connected synchronizers and to the packages that depend on this one.
 * @param named a package's name, or the id of one version
 * @throws LedgerError INVALID_ARGUMENT for a package that the participant does not know
 */
export function vetVersions(participant: Participant, named: string, kind: 'vet' | 'unvet'): void {
  const { packages, connected } = participant;
  const ids = packages.package(named) ? [named] : packages.versionsOf(named);
  if (ids.length === 0)
    throw invalidArgument(
      `There is no package ${named}.${suggestion(named, packages.packageNames())}`,
    );
  const change = { kind, packages: ids.map((id) => ({ id })) };
  const how = { dryRun: false, allowIncompatible: true, allowUnvettedDependencies: true };
  for (const synchronizerId of connected)
    updateVetting(participant, { changes: [change], synchronizerId, ...how });
}
