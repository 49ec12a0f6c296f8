/**
 * What members pay to have something sequenced, on synchronizers where that is metered, as Canton's traffic control does it: first from
 * a base that comes back with time, then from what was bought for them. All in bytes.
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { formatInstant } from '../../daml/model/time.js';
import { abbreviatedId, type ParticipantId, type SynchronizerId, type Timestamp } from '../ids.js';
import { JournaledMap, type Journal } from '../journal/journal.js';

/** What each member may send for nothing. */
export interface BaseTraffic {
  /** Most that there ever is of it. */
  readonly burst: number;
  /** How long it takes to come back from nothing, in microseconds. */
  readonly window: bigint;
}

/** As Canton's `TrafficState`. */
export interface TrafficState {
  /** All that was ever bought. */
  readonly purchased: number;
  /** Of that. */
  readonly consumed: number;
  readonly baseRemainder: number;
  readonly lastCost: number;
  /** When that was so. */
  readonly at: Timestamp;
  /** Grows by one with each purchase; 0 before the first. */
  readonly serial: number;
}

/** NOTE: the real one is 2^63 - 1, which JSON's readers in JavaScript cannot hold. */
export const UNLIMITED_TRAFFIC = Number.MAX_SAFE_INTEGER;

export class TrafficControl {
  private readonly bases: JournaledMap<SynchronizerId, BaseTraffic>;
  private readonly accounts: JournaledMap<string, TrafficState>;

  constructor(
    journal: Journal,
    private readonly clock: { now(): Timestamp },
    /** Whether the synchronizers compute what is sequenced costs. */
    readonly isOn = false,
  ) {
    this.bases = new JournaledMap(journal, 'base-traffic');
    this.accounts = new JournaledMap(journal, 'traffic');
  }

  /** 0 where traffic control is off, and then nothing is computed. */
  cost(costOf: () => number): number {
    return this.isOn ? costOf() : 0;
  }

  /** From now on what is sequenced there is paid for, out of this base first. */
  meter(synchronizerId: SynchronizerId, base: BaseTraffic): void {
    const known = this.bases.get(synchronizerId);
    if (known?.burst !== base.burst || known.window !== base.window)
      this.bases.set(synchronizerId, base);
  }

  /** Undefined where nothing is metered. */
  state(synchronizerId: SynchronizerId, member: ParticipantId): TrafficState | undefined {
    const base = this.bases.get(synchronizerId);
    return base && this.stateUnder(base, synchronizerId, member);
  }

  /** Makes that what was bought for a member in all; what it has already is not taken away. */
  grant(synchronizerId: SynchronizerId, member: ParticipantId, purchased: number): void {
    const state = this.state(synchronizerId, member);
    if (state === undefined || state.purchased >= purchased) return;
    this.accounts.set(keyOf(synchronizerId, member), {
      ...state,
      purchased,
      serial: state.serial + 1,
    });
  }

  /** Has a member pay. @returns why it cannot, and then it does not */
  charge(
    synchronizerId: SynchronizerId,
    member: ParticipantId,
    costOf: () => number,
  ): LedgerError | undefined {
    const state = this.state(synchronizerId, member);
    if (state === undefined) return undefined;
    const cost = costOf();
    if (state.purchased - state.consumed + state.baseRemainder < cost)
      return noCredit(member, cost, state);
    const fromBase = Math.min(cost, state.baseRemainder);
    this.accounts.set(keyOf(synchronizerId, member), {
      ...state,
      consumed: state.consumed + cost - fromBase,
      baseRemainder: state.baseRemainder - fromBase,
      lastCost: cost,
    });
    return undefined;
  }

  /** At this moment; who never sent anything has all of the base. */
  private stateUnder(
    { burst, window }: BaseTraffic,
    synchronizerId: SynchronizerId,
    member: ParticipantId,
  ): TrafficState {
    const at = this.clock.now();
    const known = this.accounts.get(keyOf(synchronizerId, member));
    if (known === undefined)
      return { purchased: 0, consumed: 0, baseRemainder: burst, lastCost: 0, at, serial: 0 };
    const back = Math.floor((burst * Number(at - known.at)) / Number(window));
    const baseRemainder = Math.min(burst, known.baseRemainder + back);
    return { ...known, baseRemainder, at };
  }
}

const keyOf = (synchronizerId: SynchronizerId, member: ParticipantId): string =>
  `${synchronizerId} ${member}`;

/** NOTE: of what a participant tells of its sequencer's answer the lines about the connection to it are left out. */
function noCredit(member: ParticipantId, cost: number, state: TrafficState): LedgerError {
  const { purchased, consumed, baseRemainder, lastCost, at } = state;
  const told = {
    extraTrafficLimit: purchased,
    extraTrafficConsumed: consumed,
    baseTrafficRemainder: baseRemainder,
    lastConsumedCost: lastCost,
    timestamp: formatInstant(at),
    availableTraffic: purchased - consumed + baseRemainder,
  };
  const fields = Object.entries(told).map(([name, value]) => `${name} = ${value}`);
  const limit = `AboveTrafficLimit(member = PAR::${abbreviatedId(member)}, trafficCost = ${cost}, trafficState = TrafficState(${fields.join(', ')}))`;
  const refusal = `SEQUENCER_NOT_ENOUGH_TRAFFIC_CREDIT(9,0): Submission was rejected because no traffic is available: ${limit}`;
  return ledgerError('SEQUENCER_REQUEST_FAILED', {
    cause: 'Failed to send command',
    context: { sendError: `RequestRefused(SendAsyncErrorGrpc(${refusal}))` },
    explanation:
      'The participant has no traffic left: buy some for it, or let time pass. A LocalNet meters traffic only where its option `traffic` says so.',
  });
}
