/** The methods that only gRPC has, with their names in fault rules: the service and the method. */

/** Methods of the Ledger API that JSON does not have. */
const OF_LEDGER = [
  'CommandInspectionService/GetCommandStatus',
  'PackageManagementService/ListKnownPackages',
  'ParticipantPruningService/Prune',
  'PartyManagementService/UpdatePartyIdentityProviderId',
  'TimeService/GetTime',
  'TimeService/SetTime',
] as const;

/** Methods of a participant's admin API in any release: by package, then by service. */
export const ADMIN_METHODS = {
  'com.digitalasset.canton.admin.participant.v30': {
    PackageService: [
      'ListPackages',
      'GetPackageContents',
      'ValidateDar',
      'UploadDar',
      'ListDars',
      'GetDar',
      'GetDarContents',
      'GetPackageReferences',
      'VetDar',
      'UnvetDar',
      'RemoveDar',
      'RemovePackage',
    ],
    PingService: ['Ping'],
    SynchronizerConnectivityService: [
      'ListConnectedSynchronizers',
      'ListRegisteredSynchronizers',
      'GetSynchronizerId',
      'ReconnectSynchronizer',
      'ReconnectSynchronizers',
      'DisconnectSynchronizer',
      'DisconnectAllSynchronizers',
      'Logout',
    ],
    ParticipantStatusService: ['ParticipantStatus'],
    TrafficControlService: ['TrafficControlState'],
    PruningService: [
      'Prune',
      'GetSafePruningOffset',
      'SetSchedule',
      'SetParticipantSchedule',
      'SetCron',
      'SetMaxDuration',
      'SetRetention',
      'ClearSchedule',
      'GetSchedule',
      'GetParticipantSchedule',
      'SetNoWaitCommitmentsFrom',
      'ResetNoWaitCommitmentsFrom',
      'GetNoWaitCommitmentsFrom',
    ],
    PartyManagementService: [
      'GetHighestOffsetByTimestamp',
      'ExportPartyAcs',
      'ImportPartyAcs',
      'AddPartyAsync',
      'GetAddPartyStatus',
      'ClearPartyOnboardingFlag',
    ],
    ParticipantInspectionService: [
      'LookupOffsetByTime',
      'CountInFlight',
      'LookupSentAcsCommitments',
      'LookupReceivedAcsCommitments',
      'GetConfigForSlowCounterParticipants',
      'GetIntervalsBehindForCounterParticipants',
    ],
    ResourceManagementService: ['GetResourceLimits', 'SetResourceLimits'],
    ParticipantReplicationService: ['SetPassive'],
    EnterpriseParticipantReplicationService: ['SetPassive'],
    ParticipantRepairService: [
      'ExportAcs',
      'ImportAcs',
      'PurgeContracts',
      'ChangeAssignation',
      'DeleteSynchronizerConnectionConfig',
      'ListPendingOperations',
      'DeletePendingOperation',
    ],
  },
  'com.digitalasset.canton.admin.health.v30': {
    StatusService: ['SetLogLevel', 'GetLastErrors', 'GetLastErrorTrace'],
  },
  'com.digitalasset.canton.topology.admin.v30': {
    TopologyAggregationService: ['ListParties', 'ListKeyOwners'],
    TopologyManagerReadService: [
      'ListAll',
      'ListAllV2',
      'ListAvailableStores',
      'ListDecentralizedNamespaceDefinition',
      'ListLsuAnnouncement',
      'ListLsuSequencerConnectionSuccessor',
      'ListSynchronizerUpgradeAnnouncement',
      'ListSequencerConnectionSuccessor',
      'ListMediatorSynchronizerState',
      'ListNamespaceDelegation',
      'ListOwnerToKeyMapping',
      'ListParticipantSynchronizerPermission',
      'ListPartyHostingLimits',
      'ListPartyToKeyMapping',
      'ListSequencingParametersState',
      'ListSynchronizerParametersState',
      'ListPartyToParticipant',
      'ListSequencerSynchronizerState',
      'ListSynchronizerTrustCertificate',
      'ListVettedPackages',
    ],
    TopologyManagerWriteService: [
      'AddTransactions',
      'Authorize',
      'CreateTemporaryTopologyStore',
      'DropTemporaryTopologyStore',
      'GenerateTransactions',
      'SignTransactions',
    ],
    IdentityInitializationService: ['GetId', 'CurrentTime', 'InitId'],
  },
  'com.digitalasset.canton.crypto.admin.v30': {
    VaultService: [
      'ListMyKeys',
      'ListPublicKeys',
      'GenerateSigningKey',
      'GenerateEncryptionKey',
      'ImportPublicKey',
      'ExportKeyPair',
      'DeleteKeyPair',
    ],
  },
  'com.digitalasset.canton.time.admin.v30': {
    SynchronizerTimeService: ['FetchTime', 'AwaitTime'],
  },
} as const;

const OF_ADMIN = Object.values(ADMIN_METHODS).flatMap((services) =>
  Object.entries(services as Readonly<Record<string, readonly string[]>>).flatMap(
    ([service, methods]) => methods.map((method) => `${service}/${method}`),
  ),
);

type AdminMethods = typeof ADMIN_METHODS;
type OfServices<Services> = {
  [S in keyof Services & string]: Services[S] extends readonly (infer Method extends string)[]
    ? `${S}/${Method}`
    : never;
}[keyof Services & string];

/** The names of these methods. */
export type GrpcAlone =
  | (typeof OF_LEDGER)[number]
  | { [P in keyof AdminMethods]: OfServices<AdminMethods[P]> }[keyof AdminMethods];

export const GRPC_ALONE: readonly string[] = [...OF_LEDGER, ...OF_ADMIN];
