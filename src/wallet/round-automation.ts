/**
 * The DSO's automation of mining rounds: they advance when they are due, at a moment of the ledger's clock. Where somebody moves time
 * it asks what has become due; where time is a machine's it has itself called. No timers: the clock that is handed in has them.
 */
import { LedgerError } from '../daml/errors/ledger-error.js';
import type { Timestamp } from '../daml/model/values.js';
import { activeSynchronizer, latestOf, roundsOf } from '../splice/dso/amulet-contracts.js';
import type { Splice } from '../splice/splice.js';
import { RoundSteps } from './amulet-rounds.js';
import type { ParticipantView } from './participant-view.js';
import { ScenarioError } from './scenario-error.js';

/** After how long what could not be done is tried again, in microseconds. */
const RETRY_AFTER = 30_000_000n;

export class RoundAutomation {
  private readonly steps: RoundSteps;
  /** While a step is taken, time may move without another. */
  private isUnderWay = false;
  /** Of rounds that were started here: those of somebody else's rules are theirs. */
  private isAutomatic = false;
  /** The next call of a clock that nobody moves; no part of the state. */
  private alarm: Timestamp | undefined;

  constructor(
    private readonly splice: Splice,
    host: ParticipantView,
  ) {
    this.steps = new RoundSteps(splice, host);
    const { network } = splice;
    network.clock.onJump(() => this.carryOut());
    network.onRevert(() => this.setAlarm());
  }

  /** Once the rounds are there. @param isAutomatic whether they advance by themselves */
  start(isAutomatic: boolean): void {
    this.isAutomatic = isAutomatic;
    this.setAlarm();
  }

  /**
   * A new round at once: time moves as far as it needs.
   * @throws ScenarioError where there are no three open rounds, LedgerError for what Daml code refuses
   */
  advance(price?: string): void {
    const due = this.steps.advanceDue;
    if (due === undefined)
      throw new ScenarioError(
        `Three open mining rounds are needed to advance, and there are ${roundsOf(this.splice, 'openRound').length}.`,
      );
    const { clock, journal } = this.splice.network;
    this.exclusively(() =>
      journal.atomically(() => {
        this.steps.convertMarkers();
        if (due > clock.now()) clock.set(due);
        this.steps.advance(price);
        this.steps.closeIssued();
      }),
    );
    this.setAlarm();
  }

  /**
   * Does what is due. What the ledger refuses is left for the next time: time goes on also where the DSO's rounds cannot.
   * NOTE: after a jump over several rounds there is one new round, as after a time in which the automation was down.
   */
  carryOut(): void {
    if (this.isUnderWay || !this.isAutomatic) return;
    const isDone = !this.isPaused && this.exclusively(() => this.tryDue());
    this.setAlarm(isDone ? undefined : this.now + RETRY_AFTER);
  }

  /** Has itself called at the next moment that something is due, where nobody moves time. One call that is not too late is enough. */
  setAlarm(earliest?: Timestamp): void {
    const { clock } = this.splice.network;
    if (clock.mode === 'virtual' || !this.isAutomatic) return;
    const due = this.nextDue;
    if (due === undefined) return;
    const at = earliest !== undefined && earliest > due ? earliest : due;
    if (this.alarm !== undefined && this.alarm <= at && this.alarm > clock.now()) return;
    this.alarm = at;
    clock.onTime(at, () => {
      if (this.alarm !== at) return;
      this.alarm = undefined;
      this.carryOut();
    });
  }

  private tryDue(): boolean {
    const { journal } = this.splice.network;
    const { steps } = this;
    try {
      if (this.isDue(steps.advanceDue))
        journal.atomically(() => {
          steps.convertMarkers();
          steps.advance();
        });
      if (this.isDue(steps.closeDue)) journal.atomically(() => steps.closeIssued());
      return true;
    } catch (error) {
      if (error instanceof LedgerError) return false;
      throw error;
    }
  }

  private exclusively<T>(action: () => T): T {
    this.isUnderWay = true;
    try {
      return action();
    } finally {
      this.isUnderWay = false;
    }
  }

  private get nextDue(): Timestamp | undefined {
    const { advanceDue, closeDue } = this.steps;
    if (advanceDue === undefined || closeDue === undefined) return advanceDue ?? closeDue;
    return advanceDue < closeDue ? advanceDue : closeDue;
  }

  private isDue(time: Timestamp | undefined): boolean {
    return time !== undefined && time <= this.now;
  }

  /** Without rules nothing is ever due. */
  private get isPaused(): boolean {
    const { splice } = this;
    const rules = latestOf(splice, 'rules');
    if (rules === undefined) return false;
    return splice.network.synchronizer(activeSynchronizer(splice, rules))?.isPaused ?? true;
  }

  private get now(): Timestamp {
    return this.splice.network.clock.now();
  }
}
