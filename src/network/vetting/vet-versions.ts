/** All versions of a package vetted, or none: what a test does to a participant in the middle of a flow. */
import type { Participant } from '../participant.js';
import { invalidArgument } from '../request-errors.js';
import { updateVetting } from './vetting-update.js';

/**
 * Wherever the participant is connected, and whatever depends on the package.
 * @param named a package's name, or the id of one version
 * @throws LedgerError INVALID_ARGUMENT for one that the participant does not know
 */
export function vetVersions(participant: Participant, named: string, kind: 'vet' | 'unvet'): void {
  const { packages, connected } = participant;
  const ids = packages.package(named) ? [named] : packages.versionsOf(named);
  if (ids.length === 0) throw invalidArgument(`There is no package ${named}.`);
  const change = { kind, packages: ids.map((id) => ({ id })) };
  const how = { dryRun: false, allowIncompatible: true, allowUnvettedDependencies: true };
  for (const synchronizerId of connected)
    updateVetting(participant, { changes: [change], synchronizerId, ...how });
}
