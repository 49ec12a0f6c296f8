/**
 * Resolves the `#name` of a command to a package for a participant without earlier drafts. This is the choice of the
 * first pass: the versions that the first acting party has vetted on any usable synchronizer.
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Participant } from '../participant.js';
import { isSchema, withDependencies } from '../packages/required-packages.js';
import { preferredPackagesEach, synchronizersFor, type Unsatisfied } from './package-preference.js';
import { invalidPrescription } from './common-synchronizers.js';

/** The name of the package preference in errors. */
const REQUESTED = 'Commands.package_id_selection_preference';

export interface RootNames {
  readonly names: readonly string[];
  readonly submitter: Party;
  readonly synchronizerId: SynchronizerId | undefined;
  /** Package ids; unknown ones are ignored. */
  readonly preference: readonly PackageId[];
}

/**
 * @returns the package of each name: the highest of all synchronizers that have one for every name
 * @throws LedgerError PACKAGE_SELECTION_FAILED or, if the synchronizer was prescribed,
 * INVALID_PRESCRIBED_SYNCHRONIZER_ID (B-PSL-007)
 */
export function rootPackages(
  participant: Participant,
  { names, submitter, synchronizerId, preference }: RootNames,
): ReadonlyMap<string, PackageId> {
  const { packages, ledger } = participant;
  const highest =
    preference.length === 0 && highestOfEach(participant, names, submitter, synchronizerId);
  if (highest) return highest;
  const requirements = new Map(names.map((name) => [name, [submitter]]));
  const { satisfied, unsatisfied } = preferredPackagesEach(participant, requirements, {
    synchronizerId,
    pinned: { by: REQUESTED, ids: pinnedBy(participant, preference) },
  });
  const reasons = unsatisfied.map((each) => [each, [...each.errors.keys()][0]!] as const);
  if (satisfied.length === 0) throw selectionFailed(ledger, synchronizerId, reasons);
  const chosen = new Set(satisfied.flatMap(({ packageIds }) => packageIds));
  return new Map(
    names.map((name) => [name, packages.versionsOf(name).find((id) => chosen.has(id))!]),
  );
}

/**
 * The highest version of each name, if one synchronizer has them all. This is the usual case and skips the other
 * checks.
 */
function highestOfEach(
  participant: Participant,
  names: readonly string[],
  submitter: Party,
  synchronizerId: SynchronizerId | undefined,
): ReadonlyMap<string, PackageId> | undefined {
  const { packages, ledger } = participant;
  const { topology, clock } = ledger;
  const now = clock.now();
  const highest = new Map<string, PackageId>();
  for (const name of names) {
    const id = packages.versionsOf(name)[0];
    if (id === undefined) return undefined;
    highest.set(name, id);
  }
  const candidates = synchronizersFor(participant, [submitter], synchronizerId);
  const isOn = (where: SynchronizerId): boolean => {
    const hosts = topology.hostIds(submitter, where);
    const { vetsDependencies } = ledger.protocolOf(where);
    const isVetted = (id: PackageId): boolean => {
      for (const host of hosts) if (!topology.isVetted(host, where, id, now)) return false;
      return true;
    };
    const needs = (each: DamlPackage): boolean =>
      highest.has(each.name) || (vetsDependencies && isSchema(each));
    for (const id of highest.values())
      for (const each of withDependencies(packages, [id]))
        if ((each.id === id || needs(each)) && !isVetted(each.id)) return false;
    return true;
  };
  return candidates.some(isOn) ? highest : undefined;
}

/** The ids by package name. */
export function pinnedBy(
  { packages }: Participant,
  preference: readonly PackageId[],
): ReadonlyMap<string, PackageId> {
  const known = preference.flatMap((id) => packages.package(id) ?? []);
  return new Map(known.map(({ name, id }) => [name, id]));
}

/** @param reasons why each synchronizer was discarded, and for which package name */
export function selectionFailed(
  ledger: Ledger,
  synchronizerId: SynchronizerId | undefined,
  reasons: readonly (readonly [Unsatisfied, root: string])[],
): LedgerError {
  const discarded = reasons.map(
    ([{ synchronizerId: id, errors }, root]) =>
      `\n\t${ledger.synchronizer(id)!.printedId}: Failed to select package-id for package-name '${root}' appearing in a command root node due to: ${errors.get(root)}`,
  );
  const reason = `Discarded synchronizers: ${discarded.join('')}`;
  return synchronizerId === undefined
    ? ledgerError(
        'PACKAGE_SELECTION_FAILED',
        `No synchronizers satisfy the topology requirements for the submitted command: ${reason}`,
      )
    : invalidPrescription(synchronizerId, reason);
}
