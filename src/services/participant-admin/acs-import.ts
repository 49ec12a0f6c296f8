/**
 * What the repair service and the party management of a participant import: active contracts, in Canton's file format.
 * NOTE: which package represents a contract is what its file says; what a request would have instead is not looked at.
 */
import { gunzipSync } from 'node:zlib';
import { ProtoFault } from '../../daml/codec/protobuf/reading.js';
import { uniqueIdentifierFault } from '../../daml/model/identifiers.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import { importContracts } from '../../network/commands/import-contracts.js';
import { exportedIn, type ExportedActiveContract } from '../../network/reading/acs-import.js';
import { protoDeserializationFailure } from '../ledger-api/formats/requests.js';
import type { AdminContext } from './topology-reads.js';

/** What a file may come to, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** One part of a file; what else it says counts where it is the first. */
export interface ImportRequest {
  readonly acsSnapshot: Uint8Array;
  readonly workflowIdPrefix?: string;
  readonly contractImportMode?: string;
  readonly excludedStakeholderIds: readonly string[];
  readonly synchronizerId?: string;
}

export interface PartyImportRequest extends Omit<ImportRequest, 'excludedStakeholderIds'> {
  readonly partyId?: string;
}

interface Failures {
  readonly request: (fault: string) => LedgerError;
  readonly contracts: (fault: string) => LedgerError;
  readonly refused: (reason: string) => LedgerError;
}

const OF_REPAIR: Failures = {
  request: protoDeserializationFailure,
  contracts: (fault) => protoDeserializationFailure(`ValueConversionError(contract,${fault})`),
  refused: (reason) => ledgerError('IMPORT_ACS_ERROR', reason),
};

const invalidArgument = (reason: string): LedgerError =>
  ledgerError('INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR', reason);

const OF_PARTIES: Failures = {
  request: invalidArgument,
  contracts: invalidArgument,
  refused: (reason) => ledgerError('IO_STREAM_PARTY_MANAGEMENT_ERROR', reason),
};

const MODES: readonly string[] = ['CONTRACT_IMPORT_MODE_ACCEPT', 'CONTRACT_IMPORT_MODE_VALIDATION'];

/** @throws LedgerError IMPORT_ACS_ERROR, PROTO_DESERIALIZATION_FAILURE */
function importAcs(context: AdminContext, requests: readonly ImportRequest[]): object {
  const [first] = requests;
  if (first === undefined) return {};
  const excluded = first.excludedStakeholderIds;
  importFrom(
    context,
    requests,
    OF_REPAIR,
    () => {
      for (const id of excluded) requireId('excluded_stakeholder_ids', id, OF_REPAIR);
    },
    excluded,
  );
  return {};
}

/** @throws LedgerError IO_STREAM_PARTY_MANAGEMENT_ERROR, PARTY_ACS_IMPORT_MISSING_ONBOARDING_MAPPING, … */
function importPartyAcs(context: AdminContext, requests: readonly PartyImportRequest[]): object {
  const [first] = requests;
  if (first === undefined) return {};
  const { partyId } = first;
  importFrom(context, requests, OF_PARTIES, () => {
    if (partyId === undefined) return;
    requireId('party_id', partyId, OF_PARTIES);
    const { topology } = context.network;
    if (!topology.isHosted(partyId, context.participant.id))
      throw ledgerError(
        'PARTY_ACS_IMPORT_MISSING_ONBOARDING_MAPPING',
        `Aborted ACS import for party ${partyId}: missing party-to-participant mapping or required onboarding flag for this participant.`,
      );
  });
  return {};
}

function importFrom(
  context: AdminContext,
  requests: readonly Omit<ImportRequest, 'excludedStakeholderIds'>[],
  failures: Failures,
  check: () => void,
  excluded: readonly string[] = [],
): void {
  const { participant, network } = context;
  const { contractImportMode: mode, synchronizerId, workflowIdPrefix } = requests[0]!;
  if (mode === undefined) throw failures.request('FieldNotSet(contract_import_mode)');
  if (!MODES.includes(mode))
    throw failures.request('FieldNotSet(CONTRACT_IMPORT_MODE_UNSPECIFIED)');
  if (synchronizerId === undefined) throw failures.request('FieldNotSet(synchronizer_id)');
  requireId('synchronizer_id', synchronizerId, failures);
  check();
  const all = contractsIn(
    requests.map(({ acsSnapshot }) => acsSnapshot),
    failures,
  );
  const isExcluded = (each: ExportedActiveContract): boolean =>
    stakeholdersOf(each.read(participant.packages).contract).some((party) =>
      excluded.includes(party),
    );
  try {
    importContracts(
      participant,
      {
        synchronizerId,
        contracts: excluded.length === 0 ? all : all.filter((each) => !isExcluded(each)),
        authenticates: mode === 'CONTRACT_IMPORT_MODE_VALIDATION',
        workflowIdPrefix: workflowIdPrefix || `import-${network.random.uuid('import')}`,
      },
      failures.refused,
    );
  } catch (error) {
    if (error instanceof ProtoFault) throw failures.contracts(undecodable(error));
    throw error;
  }
}

const undecodable = ({ message }: ProtoFault): string =>
  `Unable to decode contract event payload: ${message}`;

function contractsIn(parts: readonly Uint8Array[], failures: Failures): ExportedActiveContract[] {
  const file = Buffer.concat(parts);
  try {
    return exportedIn(gunzipSync(file, { maxOutputLength: MAX_FILE_BYTES }));
  } catch (error) {
    throw failures.contracts((error as Error).message);
  }
}

function requireId(field: string, id: string, { request }: Failures): void {
  const fault = uniqueIdentifierFault(id);
  if (fault !== undefined) throw request(`ValueConversionError(${field},${fault})`);
}

export const acsImport = { importAcs, importPartyAcs };
