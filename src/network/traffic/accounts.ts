/**
 * The traffic accounts of a participant: it debits each submission from the account of its party, and can reject
 * submissions that the balance does not cover. An administrator adds credit.
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import { abbreviatedId, type ParticipantId } from '../model/ids.js';

export const TRAFFIC_ACCOUNTS_MODES = ['count', 'enforce', 'enforce-single-party'] as const;

/**
 * `count` only debits. `enforce` also rejects a submission whose cost is above the balance, as with Canton's
 * `enforce-cost-on-submissions`. `enforce-single-party` also rejects submissions of several parties, which have no
 * account.
 */
export type TrafficAccountsMode = (typeof TRAFFIC_ACCOUNTS_MODES)[number];

/** The totals of an account. Their difference is the balance. */
interface Totals {
  readonly credits: bigint;
  readonly debits: bigint;
}

/** A change of an account, stored until it is pruned: a second one with the same id has no effect. */
interface AccountEvent {
  readonly account: string;
  readonly at: Timestamp;
}

export interface AccountUpdate {
  readonly account: string;
  readonly delta: bigint;
  /** The same for a retry. */
  readonly id: string;
}

/**
 * The most events. Beyond it, the oldest tenth is pruned. NOTE: a real participant stores them in its database until an
 * administrator prunes them.
 */
export const MAX_EVENTS = 100_000;
const PRUNED_AT_ONCE = MAX_EVENTS / 10;

const EMPTY: Totals = { credits: 0n, debits: 0n };
const MAX_TOTAL = 2n ** 63n - 1n;

export class TrafficAccounts {
  private readonly totals: JournaledMap<string, Totals>;
  private readonly events: JournaledMap<string, AccountEvent>;
  /** Parties that need no credit. */
  private readonly exempted: Set<Party>;

  constructor(
    journal: Journal,
    { name, id }: { readonly name: string; readonly id: ParticipantId },
    private readonly mode: TrafficAccountsMode,
  ) {
    this.exempted = new Set([id]);
    this.totals = new JournaledMap(journal, `traffic-accounts/${name}`);
    this.events = new JournaledMap(journal, `traffic-events/${name}`);
  }

  /**
   * These parties need no credit, like the participant's own party.
   * NOTE: a real participant has only that one, and Splice's parties have credit.
   */
  exempt(parties: readonly Party[]): void {
    for (const party of parties) this.exempted.add(party);
  }

  /** 0 for an account without events. */
  balance(account: string): bigint {
    const { credits, debits } = this.totals.get(account) ?? EMPTY;
    return credits - debits;
  }

  /**
   * Adds to the credits of an account, or removes from them.
   * @returns the balance; undefined for a repeated id with an account that has no events
   * @throws LedgerError TRAFFIC_UPDATE_OUT_OF_BOUND
   */
  update({ account, delta, id }: AccountUpdate, at: Timestamp): bigint | undefined {
    if (!this.events.has(`update ${id}`)) {
      const totals = this.totals.get(account) ?? EMPTY;
      const credits = totals.credits + delta;
      if (credits < 0n || credits > MAX_TOTAL) throw outOfBound(account, delta);
      this.totals.set(account, { ...totals, credits });
      this.add(`update ${id}`, { account, at });
    }
    return this.totals.has(account) ? this.balance(account) : undefined;
  }

  /** Debits the cost of a completed submission. One of several parties has no account. */
  debit(actAs: readonly Party[], cost: number, offset: number, at: Timestamp): void {
    const [account, ...others] = actAs;
    if (account === undefined || others.length > 0) return;
    const totals = this.totals.get(account) ?? EMPTY;
    this.totals.set(account, { ...totals, debits: totals.debits + BigInt(cost) });
    this.add(`completion ${offset}`, { account, at });
  }

  private add(key: string, event: AccountEvent): void {
    if (this.events.size >= MAX_EVENTS) {
      const at = (each: string): Timestamp => this.events.get(each)!.at;
      const oldest = this.events
        .sortedKeys()
        .sort((one, other) => (at(one) < at(other) ? -1 : Number(at(one) > at(other))));
      for (const each of oldest.slice(0, PRUNED_AT_ONCE)) this.events.delete(each);
    }
    this.events.set(key, event);
  }

  /** Forgets events, but not their effect on balances. @returns how many */
  prune(upTo: Timestamp): number {
    const old = this.events.sortedKeys().filter((key) => this.events.get(key)!.at <= upTo);
    for (const key of old) this.events.delete(key);
    return old.length;
  }

  /** Why the parties cannot pay for a submission; undefined if they can. */
  refusal(actAs: readonly Party[], costOf: () => number): LedgerError | undefined {
    const [account, ...others] = actAs;
    if (account === undefined || others.length > 0)
      return this.mode === 'enforce-single-party' ? severalParties(actAs) : undefined;
    if (this.mode === 'count' || this.exempted.has(account)) return undefined;
    const cost = costOf();
    const balance = this.balance(account);
    return balance < BigInt(cost) ? notEnough(account, balance, cost) : undefined;
  }
}

function notEnough(account: string, balance: bigint, cost: number): LedgerError {
  return ledgerError('TRAFFIC_ACCOUNT_VALIDATION_FAILED', {
    cause: `Insufficient balance (${balance}) for actual traffic cost (${cost}) for account ${account}`,
    context: { account_id: account, balance: String(balance), traffic_cost: String(cost) },
    explanation:
      'The participant counts the traffic of its parties. Add credit to the account: POST /v2/traffic/accounts.',
  });
}

function severalParties(actAs: readonly Party[]): LedgerError {
  const parties = actAs.map(abbreviatedId).join(', ');
  return ledgerError(
    'TRAFFIC_MULTI_PARTY_SUBMISSION_REJECTED',
    `Traffic enforcement rejected submission with non-singleton actAs parties: Seq(${parties})`,
  );
}

/** NOTE: the values of the context are not known from a real participant, only their names. */
function outOfBound(account: string, delta: bigint): LedgerError {
  return ledgerError('TRAFFIC_UPDATE_OUT_OF_BOUND', {
    cause:
      `The traffic delta TrafficDelta(value = ${delta}, eventType = credit_delta) cannot be applied to the current ` +
      `balance of ${account} without the credit balance exceeding its maximum value.`,
    context: { account_id: account, traffic_delta: String(delta), delta_type: 'credit_delta' },
  });
}
