/**
 * Chooses the version of a contract's template that computes its interface views. It is not always the version that
 * created the contract (B-PSL-016).
 */
import { LedgerError, ledgerError } from '../../daml/errors/ledger-error.js';
import { template as templateOf } from '../../daml/model/package.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type PackageId, type TypeId } from '../../daml/model/types.js';
import { MAX_TIMESTAMP } from '../../daml/model/time.js';
import type { Participant } from '../participant.js';
import { preferredPackages, unsatisfiedText } from './package-preference.js';

/** The version that computes views of an interface on contracts of a package. */
interface Decision {
  readonly interfaceId: TypeId;
  readonly packageName: string;
  /** The version, or the error if no version can compute views. */
  readonly chosen: PackageId | LedgerError;
}

/** The decisions of one request: the first view of a kind decides for the whole stream. */
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

  /** Records that a view could not be computed: its status contains the trace id of the request. */
  noteFailure(): void {
    this.hasFailed = true;
  }

  /** Returns the result of `make`, the decisions that it depends on, and whether a view in it failed. */
  tracking<T>(make: () => T): {
    readonly made: T;
    readonly used: readonly Decision[];
    readonly hasFailed: boolean;
  } {
    this.used = [];
    this.hasFailed = false;
    return { made: make(), used: this.used, hasFailed: this.hasFailed };
  }

  /** Whether this request would make the same decisions as another request did. */
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

/** Canton's name for the restriction of the choice. */
const IMPLEMENTERS = 'Package-ids with interface instances for the requested interface';
/**
 * The version that the admin party would prefer, of those that implement the interface and are permanently vetted
 * (B-PSL-016).
 */
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
