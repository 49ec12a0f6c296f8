/**
 * `PackageService` of a participant's admin API, the part about DAR files: lists uploads, and vets all packages of a
 * file at once.
 */
import { formatInstant } from '../../daml/model/time.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { packageIdError } from '../../daml/model/identifiers.js';
import { abbreviatedId, type SynchronizerId } from '../../network/model/ids.js';
import type { StoredDar } from '../../network/packages/dar-store.js';
import { uploadDarFile, validateDarFile } from '../../network/vetting/upload.js';
import { notConnectedForVetting, synchronizerForVetting } from '../../network/vetting/vetting.js';
import { updateVetting, vetPackages } from '../../network/vetting/vetting-update.js';
import { packageId, uniqueIdentifier } from './parsing/fields.js';
import { invalidArgumentAlone, parsed } from './parsing/parsed.js';
import type { AdminContext } from './admin-context.js';

export interface OfDar {
  readonly mainPackageId: string;
}

export interface VettingOfDar extends OfDar {
  readonly synchronizerId?: string;
}

export interface DarQuery {
  readonly data: Uint8Array;
  readonly filename: string;
  readonly synchronizerId?: string;
}

export interface DarsQuery {
  readonly dars: readonly {
    readonly bytes: Uint8Array;
    readonly description?: string;
    readonly expectedMainPackageId?: string;
  }[];
  readonly vetAllPackages: boolean;
  readonly synchronizerId?: string;
}

const shown = ({ main: { id, name, version }, description }: StoredDar) => ({
  main: id,
  name,
  version,
  description,
});

/** A limit of 0 means no limit; a negative one leaves no elements. */
export function limited<T>(all: readonly T[], limit: number): readonly T[] {
  return limit === 0 ? all : all.slice(0, Math.max(0, limit));
}

/** @throws LedgerError DAR_NOT_FOUND */
export function darNamed(
  { participant }: AdminContext,
  mainPackageId: string,
  operation: string,
): StoredDar {
  const found = participant.packages.dars.get(mainPackageId);
  if (found === undefined)
    throw ledgerError('DAR_NOT_FOUND', {
      cause: `${operation} operation failed due to non-existent DAR archive with main package-id ${mainPackageId}`,
      context: { operation, mainPackageId },
    });
  return found;
}

const readOfDar = ({ mainPackageId }: OfDar): OfDar => ({
  mainPackageId: packageId(mainPackageId),
});

/** @throws PlainRefusal */
export function requireMainPackageId(mainPackageId: string): void {
  const error = packageIdError(mainPackageId);
  if (error !== undefined)
    throw invalidArgumentAlone(`Invalid DAR main package-id: ${mainPackageId} [${error}]`);
}

const readSynchronizer = (id: string | undefined): SynchronizerId | undefined =>
  id === undefined ? undefined : uniqueIdentifier('synchronizer_id', id);

/** @throws LedgerError as {@link synchronizerForVetting}, which has the whole id */
function vettingOn({ participant }: AdminContext, id: SynchronizerId | undefined): SynchronizerId {
  if (id !== undefined && !participant.isConnectedTo(id))
    throw notConnectedForVetting(abbreviatedId(id));
  return synchronizerForVetting(participant, id);
}

const validateDar = parsed(
  ({ data, filename, synchronizerId }: DarQuery) => ({
    data,
    filename,
    named: readSynchronizer(synchronizerId),
  }),
  (context, { data, filename, named }) => {
    const where = vettingOn(context, named);
    return { mainPackageId: validateDarFile(context.participant, data, where, filename).id };
  },
);

/**
 * Uploads files in order, so that files before an invalid one remain. Without packages to vet, the synchronizer is not
 * checked.
 */
const uploadDar = parsed(
  ({ dars, vetAllPackages, synchronizerId }: DarsQuery) => ({
    dars: dars.map(({ bytes, description, expectedMainPackageId }) => ({
      bytes,
      description,
      expectedId:
        expectedMainPackageId === undefined
          ? undefined
          : packageId(expectedMainPackageId, 'packageId'),
    })),
    vetAll: vetAllPackages,
    named: vetAllPackages ? readSynchronizer(synchronizerId) : undefined,
  }),
  (context, { dars, vetAll, named }) => {
    const where = vetAll ? vettingOn(context, named) : undefined;
    const { participant } = context;
    const ids = dars.map(
      ({ bytes, ...options }) =>
        uploadDarFile(participant, bytes, { ...options, vetAll: false }).id,
    );
    const added = ids.flatMap((id) => participant.packages.dars.get(id)!.packageIds);
    if (where !== undefined && added.length > 0) vetPackages(participant, where, added);
    return { darIds: ids };
  },
);

/** The limit counts before the filter. */
function listDars(
  { participant }: AdminContext,
  { limit, filterName }: { readonly limit: number; readonly filterName: string },
) {
  const first = limited(participant.packages.dars.all(), limit);
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
      return { packageId, name, version, uploadedAt, size: archive!.length };
    }),
  };
}

/** The files that contain a package. */
const getPackageReferences = parsed(
  (request: { readonly packageId: string }) => packageId(request.packageId, 'packageId'),
  ({ participant }, id) => {
    const dars = participant.packages.dars.all();
    return { dars: dars.filter(({ packageIds }) => packageIds.includes(id)).map(shown) };
  },
);

const readVetting = ({ mainPackageId, synchronizerId }: VettingOfDar) => ({
  mainPackageId,
  named: readSynchronizer(synchronizerId),
});

interface Vetting {
  readonly mainPackageId: string;
  readonly named: SynchronizerId | undefined;
}

/**
 * NOTE: as on a participant, the synchronizer is resolved before the file's id is read.
 * @throws LedgerError as an upload that vets
 */
function vetDar(context: AdminContext, { mainPackageId, named }: Vetting): object {
  const where = vettingOn(context, named);
  requireMainPackageId(mainPackageId);
  const { packageIds } = darNamed(context, mainPackageId, 'DAR archive vetting');
  vetPackages(context.participant, where, packageIds);
  return {};
}

/** Removes the vetting even if other packages depend on it. */
function unvetDar(context: AdminContext, { mainPackageId, named }: Vetting): object {
  const where = vettingOn(context, named);
  requireMainPackageId(mainPackageId);
  const { packageIds } = darNamed(context, mainPackageId, 'DAR archive unvetting');
  updateVetting(context.participant, {
    changes: [{ kind: 'unvet', packages: packageIds.map((id) => ({ id })) }],
    synchronizerId: where,
    dryRun: false,
    allowIncompatible: false,
    allowUnvettedDependencies: true,
  });
  return {};
}

export const dars = {
  validateDar,
  uploadDar,
  listDars,
  getDar: parsed(readOfDar, getDar),
  getDarContents: parsed(readOfDar, getDarContents),
  getPackageReferences,
  vetDar: parsed(readVetting, vetDar),
  unvetDar: parsed(readVetting, unvetDar),
};
