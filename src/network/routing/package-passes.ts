/**
 * Topology-aware choice of package versions, in passes as Canton makes them. The first takes of each name the highest version
 * that the participant has vetted. Where what comes of it needs packages that someone concerned has not vetted, the next takes
 * the highest that all who see that part of it have vetted, until it can be routed or nothing new is learned.
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
import { pinnedBy, selectionFailed } from './root-packages.js';
import type { Submission } from '../submission/submission.js';
import { witnessesOf } from './visibility.js';

/** Canton's default, and the most that a request may ask for; asking for more is asking for that (B-CMD-022). */
const DEFAULT_PASSES = 3;
const MAX_PASSES = 4;
const NO_NAMES: ReadonlySet<string> = new Set();

/** What comes after a first try, which needs none of this. */
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
   * The submission to try next, after what was tried last came to a draft that could not be routed.
   * @throws the error where the draft shows nothing new, and what stands in the way of another choice (B-RSG-029)
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
   * The first pass already chooses no version whose dependencies are not vetted, where the protocol asks for them.
   * @throws LedgerError PACKAGE_SELECTION_FAILED where nothing is left to choose
   */
  private requireDependencies(draft: Interpretation): void {
    if (this.pass > 1 || !this.participant.ledger.protocol.vetsDependencies) return;
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
    // Of a name that the preference has, what is chosen is the same version.
    return withVersions(participant, submission, {
      packageIds: [...preference, ...packageIds],
      leftOut,
    });
  }
}

/** A synchronizer that will do, and the versions to take there. */
interface Candidate extends PackagePreference {
  /** Names of packages that have no version which all who need it can have; none of them is of a command (B-PSL-018). */
  readonly leftOut: ReadonlySet<string>;
}

/** Whom the topmost nodes need, in the order in which they come up. */
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

/** Commands that name their package by name are read again, in the version that is chosen now. */
function withVersions(
  { packages }: Participant,
  submission: Submission,
  { packageIds, leftOut }: Omit<Candidate, 'synchronizerId'>,
): Submission {
  const byName = new Map(packageIds.map((id) => [packages.package(id)!.name, id] as const));
  const { commands, namedCommands } = submission;
  return {
    ...submission,
    packageIdSelectionPreference: packageIds,
    ...(leftOut.size > 0 && { packagesLeftOut: leftOut }),
    commands: commands.map((command, index) =>
      namedCommands?.[index] ? retarget(packages, command, byName) : command,
    ),
  };
}

/** Packages that commands themselves name. */
function rootNames(
  { packages }: Participant,
  { commands, namedCommands }: Submission,
): readonly string[] {
  const named = commands.filter((_, index) => namedCommands?.[index]);
  return [
    ...new Set(named.map(({ templateId }) => packages.package(packageIdOf(templateId))!.name)),
  ];
}

/** What the drafts so far have shown that parties need. */
class Needs {
  private readonly roots: readonly string[];
  /** Names of packages, by party. The first pass asks for what the commands name, for the first of those who act. */
  private readonly byParty = new Map<Party, Set<string>>();

  constructor(
    private readonly participant: Participant,
    private readonly submission: Submission,
  ) {
    this.roots = rootNames(participant, submission);
    this.byParty.set(submission.actAs[0]!, new Set(this.roots));
  }

  /** @returns whether it is anything new */
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
   * Synchronizers that host all, with the versions to take there. What the commands themselves name must be vetted by all who see it.
   * @throws LedgerError of the topology; PACKAGE_SELECTION_FAILED or, where the synchronizer was prescribed, INVALID_PRESCRIBED_SYNCHRONIZER_ID (B-PSL-007)
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
      const root = [...each.faults.keys()].find((name) => roots.includes(name));
      if (root === undefined) usable.push({ ...each, leftOut: new Set(each.faults.keys()) });
      else discarded.push([each, root]);
    }
    if (usable.length === 0) throw selectionFailed(participant.ledger, synchronizerId, discarded);
    return usable;
  }
}
