/**
 * A participant's admin API over gRPC, as far as the model knows what it is about. What is not served answers UNIMPLEMENTED and its
 * name.
 * NOTE: as at a participant that is not told otherwise, nobody is asked for a token.
 */
import { ANYONE } from '../services/authorization/gate.js';
import {
  participantAdmin,
  type AdminContext,
} from '../services/participant-admin/participant-admin.js';
import { CallContext, type GrpcWorld } from './context.js';
import { methodsOf, type MethodDefinition } from './messages/definitions.js';
import { decodeMessage } from './messages/reader.js';
import { encodeMessage } from './messages/writer.js';
import { standardServices, type StandardMethod } from './standard/standard.js';
import { statusOf, unknownMethod } from './status.js';
import { OK, type Call } from './wire/call.js';
import { ManyRequests } from './wire/many-requests.js';
import { OneRequest } from './wire/one-request.js';
import type { Answer } from './wire/server.js';

/**
 * Of a method that streams it gives all there is to tell, as a list; nothing for a request of a kind that is not served. What a
 * client streams is a list as well.
 */
type AdminMethod = (context: AdminContext, message: never) => object | undefined;

/** Of what a client streams, in bytes: such as a file of active contracts, which is compressed. */
const MAX_STREAMED_BYTES = 256 * 1024 * 1024;

const CANTON = 'com.digitalasset.canton';
const PARTICIPANT = `${CANTON}.admin.participant.v30`;
const TOPOLOGY = `${CANTON}.topology.admin.v30`;

/** By service, then by method. */
const SERVICES: Readonly<Record<string, Readonly<Record<string, AdminMethod>>>> = {
  [`${PARTICIPANT}.PackageService`]: {
    ListPackages: participantAdmin.listPackages,
    GetPackageContents: participantAdmin.getPackageContents,
    ValidateDar: participantAdmin.validateDar,
    UploadDar: participantAdmin.uploadDar,
    ListDars: participantAdmin.listDars,
    GetDar: participantAdmin.getDar,
    GetDarContents: participantAdmin.getDarContents,
    GetPackageReferences: participantAdmin.getPackageReferences,
    VetDar: participantAdmin.vetDar,
    UnvetDar: participantAdmin.unvetDar,
    RemoveDar: participantAdmin.removeDar,
    RemovePackage: participantAdmin.removePackage,
  },
  [`${PARTICIPANT}.PingService`]: { Ping: participantAdmin.ping },
  [`${PARTICIPANT}.SynchronizerConnectivityService`]: {
    ListConnectedSynchronizers: participantAdmin.listConnectedSynchronizers,
    ListRegisteredSynchronizers: participantAdmin.listRegisteredSynchronizers,
    GetSynchronizerId: participantAdmin.getSynchronizerId,
    ReconnectSynchronizer: participantAdmin.reconnectSynchronizer,
    ReconnectSynchronizers: participantAdmin.reconnectSynchronizers,
    DisconnectSynchronizer: participantAdmin.disconnectSynchronizer,
    DisconnectAllSynchronizers: participantAdmin.disconnectAllSynchronizers,
  },
  [`${PARTICIPANT}.ParticipantStatusService`]: {
    ParticipantStatus: participantAdmin.participantStatus,
  },
  [`${PARTICIPANT}.TrafficControlService`]: {
    TrafficControlState: participantAdmin.trafficControlState,
  },
  [`${PARTICIPANT}.PruningService`]: {
    Prune: participantAdmin.prune,
    GetSafePruningOffset: participantAdmin.getSafePruningOffset,
    SetSchedule: participantAdmin.setSchedule,
    SetParticipantSchedule: participantAdmin.setParticipantSchedule,
    SetCron: participantAdmin.setCron,
    SetMaxDuration: participantAdmin.setMaxDuration,
    SetRetention: participantAdmin.setRetention,
    ClearSchedule: participantAdmin.clearSchedule,
    GetSchedule: participantAdmin.getSchedule,
    GetParticipantSchedule: participantAdmin.getParticipantSchedule,
  },
  [`${PARTICIPANT}.PartyManagementService`]: {
    GetHighestOffsetByTimestamp: participantAdmin.getHighestOffsetByTimestamp,
    ExportPartyAcs: participantAdmin.exportPartyAcs,
    ImportPartyAcs: participantAdmin.importPartyAcs,
  },
  [`${PARTICIPANT}.ParticipantRepairService`]: {
    ExportAcs: participantAdmin.exportAcs,
    ImportAcs: participantAdmin.importAcs,
  },
  [`${TOPOLOGY}.TopologyAggregationService`]: {
    ListParties: participantAdmin.listParties,
    ListKeyOwners: participantAdmin.listKeyOwners,
  },
  [`${TOPOLOGY}.TopologyManagerReadService`]: {
    ListAvailableStores: participantAdmin.listAvailableStores,
    ListDecentralizedNamespaceDefinition: participantAdmin.listDecentralizedNamespaceDefinition,
    ListNamespaceDelegation: participantAdmin.listNamespaceDelegation,
    ListOwnerToKeyMapping: participantAdmin.listOwnerToKeyMapping,
    ListPartyToKeyMapping: participantAdmin.listPartyToKeyMapping,
    ListPartyToParticipant: participantAdmin.listPartyToParticipant,
    ListSynchronizerTrustCertificate: participantAdmin.listSynchronizerTrustCertificate,
    ListVettedPackages: participantAdmin.listVettedPackages,
  },
  [`${TOPOLOGY}.TopologyManagerWriteService`]: {
    AddTransactions: participantAdmin.addTransactions,
    Authorize: participantAdmin.authorize,
    CreateTemporaryTopologyStore: participantAdmin.createTemporaryTopologyStore,
    DropTemporaryTopologyStore: participantAdmin.dropTemporaryTopologyStore,
    GenerateTransactions: participantAdmin.generateTransactions,
    SignTransactions: participantAdmin.signTransactions,
  },
  [`${TOPOLOGY}.IdentityInitializationService`]: {
    GetId: participantAdmin.getId,
    CurrentTime: participantAdmin.currentTime,
  },
  [`${CANTON}.time.admin.v30.SynchronizerTimeService`]: { FetchTime: participantAdmin.fetchTime },
};

interface Row {
  readonly definition: MethodDefinition;
  readonly method: AdminMethod;
}

function rowsOf(): ReadonlyMap<string, Row> {
  return new Map(
    Object.entries(SERVICES).flatMap(([service, methods]) =>
      methodsOf(service).flatMap((definition): [string, Row][] => {
        const method = methods[definition.path.slice(service.length + 2)];
        return method === undefined ? [] : [[definition.path, { definition, method }]];
      }),
    ),
  );
}

export class AdminPort {
  private readonly rows = rowsOf();
  private readonly standard: ReadonlyMap<string, StandardMethod> = standardServices([
    ...this.rows.keys(),
  ]);

  constructor(private readonly world: GrpcWorld) {}

  readonly answer: Answer = (path, call) => {
    const standard = this.standard.get(path);
    if (standard !== undefined) return standard(call);
    const row = this.rows.get(path);
    if (row === undefined) return call.end(unknownMethod(path));
    const { input, streamsIn } = row.definition;
    call.listen(
      streamsIn
        ? new ManyRequests(MAX_STREAMED_BYTES, (all) =>
            this.handle(row, call, () => all.map((bytes) => decodeMessage(input, bytes))),
          )
        : new OneRequest((bytes) => this.handle(row, call, () => decodeMessage(input, bytes))),
    );
  };

  private handle({ definition, method }: Row, call: Call, read: () => object): void {
    const context = new CallContext(this.world, call, ANYONE);
    try {
      const result = method(context, read() as never);
      if (result === undefined) return call.end(unknownMethod(definition.path));
      const written = (message: object) => encodeMessage(definition.output, message);
      if (!definition.streamsOut) return call.end(OK, written(result));
      call.send((result as readonly object[]).map(written));
      call.end(OK);
    } catch (error) {
      call.end(statusOf(error, context.origin));
    }
  }
}
