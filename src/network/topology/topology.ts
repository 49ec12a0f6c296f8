/** The topology of each synchronizer: parties on participants, and the packages that these vetted. */
import type { PackageId } from '../../daml/model/types.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { ParticipantId, SynchronizerId } from '../model/ids.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import type { PartyPermission, TopologyEvent } from '../model/updates.js';

type Hosts = ReadonlyMap<ParticipantId, PartyPermission>;

/** Where a party is hosted. */
interface Hosting {
  readonly bySynchronizer: ReadonlyMap<SynchronizerId, Hosts>;
  /** The keys of its hosts there, as a list. */
  readonly hostIds: ReadonlyMap<SynchronizerId, readonly ParticipantId[]>;
  /** The hosting participants on any synchronizer. */
  readonly anywhere: ReadonlySet<ParticipantId>;
  /** Hosts that a mapping names although they left the synchronizer: they have no effect. */
  readonly absent?: ReadonlyMap<SynchronizerId, Hosts>;
  /** The mapping versions since the start of the network. */
  readonly versions?: ReadonlyMap<SynchronizerId, MappingVersion>;
}

/** Which of the mappings that replaced each other is in force. */
export interface MappingVersion {
  readonly serial: number;
  readonly since: Timestamp;
}

export interface VettedPackage {
  readonly packageId: PackageId;
  /** Inclusive; absent for no bound. */
  readonly validFrom?: Timestamp;
  /** Exclusive; absent for no bound. */
  readonly validUntil?: Timestamp;
}

export interface Vetting {
  readonly serial: number;
  readonly since?: Timestamp | undefined;
  readonly packages: ReadonlyMap<PackageId, VettedPackage>;
}

/** The members of a topology update that the topology needs. */
interface Sequenced {
  readonly synchronizerId: SynchronizerId;
  readonly events: readonly TopologyEvent[];
  readonly recordTime: Timestamp;
}

/** A host of a party. */
interface Placed {
  readonly participantId: ParticipantId;
  /** Undefined to remove it. */
  readonly permission?: PartyPermission | undefined;
  /** Whether it left the synchronizer. */
  readonly isAbsent?: boolean;
}

const NOTHING_VETTED: Vetting = { serial: 0, packages: new Map() };
const NO_HOSTS: Hosts = new Map();
const NO_HOST_IDS: readonly ParticipantId[] = [];

export class Topology {
  private readonly hosting: JournaledMap<Party, Hosting>;
  /** The admin parties of participants, which need no hosting. */
  private readonly own = new Map<Party, Hosting>();
  private readonly vettings: JournaledMap<string, Vetting>;
  private readonly vettingKeys = new Map<ParticipantId, Map<SynchronizerId, string>>();

  constructor(journal: Journal) {
    this.hosting = new JournaledMap(journal, 'hosting');
    this.vettings = new JournaledMap(journal, 'vettings');
  }

  /** From the start, and permanently. */
  hostItself(participantId: ParticipantId, synchronizerIds: readonly SynchronizerId[]): void {
    const hosts: Hosts = new Map([[participantId, 'submission']]);
    this.own.set(participantId, {
      bySynchronizer: new Map(synchronizerIds.map((id) => [id, hosts])),
      hostIds: new Map(synchronizerIds.map((id) => [id, [participantId]])),
      anywhere: new Set([participantId]),
    });
  }

  private of(party: Party): Hosting | undefined {
    return this.hosting.get(party) ?? this.own.get(party);
  }

  /** Whether a hosting mapping of the party ever existed. */
  knows(party: Party): boolean {
    return this.hosting.has(party);
  }

  /** All known parties, sorted. */
  parties(): Party[] {
    return this.hosting.sortedKeys();
  }

  hosts(party: Party, synchronizerId: SynchronizerId): Hosts {
    return this.of(party)?.bySynchronizer.get(synchronizerId) ?? NO_HOSTS;
  }

  /** The hosts of the mapping, including those that left the synchronizer. */
  mappedHosts(party: Party, synchronizerId: SynchronizerId): Hosts {
    const absent = this.of(party)?.absent?.get(synchronizerId);
    const hosts = this.hosts(party, synchronizerId);
    return absent === undefined ? hosts : new Map([...hosts, ...absent]);
  }

  /** A participant leaves the synchronizer. The mappings stay, but it hosts no party there any more. */
  leave(participantId: ParticipantId, synchronizerId: SynchronizerId): void {
    for (const party of this.parties()) {
      const permission = this.permission(party, participantId, synchronizerId);
      if (permission !== undefined)
        this.place(party, synchronizerId, { participantId, permission, isAbsent: true });
    }
    // Its admin party has no mapping unless a participant added one.
    if (this.permission(participantId, participantId, synchronizerId) !== undefined)
      this.place(participantId, synchronizerId, { participantId, permission: undefined });
  }

  hostIds(party: Party, synchronizerId: SynchronizerId): readonly ParticipantId[] {
    return this.of(party)?.hostIds.get(synchronizerId) ?? NO_HOST_IDS;
  }

  /** Synchronizers on which any participant hosts the party, in order of hosting. */
  synchronizersOf(party: Party): readonly SynchronizerId[] {
    return [...(this.of(party)?.bySynchronizer.keys() ?? [])];
  }

  isHosted(party: Party, participantId: ParticipantId): boolean {
    return this.of(party)?.anywhere.has(participantId) ?? false;
  }

  permission(
    party: Party,
    participantId: ParticipantId,
    synchronizerId: SynchronizerId,
  ): PartyPermission | undefined {
    return this.hosts(party, synchronizerId).get(participantId);
  }

  /** The mapping of a hosting; undefined for a party that was there from the start. */
  hostingVersion(party: Party, synchronizerId: SynchronizerId): MappingVersion | undefined {
    return this.of(party)?.versions?.get(synchronizerId);
  }

  applyAll({ synchronizerId, events, recordTime }: Sequenced): void {
    for (const event of events) this.apply(synchronizerId, event, recordTime);
  }

  /**
   * @param since the version; events of one party at one time belong to one mapping; undefined for the initial state
   */
  apply(synchronizerId: SynchronizerId, event: TopologyEvent, since?: Timestamp): void {
    // A participant hosts its admin party until it leaves.
    if (event.kind === 'revoked' && event.party === event.participantId) return;
    this.place(event.party, synchronizerId, event, since);
  }

  private place(
    party: Party,
    synchronizerId: SynchronizerId,
    { participantId, permission, isAbsent = false }: Placed,
    since?: Timestamp,
  ): void {
    const known = this.of(party);
    const bySynchronizer = new Map(known?.bySynchronizer);
    const hosts = new Map(bySynchronizer.get(synchronizerId) ?? []);
    const absent = new Map(known?.absent?.get(synchronizerId) ?? []);
    const isGone = isAbsent || absent.has(participantId);
    const [place, other] = isGone ? [absent, hosts] : [hosts, absent];
    other.delete(participantId);
    if (permission === undefined) place.delete(participantId);
    else place.set(participantId, permission);
    bySynchronizer.set(synchronizerId, hosts);
    const anywhere = new Set([...bySynchronizer.values()].flatMap((each) => [...each.keys()]));
    const hostIds = new Map([...bySynchronizer].map(([id, each]) => [id, [...each.keys()]]));
    const versions = new Map(known?.versions);
    const version = versions.get(synchronizerId);
    if (since !== undefined && version?.since !== since)
      versions.set(synchronizerId, { serial: (version?.serial ?? 0) + 1, since });
    const without = absent.size > 0 || known?.absent !== undefined;
    this.hosting.set(party, {
      ...{ bySynchronizer, hostIds, anywhere, versions },
      ...(without && { absent: new Map(known?.absent).set(synchronizerId, absent) }),
    });
  }

  /** Sets the version of a hosting, which a transaction names: other keys or another threshold leave the hosts. */
  setVersion(party: Party, synchronizerId: SynchronizerId, version: MappingVersion): void {
    const known = this.hosting.get(party);
    if (known === undefined) return;
    const versions = new Map(known.versions).set(synchronizerId, version);
    this.hosting.set(party, { ...known, versions });
  }

  vetting(participantId: ParticipantId, synchronizerId: SynchronizerId): Vetting {
    return this.vettings.get(this.vettingKey(participantId, synchronizerId)) ?? NOTHING_VETTED;
  }

  /** Whether it has vetted the package there, at that time (B-VET-015). */
  isVetted(
    participantId: ParticipantId,
    synchronizerId: SynchronizerId,
    packageId: PackageId,
    at: Timestamp,
  ): boolean {
    const vetted = this.vetting(participantId, synchronizerId).packages.get(packageId);
    if (vetted === undefined) return false;
    const { validFrom, validUntil } = vetted;
    return (
      (validFrom === undefined || validFrom <= at) && (validUntil === undefined || at < validUntil)
    );
  }

  setVetting(
    participantId: ParticipantId,
    synchronizerId: SynchronizerId,
    packages: Vetting['packages'],
    since?: Timestamp,
  ): Vetting {
    const { serial } = this.vetting(participantId, synchronizerId);
    const vetting = { serial: serial + 1, packages, since };
    this.vettings.set(this.vettingKey(participantId, synchronizerId), vetting);
    return vetting;
  }

  /** Cached, because every command needs it. */
  private vettingKey(participantId: ParticipantId, synchronizerId: SynchronizerId): string {
    let keys = this.vettingKeys.get(participantId);
    if (keys === undefined) this.vettingKeys.set(participantId, (keys = new Map()));
    let key = keys.get(synchronizerId);
    if (key === undefined) keys.set(synchronizerId, (key = `${participantId}|${synchronizerId}`));
    return key;
  }
}
