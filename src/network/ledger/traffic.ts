/**
 * Traffic control as in Canton: members pay for sequencing on metered synchronizers. They first use base traffic,
 * which recovers with time, and then purchased traffic. All amounts are in bytes.
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { formatInstant } from '../../daml/model/time.js';
import {
  abbreviatedId,
  type ParticipantId,
  type SynchronizerId,
  type Timestamp,
} from '../model/ids.js';
import { JournaledMap, type Journal } from '../journal/journal.js';

/** The free traffic of each member. */
export interface BaseTraffic {
  /** The maximum amount. */
  readonly burst: number;
  /** The time in which it fully recovers, in microseconds. */
  readonly window: bigint;
}

/** Canton's `TrafficState`. */
export interface TrafficState {
  /** The total of all purchases. */
  readonly purchased: number;
  /** How much of it was consumed. */
  readonly consumed: number;
  readonly baseRemainder: number;
  readonly lastCost: number;
  /** The time of this state. */
  readonly at: Timestamp;
  /** Increases by one with each purchase; 0 before the first. */
  readonly serial: number;
}

/** NOTE: the real value is 2^63 - 1, which JavaScript numbers cannot represent. */
export const UNLIMITED_TRAFFIC = Number.MAX_SAFE_INTEGER;

export class TrafficControl {
  private readonly bases: JournaledMap<SynchronizerId, BaseTraffic>;
  private readonly accounts: JournaledMap<string, TrafficState>;

  constructor(
    journal: Journal,
    private readonly clock: { now(): Timestamp },
    /** Whether the synchronizers compute the cost of sequencing. */
    readonly isOn = false,
  ) {
    this.bases = new JournaledMap(journal, 'base-traffic');
    this.accounts = new JournaledMap(journal, 'traffic');
  }

  /** 0 without computation if traffic control is off. */
  cost(costOf: () => number): number {
    return this.isOn ? costOf() : 0;
  }

  /** Starts metering there, with this base traffic. */
  meter(synchronizerId: SynchronizerId, base: BaseTraffic): void {
    const known = this.bases.get(synchronizerId);
    if (known?.burst !== base.burst || known.window !== base.window)
      this.bases.set(synchronizerId, base);
  }

  /** Undefined if traffic is not metered. */
  state(synchronizerId: SynchronizerId, member: ParticipantId): TrafficState | undefined {
    const base = this.bases.get(synchronizerId);
    return base && this.stateUnder(base, synchronizerId, member);
  }

  /** Sets the total purchased traffic of a member, but never below the current total. */
  grant(synchronizerId: SynchronizerId, member: ParticipantId, purchased: number): void {
    const state = this.state(synchronizerId, member);
    if (state === undefined || state.purchased >= purchased) return;
    this.accounts.set(keyOf(synchronizerId, member), {
      ...state,
      purchased,
      serial: state.serial + 1,
    });
  }

  /**
   * Charges a member.
   * @returns the reason if the member cannot pay; then it charges nothing
   */
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

  /** The state at this time. A member that never sent anything has all of the base traffic. */
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

/** NOTE: the lines about the connection to the sequencer, which a participant adds to the text, are missing. */
function noCredit(member: ParticipantId, cost: number, state: TrafficState): LedgerError {
  const { purchased, consumed, baseRemainder, lastCost, at } = state;
  const facts = {
    extraTrafficLimit: purchased,
    extraTrafficConsumed: consumed,
    baseTrafficRemainder: baseRemainder,
    lastConsumedCost: lastCost,
    timestamp: formatInstant(at),
    availableTraffic: purchased - consumed + baseRemainder,
  };
  const fields = Object.entries(facts).map(([name, value]) => `${name} = ${value}`);
  const limit = `AboveTrafficLimit(member = PAR::${abbreviatedId(member)}, trafficCost = ${cost}, trafficState = TrafficState(${fields.join(', ')}))`;
  const refusal = `SEQUENCER_NOT_ENOUGH_TRAFFIC_CREDIT(9,0): Submission was rejected because no traffic is available: ${limit}`;
  return ledgerError('SEQUENCER_REQUEST_FAILED', {
    cause: 'Failed to send command',
    context: { sendError: `RequestRefused(SendAsyncErrorGrpc(${refusal}))` },
    explanation:
      'The participant has no traffic left: buy some for it, or let time pass. A LocalNet meters traffic only where its option `traffic` says so.',
  });
}
