/** `PackageService` of a participant's admin API, the part that removes packages: packages in use or vetted stay. */
import { packageIdError } from '../../daml/model/identifiers.js';
import { packageIdOf, type PackageId } from '../../daml/model/types.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { StoredDar } from '../../network/packages/dar-store.js';
import type { Activation } from '../../network/model/updates.js';
import { updateVetting } from '../../network/vetting/vetting-update.js';
import { abbreviatedHash, abbreviatedId } from '../../network/model/ids.js';
import { darNamed, requireMainPackageId, type OfDar } from './dars.js';
import { invalidArgumentAlone } from './parsing/parsed.js';
import type { AdminContext } from './admin-context.js';

export interface PackageRemoval {
  readonly packageId: PackageId;
  /** Removes it even if other packages need it. */
  readonly force: boolean;
}

const EVERYTHING = [{ party: undefined, templates: undefined }];
/** The package of the participants' pings. */
const ADMIN_WORKFLOWS = 'canton-builtin-admin-workflow-ping';

const refused = (reason: string, members: Readonly<Record<string, string>> = {}): LedgerError =>
  ledgerError('PACKAGE_OR_DAR_REMOVAL_ERROR', { cause: reason, context: members });

/** @throws LedgerError PACKAGE_OR_DAR_REMOVAL_ERROR */
function removePackage(context: AdminContext, { packageId, force }: PackageRemoval): object {
  if (packageIdError(packageId) !== undefined)
    throw invalidArgumentAlone(`Invalid package ID: ${packageId}`);
  const { packages } = context.participant;
  if (!force) {
    requireNoWorkflow(context, packageId);
    const use = useOf(context, packageId);
    if (use !== undefined) throw inUse(packageId, use);
    requireUnvetted(context, [packageId]);
  }
  packages.remove(packageId);
  return { success: {} };
}

/**
 * Also removes its packages, unless another file has them, and their vetting.
 * @throws LedgerError DAR_NOT_FOUND, PACKAGE_OR_DAR_REMOVAL_ERROR
 */
function removeDar(context: AdminContext, { mainPackageId }: OfDar): object {
  const { participant, network } = context;
  const { packages } = participant;
  requireMainPackageId(mainPackageId);
  const dar = darNamed(context, mainPackageId, 'DAR archive removal');
  requireNoWorkflow(context, mainPackageId);
  const use = useOf(context, mainPackageId);
  if (use !== undefined)
    throw refused(
      `The DAR ${shown(dar)} cannot be removed because its main package ${mainPackageId} is in-use by contract ${scalaContractId(use)}\non synchronizer ${abbreviatedId(use.synchronizerId)}.`,
      { pkg: mainPackageId },
    );
  const others = packages.dars.all().filter(({ main }) => main.id !== mainPackageId);
  const isElsewhere = (id: PackageId): boolean =>
    others.some(({ packageIds }) => packageIds.includes(id));
  const own = dar.packageIds.filter((id) => packages.has(id) && !isElsewhere(id));
  const needed = own.find((id) => useOf(context, id) !== undefined);
  if (needed !== undefined)
    throw refused(
      `The DAR ${shown(dar)} cannot be removed because it is the only DAR containing the used package ${abbreviatedHash(needed)},\nbut there are contracts using it. Either archive them or upload another DAR that contains it.\n.`,
      { pkg: needed },
    );
  return network.journal.atomically(() => {
    for (const synchronizerId of participant.connected)
      if (vettedAmong(context, synchronizerId, own).length > 0)
        updateVetting(participant, {
          changes: [{ kind: 'unvet', packages: own.map((id) => ({ id })) }],
          synchronizerId,
          dryRun: false,
          allowIncompatible: false,
          allowUnvettedDependencies: true,
        });
    if (!participant.rules.checksVettingOfPackagesOnly) requireUnvetted(context, own);
    for (const id of own) packages.remove(id);
    packages.dars.remove(mainPackageId);
    return {};
  });
}

const shown = ({ main: { id, name, version }, description }: StoredDar): string =>
  `DarDescription(dar-id = ${abbreviatedHash(id)}, name = ${name}, version = ${version}, description = ${description})`;

const scalaContractId = ({ contract }: Activation): string => `ContractId(${contract.contractId})`;

function inUse(packageId: PackageId, use: Activation): LedgerError {
  const contract = scalaContractId(use);
  const synchronizerId = abbreviatedId(use.synchronizerId);
  return refused(
    `Package ${packageId} is currently in-use by contract ${contract} on synchronizer ${synchronizerId}. It may also be in-use by other contracts.`,
    { pkg: packageId, contract, synchronizerId },
  );
}

function requireNoWorkflow({ participant }: AdminContext, id: PackageId): void {
  if (participant.packages.package(id)?.name !== ADMIN_WORKFLOWS) return;
  throw refused(
    `Removal of package ${id} failed as packages needed for admin workflows cannot be removed.`,
    { pkg: id },
  );
}

function useOf({ participant }: AdminContext, id: PackageId): Activation | undefined {
  for (const each of participant.activeContracts.now(EVERYTHING))
    if (packageIdOf(each.contract.templateId) === id) return each;
  return undefined;
}

function vettedAmong(
  { participant, network }: AdminContext,
  synchronizerId: string,
  ids: readonly PackageId[],
): readonly PackageId[] {
  const { packages } = network.topology.vetting(participant.id, synchronizerId);
  return ids.filter((id) => packages.has(id));
}

function requireUnvetted(context: AdminContext, ids: readonly PackageId[]): void {
  const { participant, network } = context;
  const { checksVettingOfPackagesOnly } = participant.rules;
  const vetted = ids.flatMap((id) => {
    const on = participant.registered.filter(
      (where) => vettedAmong(context, where, [id]).length > 0,
    );
    const printed = on.map((where) => network.synchronizer(where)!.printedId).sort();
    return printed.length === 0 ? [] : [{ id, on: printed.join(', ') }];
  });
  const [first, ...more] = vetted;
  if (first === undefined) return;
  if (checksVettingOfPackagesOnly)
    throw refused(`Package ${first.id} is currently vetted and available to use.`);
  if (more.length === 0)
    throw refused(
      `Package ${first.id} is currently vetted on the following synchronizers: ${first.on}`,
    );
  const lines = vetted.map(({ id, on }) => `\t${id}: ${on}`).sort();
  throw refused(
    `Several packages are currently vetted on some synchronizers:\n${lines.join('\n')}`,
  );
}

export const removal = { removePackage, removeDar };
