/** Methods of the Ledger API that JSON does not have, as rules of faults name them: the service and the method. */
export const GRPC_ALONE: readonly string[] = [
  'CommandInspectionService/GetCommandStatus',
  'PackageManagementService/ListKnownPackages',
  'ParticipantPruningService/Prune',
  'PartyManagementService/UpdatePartyIdentityProviderId',
  'TimeService/GetTime',
  'TimeService/SetTime',
];
