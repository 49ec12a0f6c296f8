/**
 * A client that recovers correctly, and variants with one planted bug of each kind that ledger clients have. Also
 * has the invariants that must hold under each fault.
 */
import type { Canticle } from 'canticle';
import {
  everyCommandEnds,
  faultSchedules,
  holdersSums,
  noGapNoDouble,
  oneEffectPerCommand,
  type ClientWorld,
  type CommandEnd,
  type Invariant,
} from '../../../src/testing/fast-check.js';

export const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

export const BUGS = [
  'new command id',
  'wrong offset',
  'timeout is failure',
  'half a reassignment',
] as const;
type Bug = (typeof BUGS)[number];

export interface View {
  readonly ends: Record<string, CommandEnd>;
  readonly seen: number[];
}

/** Answers after which the outcome of the request is unknown. */
class Unknown extends Error {}

export const iouOf = (party: string, amount: string) => ({
  issuer: party,
  owner: party,
  amount,
  currency: 'CHF',
  observers: [],
});

/** Pays three times, reads the updates, and reassigns a contract. */
class PayingClient {
  readonly ends: Record<string, CommandEnd> = {};
  readonly seen: number[] = [];
  private offset: number;

  constructor(
    private readonly world: ClientWorld,
    private readonly alice: string,
    /** A contract for the reassignment. */
    private readonly moved: string,
    private readonly bug?: Bug,
  ) {
    this.offset = world.canticle.participant.ledgerEnd;
  }

  async run(): Promise<View> {
    if (this.bug === 'half a reassignment') await this.move();
    else
      for (let payment = 1; payment <= 3; payment += 1) {
        await this.pay(`payment-${payment}`);
        await this.read();
      }
    return this;
  }

  private async pay(commandId: string): Promise<void> {
    const command = {
      CreateCommand: { templateId: IOU, createArguments: iouOf(this.alice, '10.0') },
    };
    for (let attempt = 1; ; attempt += 1) {
      const id =
        this.bug === 'new command id' && attempt > 1 ? `${commandId}-${attempt}` : commandId;
      const submission = {
        commands: [command],
        commandId: id,
        userId: 'payer',
        actAs: [this.alice],
      };
      try {
        const { status, code } = await this.post('/v2/commands/submit-and-wait', submission);
        // An earlier attempt succeeded, but its answer was lost.
        if (status === 200 || code === 'DUPLICATE_COMMAND') this.ends[commandId] = 'accepted';
        else if (attempt < ATTEMPTS) continue;
        else this.ends[commandId] = 'rejected';
        return;
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        if (this.bug !== 'timeout is failure') continue;
        this.ends[commandId] = 'rejected';
        return;
      }
    }
  }

  private async read(): Promise<void> {
    const { canticle: ledger } = this.world;
    const begin = this.offset;
    const request = {
      beginExclusive: begin,
      endInclusive: ledger.participant.ledgerEnd,
      updateFormat: {
        includeTransactions: {
          eventFormat: { filtersByParty: { [this.alice]: {} } },
          transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
        },
      },
    };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        const { status, body } = await this.post('/v2/updates', request);
        if (status !== 200) continue;
        for (const { update } of body as Update[]) {
          const offset = update.Transaction?.value.offset;
          if (offset !== undefined) this.seen.push(offset);
        }
        this.offset = request.endInclusive;
        return;
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        // The bug: it assumes that it read all pending updates.
        if (this.bug === 'wrong offset') request.beginExclusive += 1;
      }
    }
  }

  private async move(): Promise<void> {
    const { canticle: ledger } = this.world;
    const [source, target] = ledger.network.synchronizers.map(({ id }) => id);
    const command = (value: object, name: string) => ({
      reassignmentCommands: {
        commandId: `move-${name}`,
        userId: 'payer',
        submitter: this.alice,
        commands: [{ command: { [name]: { value } } }],
      },
      eventFormat: { filtersByParty: { [this.alice]: {} } },
    });
    const path = '/v2/commands/submit-and-wait-for-reassignment';
    try {
      const { status, body } = await this.post(
        path,
        command({ contractId: this.moved, source, target }, 'UnassignCommand'),
      );
      if (status !== 200) return;
      const [event] = (body as any).reassignment.events;
      const { reassignmentId } = event.JsUnassignedEvent.value;
      await this.post(path, command({ reassignmentId, source, target }, 'AssignCommand'));
    } catch (error) {
      // The reassignment may be incomplete: the client does not check it.
      if (!(error instanceof Unknown)) throw error;
    }
  }

  private async post(path: string, body: unknown) {
    try {
      const answer = await fetch(this.world.urls.ledgerApi + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if ([502, 504].includes(answer.status)) throw new Unknown();
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
      const json = isJson ? (JSON.parse(text) as { code?: string }) : {};
      return { status: answer.status, code: json.code, body: json as unknown };
    } catch {
      throw new Unknown();
    }
  }
}

interface Update {
  readonly update: { readonly Transaction?: { readonly value: { readonly offset: number } } };
}

/** More than the number of consecutive faults. */
const ATTEMPTS = 8;

/**
 * A ledger on two synchronizers with the client's prerequisites: the paying party, and a contract for the
 * reassignment.
 */
export function payingWorld(canticle: Canticle) {
  const { participant, network } = canticle;
  const alice = participant.allocateParty('alice');
  const moved = participant.create(IOU, iouOf(alice, '1.0'), { actAs: alice });
  const ofPayments: readonly Invariant<View>[] = [
    oneEffectPerCommand,
    everyCommandEnds(({ ends }) => ends),
    noGapNoDouble(({ seen }) => seen),
    holdersSums({
      template: IOU,
      owner: 'owner',
      amount: 'amount',
      expected: ({ result }) => ({ [alice]: `${1 + 10 * accepted(result)}` }),
    }),
  ];
  /** Both parts of the reassignment exist, or neither. */
  const arrived: Invariant<View> = () => {
    const { kind } = network.contracts.state(moved)!;
    return kind === 'active' ? [] : [`The contract is ${kind}.`];
  };
  return {
    alice,
    clientWith: (bug?: Bug) => (world: ClientWorld) =>
      new PayingClient(world, alice, moved, bug).run(),
    invariantOf: (bug?: Bug) => (bug === 'half a reassignment' ? [arrived] : ofPayments),
    schedules: faultSchedules({ maxFaults: 4, calls: 8 }),
  };
}

const accepted = (view: View | undefined): number =>
  Object.values(view?.ends ?? {}).filter((end) => end === 'accepted').length;
