/**
 * The cost of a command in-process: the processor time of the fastest round, which other load changes little, and
 * the memory that remains.
 */
import { createCanticle } from 'canticle';
import { IOU, iou } from './measure/iou.js';
import { figure, machine, ratio } from './measure/report.js';

const ROUNDS = 7;
const COUNT = 5_000;
/**
 * V8 drops compiled code in garbage collections: this number of commands runs before the measurement, to compile it
 * again.
 */
const WARM_UP = COUNT / 5;

interface Cost {
  /** Microseconds of processor time, of all threads. */
  readonly time: number;
  /** Bytes that remain in memory. */
  readonly memory: number;
}

function costOf(action: () => void): Cost {
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  for (let n = 0; n < WARM_UP; n++) action();
  const start = process.cpuUsage();
  for (let n = 0; n < COUNT; n++) action();
  const { user, system } = process.cpuUsage(start);
  globalThis.gc?.();
  return {
    time: (user + system) / COUNT,
    memory: (process.memoryUsage().heapUsed - heap) / (COUNT + WARM_UP),
  };
}

function round(): Record<'create' | 'exercise' | 'revert', Cost> {
  const canticle = createCanticle({ seed: 1 });
  const { participant } = canticle;
  const [issuer, owner] = ['bank', 'alice'].map((hint) => participant.allocateParty(hint));
  const payload = iou(issuer!, owner!);
  const options = { actAs: [issuer!, owner!] };
  const create = (): string => participant.create(IOU, payload, options);
  const split = (contractId: string): unknown =>
    participant.exercise(IOU, contractId, 'Iou_Split', { splitAmount: '1.0' }, options).offset;
  for (let n = 0; n < WARM_UP; n++) split(create());
  const ids: string[] = [];
  const created = costOf(() => ids.push(create()));
  const exercised = costOf(() => split(ids.pop()!));
  const mark = canticle.snapshot();
  const revert = costOf(() => {
    create();
    canticle.revert(mark);
  });
  return { create: created, exercise: exercised, revert };
}

machine();
const rounds = Array.from({ length: ROUNDS }, round);
const least = (name: 'create' | 'exercise' | 'revert', what: keyof Cost): number =>
  Math.min(...rounds.map((each) => each[name][what]));
const create = least('create', 'time');
const exercise = least('exercise', 'time');
figure('create, processor time', create, 'µs');
figure('exercise that archives one and creates two, processor time', exercise, 'µs');
figure('create and revert to a snapshot, processor time', least('revert', 'time'), 'µs');
figure('create then exercise', 2e6 / (create + exercise), 'commands a second of processor time');
ratio('an exercise to a create', exercise / create);
figure('memory that a create leaves', least('create', 'memory'), 'bytes');
figure('memory that an exercise leaves', least('exercise', 'memory'), 'bytes');
