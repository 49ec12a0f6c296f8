/** Which version of a contract's template computes its interface views: not always the one that created it (B-PSL-016). */
import { LedgerError, ledgerError } from '../../daml/errors/ledger-error.js';
import { template as templateOf } from '../../daml/model/package.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type PackageId, type TypeId } from '../../daml/model/types.js';
import { MAX_TIMESTAMP } from '../../daml/model/time.js';
import type { Participant } from '../participant.js';
import { preferredPackages, unsatisfiedText } from './package-preference.js';

/** What was decided for the views of an interface on contracts of a package. */
interface Decision {
  readonly interfaceId: TypeId;
  readonly packageName: string;
  /** Or why no version can compute them. */
  readonly chosen: PackageId | LedgerError;
}

/** What one request decides: the first view of a kind settles it, for as long as a stream lasts. */
export class ViewVersions {
  private readonly decided = new Map<string, Decision>();
  private used: Decision[] = [];
  private hasFailed = false;

  constructor(private readonly participant: Participant) {}

  /** @throws LedgerError NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE, for the status of the view (B-FLT-020) */
  templateFor(interfaceId: TypeId, { packageName, templateId }: ContractInstance): TypeId {
    const decision = this.decide(interfaceId, packageName);
    this.used.push(decision);
    if (typeof decision.chosen !== 'string') throw decision.chosen;
    return `${decision.chosen}:${qualifiedNameOf(templateId)}`;
  }

  /** Notes that a view could not be computed: its status has the trace of the request. */
  noteFailure(): void {
    this.hasFailed = true;
  }

  /** What is made, the decisions that it rests on, and whether a view in it failed. */
  tracking<T>(make: () => T): {
    readonly made: T;
    readonly used: readonly Decision[];
    readonly hasFailed: boolean;
  } {
    this.used = [];
    this.hasFailed = false;
    return { made: make(), used: this.used, hasFailed: this.hasFailed };
  }

  /** Whether what rests on these decisions, of another request, is what this one would make. */
  agreesWith(decisions: readonly Decision[]): boolean {
    return decisions.every(
      ({ interfaceId, packageName, chosen }) =>
        this.decide(interfaceId, packageName).chosen === chosen,
    );
  }

  private decide(interfaceId: TypeId, packageName: string): Decision {
    const key = `${interfaceId} ${packageName}`;
    let decision = this.decided.get(key);
    if (decision === undefined) {
      const chosen = implementingPackage(this.participant, interfaceId, packageName);
      this.decided.set(key, (decision = { interfaceId, packageName, chosen }));
    }
    return decision;
  }
}

/** What restricts the choice, as Canton calls it. */
const IMPLEMENTERS = 'Package-ids with interface instances for the requested interface';
/** The version that the participant's own party would prefer, of those that implement the interface and are vetted for good (B-PSL-016). */
function implementingPackage(
  participant: Participant,
  interfaceId: TypeId,
  packageName: string,
): PackageId | LedgerError {
  const ids = participant.packages
    .implementersOf(interfaceId)
    .flatMap((name) => implementers(participant, interfaceId, name));
  const pinned = { by: IMPLEMENTERS, ids: new Map([[packageName, [...new Set(ids)]]]) };
  const needs = new Map([[packageName, [participant.id]]]);
  try {
    const found = preferredPackages(participant, needs, { validAt: MAX_TIMESTAMP, pinned });
    if (!('unsatisfied' in found)) return found.packageIds[0]!;
    const reason = unsatisfiedText(participant.ledger, found.unsatisfied);
    return ledgerError(
      'NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE',
      `No vetted package for rendering the interface view for package-name '${packageName}'. Reason: ${reason}`,
    );
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'NOT_CONNECTED_TO_ANY_SYNCHRONIZER')
      throw error;
    return ledgerError(
      error.code,
      `Could not compute a package-id for rendering the interface view. Root cause: ${error.details.cause}`,
    );
  }
}

/** @param name of a package and a template, such as `assets:Main:Asset` */
function implementers({ packages }: Participant, interfaceId: TypeId, name: string): PackageId[] {
  const colon = name.indexOf(':');
  const [packageName, template] = [name.slice(0, colon), name.slice(colon + 1)];
  return packages
    .versionsOf(packageName)
    .filter((id) => templateOf(packages, `${id}:${template}`)?.implementations.has(interfaceId));
}
