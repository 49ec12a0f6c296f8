/**
 * Changes of a participant's vetted packages on a synchronizer: the request, its references, its errors, and the state
 * before and after (B-VET-008 to B-VET-018, B-VET-021).
 * NOTE: changes are visible at once; on a real participant they take effect a moment later.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { caseClassHash, scalaOrder, textHash } from '../../daml/errors/scala-order.js';
import { scalaSet } from '../../daml/errors/scala-text.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Participant } from '../participant.js';
import type { VettedPackage, Vetting } from '../topology/topology.js';
import { requiredPackages } from '../packages/required-packages.js';
import { topologyCost } from '../traffic/topology-cost.js';
import { PARTICIPANT_SIGNATURE } from '../traffic/noise.js';
import { broadcastAt } from '../traffic/update-cost.js';
import { encodeVettedPackages } from '../topology/party-hosting.js';
import { checkLineages, synchronizerForVetting } from './vetting.js';
import { resolveReference, type PackageReference } from './vetting-references.js';

export type VettingChange =
  | {
      readonly kind: 'vet';
      readonly packages: readonly PackageReference[];
      readonly validFrom?: Timestamp;
      readonly validUntil?: Timestamp;
    }
  | { readonly kind: 'unvet'; readonly packages: readonly PackageReference[] };

export interface VettingUpdate {
  readonly changes: readonly VettingChange[];
  readonly dryRun: boolean;
  /** If absent, the only connected synchronizer. */
  readonly synchronizerId?: SynchronizerId;
  /** Serial of the state that the caller knows; `none` if there is no state yet. */
  readonly expectedSerial?: number | 'none';
  /** Allows vetting packages that are not upgrades of each other. */
  readonly allowIncompatible: boolean;
  /** Allows vetting packages without their dependencies, if the protocol requires those. */
  readonly allowUnvettedDependencies: boolean;
}

/** The vetted packages on a synchronizer before and after a change; undefined if no package was ever vetted there. */
export interface VettingOutcome {
  readonly synchronizerId: SynchronizerId;
  readonly past: Vetting | undefined;
  readonly present: Vetting | undefined;
}

type Packages = Vetting['packages'];

/**
 * @throws LedgerError PACKAGE_SERVICE_…, UNRESOLVED_VETTING_REFERENCE, AMBIGUOUS_VETTING_REFERENCE, TOPOLOGY_SERIAL_MISMATCH,
 *   TOPOLOGY_INVALID_MAPPING, TOPOLOGY_DEPENDENCIES_NOT_VETTED, and what {@link checkLineages} throws
 */
export function updateVetting(participant: Participant, update: VettingUpdate): VettingOutcome {
  const synchronizerId = synchronizerForVetting(participant, update.synchronizerId);
  const targets = new Map(
    update.changes.flatMap((change) =>
      change.packages
        .flatMap((reference) =>
          resolveReference(participant.packages, reference, change.kind === 'unvet'),
        )
        .map((packageId) => [packageId, targetOf(change, packageId)] as const),
    ),
  );
  return changeVetting(
    participant,
    synchronizerId,
    (current) => withTargets(current, targets, scalaOrder([...targets.keys()], textHash)),
    update,
  );
}

/** Vets packages without validity bounds, and removes existing bounds, as an upload does. */
export function vetPackages(
  participant: Participant,
  synchronizerId: SynchronizerId,
  ids: readonly PackageId[],
  options: ChangeOptions = {},
): VettingOutcome {
  const targets = new Map(ids.map((packageId) => [packageId, { packageId }] as const));
  const given = [...targets.keys()];
  const order = options.inOrder ? given : scalaOrder(given, vettedHash);
  return changeVetting(
    participant,
    synchronizerId,
    (current) => withTargets(current, targets, order),
    options,
  );
}

/** Vets exactly these packages, as a topology transaction does. */
export function replaceVetting(
  participant: Participant,
  synchronizerId: SynchronizerId,
  packages: readonly VettedPackage[],
  options: Pick<VettingUpdate, 'allowIncompatible' | 'allowUnvettedDependencies'>,
): VettingOutcome {
  const next = new Map(packages.map((each) => [each.packageId, each]));
  return changeVetting(participant, synchronizerId, () => next, options);
}

interface ChangeOptions {
  readonly dryRun?: boolean;
  readonly expectedSerial?: number | 'none';
  readonly allowIncompatible?: boolean;
  readonly allowUnvettedDependencies?: boolean;
  /** Whether new packages keep the given order. */
  readonly inOrder?: boolean;
  /** Resolves packages that the participant does not have yet. */
  readonly packages?: PackageLookup;
}

/** A dry run is checked even if it changes nothing. */
function changeVetting(
  participant: Participant,
  synchronizerId: SynchronizerId,
  change: (current: Packages) => Packages,
  options: ChangeOptions,
): VettingOutcome {
  const { dryRun = false, expectedSerial } = options;
  const { topology, clock } = participant.ledger;
  const vetting = topology.vetting(participant.id, synchronizerId);
  const past = vetting.serial === 0 ? undefined : vetting;
  checkSerial(past?.serial, expectedSerial);
  const next = change(vetting.packages);
  const isChanged = past === undefined || !isSame(past.packages, next);
  if (isChanged && !dryRun) checkPeriods(next);
  if (isChanged || dryRun)
    checkChange(participant, synchronizerId, vetting.packages, next, options);
  if (!isChanged) return { synchronizerId, past, present: past };
  if (dryRun)
    return { synchronizerId, past, present: { serial: vetting.serial + 1, packages: next } };
  const present = topology.setVetting(participant.id, synchronizerId, next, clock.now());
  const { gaps, members } = participant.ledger;
  if (gaps !== undefined)
    for (const member of members)
      if (member.isConnectedTo(synchronizerId)) member.log.leaveOut(gaps.ofTopology);
  participant.ledger.traffic.charge(synchronizerId, participant.id, () =>
    topologyCost(
      broadcastAt(participant.ledger, synchronizerId),
      encodeVettedPackages(participant.id, present.serial, next.values()),
      [PARTICIPANT_SIGNATURE],
    ),
  );
  return { synchronizerId, past, present };
}

/**
 * Checks all future vetted packages, including those of earlier requests.
 * @throws LedgerError TOPOLOGY_INVALID_MAPPING
 */
function checkPeriods(next: Packages): void {
  const empty = [...next.values()].flatMap(({ packageId, validFrom, validUntil }) =>
    validFrom === undefined || validUntil === undefined || validFrom < validUntil
      ? []
      : `VettedPackage(packageId = ${packageId.slice(0, 12)}..., ` +
        `validFromInclusive = ${formatInstant(validFrom)}, validUntilExclusive = ${formatInstant(validUntil)})`,
  );
  if (empty.length === 0) return;
  const description = `packages with empty validity period: ${empty.join(', ')}`;
  throw ledgerError('TOPOLOGY_INVALID_MAPPING', {
    cause: `The topology transaction was rejected due to an invalid mapping: ${description}`,
    context: { description },
  });
}

/** Checks dependencies first, as a participant does. */
function checkChange(
  participant: Participant,
  synchronizerId: SynchronizerId,
  past: Packages,
  next: Packages,
  { packages = participant.packages, ...options }: ChangeOptions,
): void {
  const added = [...next.keys()].filter((id) => !past.has(id));
  const protocol = participant.ledger.protocolOf(synchronizerId);
  if (protocol.vetsDependencies && !options.allowUnvettedDependencies)
    checkDependencies(packages, requiredPackages(protocol, packages, added), past, next);
  if (!options.allowIncompatible) checkLineages(packages, added, next.keys());
}

/**
 * @param needed the dependencies of the added packages
 * @throws LedgerError TOPOLOGY_DEPENDENCIES_NOT_VETTED also for packages that other packages remain without
 */
function checkDependencies(
  packages: PackageLookup,
  needed: readonly PackageId[],
  past: Packages,
  next: Packages,
): void {
  const missing = needed.filter((id) => !next.has(id));
  const removed = new Set([...past.keys()].filter((id) => !next.has(id)));
  if (removed.size > 0)
    for (const id of next.keys())
      missing.push(
        ...(packages.package(id)?.dependencies ?? []).filter((each) => removed.has(each)),
      );
  if (missing.length > 0)
    throw ledgerError('TOPOLOGY_DEPENDENCIES_NOT_VETTED', {
      cause: 'Package vetting failed due to dependencies not being vetted',
      // The subset of all packages that the added ones need.
      context: { unvetted: scalaSet([...new Set(missing)], { largest: Infinity }) },
    });
}

function checkSerial(actual: number | undefined, expected: VettingUpdate['expectedSerial']): void {
  if (expected === undefined || expected === (actual ?? 'none')) return;
  const printed = (serial: number | undefined) =>
    serial === undefined ? 'None' : `Some(${serial})`;
  const wanted = printed(expected === 'none' ? undefined : expected);
  throw ledgerError('TOPOLOGY_SERIAL_MISMATCH', {
    cause: `The provided serial ${printed(actual)} did not match the expected serial ${wanted}.`,
    context: { actual: printed(actual), expected: wanted },
  });
}

function targetOf(change: VettingChange, packageId: PackageId): VettedPackage | undefined {
  if (change.kind === 'unvet') return undefined;
  const { validFrom, validUntil } = change;
  return { packageId, validFrom, validUntil };
}

/** Known packages keep their places; new ones follow. */
/** The hash of a vetted package without bounds. */
const vettedHash = (id: PackageId): number =>
  caseClassHash('VettedPackage', [textHash(id), textHash('None'), textHash('None')]);

/**
 * @param order of the targets: new packages come after the existing ones, in the order of a Scala set or map of them
 * (B-VET-023)
 */
function withTargets(
  current: Packages,
  targets: ReadonlyMap<PackageId, VettedPackage | undefined>,
  order: readonly PackageId[],
): Packages {
  const next = new Map(current);
  for (const id of order) {
    const target = targets.get(id);
    if (target === undefined) next.delete(id);
    else next.set(id, target);
  }
  return next;
}

function isSame(left: Packages, right: Packages): boolean {
  if (left.size !== right.size) return false;
  for (const [id, { validFrom, validUntil }] of left) {
    const other = right.get(id);
    if (other?.validFrom !== validFrom || other?.validUntil !== validUntil || !other) return false;
  }
  return true;
}
