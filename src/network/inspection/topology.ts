/** The topology: synchronizers, participants, parties with their hosts, and each participant's vetted packages. */
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import type { Network } from '../network.js';

export interface InspectedTopology {
  readonly synchronizers: readonly {
    readonly alias: string;
    readonly id: string;
    readonly physicalId: string;
    readonly protocolVersion: number;
    readonly paused: boolean;
    readonly inFlight: number;
    /** The record time of the last update there. */
    readonly recordTime?: string;
  }[];
  readonly participants: readonly {
    readonly name: string;
    readonly id: string;
    /** Aliases of the connected synchronizers. */
    readonly connected: readonly string[];
    readonly ledgerEnd: number;
    readonly prunedUpTo: number;
    /** By the synchronizer's alias: the currently vetted packages. */
    readonly vetted: Readonly<Record<string, readonly PackageId[]>>;
  }[];
  readonly parties: readonly {
    readonly party: Party;
    readonly hosts: readonly {
      readonly participant: string;
      readonly synchronizer: string;
      readonly permission: string;
    }[];
  }[];
}

export function inspectTopology(network: Network): InspectedTopology {
  const { topology, participants, clock } = network;
  return {
    synchronizers: network.synchronizers.map((each) => ({
      alias: each.alias,
      id: each.id,
      physicalId: each.physicalId,
      protocolVersion: each.protocol.version,
      paused: each.isPaused,
      inFlight: network.inFlight.on(each.id).length,
      ...(each.recordTime !== undefined && { recordTime: formatTimestampMicros(each.recordTime) }),
    })),
    participants: participants.map(({ name, id, connected, log }) => ({
      name,
      id,
      connected: connected.map((where) => network.synchronizer(where)!.alias),
      ledgerEnd: log.end,
      prunedUpTo: log.prunedUpTo,
      vetted: Object.fromEntries(
        connected.map((where) => {
          const known = [...topology.vetting(id, where).packages.keys()].sort();
          const vetted = known.filter((each) => topology.isVetted(id, where, each, clock.now()));
          return [network.synchronizer(where)!.alias, vetted];
        }),
      ),
    })),
    parties: topology.parties().map((party) => ({
      party,
      hosts: topology.synchronizersOf(party).flatMap((where) =>
        [...topology.hosts(party, where)].map(([participantId, permission]) => ({
          participant: network.participant(participantId).name,
          synchronizer: network.synchronizer(where)!.alias,
          permission,
        })),
      ),
    })),
  };
}
