/** Which version of a contract's template computes its interface views: not always the one that created it (B-PSL-016). */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { template as templateOf } from '../../daml/model/package.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type PackageId, type TypeId } from '../../daml/model/types.js';
import type { Participant } from '../participant.js';

/** What was decided for the views of an interface on contracts of a package; undefined where no version can compute them. */
interface Decision {
  readonly interfaceId: TypeId;
  readonly packageName: string;
  readonly packageId: PackageId | undefined;
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
    if (decision.packageId !== undefined)
      return `${decision.packageId}:${qualifiedNameOf(templateId)}`;
    throw ledgerError(
      'NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE',
      `No vetted package for rendering the interface view for package-name '${packageName}'. Reason: no vetted version implements ${interfaceId}.`,
    );
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
      ({ interfaceId, packageName, packageId }) =>
        this.decide(interfaceId, packageName).packageId === packageId,
    );
  }

  private decide(interfaceId: TypeId, packageName: string): Decision {
    const key = `${interfaceId} ${packageName}`;
    let decision = this.decided.get(key);
    if (decision === undefined) {
      const packageId = implementingPackage(this.participant, interfaceId, packageName);
      this.decided.set(key, (decision = { interfaceId, packageName, packageId }));
    }
    return decision;
  }
}

/** The highest version that implements the interface and that the participant has vetted. */
function implementingPackage(
  { ledger, packages, id: participantId }: Participant,
  interfaceId: TypeId,
  packageName: string,
): PackageId | undefined {
  const names = packages
    .implementersOf(interfaceId)
    .filter((name) => name.startsWith(`${packageName}:`))
    .map((name) => name.slice(packageName.length + 1));
  const implementsIt = (packageId: PackageId): boolean =>
    names.some((name) =>
      templateOf(packages, `${packageId}:${name}`)?.implementations.has(interfaceId),
    );
  const isVetted = (packageId: PackageId): boolean =>
    ledger.synchronizers.some(({ id }) =>
      ledger.topology.isVetted(participantId, id, packageId, ledger.clock.now()),
    );
  return packages.versionsOf(packageName).find((id) => implementsIt(id) && isVetted(id));
}
