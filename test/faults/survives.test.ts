/**
 * Survival as a property: a test client that recovers correctly, and the same client with one planted bug of each kind. Many schedules
 * of faults find each bug, and shrink to the few necessary faults.
 */
import { startCanticle, type Canticle, type FaultRule } from 'canticle';
import fc from 'fast-check';
import {
  everyCommandEnds,
  noGapNoDouble,
  oneEffectPerCommand,
  survives,
  SurvivalFailed,
  type ClientWorld,
  type Invariant,
} from '../../src/testing/fast-check.js';
import { IOU, iouOf, payingWorld, type BUGS } from '../support/survival/paying-client.js';

let canticle: Canticle;
let world: ReturnType<typeof payingWorld>;
let alice: string;
beforeAll(async () => {
  canticle = await startCanticle({ seed: 18, synchronizers: ['global', 'private'] });
  world = payingWorld(canticle);
  ({ alice } = world);
});
afterAll(() => canticle.close());

const found = async (bug: (typeof BUGS)[number] | undefined, runs: number) => {
  try {
    const { schedules } = world;
    const invariant = world.invariantOf(bug);
    await survives(world.clientWith(bug), { canticle, invariant, runs, seed: 1, schedules });
    return undefined;
  } catch (error) {
    if (!(error instanceof SurvivalFailed)) throw error;
    return error;
  }
};

it('a client that recovers correctly survives', async () => {
  expect(await found(undefined, 25)).toBeUndefined();
});

it.each([
  ['new command id', /holds 41, not 31|was accepted|never took effect/],
  ['timeout is failure', /was accepted, and its client says: rejected/],
  ['wrong offset', /never saw offset/],
  ['half a reassignment', /is inFlight/],
] as const)('finds the bug: %s', async (bug, what) => {
  const failure = await found(bug, 200);
  expect(failure?.violations.join()).toMatch(what);
  expect(failure!.schedule.length).toBeGreaterThanOrEqual(1);
  expect(failure!.schedule.length).toBeLessThanOrEqual(3);
  expect(failure!.message).toMatch(/To replay, as a scenario:\nsteps:\n {2}- fault: "\*"\n/);
  expect(failure!.message).toMatch(/ {2}\d+\. POST \/v2\/\S+ → .*⚡/);
});

describe('reports a violated invariant, even without an error', () => {
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
    const commands = [{ CreateCommand: { templateId: IOU, createArguments: iouOf(alice, '1.0') } }];
    for (const days of [0, 9]) {
      canticle.advanceTime({ days });
      const body = { commands, commandId: 'again', userId: 'payer', actAs: [alice] };
      await canticle.handle({ path: '/v2/commands/submit-and-wait', body });
    }
    return [canticle.participant.ledgerEnd, canticle.participant.ledgerEnd];
  };

  it('a command that took effect twice after its deduplication period', async () => {
    const expected = [
      expect.stringMatching(/^Command again of payer for alice.* took effect 2 times/),
    ];
    expect(await violations(payAgain, oneEffectPerCommand)).toEqual(expected);
  });

  it('an update that the client saw twice, and one that it missed', async () => {
    const reports = await violations(
      payAgain,
      noGapNoDouble((seen) => seen, { party: alice }),
    );
    const end = canticle.participant.ledgerEnd + 2;
    expect(reports).toEqual([
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
