/** The services that manage packages, parties, users and identity providers: which operation each method is. */
import { unary, type Service } from './method.js';

const IDP = 'identity-provider-id';

interface DarRequest {
  readonly darFile: Uint8Array;
  readonly synchronizerId: string;
  readonly vettingChange?: string;
}

interface PartiesRequest {
  readonly parties: string[];
  readonly identityProviderId: string;
}

export const MANAGEMENT_SERVICES: Readonly<Record<string, Service>> = {
  PackageService: {
    ListPackages: unary('getV2Packages'),
  },
  'admin.PackageManagementService': {
    UploadDarFile: unary('postV2Dars', {
      input: ({ darFile, synchronizerId, vettingChange }: DarRequest) => ({
        body: darFile,
        query: {
          synchronizerId,
          vetAllPackages: vettingChange !== 'VETTING_CHANGE_DONT_VET_ANY_PACKAGES',
        },
      }),
    }),
    ValidateDarFile: unary('postV2DarsValidate', {
      input: ({ darFile, synchronizerId }: DarRequest) => ({
        body: darFile,
        query: { synchronizerId },
      }),
      output: () => ({}),
    }),
  },
  'admin.PartyManagementService': {
    GetParticipantId: unary('getV2PartiesParticipant-id'),
    GetParties: unary('getV2PartiesParty', {
      input: ({ parties: [party = '', ...parties], identityProviderId }: PartiesRequest) => ({
        path: { party },
        query: { parties, [IDP]: identityProviderId },
      }),
    }),
    AllocateParty: unary('postV2Parties'),
  },
};
