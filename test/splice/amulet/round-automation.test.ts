/** Mining rounds advance when they are due, on the system clock and on a virtual one. The tests fake the system clock. */
import { createCanticle, type Canticle } from 'canticle';
import { describeWithDars } from '../../support/foreign-files.js';
import { AMULET_DAR } from '../../support/splice/amulet-world.js';

const MINUTE = 60_000;

const rounds = ({ participant }: Canticle, kind: string) =>
  participant
    .activeContracts({ template: `#splice-amulet:Splice.Round:${kind}MiningRound` })
    .map(({ payload }) => Number((payload as any).round.number));

/** Those that a wallet may use: open, and not over, by the clock that it has. */
async function usable(canticle: Canticle): Promise<number[]> {
  const path = '/api/validator/v0/scan-proxy/open-and-issuing-mining-rounds';
  const answer = (await canticle.handle({ path })).json() as any;
  const now = Date.parse(canticle.time);
  return answer.open_mining_rounds
    .map(({ contract }: any) => contract.payload)
    .filter(
      ({ opensAt, targetClosesAt }: any) =>
        Date.parse(opensAt) <= now && now < Date.parse(targetClosesAt),
    )
    .map(({ round }: any) => Number(round.number));
}

describeWithDars('rounds', [AMULET_DAR], (dar) => {
  describe('on the clock of the machine', () => {
    beforeEach(() => {
      jest.useFakeTimers({ now: Date.UTC(2026, 5, 1), doNotFake: ['nextTick', 'setImmediate'] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    test('rounds advance automatically so that one is always usable, and stop with the instance', async () => {
      const canticle = createCanticle({ clock: 'wall', amulet: dar });
      const alice = canticle.participant.allocateParty('alice');
      expect(rounds(canticle, 'Open')).toEqual([0, 1, 2]);
      for (let minutes = 5; minutes <= 60; minutes += 5) {
        jest.advanceTimersByTime(5 * MINUTE);
        expect([minutes, (await usable(canticle)).length]).not.toEqual([minutes, 0]);
      }
      canticle.amulet.tap(alice, '100.0');
      expect(canticle.amulet.holdings(alice)).toHaveLength(1);
      expect(rounds(canticle, 'Open')).toEqual([5, 6, 7]);
      // Issued ones are closed as well, each in its time.
      expect(rounds(canticle, 'Issuing').length).toBeLessThan(5);
      expect(rounds(canticle, 'Closed')).toEqual([]);

      expect(jest.getTimerCount()).toBe(1);
      await canticle.close();
      expect(jest.getTimerCount()).toBe(0);
    });

    test('rounds continue after a revert, and after a pause', () => {
      const canticle = createCanticle({ clock: 'wall', amulet: dar });
      const before = canticle.snapshot();
      jest.advanceTimersByTime(25 * MINUTE);
      const later = rounds(canticle, 'Open');
      expect(later[0]).toBeGreaterThan(0);
      canticle.revert(before);
      expect(rounds(canticle, 'Open')).toEqual([0, 1, 2]);
      jest.advanceTimersByTime(1);
      expect(rounds(canticle, 'Open')).toEqual([1, 2, 3]);

      canticle.pauseSynchronizer();
      jest.advanceTimersByTime(30 * MINUTE);
      expect(rounds(canticle, 'Open')).toEqual([1, 2, 3]);
      canticle.resumeSynchronizer();
      jest.advanceTimersByTime(MINUTE);
      expect(rounds(canticle, 'Open')).toEqual([2, 3, 4]);
    });
  });

  test('on a virtual clock due tasks run only when time advances', () => {
    const canticle = createCanticle({ amulet: dar });
    const alice = canticle.participant.allocateParty('alice');
    canticle.advanceTime({ minutes: 9 });
    expect(rounds(canticle, 'Open')).toEqual([0, 1, 2]);
    canticle.advanceTime({ minutes: 2 });
    expect(rounds(canticle, 'Open')).toEqual([1, 2, 3]);
    expect(rounds(canticle, 'Issuing')).toEqual([0]);
    canticle.advanceTime({ days: 90 });
    expect(rounds(canticle, 'Open')).toEqual([2, 3, 4]);
    expect(rounds(canticle, 'Issuing')).toEqual([1]);
    canticle.amulet.tap(alice, '1.0');

    const paused = canticle.snapshot();
    canticle.pauseSynchronizer();
    canticle.advanceTime({ days: 1 });
    expect(rounds(canticle, 'Open')).toEqual([2, 3, 4]);
    canticle.revert(paused);
    canticle.amulet.advanceRounds('0.007');
    expect(rounds(canticle, 'Open')).toEqual([3, 4, 5]);
  });
});
