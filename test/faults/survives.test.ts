/**
 * Survival as a property: a client of ours that recovers as it should, and what becomes of it with one bug planted of each kind, which
 * many schedules of faults find, and shrink to the few that matter.
 */
import { startCanticle, type Canticle, type FaultRule } from 'canticle';
import fc from 'fast-check';
import {
  everyCommandEnds,
  faultSchedules,
  holdersSums,
  noGapNoDouble,
  oneEffectPerCommand,
  survives,
  SurvivalFailed,
  type ClientWorld,
  type CommandEnd,
  type Invariant,
} from '../../src/testing/fast-check.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const SYNCHRONIZERS = ['global', 'private'];

let canticle: Canticle;
let alice: string;
/** A contract to move. */
let moved: string;
beforeAll(async () => {
  canticle = await startCanticle({ seed: 18, synchronizers: SYNCHRONIZERS });
  alice = canticle.participant.allocateParty('alice');
  moved = canticle.participant.create(IOU, iou('1.0'), { actAs: alice });
});
afterAll(() => canticle.close());

const iou = (amount: string) => ({
  issuer: alice,
  owner: alice,
  amount,
  currency: 'CHF',
  observers: [],
});

type Bug = 'new command id' | 'wrong offset' | 'timeout is failure' | 'half a reassignment';

interface View {
  readonly ends: Record<string, CommandEnd>;
  readonly seen: number[];
}

/** Answers that say nothing of what became of the request. */
class Unknown extends Error {}

/** Pays three times, reads what happened, and moves a contract. */
class PayingClient {
  readonly ends: Record<string, CommandEnd> = {};
  readonly seen: number[] = [];
  private offset: number;

  constructor(
    private readonly world: ClientWorld,
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
    const command = { CreateCommand: { templateId: IOU, createArguments: iou('10.0') } };
    for (let attempt = 1; ; attempt += 1) {
      const id =
        this.bug === 'new command id' && attempt > 1 ? `${commandId}-${attempt}` : commandId;
      const submission = { commands: [command], commandId: id, userId: 'payer', actAs: [alice] };
      try {
        const { status, code } = await this.post('/v2/commands/submit-and-wait', submission);
        // It was done before, by an attempt whose answer was lost.
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
    const asked = {
      beginExclusive: begin,
      endInclusive: ledger.participant.ledgerEnd,
      updateFormat: {
        includeTransactions: {
          eventFormat: { filtersByParty: { [alice]: {} } },
          transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
        },
      },
    };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        const { status, body } = await this.post('/v2/updates', asked);
        if (status !== 200) continue;
        for (const { update } of body as Told[]) {
          const offset = update.Transaction?.value.offset;
          if (offset !== undefined) this.seen.push(offset);
        }
        this.offset = asked.endInclusive;
        return;
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        // Whatever was on its way is believed to have been read.
        if (this.bug === 'wrong offset') asked.beginExclusive += 1;
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
        submitter: alice,
        commands: [{ command: { [name]: { value } } }],
      },
      eventFormat: { filtersByParty: { [alice]: {} } },
    });
    const path = '/v2/commands/submit-and-wait-for-reassignment';
    try {
      const { status, body } = await this.post(
        path,
        command({ contractId: moved, source, target }, 'UnassignCommand'),
      );
      if (status !== 200) return;
      const [event] = (body as any).reassignment.events;
      const { reassignmentId } = event.JsUnassignedEvent.value;
      await this.post(path, command({ reassignmentId, source, target }, 'AssignCommand'));
    } catch (error) {
      // It may be on its way: nobody looks after it.
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
      const told = isJson ? (JSON.parse(text) as { code?: string }) : {};
      return { status: answer.status, code: told.code, body: told as unknown };
    } catch {
      throw new Unknown();
    }
  }
}

interface Told {
  readonly update: { readonly Transaction?: { readonly value: { readonly offset: number } } };
}

/** More than faults can come one after another. */
const ATTEMPTS = 8;

const clientWith = (bug?: Bug) => (world: ClientWorld) => new PayingClient(world, bug).run();
const INVARIANTS: readonly Invariant<View>[] = [
  oneEffectPerCommand,
  everyCommandEnds(({ ends }) => ends),
  noGapNoDouble(({ seen }) => seen),
  holdersSums({
    template: IOU,
    owner: 'owner',
    amount: 'amount',
    expected: ({ result }) => ({
      [alice]: `${1 + 10 * Object.values(result?.ends ?? {}).filter((end) => end === 'accepted').length}`,
    }),
  }),
];
/** Each half is there, or none. */
const arrived: Invariant<View> = ({ canticle: { network } }) => {
  const { kind } = network.contracts.state(moved)!;
  return kind === 'active' ? [] : [`The contract is ${kind}.`];
};

const found = async (bug: Bug | undefined, seed: number, runs: number, more = INVARIANTS) => {
  try {
    await survives(clientWith(bug), { canticle, invariant: more, runs, seed, schedules });
    return undefined;
  } catch (error) {
    if (!(error instanceof SurvivalFailed)) throw error;
    return error;
  }
};
const schedules = faultSchedules({ maxFaults: 4, calls: 8 });

it('a client that recovers as it should survives', async () => {
  expect(await found(undefined, 1, 25)).toBeUndefined();
});

it.each([
  ['new command id', /holds 41, not 31|was accepted|never took effect/],
  ['timeout is failure', /was accepted, and its client says: rejected/],
  ['wrong offset', /never saw offset/],
  ['half a reassignment', /is inFlight/],
] as const)('finds %s', async (bug, what) => {
  const invariants = bug === 'half a reassignment' ? [arrived] : INVARIANTS;
  const failure = await found(bug, 1, 200, invariants);
  expect(failure?.violations.join()).toMatch(what);
  expect(failure!.schedule.length).toBeGreaterThanOrEqual(1);
  expect(failure!.schedule.length).toBeLessThanOrEqual(3);
  expect(failure!.message).toMatch(/To replay, as a scenario:\nsteps:\n {2}- fault: "\*"\n/);
  expect(failure!.message).toMatch(/ {2}\d+\. POST \/v2\/\S+ → .*⚡/);
});

describe('what does not hold is told, though nothing went wrong', () => {
  const violations = async <T>(
    client: (world: ClientWorld) => Promise<T>,
    invariant: Invariant<T>,
    timeout?: number,
  ) => {
    const options = {
      canticle,
      invariant,
      timeout,
      runs: 1,
      schedules: fc.constant<FaultRule[]>([]),
    };
    const failure = await survives(client, options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SurvivalFailed);
    return (failure as SurvivalFailed).violations;
  };
  const payAgain = async () => {
    const commands = [{ CreateCommand: { templateId: IOU, createArguments: iou('1.0') } }];
    for (const days of [0, 9]) {
      canticle.advanceTime({ days });
      const body = { commands, commandId: 'again', userId: 'payer', actAs: [alice] };
      await canticle.handle({ path: '/v2/commands/submit-and-wait', body });
    }
    return [canticle.participant.ledgerEnd, canticle.participant.ledgerEnd];
  };

  it('a command id that took effect twice, behind its deduplication', async () => {
    const told = [expect.stringMatching(/^Command again of payer for alice.* took effect 2 times/)];
    expect(await violations(payAgain, oneEffectPerCommand)).toEqual(told);
  });

  it('an update that was seen twice, and one that was not', async () => {
    const told = await violations(
      payAgain,
      noGapNoDouble((seen) => seen, { party: alice }),
    );
    const end = canticle.participant.ledgerEnd + 2;
    expect(told).toEqual([
      `The client saw offset ${end} twice.`,
      `The client never saw offset ${end - 1}.`,
    ]);
  });

  it('a client that gives up, and one that does not end', async () => {
    const throws = () => Promise.reject(new Error('no more'));
    expect(
      await violations(
        throws,
        everyCommandEnds(() => ({})),
      ),
    ).toEqual(['The client gave up: Error: no more']);
    const waits = () => new Promise<never>(() => undefined);
    expect(await violations(waits, () => [], 5)).toEqual(['The client did not end within 5 ms.']);
  });
});
