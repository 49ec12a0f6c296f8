/** The services for packages and parties: the operation of each method. */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { BARE } from '../../daml/errors/logging-context.js';
import { ledgerStringError } from '../../daml/model/identifiers.js';
import {
  getTime,
  listKnownPackages,
  prune,
  setTime,
  updatePartyIdentityProviderId,
} from '../../services/ledger-api/unlisted.js';
import { protoDeserializationFailure } from '../../services/ledger-api/formats/requests.js';
import { getCommandStatus } from '../../services/ledger-api/command-status.js';
import type { UpdatePartyDetailsRequest } from '../../spec/generated/ledger.js';
import { requires, unary, unlisted, type Service } from './method.js';

const IDP = 'identity-provider-id';

interface DarRequest {
  readonly darFile: Uint8Array;
  readonly submissionId: string;
  readonly synchronizerId: string;
  readonly vettingChange?: string;
}

interface PackageRequest {
  readonly packageId: string;
}

interface PartiesRequest {
  readonly parties: string[];
  readonly identityProviderId: string;
}

interface KnownPartiesRequest {
  readonly pageToken: string;
  readonly pageSize: number;
  readonly identityProviderId: string;
  readonly filterParty: string;
}

/** @throws LedgerError LEDGER_API_INTERNAL_ERROR, because a participant does not handle an invalid id (B-GRPC-027) */
function checkSubmissionId({ submissionId }: DarRequest): void {
  const error = submissionId === '' ? undefined : ledgerStringError(submissionId);
  if (error !== undefined) throw ledgerError('LEDGER_API_INTERNAL_ERROR', error).logIn(BARE);
}

const packageIn = ({ packageId }: PackageRequest) => ({ path: { 'package-id': packageId } });

export const MANAGEMENT_SERVICES: Readonly<Record<string, Service>> = {
  PackageService: {
    ListPackages: unary('getV2Packages'),
    GetPackage: unary('getV2PackagesPackage-id', {
      input: packageIn,
      output: ({ body, headers }) => ({
        hashFunction: 'HASH_FUNCTION_SHA256',
        archivePayload: body,
        hash: headers['Canton-Package-Hash'],
      }),
    }),
    GetPackageStatus: unary('getV2PackagesPackage-idStatus', { input: packageIn }),
    ListVettedPackages: unary('postV2Package-vettingList'),
  },
  'admin.PackageManagementService': {
    ListKnownPackages: unlisted(listKnownPackages),
    UploadDarFile: unary('postV2Dars', {
      input: ({ darFile, synchronizerId, vettingChange }: DarRequest) => ({
        body: darFile,
        query: {
          synchronizerId,
          vetAllPackages: vettingChange !== 'VETTING_CHANGE_DONT_VET_ANY_PACKAGES',
        },
      }),
      check: (request: DarRequest) => {
        checkSubmissionId(request);
        const { vettingChange = '' } = request;
        // A number that is not in the enumeration.
        if (/^-?\d+$/.test(vettingChange))
          throw protoDeserializationFailure(
            `UnrecognizedEnum(vetting_change,${vettingChange},List())`,
          );
      },
    }),
    ValidateDarFile: unary('postV2DarsValidate', {
      input: ({ darFile, synchronizerId }: DarRequest) => ({
        body: darFile,
        query: { synchronizerId },
      }),
      check: checkSubmissionId,
      output: () => ({}),
    }),
    UpdateVettedPackages: unary('postV2Package-vettingUpdate'),
  },
  'admin.PartyManagementService': {
    GetParticipantId: unary('getV2PartiesParticipant-id'),
    GetParties: unary('getV2PartiesParty', {
      // The list of parties may be empty.
      input: ({ parties: [party, ...parties], identityProviderId }: PartiesRequest) => ({
        path: { party: party! },
        query: { parties, [IDP]: identityProviderId },
      }),
    }),
    ListKnownParties: unary('getV2Parties', {
      input: ({ identityProviderId, filterParty, ...page }: KnownPartiesRequest) => ({
        query: { ...page, [IDP]: identityProviderId, 'filter-party': filterParty },
      }),
    }),
    AllocateParty: unary('postV2Parties'),
    AllocateExternalParty: unary('postV2PartiesExternalAllocate'),
    GenerateExternalPartyTopology: unary('postV2PartiesExternalGenerate-topology'),
    UpdatePartyDetails: unary('patchV2PartiesParty', {
      input: (body: Partial<UpdatePartyDetailsRequest>) => ({
        path: { party: body.partyDetails?.party ?? '' },
        body: body as UpdatePartyDetailsRequest,
      }),
      check: requires('party_details'),
    }),
    UpdatePartyIdentityProviderId: unlisted(updatePartyIdentityProviderId),
  },
  'admin.CommandInspectionService': {
    GetCommandStatus: unlisted(getCommandStatus),
  },
  'admin.ParticipantPruningService': {
    Prune: unlisted(prune),
  },
  'testing.TimeService': {
    GetTime: unlisted(getTime),
    SetTime: unlisted(setTime),
  },
};
