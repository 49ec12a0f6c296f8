/**
 * Chooses package versions for a submission: of each name the highest version that all parties who need it have
 * vetted, together with its dependencies (B-INT-031 to B-INT-034). A party has vetted a package if all of its hosting
 * participants have.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { scalaList } from '../../daml/errors/scala-text.js';
import { abbreviatedHash, abbreviatedId, type SynchronizerId } from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Participant } from '../participant.js';
import {
  commonSynchronizers,
  prescribedSynchronizer,
  requireCommon,
} from './common-synchronizers.js';
import { isSchema, withDependencies } from '../packages/required-packages.js';

/** Parties by the name of the package that they need. */
export type PackageRequirements = ReadonlyMap<string, readonly Party[]>;

export interface PackagePreference {
  readonly synchronizerId: SynchronizerId;
  /** One for each required name that has a version, in the order of the request. */
  readonly packageIds: readonly PackageId[];
}

/** A synchronizer without a preference, and the reasons by package name, in the order of the request. */
export interface Unsatisfied extends PackagePreference {
  readonly errors: ReadonlyMap<string, string>;
}

interface PreferenceOptions {
  readonly synchronizerId?: SynchronizerId;
  /** Parties for which the participant must be able to submit there. */
  readonly submitters?: readonly Party[];
  /**
   * All parties that the synchronizer must host, in the order in which errors list them; by default the parties that
   * need a package.
   */
  readonly informees?: readonly Party[];
  /** The time at which the packages must be vetted; now by default. */
  readonly validAt?: Timestamp;
  readonly pinned?: Pinned;
}

/** The only versions that may be chosen for each name. */
export interface Pinned {
  /** The source of this restriction, by Canton's name. */
  readonly by: string;
  readonly ids: ReadonlyMap<string, PackageId | readonly PackageId[]>;
}

/**
 * @returns the preference for the first synchronizer by id that has one, or the reasons if none has one
 * @throws LedgerError PACKAGE_NAMES_NOT_FOUND, UNKNOWN_INFORMEES, INVALID_PRESCRIBED_SYNCHRONIZER_ID, …
 */
export function preferredPackages(
  participant: Participant,
  requirements: PackageRequirements,
  options: PreferenceOptions = {},
): PackagePreference | { readonly unsatisfied: readonly Unsatisfied[] } {
  requireKnownNames(participant, [...requirements.keys()]);
  const { satisfied, unsatisfied } = preferredPackagesEach(participant, requirements, options);
  return satisfied[0] ?? { unsatisfied };
}

/** The preference of every synchronizer, in the order of their ids. Names may be unknown. */
export function preferredPackagesEach(
  participant: Participant,
  requirements: PackageRequirements,
  options: PreferenceOptions = {},
): {
  readonly satisfied: readonly PackagePreference[];
  readonly unsatisfied: readonly Unsatisfied[];
} {
  const { synchronizerId: named, submitters } = options;
  const informees = options.informees ?? [...new Set([...requirements.values()].flat())];
  const candidates = synchronizersFor(participant, informees, named, submitters);
  const validAt = options.validAt ?? participant.ledger.clock.now();
  const { pinned } = options;
  const satisfied: PackagePreference[] = [];
  const unsatisfied: Unsatisfied[] = [];
  for (const synchronizerId of [...candidates].sort()) {
    const selection = new Selection(participant, requirements, synchronizerId, validAt, pinned);
    const { packageIds, errors } = selection.select();
    if (errors.size === 0) satisfied.push({ synchronizerId, packageIds });
    else unsatisfied.push({ synchronizerId, packageIds, errors });
  }
  return { satisfied, unsatisfied };
}

/** The error text for clients that asked only for the preference. */
export function unsatisfiedText(ledger: Ledger, unsatisfied: readonly Unsatisfied[]): string {
  const discarded = unsatisfied.map(({ synchronizerId, errors }) => {
    const [error] = errors.values();
    return `(${ledger.synchronizer(synchronizerId)!.printedId},${error})`;
  });
  return `No synchronizer satisfies the vetting requirements. Discarded synchronizers: ${scalaList(discarded)}`;
}

function requireKnownNames({ packages }: Participant, names: readonly string[]): void {
  const unknown = names.filter((name) => packages.versionsOf(name).length === 0);
  if (unknown.length > 0)
    throw ledgerError('PACKAGE_NAMES_NOT_FOUND', {
      cause: `The following package names do not match upgradable packages uploaded on this participant: [${unknown.join(', ')}].`,
    });
}

/**
 * The synchronizers to choose from: the prescribed one, or all that host every party.
 * @throws LedgerError if there is none
 */
export function synchronizersFor(
  participant: Participant,
  parties: readonly Party[],
  named: SynchronizerId | undefined,
  submitters: readonly Party[] = [],
): readonly SynchronizerId[] {
  const prescribed = prescribedSynchronizer(participant, named);
  const common = commonSynchronizers(participant, submitters, parties);
  if (prescribed === undefined) return common;
  requireCommon(participant.ledger, prescribed, common);
  return [prescribed];
}

interface Issue {
  readonly error: string;
}

/** Highest version first; at least one. */
type Candidates = readonly PackageId[] | Issue;

/** Lowest version first. Canton prints a single item without brackets. */
function shownSet(items: readonly string[]): string {
  return items.length === 1 ? items[0]! : `Set(${[...items].reverse().join(', ')})`;
}

/** The choice on one synchronizer. */
class Selection {
  private readonly vetted = new Map<Party, (id: PackageId) => boolean>();

  constructor(
    private readonly participant: Participant,
    private readonly requirements: PackageRequirements,
    private readonly synchronizerId: SynchronizerId,
    validAt: Timestamp,
    private readonly pinned: Pinned | undefined,
  ) {
    const { topology } = participant.ledger;
    for (const party of new Set([...requirements.values()].flat())) {
      const hosts = [...topology.hosts(party, synchronizerId).keys()];
      this.vetted.set(party, (id) =>
        hosts.every((host) => topology.isVetted(host, synchronizerId, id, validAt)),
      );
    }
  }

  /** The id for each name, if there are no faults. */
  select(): {
    readonly packageIds: readonly PackageId[];
    readonly errors: ReadonlyMap<string, string>;
  } {
    const common = this.commonlyVetted();
    const packageIds: PackageId[] = [];
    const errors = new Map<string, string>();
    for (const name of this.requirements.keys()) {
      const chosen = this.choose(name, common);
      if ('error' in chosen) errors.set(name, chosen.error);
      else packageIds.push(chosen.id);
    }
    return { packageIds, errors };
  }

  private choose(name: string, common: ReadonlyMap<string, Candidates>): { id: PackageId } | Issue {
    const candidates = common.get(name)!;
    if ('error' in candidates) return candidates;
    const usable = candidates.filter((id) => this.missingDependency(id, common) === undefined);
    if (usable.length === 0) {
      const reasons = [...candidates]
        .reverse()
        .map((id) => `${this.shown(id)} -> ${this.shown(this.missingDependency(id, common)!)}`);
      return {
        error: `Packages with required dependencies not vetted by all interested parties: ${scalaList(reasons)}`,
      };
    }
    const pinned = this.pinned?.ids.get(name);
    const only = pinned === undefined ? usable : [pinned].flat();
    const chosen = usable.find((id) => only.includes(id));
    if (chosen !== undefined) return { id: chosen };
    const supported = `${name} -> ${shownSet(only.map(abbreviatedHash))}`;
    return {
      error: `No vetted package candidate satisfies the package-id filter '${this.pinned!.by}'=${supported}.\nCandidates: ${shownSet(usable.map(abbreviatedHash))}`,
    };
  }

  /** Ids of each required name that all parties who need it have vetted, highest version first. */
  private commonlyVetted(): ReadonlyMap<string, Candidates> {
    const needs = this.extendedNeeds();
    return new Map(
      [...this.requirements.keys()].map((name) => {
        let common: Candidates | undefined;
        for (const [party, needed] of needs)
          if (needed.has(name)) common = this.intersected(name, party, common);
        return [name, common!];
      }),
    );
  }

  private intersected(name: string, party: Party, before: Candidates | undefined): Candidates {
    if (before !== undefined && 'error' in before) return before;
    const isVetted = this.vetted.get(party)!;
    const { packages } = this.participant;
    const own = packages.versionsOf(name).filter(isVetted);
    const shownParty = abbreviatedId(party);
    if (own.length === 0)
      return {
        error: packages.ids().some(isVetted)
          ? `No package with package-name '${name}' is consistently vetted by all hosting participants of party ${shownParty}.`
          : `No package is consistently by all hosting participants of ${shownParty}.`,
      };
    const both = before === undefined ? own : before.filter((id) => own.includes(id));
    if (both.length > 0) return both;
    const shown = (ids: readonly PackageId[]) => shownSet(ids.map((id) => this.shown(id)));
    return {
      error: [
        `No package candidates for '${name}' after considering candidates for party ${shownParty}.`,
        `Current candidates: ${shown(before!)}.`,
        `Candidates for party ${shownParty}: ${shown(own)}`,
      ].join('\n'),
    };
  }

  /** A reference to a package, as Canton prints it. */
  private shown(id: PackageId): string {
    const { name, version } = this.participant.packages.package(id)!;
    return `pkg:${name}:${version}/${abbreviatedHash(id)}`;
  }

  /** The names that each party needs, including dependencies with names that any party needs. */
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

  /** The first dependency that a candidate needs and that is not available. */
  private missingDependency(
    id: PackageId,
    common: ReadonlyMap<string, Candidates>,
  ): PackageId | undefined {
    return withDependencies(this.participant.packages, [id]).find((each) => {
      const candidates = common.get(each.name);
      if (candidates === undefined) return !this.isThere(each);
      return 'error' in candidates || !candidates.includes(each.id);
    })?.id;
  }

  /**
   * A dependency that no party requires is available if it is vetted, or if it cannot appear on the ledger. Only a
   * protocol that vets dependencies checks this.
   */
  private isThere(dependency: DamlPackage): boolean {
    const { vetsDependencies } = this.participant.ledger.protocolOf(this.synchronizerId);
    if (!vetsDependencies || !isSchema(dependency)) return true;
    return [...this.vetted.values()].some((isVetted) => isVetted(dependency.id));
  }
}
