/** `PackageService` of a participant's admin API as far as it is about files: what was uploaded, and vetting of all in a file at once. */
import { packageIdFault } from '../../daml/model/identifiers.js';
import { formatInstant } from '../../daml/model/time.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { StoredDar } from '../../network/packages/dar-store.js';
import { synchronizerForVetting } from '../../network/vetting/vetting.js';
import { updateVetting, vetPackages } from '../../network/vetting/vetting-update.js';
import {
  optionalSynchronizer,
  protoDeserializationFailure,
} from '../ledger-api/formats/requests.js';
import type { AdminContext } from './topology-reads.js';

export interface OfDar {
  readonly mainPackageId: string;
}

export interface VettingOfDar extends OfDar {
  readonly synchronizerId?: string;
}

const shown = ({ main: { id, name, version }, description }: StoredDar) => ({
  main: id,
  name,
  version,
  description,
});

/** @throws LedgerError DAR_NOT_FOUND, PROTO_DESERIALIZATION_FAILURE */
export function darNamed(
  { participant }: AdminContext,
  mainPackageId: string,
  operation: string,
): StoredDar {
  const fault = packageIdFault(mainPackageId);
  if (fault !== undefined) throw protoDeserializationFailure(`StringConversionError(${fault})`);
  const found = participant.packages.dars.get(mainPackageId);
  if (found === undefined)
    throw ledgerError(
      'DAR_NOT_FOUND',
      `${operation} operation failed due to non-existent DAR archive with main package-id ${mainPackageId}`,
    );
  return found;
}

/** The limit counts before the filter. */
function listDars(
  { participant }: AdminContext,
  { limit, filterName }: { readonly limit: number; readonly filterName: string },
) {
  const all = participant.packages.dars.all();
  const first = limit === 0 ? all : all.slice(0, limit);
  return { dars: first.filter(({ main }) => main.name.startsWith(filterName)).map(shown) };
}

function getDar(context: AdminContext, { mainPackageId }: OfDar) {
  const dar = darNamed(context, mainPackageId, 'getDar');
  return { payload: dar.bytes, data: shown(dar) };
}

function getDarContents(context: AdminContext, { mainPackageId }: OfDar) {
  const { participant, network } = context;
  const dar = darNamed(context, mainPackageId, 'getDar');
  const uploadedAt = formatInstant(network.startTime);
  return {
    description: shown(dar),
    packages: dar.packageIds.map((packageId) => {
      const { name, version, archive } = participant.packages.package(packageId)!;
      return { packageId, name, version, uploadedAt, size: archive.length };
    }),
  };
}

/** The files that a package came in. */
function getPackageReferences(
  { participant }: AdminContext,
  { packageId }: { readonly packageId: string },
) {
  const fault = packageIdFault(packageId);
  if (fault !== undefined)
    throw protoDeserializationFailure(`StringConversionError(${fault},Some(packageId))`);
  const dars = participant.packages.dars.all();
  return { dars: dars.filter(({ packageIds }) => packageIds.includes(packageId)).map(shown) };
}

/** @throws LedgerError as an upload that vets */
function vetDar(context: AdminContext, { mainPackageId, synchronizerId }: VettingOfDar) {
  const { participant } = context;
  const where = synchronizerForVetting(participant, optionalSynchronizer(synchronizerId));
  const { packageIds } = darNamed(context, mainPackageId, 'DAR archive vetting');
  vetPackages(participant, where, packageIds);
  return {};
}

/** Whatever else needs the packages: nothing keeps them. */
function unvetDar(context: AdminContext, { mainPackageId, synchronizerId }: VettingOfDar) {
  const { participant } = context;
  const where = synchronizerForVetting(participant, optionalSynchronizer(synchronizerId));
  const { packageIds } = darNamed(context, mainPackageId, 'DAR archive unvetting');
  updateVetting(participant, {
    changes: [{ kind: 'unvet', packages: packageIds.map((id) => ({ id })) }],
    synchronizerId: where,
    dryRun: false,
    allowIncompatible: false,
    allowUnvettedDependencies: true,
  });
  return {};
}

export const dars = { listDars, getDar, getDarContents, getPackageReferences, vetDar, unvetDar };
