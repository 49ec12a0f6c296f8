/**
 * Topology-aware choice of package versions, in passes as Canton makes them. The first takes of each name the highest version
 * that the participant has vetted. Where what comes of it needs packages that someone concerned has not vetted, the next takes
 * the highest that all who see that part of it have vetted, until it can be routed or nothing new is learned.
 */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { MADE_ANEW, PLAIN } from '../../daml/errors/logging-context.js';
import { retarget } from '../../daml/upgrade/retarget.js';
import type { Transaction } from '../../daml/model/transaction.js';
import { packageIdOf, type PackageId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import { preferredPackagesEach, type Unsatisfied } from './package-preference.js';
import type { Participant } from '../participant.js';
import { packagesByParty } from '../packages/party-packages.js';
import { pinnedBy, selectionFailed } from './root-packages.js';
import type { Submission } from '../submission/submission.js';
import { witnessesOf } from './visibility.js';

/** Canton's default, and the most that a request may ask for; asking for more is asking for that (B-CMD-022). */
const DEFAULT_PASSES = 3;
const MAX_PASSES = 4;

/** Refusals of routing that another choice of versions may avoid. */
const CODES: ReadonlySet<string> = new Set([
  'INVALID_PRESCRIBED_SYNCHRONIZER_ID',
  'NO_SYNCHRONIZER_FOR_SUBMISSION',
]);

/** Refusals of the topology. */
const TOPOLOGY_CODES: ReadonlySet<string> = new Set([
  'UNKNOWN_INFORMEES',
  'SUBMITTERS_NOT_ACTIVE',
  'INFORMEES_NOT_ACTIVE',
  'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT',
  'NO_COMMON_SYNCHRONIZER',
  'NOT_CONNECTED_TO_ANY_SYNCHRONIZER',
]);

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
   * @throws the error, or why there is no other choice
   */
  after(draft: Transaction, error: unknown): Submission {
    if (this.pass >= this.last || !isAvoidable(error)) throw handedOn(error);
    const chosen = this.needs.of(draft);
    if (chosen === undefined) throw handedOn(error);
    this.pass += 1;
    return withVersions(this.participant, this.submission, chosen);
  }
}

/** A refusal by the topology comes from whoever looked at it before another pass, any other from the routing of the last. */
function handedOn(error: unknown): unknown {
  if (error instanceof LedgerError) error.logIn(TOPOLOGY_CODES.has(error.code) ? PLAIN : MADE_ANEW);
  return error;
}

interface Choice {
  readonly packageIds: readonly PackageId[];
  /** Names of packages that have no version which all who need it can have; none of them is of a command. */
  readonly leftOut: ReadonlySet<string>;
}

/** Commands that name their package by name are read again, in the version that is chosen now. */
function withVersions(
  { packages }: Participant,
  submission: Submission,
  { packageIds, leftOut }: Choice,
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

/** Of the packages that commands name by name. */
function rootNames(
  { packages }: Participant,
  { commands, namedCommands }: Submission,
): readonly string[] {
  return commands
    .filter((_, index) => namedCommands?.[index])
    .map(({ templateId }) => packages.package(packageIdOf(templateId))!.name);
}

function rootFault({ faults }: Unsatisfied, roots: readonly string[]): string | undefined {
  return [...faults.keys()].find((name) => roots.includes(name));
}

const isAvoidable = (error: unknown): boolean =>
  error instanceof LedgerError && CODES.has(error.code);

/** What the drafts so far have shown that parties need, by the names of packages. */
class Needs {
  private readonly byName = new Map<string, Set<Party>>();

  constructor(
    private readonly participant: Participant,
    private readonly submission: Submission,
  ) {}

  /**
   * The versions to take, considering this draft too; undefined where it shows nothing new.
   * @throws LedgerError PACKAGE_SELECTION_FAILED or, where the synchronizer was prescribed, INVALID_PRESCRIBED_SYNCHRONIZER_ID,
   *   where what the commands themselves name can be had nowhere (B-PSL-007)
   */
  of(draft: Transaction): Choice | undefined {
    if (!this.learn(draft)) return undefined;
    const { participant, submission } = this;
    const requirements = new Map([...this.byName].map(([name, parties]) => [name, [...parties]]));
    const preference = submission.packageIdSelectionPreference ?? [];
    const nameOf = (id: PackageId) => participant.packages.package(id)?.name;
    const ids = pinnedBy(participant, preference);
    const { satisfied, unsatisfied } = preferredPackagesEach(participant, requirements, {
      synchronizerId: submission.synchronizerId,
      pinned: { by: 'Commands.package_id_selection_preference', ids },
    });
    const roots = rootNames(participant, submission);
    // What only code names is left out where it has no version (B-PSL-018).
    const found = satisfied[0] ?? unsatisfied.find((each) => rootFault(each, roots) === undefined);
    if (found === undefined) {
      const reasons = unsatisfied.map((each) => [each, rootFault(each, roots)!] as const);
      throw selectionFailed(participant.ledger, submission.synchronizerId, reasons).logIn(PLAIN);
    }
    const leftOut = new Set('faults' in found ? (found as Unsatisfied).faults.keys() : []);
    const pinned = preference.filter((id) => !leftOut.has(nameOf(id) ?? ''));
    const others = found.packageIds.filter((id) => !ids.has(nameOf(id)!));
    return { packageIds: [...pinned, ...others], leftOut };
  }

  private learn(draft: Transaction): boolean {
    let isNew = false;
    for (const [party, ids] of packagesByParty(
      draft,
      witnessesOf(this.participant.ledger.partySets, draft),
    ))
      for (const id of ids) {
        const { name } = this.participant.packages.package(id)!;
        const parties = this.byName.get(name) ?? new Set();
        isNew ||= !parties.has(party);
        this.byName.set(name, parties.add(party));
      }
    return isNew;
  }
}
