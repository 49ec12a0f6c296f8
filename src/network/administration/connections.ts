/** The synchronizers of a participant: those that it joined, is connected to, and left, with the updates that it missed. */
import { JournaledCell } from '../journal/journal.js';
import { deliverLate } from '../ledger/late-delivery.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Member, MissedUpdate } from '../ledger/member.js';
import type { SynchronizerId } from '../model/ids.js';
import { isMember } from '../topology/mapping-log.js';
import { cannotRejoin, notConnected } from './party-refusals.js';

export class Connections {
  private readonly connection: JournaledCell<readonly SynchronizerId[]>;
  /** Updates that it missed while disconnected, in order. It receives them after it reconnects. */
  private readonly missed: JournaledCell<readonly MissedUpdate[]>;

  /** @param registered the synchronizers that it joined */
  constructor(
    private readonly ledger: Ledger,
    private readonly member: Member,
    private readonly registered: readonly SynchronizerId[],
  ) {
    const { journal } = ledger;
    const { name } = member;
    this.connection = new JournaledCell(journal, `connection/${name}`, registered);
    this.missed = new JournaledCell<readonly MissedUpdate[]>(journal, `missed/${name}`, []);
  }

  /** Synchronizers that it is connected to, in the order of connection. */
  get connected(): readonly SynchronizerId[] {
    return this.connection.value;
  }

  includes(synchronizerId: SynchronizerId): boolean {
    return this.connected.includes(synchronizerId);
  }

  isCutOffFrom(synchronizerId: SynchronizerId): boolean {
    // Usually it is connected to all registered synchronizers.
    if (this.connected.length === this.registered.length) return false;
    return (
      this.registered.includes(synchronizerId) &&
      !this.includes(synchronizerId) &&
      !this.hasLeft(synchronizerId)
    );
  }

  private hasLeft(synchronizerId: SynchronizerId): boolean {
    const { ledger, member } = this;
    return !isMember(ledger, ledger.synchronizer(synchronizerId)!, member.id);
  }

  /** @throws LedgerError NOT_CONNECTED_TO_SYNCHRONIZER if it is not connected */
  disconnect(synchronizerId: SynchronizerId): void {
    if (!this.includes(synchronizerId)) throw notConnected(synchronizerId);
    this.connection.value = this.connected.filter((id) => id !== synchronizerId);
  }

  /**
   * Processes the missed updates, in order.
   * @throws LedgerError NOT_CONNECTED_TO_SYNCHRONIZER for one that it never joined, INITIAL_ONBOARDING_ERROR for one that it left
   */
  reconnect(synchronizerId: SynchronizerId): void {
    if (this.includes(synchronizerId)) return;
    if (!this.registered.includes(synchronizerId)) throw notConnected(synchronizerId);
    if (this.hasLeft(synchronizerId)) throw cannotRejoin();
    this.connection.value = [...this.connected, synchronizerId];
    for (const each of this.withoutMissed(synchronizerId))
      deliverLate(this.ledger.journal, this.member, each);
    if (!this.ledger.isPaused(synchronizerId)) this.ledger.inFlight.sequence(synchronizerId);
  }

  /** Leaves the synchronizer permanently: it receives nothing more, not even what it missed. */
  leave(synchronizerId: SynchronizerId): void {
    if (this.includes(synchronizerId)) this.disconnect(synchronizerId);
    this.withoutMissed(synchronizerId);
    this.ledger.topology.leave(this.member.id, synchronizerId);
  }

  miss(missed: MissedUpdate): void {
    this.missed.value = [...this.missed.value, missed];
  }

  /** Forgets the missed updates of a synchronizer. @returns them */
  private withoutMissed(synchronizerId: SynchronizerId): readonly MissedUpdate[] {
    const all = this.missed.value;
    const isOf = ({ update }: MissedUpdate): boolean => update.synchronizerId === synchronizerId;
    this.missed.value = all.filter((each) => !isOf(each));
    return all.filter(isOf);
  }
}
