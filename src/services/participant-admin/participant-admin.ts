/**
 * An operator's requests to a participant: packages, connected synchronizers, status, hosting of parties, time and
 * pruning. The messages have the shape of Canton's admin API. The ledger has the rules.
 */
import { formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { abbreviatedHash } from '../../network/model/ids.js';
import { releaseOf } from '../../spec/versions.js';
import { acsExport } from './acs-export.js';
import { acsImport } from './acs-import.js';
import { connectivity } from './connectivity.js';
import { dars, limited } from './dars.js';
import { inspection } from './inspection.js';
import { noWaitCommitments } from './no-wait-commitments.js';
import { offsets } from './offsets.js';
import { instant, packageId, uniqueIdentifier } from './parsing/fields.js';
import { parsed } from './parsing/parsed.js';
import { ping } from './ping.js';
import { pruningSchedules } from './pruning-schedules.js';
import { removal } from './removal.js';
import { repair } from './repair.js';
import { resourceLimits } from './resource-limits.js';
import { synchronizerStates } from './topology/synchronizer-states.js';
import { synchronizerTime } from './synchronizer-time.js';
import { connected, type AdminContext } from './admin-context.js';
import { isBefore, listKeyOwners } from './topology/members.js';
import { topologyLists } from './topology/list-all.js';
import { PERMISSIONS, topologyReads } from './topology/reads.js';
import { synchronizersNamed } from './topology/stores.js';
import { topologyWrites } from './topology/writes.js';
import { trafficControl } from './traffic-control.js';
import { vault } from './vault/vault.js';

export type { AdminContext };

interface PackagesQuery {
  readonly limit: number;
  readonly filterName: string;
}

/** NOTE: the upload time of a package is not stored. The answer has the ledger's start time. */
function listPackages(
  { participant, network }: AdminContext,
  { limit, filterName }: PackagesQuery,
) {
  const shown = limited(participant.packages.servedIds(), limit);
  const uploadedAt = formatInstant(network.startTime);
  return {
    packageDescriptions: shown
      .map((packageId) => participant.packages.served(packageId)!)
      .filter(({ name }) => name.startsWith(filterName))
      .map(({ id, name, version, archive }) => {
        return { packageId: id, name, version, uploadedAt, size: archive.length };
      }),
  };
}

/** @throws LedgerError PACKAGE_CONTENT_NOT_FOUND */
function contentsOf({ participant, network }: AdminContext, packageId: string): object {
  const found = participant.packages.served(packageId);
  if (found === undefined)
    throw ledgerError('PACKAGE_CONTENT_NOT_FOUND', {
      cause: `The package ${abbreviatedHash(packageId)} is not known`,
      context: { packageId },
    });
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
      supportedProtocolVersions: [...participant.protocolVersions],
    },
  };
}

interface PartiesQuery<T = string> {
  readonly asOf?: T | undefined;
  readonly limit: number;
  readonly synchronizerIds: readonly string[];
  readonly filterParty: string;
  readonly filterParticipant: string;
}

/** NOTE: lists the current state for any time since the ledger's start. The result is empty for earlier times. */
function parties(context: AdminContext, query: PartiesQuery<Timestamp>): object {
  const { limit, synchronizerIds, filterParty, filterParticipant } = query;
  const { topology } = context.network;
  const synchronizers = synchronizersNamed(context, synchronizerIds);
  if (isBefore(context, query.asOf)) return { results: [] };
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
  return { results: results.slice(0, Math.max(0, limit)) };
}

export const participantAdmin = {
  ...topologyReads,
  ...topologyLists,
  ...synchronizerStates,
  ...synchronizerTime,
  ...topologyWrites,
  ...acsExport,
  ...acsImport,
  ...connectivity,
  ...dars,
  ...inspection,
  ...pruningSchedules,
  ...noWaitCommitments,
  ...removal,
  ...repair,
  ...resourceLimits,
  ...offsets,
  ...ping,
  ...trafficControl,
  ...vault,
  getPackageContents: parsed(
    (request: { readonly packageId: string }) => packageId(request.packageId, 'packageId'),
    contentsOf,
  ),
  listKeyOwners,
  listPackages,
  participantStatus,
  listParties: parsed((query: PartiesQuery) => {
    query.synchronizerIds.forEach((id) => uniqueIdentifier('synchronizer_ids', id));
    return { ...query, asOf: query.asOf === undefined ? undefined : instant(query.asOf) };
  }, parties),
  getId: ({ participant }: AdminContext) => ({
    initialized: true,
    uniqueIdentifier: participant.id,
  }),
  currentTime: ({ network }: AdminContext) => ({ currentTime: network.clock.now() }),
};
