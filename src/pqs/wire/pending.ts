/** Work after the statements of a connection: at the next ReadyForQuery, or at the end of its turn. */
import type { Effects } from './effects.js';

export interface Work {
  /** DISCARD ALL */
  readonly discards: boolean;
  readonly dropsTemporary: boolean;
  /** Settings that return to their values at the start. */
  readonly reset: readonly string[] | 'all';
}

export class Pending {
  /** The settings that may have changed in this turn. */
  readonly settings = new Set<string>();
  /** Other settings may have changed too. */
  isUnknown = false;
  /** The connection may have temporary tables. */
  isTemporary = false;
  private discards = false;
  private dropsTemporary = false;
  private reset: Set<string> | 'all' = new Set();

  add(effects: Effects): void {
    this.isUnknown ||= effects.isUnknown;
    for (const name of effects.settings) this.changed(name);
    if (effects.reset === 'all') this.reset = 'all';
    else if (this.reset !== 'all') for (const name of effects.reset) this.reset.add(name);
    this.isTemporary ||= effects.isTemporary;
    for (const { action } of effects.actions.values()) {
      this.discards ||= action.kind === 'discard-all';
      this.dropsTemporary ||= action.kind === 'discard-all' || action.kind === 'discard-temporary';
    }
  }

  changed(setting: string): void {
    this.settings.add(setting);
  }

  /** The work at a ReadyForQuery. */
  takeWork(): Work {
    const { discards, dropsTemporary, reset } = this;
    this.discards = false;
    this.dropsTemporary = false;
    this.reset = new Set();
    return { discards, dropsTemporary, reset: reset === 'all' ? reset : [...reset] };
  }

  /** @param hasTemporary whether the connection has temporary tables after the turn */
  endTurn(hasTemporary: boolean): void {
    this.takeWork();
    this.settings.clear();
    this.isUnknown = false;
    this.isTemporary = hasTemporary;
  }
}
