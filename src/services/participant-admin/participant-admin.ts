/**
 * What an operator asks of a participant: packages, the synchronizers that it is connected to, its status, who hosts whom, time and
 * pruning. In the shape of the messages of Canton's admin API; the rules are the ledger's.
 */
import { uniqueIdentifierFault } from '../../daml/model/identifiers.js';
import { formatInstant } from '../../daml/model/time.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { abbreviatedHash } from '../../network/ids.js';
import { PROTOCOL_VERSIONS } from '../../network/protocol.js';
import { invalidField } from '../../network/request-errors.js';
import { uploadDarFile, validateDarFile } from '../../network/vetting/upload.js';
import { releaseOf } from '../../spec/versions.js';
import { optionalSynchronizer } from '../ledger-api/formats/requests.js';
import { acsExport } from './acs-export.js';
import { acsImport } from './acs-import.js';
import { connectivity } from './connectivity.js';
import { dars } from './dars.js';
import { offsets } from './offsets.js';
import { ping } from './ping.js';
import { pruningSchedules } from './pruning-schedules.js';
import { removal } from './removal.js';
import { synchronizerStates } from './synchronizer-states.js';
import { connected, PERMISSIONS, topologyReads, type AdminContext } from './topology-reads.js';

import { topologyWrites } from './topology-writes.js';
import { trafficControl } from './traffic-control.js';

export type { AdminContext };

interface PackagesQuery {
  readonly limit: number;
  readonly filterName: string;
}

/** NOTE: since when a package is known is not kept: it is told as the moment that the ledger began at. */
function listPackages(
  { participant, network }: AdminContext,
  { limit, filterName }: PackagesQuery,
) {
  const ids = participant.packages.ids();
  const shown = limit === 0 ? ids : ids.slice(0, limit);
  const uploadedAt = formatInstant(network.startTime);
  return {
    packageDescriptions: shown
      .map((packageId) => participant.packages.package(packageId)!)
      .filter(({ name }) => name.startsWith(filterName))
      .map(({ id, name, version, archive }) => {
        return { packageId: id, name, version, uploadedAt, size: archive.length };
      }),
  };
}

interface DarQuery {
  readonly data: Uint8Array;
  readonly synchronizerId?: string;
}

function validateDar({ participant }: AdminContext, { data, synchronizerId }: DarQuery) {
  const main = validateDarFile(participant, data, optionalSynchronizer(synchronizerId));
  return { mainPackageId: main.id };
}

interface DarsQuery {
  readonly dars: readonly {
    readonly bytes: Uint8Array;
    readonly description?: string;
    readonly expectedMainPackageId?: string;
  }[];
  readonly vetAllPackages: boolean;
  readonly synchronizerId?: string;
}

function uploadDar(
  { participant, network }: AdminContext,
  { dars, vetAllPackages, synchronizerId }: DarsQuery,
) {
  const where = optionalSynchronizer(synchronizerId);
  return network.journal.atomically(() => ({
    darIds: dars.map(({ bytes, description, expectedMainPackageId }) => {
      const { id } = uploadDarFile(participant, bytes, {
        vetAll: vetAllPackages,
        synchronizerId: where,
        ...(description !== undefined && { description }),
      });
      if (expectedMainPackageId !== undefined && expectedMainPackageId !== id)
        throw ledgerError(
          'MAIN_PACKAGE_IN_DAR_DOES_NOT_MATCH_EXPECTED',
          `The main package of the uploaded DAR is '${id}' while the provided expected value is '${expectedMainPackageId}'`,
        );
      return id;
    }),
  }));
}

/** @throws LedgerError PACKAGE_CONTENT_NOT_FOUND */
function getPackageContents(
  { participant, network }: AdminContext,
  { packageId }: { readonly packageId: string },
) {
  const found = participant.packages.package(packageId);
  if (found === undefined || !participant.packages.has(packageId))
    throw ledgerError(
      'PACKAGE_CONTENT_NOT_FOUND',
      `The package ${abbreviatedHash(packageId)} is not known`,
    );
  const { name, version, archive, templates, interfaces, dataTypes, languageVersion } = found;
  const modules = new Set(
    [templates, interfaces, dataTypes].flatMap((each) =>
      [...each.keys()].map((qualified) => qualified.split(':')[0]!),
    ),
  );
  return {
    description: {
      packageId,
      name,
      version,
      uploadedAt: formatInstant(network.startTime),
      size: archive.length,
    },
    modules: [...modules].sort().map((module) => ({ name: module })),
    isUtilityPackage:
      templates.size === 0 &&
      interfaces.size === 0 &&
      [...dataTypes.values()].every(({ serializable }) => !serializable),
    languageVersion,
  };
}

function participantStatus(context: AdminContext) {
  const { participant, apiVersion } = context;
  const seconds = Number((context.network.clock.now() - context.network.startTime) / 1_000_000n);
  return {
    status: {
      commonStatus: {
        uid: participant.id,
        uptime: { seconds, nanos: 0 },
        active: true,
        topologyQueues: { manager: 0, dispatcher: 0, clients: 0 },
        version: releaseOf(apiVersion).version,
      },
      connectedSynchronizers: connected(context).map(({ physicalId }) => ({
        physicalSynchronizerId: physicalId,
        health: 'HEALTH_HEALTHY',
      })),
      active: true,
      supportedProtocolVersions: [...PROTOCOL_VERSIONS],
    },
  };
}

interface PartiesQuery {
  readonly limit: number;
  readonly synchronizerIds: readonly string[];
  readonly filterParty: string;
  readonly filterParticipant: string;
}

/** NOTE: of the present; an earlier time that is asked for is not looked at. */
function listParties(context: AdminContext, query: PartiesQuery) {
  const { limit, synchronizerIds, filterParty, filterParticipant } = query;
  for (const id of synchronizerIds) {
    const fault = uniqueIdentifierFault(id);
    if (fault !== undefined) throw invalidField('synchronizer_ids', fault);
  }
  const { topology } = context.network;
  const synchronizers = connected(context).filter(
    ({ id }) => synchronizerIds.length === 0 || synchronizerIds.includes(id),
  );
  const results = topology
    .parties()
    .filter((party) => party.startsWith(filterParty))
    .map((party) => {
      const byParticipant = new Map<string, object[]>();
      for (const { id, physicalId } of synchronizers)
        for (const [participantUid, permission] of topology.hosts(party, id)) {
          const list = byParticipant.get(participantUid) ?? [];
          list.push({
            synchronizerId: id,
            permission: PERMISSIONS[permission],
            physicalSynchronizerId: physicalId,
          });
          byParticipant.set(participantUid, list);
        }
      return {
        party,
        participants: [...byParticipant].map(([participantUid, hosted]) => ({
          participantUid,
          synchronizers: hosted,
        })),
      };
    })
    .filter(({ participants }) =>
      participants.some(({ participantUid }) => participantUid.startsWith(filterParticipant)),
    );
  return { results: results.slice(0, limit) };
}

export const participantAdmin = {
  ...topologyReads,
  ...synchronizerStates,
  ...topologyWrites,
  ...acsExport,
  ...acsImport,
  ...connectivity,
  ...dars,
  ...pruningSchedules,
  ...removal,
  ...offsets,
  ...ping,
  ...trafficControl,
  getPackageContents,
  listPackages,
  validateDar,
  uploadDar,
  participantStatus,
  listParties,
  getId: ({ participant }: AdminContext) => ({
    initialized: true,
    uniqueIdentifier: participant.id,
  }),
  currentTime: ({ network }: AdminContext) => ({ currentTime: network.clock.now() }),
  fetchTime: ({ network }: AdminContext) => ({ timestamp: formatInstant(network.clock.now()) }),
  prune: ({ participant }: AdminContext, { pruneUpTo }: { readonly pruneUpTo: number }) => {
    participant.prune(pruneUpTo);
    return {};
  },
};
