/** The identity provider id of users and parties. The default provider has an empty id and always exists. */
import { ledgerStringError } from '../../daml/model/identifiers.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { invalidArgument, invalidField } from '../model/request-errors.js';

export const DEFAULT_IDENTITY_PROVIDER = '';

/** @throws LedgerError INVALID_FIELD for an invalid id; absent means the default. */
export function requestedIdentityProvider(text: string | undefined, field: string): string {
  const id = text ?? DEFAULT_IDENTITY_PROVIDER;
  const error = id === DEFAULT_IDENTITY_PROVIDER ? undefined : ledgerStringError(id);
  if (error !== undefined) throw invalidField(field, error);
  return id;
}

export function unknownIdentityProvider(id: string): LedgerError {
  return invalidArgument(`Provided identity_provider_id Id(${id}) has not been found.`);
}

export function permissionDenied(reason: string): LedgerError {
  return ledgerError(
    'PERMISSION_DENIED',
    `The provided authorization token is not sufficient to authorize the intended command: ${reason}`,
  );
}
