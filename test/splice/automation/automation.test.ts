/** Automated tasks: when and in which order they run, and how to pause them. The tasks here allocate parties. */
import { createCanticle, type Canticle } from 'canticle';
import type { Task } from '../../../src/splice/automation/task.js';
import { ledgerError } from '../../../src/daml/index.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const MINUTE = 60_000_000n;
const DAY = 1440n * MINUTE;

/** One that is due after each `every`, and notes when it ran. */
function ticking(canticle: Canticle, log: string[], name: string, every: bigint): Task {
  const { clock } = canticle.network;
  const start = clock.now();
  const done = () => log.filter((line) => line.startsWith(`${name} `)).length;
  return {
    name,
    due: () => start + BigInt(done() + 1) * every,
    run() {
      canticle.participant.allocateParty(`${name}-${log.length}`);
      log.push(`${name} ${(clock.now() - start) / MINUTE}`);
    },
  };
}

describe('automation', () => {
  let canticle: Canticle;
  let log: string[];
  beforeEach(() => {
    canticle = createCanticle();
    log = [];
  });

  test('runs each task at its due time during a jump, and tasks with equal due times in the order of their addition', () => {
    const { automation } = canticle.splice;
    automation.add(ticking(canticle, log, 'B', 20n * MINUTE));
    automation.add(ticking(canticle, log, 'A', 10n * MINUTE));
    canticle.advanceTime({ minutes: 9 });
    expect(log).toEqual([]);
    canticle.advanceTime({ minutes: 31 });
    expect(log).toEqual(['A 10', 'B 20', 'A 20', 'A 30', 'B 40', 'A 40']);
    expect(automation.names).toEqual(['B', 'A']);
  });

  test('runs due tasks once at the end of a jump of more than eight days', () => {
    const { automation } = canticle.splice;
    automation.add(ticking(canticle, log, 'A', DAY));
    canticle.advanceTime({ days: 8 });
    expect(log).toHaveLength(8);
    canticle.advanceTime({ days: 9 });
    expect(log.slice(8)).toEqual(Array(9).fill(`A ${17 * 1440}`));
  });

  test('can pause, resume, run once and turn off a task, which a revert restores', () => {
    const { automation } = canticle.splice;
    automation.add(ticking(canticle, log, 'A', MINUTE), ticking(canticle, log, 'B', MINUTE));
    const before = canticle.snapshot();
    automation.pause('A');
    canticle.advanceTime({ minutes: 2 });
    expect(log).toEqual(['B 1', 'B 2']);
    expect(automation.runOnce('A')).toBe(true);
    expect(automation.runOnce('B')).toBe(false);
    expect(log.slice(2)).toEqual(['A 2']);
    automation.resume('A');
    expect(log.slice(3)).toEqual(['A 2']);
    automation.isOff = true;
    canticle.advanceTime({ minutes: 1 });
    expect(log).toHaveLength(4);
    expect(automation.isPaused('B')).toBe(true);
    automation.isOff = false;
    expect(log.slice(4)).toEqual(['A 3', 'B 3']);
    automation.pause('A', 'B');
    canticle.revert(before);
    expect([automation.isPaused('A'), automation.isOff]).toEqual([false, false]);
    expect(() => automation.pause('C')).toThrow("There is no automation 'C'. There are: A, B.");
    expect(() => automation.runOnce('C')).toThrow('There is no automation');
  });

  test('retries a task that the ledger rejects after half a minute, and runs the other tasks', () => {
    const { automation, network } = canticle.splice;
    const start = network.clock.now();
    let isRefused = true;
    let due: bigint | undefined = start;
    let tries = 0;
    const refused: Task = {
      name: 'Refused',
      due: () => due,
      run() {
        tries++;
        canticle.participant.allocateParty('undone');
        if (isRefused) throw ledgerError('INVALID_ARGUMENT', 'not yet');
        log.push(`Refused ${(network.clock.now() - start) / 1_000_000n}`);
        due = undefined;
      },
    };
    automation.add(refused, ticking(canticle, log, 'A', 20_000_000n));
    canticle.advanceTime({ seconds: 1 });
    canticle.advanceTime({ seconds: 28 });
    expect([tries, log.length]).toEqual([1, 1]);
    // Tried again with whatever else is done then.
    canticle.advanceTime({ seconds: 40 });
    expect([tries, log.length]).toEqual([2, 3]);
    expect(() => automation.runOnce('Refused')).toThrow('not yet');
    expect(tries).toBe(3);
    // The task still does its later work at the due time.
    isRefused = false;
    due = start + 127_000_000n;
    canticle.advanceTime({ seconds: 90 });
    expect(log.filter((line) => line.startsWith('Refused'))).toEqual(['Refused 127']);
    expect(automation.runOnce('Refused')).toBe(false);
  });

  test('waits while a required synchronizer is paused, and continues if it needs another', () => {
    const paused = createCanticle({ synchronizers: ['one', 'two'] });
    const { network, splice } = paused;
    const alice = paused.participant.allocateParty('alice', { synchronizers: ['one'] });
    let isRefused = true;
    let tries = 0;
    const due = network.clock.now() + MINUTE;
    const done: string[] = [];
    splice.automation.add(
      {
        name: 'Refused',
        due: () => (done.length === 0 ? due : undefined),
        run() {
          tries++;
          if (isRefused) throw ledgerError('INVALID_ARGUMENT', 'not yet');
          done.push(paused.participant.allocateParty('late'));
        },
      },
      {
        ...ticking(paused, log, 'A', MINUTE),
        run() {
          const iou = {
            issuer: alice,
            owner: alice,
            currency: 'USD',
            amount: '1.0',
            observers: [],
          };
          paused.participant.create(IOU, iou, { actAs: alice });
          log.push(`A ${log.length + 1}`);
        },
      },
    );
    paused.pauseSynchronizer('two');
    paused.advanceTime({ minutes: 5 });
    expect([tries, log.length]).toEqual([1, 5]);
    // It is tried again at once.
    isRefused = false;
    paused.resumeSynchronizer('two');
    expect([tries, done.length]).toEqual([2, 1]);
  });

  test('runs a task again if a watched contract is created or archived, also by a revert', () => {
    const { participant } = canticle;
    const alice = participant.allocateParty('alice');
    const iou = {
      issuer: alice,
      owner: alice,
      currency: 'USD',
      amount: '1.0',
      observers: [],
    };
    const create = () => participant.create(IOU, iou, { actAs: alice });
    let calls = 0;
    const watching = (name: string, template: string): Task => ({
      name,
      watches: [template],
      due: () => {
        calls++;
        return undefined;
      },
      run: () => undefined,
    });
    canticle.splice.automation.add(watching('Watching', IOU.slice(1)), watching('Idle', 'a:B:C'));
    const countedIn = (action: () => void) => {
      calls = 0;
      action();
      canticle.advanceTime({ seconds: 1 });
      return calls;
    };
    expect(countedIn(() => undefined)).toBe(2);
    expect(countedIn(() => undefined)).toBe(0);
    let created = '';
    expect(countedIn(() => (created = create()))).toBe(1);
    expect(countedIn(() => participant.archive(IOU, created, { actAs: alice }))).toBe(1);
    const before = canticle.snapshot();
    create();
    expect(countedIn(() => canticle.revert(before))).toBe(2);
  });
});
