/** The errors of the user store, in the participant's words. */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Party } from '../model/ids.js';
import { permissionDenied } from './identity-provider.js';

function refusal(code: LedgerError['code'], cause: string, id: string): LedgerError {
  return ledgerError(code, { cause, resources: [['USER', id]] });
}

export const notFound = (operation: string, id: string): LedgerError =>
  refusal('USER_NOT_FOUND', `${operation} failed for unknown user "${id}"`, id);

export const alreadyExists = (operation: string, id: string): LedgerError =>
  refusal('USER_ALREADY_EXISTS', `${operation} failed, as user "${id}" already exists`, id);

export const tooManyRights = (operation: string, id: string): LedgerError =>
  refusal(
    'TOO_MANY_USER_RIGHTS',
    `${operation} failed, as user "${id}" would have too many rights.`,
    id,
  );

export const tooManyAnnotations = (id: string): LedgerError =>
  refusal(
    'MAX_USER_ANNOTATIONS_SIZE_EXCEEDED',
    `Maximum annotations size for user '${id}' has been exceeded`,
    id,
  );

export const invalidUpdate = (id: string, reason: string): LedgerError =>
  refusal(
    'INVALID_USER_UPDATE_REQUEST',
    `Update operation for user id '${id}' failed due to: ${reason}`,
    id,
  );

export const concurrentUpdate = (id: string): LedgerError =>
  refusal(
    'CONCURRENT_USER_UPDATE_DETECTED',
    `Update operation for user '${id}' failed due to a concurrent update to the same user`,
    id,
  );

export const belongsElsewhere = (id: string): LedgerError =>
  permissionDenied(`User ${id} belongs to another Identity Provider`);

export function unknownParties(parties: readonly Party[], identityProviderId: string): LedgerError {
  return ledgerError('UNKNOWN_RESOURCE', {
    cause: `The submitted request refers to a non-existing PARTIES: Provided parties have not been found in identity_provider_id=\`${identityProviderId}\`: [${parties.join(',')}].`,
    resources: parties.map((party) => ['PARTIES', party] as const),
  });
}
