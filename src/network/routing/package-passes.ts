/**
 * Topology-aware selection of package versions, in the passes that Canton uses. The first pass takes the highest
 * vetted version of each name. If its transaction needs packages that an informee has not vetted, the next pass takes
 * the highest versions that all informees of that part have vetted. This repeats until a transaction can be routed or
 * a pass finds no new needs.
 */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { MADE_ANEW, PLAIN, loggedIn } from '../../daml/errors/logging-context.js';
import { scalaOrder, textHash } from '../../daml/errors/scala-order.js';
import { retarget } from '../../daml/upgrade/retarget.js';
import type { Interpretation, Transaction } from '../../daml/model/transaction.js';
import { packageIdOf } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import {
  preferredPackagesEach,
  type PackagePreference,
  type Unsatisfied,
} from './package-preference.js';
import { bestRanked } from './routing.js';
import type { Participant } from '../participant.js';
import { packagesByParty } from '../packages/party-packages.js';
import { protocolFor } from './interpretation-protocol.js';
import { pinnedBy, selectionFailed } from './root-packages.js';
import type { Submission } from '../submission/submission.js';
import { witnessesOf } from './visibility.js';

/** Canton's default, and also the maximum: a higher number in a request counts as this one (B-CMD-022). */
const DEFAULT_PASSES = 3;
const MAX_PASSES = 4;
const NO_NAMES: ReadonlySet<string> = new Set();

/** The passes after the first attempt; only submissions that could not be routed need them. */
export class Passes {
  private readonly needs: Needs;
  private readonly last: number;
  private pass = 1;

  constructor(
    private readonly participant: Participant,
    private readonly submission: Submission,
  ) {
    this.needs = new Needs(participant, submission);
    this.last = Math.min(submission.tapsMaxPasses ?? DEFAULT_PASSES, MAX_PASSES);
  }

  /**
   * Chooses the next submission after a draft that could not be routed.
   * @throws the error if the draft shows no new needs, or the error that prevents another choice (B-RSG-029)
   */
  after(draft: Interpretation, error: unknown): Submission {
    if (!(error instanceof LedgerError)) throw error;
    if (this.pass >= this.last || !this.needs.learn(draft)) {
      this.requireDependencies(draft);
      throw error.logIn(MADE_ANEW);
    }
    this.pass += 1;
    return loggedIn(PLAIN, () => this.next(draft));
  }

  /**
   * If the protocol requires vetted dependencies, even the first pass rejects versions whose dependencies are not
   * vetted.
   * @throws LedgerError PACKAGE_SELECTION_FAILED if no version is left
   */
  private requireDependencies(draft: Interpretation): void {
    const { participant, submission, pass } = this;
    if (pass > 1 || !protocolFor(participant, submission).vetsDependencies) return;
    loggedIn(PLAIN, () => this.needs.candidates(rootAuthorizers(draft)));
  }

  private next(draft: Interpretation): Submission {
    const { participant, submission } = this;
    const candidates = this.needs.candidates(rootAuthorizers(draft));
    const admissible = candidates.map(({ synchronizerId }) => synchronizerId);
    const best = bestRanked(participant, submission, draft, admissible);
    const { packageIds, leftOut } = candidates.find(
      ({ synchronizerId }) => synchronizerId === best,
    )!;
    const preference = submission.packageIdSelectionPreference ?? [];
    // The preference wins: its names already have this version.
    return withVersions(participant, submission, {
      synchronizerId: best,
      packageIds: [...preference, ...packageIds],
      leftOut,
    });
  }
}

/** A usable synchronizer, and the package versions for it. */
interface Candidate extends PackagePreference {
  /** Names of packages without a version that is available to all parties; commands name none of them (B-PSL-018). */
  readonly leftOut: ReadonlySet<string>;
}

/** Parties that must authorize the root nodes, in the order of the nodes. */
function rootAuthorizers({ nodes, roots }: Transaction): readonly Party[] {
  return [
    ...new Set(
      roots.flatMap((root): readonly Party[] => {
        const node = nodes[root]!;
        if (node.kind === 'create') return node.contract.signatories;
        return 'actingParties' in node ? node.actingParties : [];
      }),
    ),
  ];
}

/** Reads commands with package names again, with the versions that are now chosen. */
function withVersions(
  { packages }: Participant,
  submission: Submission,
  { synchronizerId, packageIds, leftOut }: Candidate,
): Submission {
  const byName = new Map(packageIds.map((id) => [packages.package(id)!.name, id] as const));
  const { commands, namedCommands } = submission;
  return {
    ...submission,
    packageIdSelectionPreference: packageIds,
    chosenFor: synchronizerId,
    ...(leftOut.size > 0 && { packagesLeftOut: leftOut }),
    commands: commands.map((command, index) =>
      namedCommands?.[index] ? retarget(packages, command, byName) : command,
    ),
  };
}

/** Packages that the commands themselves name. */
function rootNames(
  { packages }: Participant,
  { commands, namedCommands }: Submission,
): readonly string[] {
  const named = commands.filter((_, index) => namedCommands?.[index]);
  return [
    ...new Set(named.map(({ templateId }) => packages.package(packageIdOf(templateId))!.name)),
  ];
}

/** The packages that parties need, according to the drafts so far. */
class Needs {
  private readonly roots: readonly string[];
  /** Package names by party. The first pass needs the packages of the commands, for the first acting party. */
  private readonly byParty = new Map<Party, Set<string>>();

  constructor(
    private readonly participant: Participant,
    private readonly submission: Submission,
  ) {
    this.roots = rootNames(participant, submission);
    this.byParty.set(submission.actAs[0]!, new Set(this.roots));
  }

  /** @returns whether the draft shows a new need */
  learn(draft: Transaction): boolean {
    const { packages, ledger } = this.participant;
    let isNew = false;
    for (const [party, ids] of packagesByParty(draft, witnessesOf(ledger.partySets, draft))) {
      const names = this.byParty.get(party) ?? new Set();
      this.byParty.set(party, names);
      for (const id of ids) {
        const { name } = packages.package(id)!;
        isNew ||= !names.has(name);
        names.add(name);
      }
    }
    return isNew;
  }

  /**
   * Synchronizers that host all parties, with the versions for each. All informees must have vetted the packages that
   * the commands name.
   * @throws LedgerError of the topology; PACKAGE_SELECTION_FAILED or, if the synchronizer was prescribed,
   * INVALID_PRESCRIBED_SYNCHRONIZER_ID (B-PSL-007)
   */
  candidates(submitters: readonly Party[]): readonly Candidate[] {
    const { participant, submission, roots, byParty } = this;
    const { synchronizerId, externallySigned, packageIdSelectionPreference = [] } = submission;
    const requirements = new Map<string, Party[]>();
    for (const [party, names] of byParty)
      for (const name of names) requirements.set(name, [...(requirements.get(name) ?? []), party]);
    const ids = pinnedBy(participant, packageIdSelectionPreference);
    const { satisfied, unsatisfied } = preferredPackagesEach(participant, requirements, {
      synchronizerId,
      submitters: externallySigned ? [] : submitters,
      informees: scalaOrder([...byParty.keys()], textHash),
      pinned: { by: 'Commands.package_id_selection_preference', ids },
    });
    const discarded: [Unsatisfied, string][] = [];
    const usable: Candidate[] = satisfied.map((each) => ({ ...each, leftOut: NO_NAMES }));
    for (const each of unsatisfied) {
      const root = [...each.errors.keys()].find((name) => roots.includes(name));
      if (root === undefined) usable.push({ ...each, leftOut: new Set(each.errors.keys()) });
      else discarded.push([each, root]);
    }
    if (usable.length === 0) throw selectionFailed(participant.ledger, synchronizerId, discarded);
    return usable;
  }
}
