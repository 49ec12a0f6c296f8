/**
 * The import of active contracts by a participant's repair service and party management, in Canton's file format.
 * NOTE: the file states which package represents a contract. Overrides in the request are parsed, but have no effect.
 */
import { gunzipSync } from 'node:zlib';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { contractIdError } from '../../daml/model/contract-id-text.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import { abbreviatedId } from '../../network/model/ids.js';
import { importContracts } from '../../network/commands/import-contracts.js';
import { exportedIn, type ExportedActiveContract } from '../../network/reading/acs-import.js';
import { protoDeserializationFailure } from '../ledger-api/formats/requests.js';
import { releaseOf } from '../../spec/versions.js';
import type { AdminContext } from './admin-context.js';
import { fieldNotSet, stringConversion, unrecognizedEnum } from './parsing/conversion.js';
import { packageId, required, uniqueIdentifier } from './parsing/fields.js';
import { reading } from './parsing/parsed.js';

/** The limit of a file, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

interface RepresentativeOverrides {
  readonly contractOverride: Readonly<Record<string, string>>;
  readonly packageIdOverride: Readonly<Record<string, string>>;
  readonly packageNameOverride: Readonly<Record<string, string>>;
}

/** One part of a file; its other fields count only in the first part. */
export interface ImportRequest {
  readonly acsSnapshot: Uint8Array;
  readonly workflowIdPrefix?: string;
  readonly contractImportMode?: string;
  readonly excludedStakeholderIds: readonly string[];
  readonly synchronizerId?: string;
  readonly representativePackageIdOverride?: RepresentativeOverrides;
}

export interface PartyImportRequest extends Omit<ImportRequest, 'excludedStakeholderIds'> {
  readonly partyId?: string;
}

interface Failures {
  readonly contracts: (error: string) => LedgerError;
  readonly refused: (reason: string) => LedgerError;
}

const OF_REPAIR: Failures = {
  contracts: (error) => protoDeserializationFailure(`ValueConversionError(contract,${error})`),
  refused: (reason) => ledgerError('IMPORT_ACS_ERROR', reason),
};

const invalidArgument = (reason: string): LedgerError =>
  ledgerError('INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR', reason);

const OF_PARTIES: Failures = {
  contracts: invalidArgument,
  refused: (reason) => ledgerError('IO_STREAM_PARTY_MANAGEMENT_ERROR', reason),
};

const MODE = 'contract_import_mode';
const MODES: readonly string[] = ['CONTRACT_IMPORT_MODE_ACCEPT', 'CONTRACT_IMPORT_MODE_VALIDATION'];

/** The parsed first message, which applies to all parts. */
interface Import {
  readonly authenticates: boolean;
  /** Undefined for all synchronizers. */
  readonly synchronizerId: string | undefined;
  readonly excluded: readonly string[];
  readonly workflowIdPrefix: string | undefined;
  readonly parts: readonly Uint8Array[];
}

/** The parts of a request; each throws a ConversionError. @returns whether contracts are authenticated */
function importMode(given: string | undefined): boolean {
  const mode = required(MODE, given);
  if (mode === 'CONTRACT_IMPORT_MODE_UNSPECIFIED') throw fieldNotSet(mode);
  if (!MODES.includes(mode)) throw unrecognizedEnum('UNRECOGNIZED', mode);
  return mode === 'CONTRACT_IMPORT_MODE_VALIDATION';
}

function checkOverrides(given: RepresentativeOverrides | undefined): void {
  if (given === undefined) return;
  const { contractOverride, packageIdOverride, packageNameOverride } = given;
  for (const [id, replacement] of Object.entries(contractOverride)) {
    const error = contractIdError(id);
    if (error !== undefined) throw stringConversion(error);
    packageId(replacement);
  }
  for (const ids of Object.entries(packageIdOverride)) ids.forEach((id) => packageId(id));
  for (const id of Object.values(packageNameOverride)) packageId(id);
}

/** @returns undefined for a release whose requests name no synchronizer */
const synchronizerIn = (given: string | undefined, isNamed: boolean): string | undefined =>
  isNamed ? uniqueIdentifier('synchronizer_id', required('synchronizer_id', given)) : undefined;

/** Whether requests name the synchronizer of the contracts (B-GRPC-037). */
const namesSynchronizer = ({ apiVersion }: AdminContext): boolean =>
  releaseOf(apiVersion).importsIntoAllSynchronizers !== true;

const partsOf = (requests: readonly Pick<ImportRequest, 'acsSnapshot'>[]): readonly Uint8Array[] =>
  requests.map(({ acsSnapshot }) => acsSnapshot);

function readImport(requests: readonly ImportRequest[], isNamed: boolean): Import | undefined {
  const [first] = requests;
  if (first === undefined) return undefined;
  const authenticates = importMode(first.contractImportMode);
  const excluded = first.excludedStakeholderIds;
  for (const id of excluded) uniqueIdentifier('excluded_stakeholder_ids', id);
  checkOverrides(first.representativePackageIdOverride);
  const synchronizerId = synchronizerIn(first.synchronizerId, isNamed);
  const { workflowIdPrefix } = first;
  const parts = partsOf(requests);
  return { authenticates, synchronizerId, excluded, workflowIdPrefix, parts };
}

/** @throws LedgerError IMPORT_ACS_ERROR, PROTO_DESERIALIZATION_FAILURE */
function importAcs(context: AdminContext, requests: readonly ImportRequest[]): object {
  const request = reading(() => readImport(requests, namesSynchronizer(context)));
  if (request !== undefined) importFrom(context, request, OF_REPAIR);
  return {};
}

interface PartyImport extends Import {
  readonly partyId: string | undefined;
}

function readPartyImport(
  requests: readonly PartyImportRequest[],
  isNamed: boolean,
): PartyImport | undefined {
  const [first] = requests;
  if (first === undefined) return undefined;
  const synchronizerId = synchronizerIn(first.synchronizerId, isNamed);
  const { partyId, workflowIdPrefix } = first;
  if (partyId !== undefined) uniqueIdentifier('party_id', partyId);
  checkOverrides(first.representativePackageIdOverride);
  const authenticates = importMode(first.contractImportMode);
  const parts = partsOf(requests);
  return { partyId, authenticates, synchronizerId, excluded: [], workflowIdPrefix, parts };
}

/** @throws LedgerError IO_STREAM_PARTY_MANAGEMENT_ERROR, PARTY_ACS_IMPORT_MISSING_ONBOARDING_MAPPING, … */
function importPartyAcs(context: AdminContext, requests: readonly PartyImportRequest[]): object {
  const request = reading(
    () => readPartyImport(requests, namesSynchronizer(context)),
    ({ message }) => invalidArgument(message),
  );
  if (request === undefined) return {};
  const { partyId } = request;
  if (partyId !== undefined && !isOnboarding(context, partyId)) {
    const shortId = abbreviatedId(partyId);
    throw ledgerError('PARTY_ACS_IMPORT_MISSING_ONBOARDING_MAPPING', {
      cause: `Aborted ACS import for party ${shortId}: missing party-to-participant mapping or required onboarding flag for this participant.`,
      context: { partyId: shortId },
    });
  }
  importFrom(context, request, OF_PARTIES);
  return {};
}

/**
 * NOTE: the state of onboarding is not stored. A hosting counts as waiting for contracts if another participant hosts
 * the party as well. If only this participant hosts a party, it never waits.
 */
function isOnboarding({ network, participant }: AdminContext, party: string): boolean {
  const { topology } = network;
  return (
    topology.isHosted(party, participant.id) &&
    network.participants.some(({ id }) => id !== participant.id && topology.isHosted(party, id))
  );
}

function importFrom(
  context: AdminContext,
  { parts, excluded, ...given }: Import,
  failures: Failures,
): void {
  const { participant, network } = context;
  const isExcluded = (each: ExportedActiveContract): boolean =>
    stakeholdersOf(each.read(participant.packages).contract).some((party) =>
      excluded.includes(party),
    );
  const contracts = (): readonly ExportedActiveContract[] => {
    const all = contractsIn(parts, failures);
    return excluded.length === 0 ? all : all.filter((each) => !isExcluded(each));
  };
  const workflowIdPrefix = given.workflowIdPrefix || `import-${network.random.uuid('import')}`;
  try {
    importContracts(participant, { ...given, contracts, workflowIdPrefix }, failures.refused);
  } catch (error) {
    if (error instanceof ProtobufError) throw failures.contracts(undecodable(error));
    throw error;
  }
}

const undecodable = ({ message }: ProtobufError): string =>
  `Unable to decode contract event payload: ${message}`;

function contractsIn(parts: readonly Uint8Array[], failures: Failures): ExportedActiveContract[] {
  const file = Buffer.concat(parts);
  try {
    return exportedIn(gunzipSync(file, { maxOutputLength: MAX_FILE_BYTES }));
  } catch (error) {
    throw failures.contracts((error as Error).message);
  }
}

export const acsImport = { importAcs, importPartyAcs };
