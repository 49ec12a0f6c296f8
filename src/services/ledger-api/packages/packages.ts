/** The package services: uploads DARs, and returns packages and their states. */
import { packageIdError } from '../../../daml/model/identifiers.js';
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { concurrentMapOrder } from '../../../daml/errors/scala-order.js';
import { callContext, logged, type LoggingContext } from '../../../daml/errors/logging-context.js';
import type { Participant } from '../../../network/participant.js';
import { uploadDarFile, validateDarFile } from '../../../network/vetting/upload.js';
import { invalidArgument } from '../../../network/model/request-errors.js';
import { Reply, type LedgerContext, type SomeHandlers } from '../../handler.js';
import { optionalSynchronizer } from '../formats/requests.js';

/** The name of the services for uploaded files, which have no names. */
const UPLOADED = 'uploaded-via-ledger-api';
const VALIDATED = 'defaultDarName';

const NO_ARCHIVE =
  'Canticle knows this package only as it is declared in TypeScript, or one that it refers to: no archive has its id as a hash. Upload the DAR that has the package, and it is served.';

export const packages = {
  postV2Dars: ({ participant }, { body, query }) => uploadFrom(participant, body, query),

  postV2Packages: ({ participant }, { body, query }) => uploadFrom(participant, body, query),

  postV2DarsValidate: ({ participant }, { body, query }) => {
    const synchronizerId = optionalSynchronizer(query.synchronizerId);
    validateDarFile(participant, body, synchronizerId, VALIDATED);
    return new Reply('');
  },

  getV2Packages: ({ participant }) => ({
    packageIds: concurrentMapOrder(participant.packages.servedIds()),
  }),

  'getV2PackagesPackage-id': logged(ofPackage, ({ participant }, { path }) => {
    const id = packageIdIn(path);
    const found = participant.packages.served(id);
    if (found === undefined)
      throw ledgerError('PACKAGE_NOT_FOUND', {
        cause: 'Could not find package.',
        resources: [['PACKAGE', id]],
        ...(participant.packages.has(id) && { explanation: NO_ARCHIVE }),
      });
    return { body: found.archive, headers: { 'Canton-Package-Hash': id } };
  }),

  'getV2PackagesPackage-idStatus': logged(ofPackage, ({ participant }, { path }) => ({
    packageStatus: participant.packages.has(packageIdIn(path))
      ? 'PACKAGE_STATUS_REGISTERED'
      : 'PACKAGE_STATUS_UNSPECIFIED',
  })),
} satisfies SomeHandlers<'ledger'>;

type PathOfPackage = { readonly path: { readonly 'package-id': string } };

/** The entries of the logging context for a call about a package. */
function ofPackage(_context: LedgerContext, { path }: PathOfPackage): LoggingContext {
  return callContext(() => ({ packageId: path['package-id'] }));
}

function uploadFrom(
  participant: Participant,
  dar: Uint8Array,
  query: { vetAllPackages?: boolean; synchronizerId?: string },
): Record<string, never> {
  const synchronizerId = optionalSynchronizer(query.synchronizerId);
  const vetAll = query.vetAllPackages ?? true;
  uploadDarFile(participant, dar, { vetAll, synchronizerId, description: UPLOADED });
  return {};
}

function packageIdIn(path: { 'package-id': string }): string {
  const error = packageIdError(path['package-id']);
  if (error !== undefined) throw invalidArgument(`Invalid package id: ${error}`);
  return path['package-id'];
}
