/**
 * Which versions of packages a submission should use: of each name the highest that all parties who need it have vetted,
 * with the dependencies that are needed too (B-INT-031 to B-INT-034). A party has vetted what all its hosts have.
 */
import { ledgerError } from '../daml/ledger-error.js';
import type { DamlPackage } from '../daml/package.js';
import type { PackageId } from '../daml/types.js';
import type { Party, Timestamp } from '../daml/values.js';
import type { SynchronizerId } from './ids.js';
import type { Participant } from './participant.js';
import {
  commonSynchronizers,
  invalidPrescription,
  prescribedSynchronizer,
} from './routing-topology.js';
import { isSchema, withDependencies } from './required-packages.js';

/** Parties by the name of the package that they need. */
export type PackageRequirements = ReadonlyMap<string, readonly Party[]>;

export interface PackagePreference {
  readonly synchronizerId: SynchronizerId;
  /** One for each required name, in the order of the request. */
  readonly packageIds: readonly PackageId[];
}

/**
 * @param validAt when the packages are to be vetted; now by default
 * @returns the preference for the first synchronizer by id that has one, or why none has
 * @throws LedgerError PACKAGE_NAMES_NOT_FOUND, UNKNOWN_INFORMEES, INVALID_PRESCRIBED_SYNCHRONIZER_ID, …
 */
export function preferredPackages(
  participant: Participant,
  requirements: PackageRequirements,
  options: { readonly synchronizerId?: SynchronizerId; readonly validAt?: Timestamp } = {},
): PackagePreference | { readonly fault: string } {
  const { network } = participant;
  requireKnownNames(participant, [...requirements.keys()]);
  const parties = [...new Set([...requirements.values()].flat())];
  const candidates = synchronizersFor(participant, parties, options.synchronizerId);
  const validAt = options.validAt ?? network.clock.now();
  const discarded: string[] = [];
  for (const synchronizerId of [...candidates].sort()) {
    const selection = new Selection(participant, requirements, synchronizerId, validAt).select();
    if (!('fault' in selection)) return { synchronizerId, packageIds: selection.packageIds };
    discarded.push(`${synchronizerId} -> ${selection.fault}`);
  }
  return {
    fault: `No synchronizer satisfies the vetting requirements. Discarded synchronizers: [${discarded.join(', ')}]`,
  };
}

function requireKnownNames({ packages }: Participant, names: readonly string[]): void {
  const unknown = names.filter((name) => packages.versionsOf(name).length === 0);
  if (unknown.length > 0)
    throw ledgerError('PACKAGE_NAMES_NOT_FOUND', {
      cause: `The following package names do not match upgradable packages uploaded on this participant: [${unknown.join(', ')}].`,
    });
}

function synchronizersFor(
  participant: Participant,
  parties: readonly Party[],
  named: SynchronizerId | undefined,
): readonly SynchronizerId[] {
  const prescribed = prescribedSynchronizer(participant, named);
  const common = commonSynchronizers(participant, [], parties);
  if (prescribed === undefined) return common;
  if (common.includes(prescribed)) return [prescribed];
  throw invalidPrescription(
    prescribed,
    `Not all informees are on the specified synchronizer: ${prescribed}, but on Set(${common.join(', ')})`,
  );
}

/** The choice on one synchronizer. */
class Selection {
  private readonly vetted = new Map<Party, (id: PackageId) => boolean>();

  constructor(
    private readonly participant: Participant,
    private readonly requirements: PackageRequirements,
    synchronizerId: SynchronizerId,
    validAt: Timestamp,
  ) {
    const { topology } = participant.network;
    for (const party of new Set([...requirements.values()].flat())) {
      const hosts = [...topology.hosts(party, synchronizerId).keys()];
      this.vetted.set(party, (id) =>
        hosts.every((host) => topology.isVetted(host, synchronizerId, id, validAt)),
      );
    }
  }

  select(): { readonly packageIds: readonly PackageId[] } | { readonly fault: string } {
    const common = this.commonlyVetted();
    const packageIds: PackageId[] = [];
    for (const name of this.requirements.keys()) {
      const ids = common.get(name)!;
      if (ids.length === 0)
        return {
          fault: `No package with package-name '${name}' is consistently vetted by all hosting participants of the parties that require it.`,
        };
      const usable = ids.find((id) => this.hasRequiredDependencies(id, common));
      if (usable === undefined)
        return {
          fault: `Packages with required dependencies not vetted by all interested parties: [${ids.join(', ')}]`,
        };
      packageIds.push(usable);
    }
    return { packageIds };
  }

  /** Ids of each required name that all who need it have vetted, highest version first. */
  private commonlyVetted(): ReadonlyMap<string, readonly PackageId[]> {
    const needs = this.extendedNeeds();
    const names = [...this.requirements.keys()];
    return new Map(
      names.map((name) => {
        const interested = [...needs].filter(([, needed]) => needed.has(name));
        const ids = this.participant.packages
          .versionsOf(name)
          .filter((id) => interested.every(([party]) => this.vetted.get(party)!(id)));
        return [name, ids];
      }),
    );
  }

  /** What a party needs, and of what that depends on the names that anyone needs. */
  private extendedNeeds(): ReadonlyMap<Party, ReadonlySet<string>> {
    const { packages } = this.participant;
    const needs = new Map<Party, Set<string>>();
    for (const [name, parties] of this.requirements)
      for (const party of parties)
        for (const id of [undefined, ...packages.versionsOf(name)]) {
          const needed = needs.get(party) ?? new Set();
          needs.set(party, needed);
          if (id === undefined) needed.add(name);
          else if (this.vetted.get(party)!(id))
            for (const dependency of withDependencies(packages, [id]))
              if (this.requirements.has(dependency.name)) needed.add(dependency.name);
        }
    return needs;
  }

  private hasRequiredDependencies(
    id: PackageId,
    common: ReadonlyMap<string, readonly PackageId[]>,
  ): boolean {
    return withDependencies(this.participant.packages, [id]).every(
      (each) => common.get(each.name)?.includes(each.id) ?? this.isThere(each),
    );
  }

  /** Of a name that nobody asked for: where the protocol vets dependencies, somebody has vetted it, or it puts nothing on the ledger. */
  private isThere(dependency: DamlPackage): boolean {
    if (!this.participant.network.protocol.vetsDependencies || !isSchema(dependency)) return true;
    return [...this.vetted.values()].some((isVetted) => isVetted(dependency.id));
  }
}
