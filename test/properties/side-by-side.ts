/** The ledger and its model, given the same commands: after each of them the two have to agree. */
import { commandOf, type Command, type Step } from './commands.js';
import { ModelLedger } from './model/ledger.js';
import { ADMIN, HOSTS } from './model/world.js';
import {
  microsOf,
  predictedCompletions,
  predictedPicture,
  realCompletions,
  realPicture,
} from './pictures.js';
import { predict } from './prediction.js';
import { RealLedger, timeText } from './real-ledger.js';

export interface Reached {
  readonly kind: Command['kind'];
  readonly code: string;
}

export class SideBySide {
  readonly model: ModelLedger;
  readonly reached: Reached[] = [];
  /** Ledger ends and length of the history before the first command. */
  readonly before: { readonly ends: readonly number[]; readonly history: number };
  private readonly journal: string[] = [];

  constructor(readonly real = new RealLedger()) {
    this.model = new ModelLedger(microsOf(real.canticle.time));
    this.before = {
      ends: HOSTS.map((host) => real.host(host).ledgerEnd),
      history: real.canticle.network.ledgerHistory.length,
    };
    this.model.given('TokenRules', [ADMIN], 'global');
  }

  /** @throws Error with the commands so far, where the two disagree */
  async run(steps: readonly Step[]): Promise<this> {
    try {
      for (const [place, step] of steps.entries()) await this.take(step, place);
      for (const [index, host] of HOSTS.entries())
        expect(await realCompletions(this.real, host, this.before.ends[index]!)).toEqual(
          predictedCompletions(this.model, host),
        );
    } catch (error) {
      (error as Error).message += `\n\nThe commands:\n${this.journal.join('\n')}`;
      throw error;
    }
    return this;
  }

  private async take(step: Step, place: number): Promise<void> {
    const { real, model } = this;
    const command = commandOf(step, model, place);
    const automatic = model.automaticMoves;
    const { code, created } = predict(model, command);
    const outcome = await real.perform(command);
    this.journal.push(`${place}. ${shown(command)} → ${outcome.code}`);
    this.reached.push({ kind: command.kind, code });
    if (model.automaticMoves > automatic)
      this.reached.push({ kind: command.kind, code: 'assigned by itself' });
    for (const [index, { name }] of created.entries())
      real.contracts[name] = outcome.created[index] ?? 'not created';
    if (command.kind === 'unassign' && code === 'accepted')
      real.reassignments[model.moves.length - 1] = real.latestReassignment ?? 'not unassigned';
    const came = { code: outcome.code, created: outcome.created.length, ...(await this.actual()) };
    expect(came).toEqual({ code, created: created.length, ...this.predicted() });
  }

  private predicted() {
    const { model } = this;
    return {
      time: timeText(model.now),
      ends: HOSTS.map((host) => model.ends[host]),
      holds: HOSTS.map((host) => predictedPicture(model, host)),
    };
  }

  private async actual() {
    const { real, before } = this;
    return {
      time: real.canticle.time,
      ends: HOSTS.map((host, index) => real.host(host).ledgerEnd - before.ends[index]!),
      holds: await Promise.all(HOSTS.map((host) => realPicture(real, host))),
    };
  }
}

function shown(command: Command): string {
  return JSON.stringify(command, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
