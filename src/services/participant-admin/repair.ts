/**
 * The errors of the repair service and the party management for requests that change a participant's contracts
 * manually.
 * NOTE: only the errors are served: a valid request that would change contracts is not.
 */
import { contractIdError } from '../../daml/model/contract-id-text.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { AdminContext } from './admin-context.js';
import { NotServed } from './not-served.js';
import { invariantViolation, valueConversion } from './parsing/conversion.js';
import {
  physicalSynchronizer,
  synchronizerAlias,
  synchronizerReference,
  type SynchronizerMessage,
} from './parsing/fields.js';
import { parsed, reading } from './parsing/parsed.js';

const refused = (reason: string): LedgerError => ledgerError('INVALID_ARGUMENT_REPAIR', reason);

const STILL_CONNECTED =
  'There are still synchronizers connected. Please disconnect all synchronizers.';

export interface PurgeRequest {
  readonly synchronizerAlias: string;
  readonly contractIds: readonly string[];
}

/** @throws LedgerError INVALID_ARGUMENT_REPAIR, CONTRACT_PURGE_ERROR */
function purgeContracts({ participant }: AdminContext, request: PurgeRequest): object {
  const { contractIds } = request;
  for (const id of contractIds) {
    const error = contractIdError(id);
    if (error !== undefined) throw refused(error);
  }
  const alias = reading(
    () => synchronizerAlias(request.synchronizerAlias),
    ({ printed }) => refused(printed),
  );
  if (contractIds.length === 0) throw refused('Missing contract ids to purge');
  if (participant.connected.length > 0)
    throw ledgerError('CONTRACT_PURGE_ERROR', {
      cause: STILL_CONNECTED,
      context: { synchronizerAlias: printedAlias(alias) },
    });
  throw new NotServed('purging contracts');
}

const printedAlias = (alias: string): string => `Synchronizer '${alias}'`;

export interface AssignationRequest {
  readonly sourceSynchronizerAlias: string;
  readonly targetSynchronizerAlias: string;
  readonly contracts: readonly { readonly id: string }[];
}

/** @returns the id of a known synchronizer */
function knownByAlias({ network, participant }: AdminContext, given: string): string {
  const alias = reading(
    () => synchronizerAlias(given),
    ({ message }) => refused(`Unable to parse ${given} as synchronizer alias: ${message}`),
  );
  const found = network.synchronizers.find(
    (each) => each.alias === alias && participant.registered.includes(each.id),
  );
  if (found === undefined)
    throw refused(`Unable to find synchronizer id for alias ${printedAlias(alias)}`);
  return found.id;
}

/** @throws LedgerError INVALID_ARGUMENT_REPAIR, CONTRACT_ASSIGNATION_CHANGE_ERROR */
function changeAssignation(context: AdminContext, request: AssignationRequest): object {
  const { sourceSynchronizerAlias, targetSynchronizerAlias, contracts } = request;
  const source = knownByAlias(context, sourceSynchronizerAlias);
  const target = knownByAlias(context, targetSynchronizerAlias);
  for (const { id } of contracts) {
    const error = contractIdError(id);
    if (error !== undefined) throw refused(`Unable to parse contract id \`${id}\`: ${error}`);
  }
  if (contracts.length === 0) return {};
  const fails = (reason: string) => ledgerError('CONTRACT_ASSIGNATION_CHANGE_ERROR', reason);
  if (source === target) throw fails('Source must differ from target synchronizer!');
  if (context.participant.connected.length > 0) throw fails(STILL_CONNECTED);
  throw new NotServed('changing where contracts are assigned');
}

/** @throws LedgerError SYNC_SERVICE_UNKNOWN_SYNCHRONIZER */
const deleteSynchronizerConnectionConfig = parsed(
  (request: { readonly physicalSynchronizerId: string }, supported) =>
    physicalSynchronizer('physical_synchronizer_id', request.physicalSynchronizerId, supported),
  ({ network, participant }: AdminContext, { physicalId }): object => {
    const found = network.synchronizers.find((each) => each.physicalId === physicalId);
    if (found === undefined || !participant.registered.includes(found.id))
      throw ledgerError(
        'SYNC_SERVICE_UNKNOWN_SYNCHRONIZER',
        `The synchronizer with physical synchronizer id ${physicalId} is unknown.`,
      );
    throw new NotServed('deleting the configuration of a known synchronizer');
  },
);

export interface PendingOperation {
  readonly operationName: string;
  readonly synchronizer?: SynchronizerMessage;
}

/** Deletes nothing, as no operation is pending (B-GRPC-035). */
const deletePendingOperation = parsed(
  ({ operationName, synchronizer }: PendingOperation, supported) => {
    if (operationName === '') throw invariantViolation('operation_name', NO_NAME);
    if (synchronizer === undefined) throw valueConversion('synchronizer', 'missing');
    const fields = { empty: 'kind', id: 'id', physicalId: 'physical_id' };
    synchronizerReference(synchronizer, fields, supported);
  },
  () => ({}),
);

const NO_NAME =
  'InvariantViolation(Unable to create a NonEmptyString as the empty string  was given.)';

export const repair = {
  purgeContracts,
  changeAssignation,
  deleteSynchronizerConnectionConfig,
  deletePendingOperation,
};
