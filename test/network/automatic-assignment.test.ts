/** Automatic assignments on the system clock, where time passes without a call (B-RSG-018). */
import { quickstartPackage } from '../../src/daml/index.js';
import type { Network } from '../../src/network/network.js';
import { openNetwork } from '../../src/network/open.js';
import { ParticipantView } from '../../src/wallet/index.js';
import { IOU } from '../support/ledger.js';

const START = 1_767_225_600_000_000n;
const SECOND = 1_000_000n;

/** A machine whose clock the test moves. */
class Machine {
  private time = START;
  readonly alarms: { readonly time: bigint; readonly ring: () => void }[] = [];
  readonly clock = {
    now: () => this.time,
    ringAt: (time: bigint, ring: () => void) => void this.alarms.push({ time, ring }),
  };

  /** @param microseconds that pass; alarms ring late rather than early */
  pass(microseconds: bigint): void {
    this.time += microseconds;
    const due = this.alarms.filter(({ time }) => time <= this.time);
    for (const alarm of due) this.alarms.splice(this.alarms.indexOf(alarm), 1);
    for (const { ring } of due) ring();
  }
}

let machine: Machine;
let network: Network;
let participant: ParticipantView;
let bank: string;

beforeEach(() => {
  machine = new Machine();
  network = openNetwork({
    seed: 1,
    start: START,
    wallClock: machine.clock,
    packages: [quickstartPackage],
    synchronizers: [
      { alias: 'global' },
      { alias: 'app' },
      { alias: 'quick', assignmentExclusivityTimeout: { seconds: 10 } },
    ],
  });
  participant = new ParticipantView(network.participant('sandbox'));
  bank = participant.allocateParty('bank');
});

/** @returns its id */
function inFlight(to = 'app'): string {
  const contract = participant.create(
    IOU,
    { issuer: bank, owner: bank, currency: 'EUR', amount: '1.0', observers: [] },
    { actAs: [bank], synchronizer: 'global' },
  );
  participant.unassign(contract, { to });
  return contract;
}
const isActive = (contract: string) => participant.contract(contract) !== undefined;

it('run when a timer fires, each at its time', () => {
  const slow = inFlight();
  machine.pass(SECOND);
  const quick = inFlight('quick');
  machine.pass(11n * SECOND);
  expect([isActive(quick), isActive(slow)]).toEqual([true, false]);
  machine.pass(50n * SECOND);
  expect(isActive(slow)).toBe(true);
  expect(machine.alarms).toEqual([]);
});

it('use one timer for any number of reassignments', () => {
  const contracts = Array.from({ length: 20 }, () => {
    machine.pass(1n);
    return inFlight();
  });
  expect(machine.alarms).toHaveLength(1);
  machine.pass(61n * SECOND);
  expect(contracts.map(isActive)).not.toContain(false);
});

it('an early or unnecessary timer has no effect', () => {
  const contract = inFlight();
  const [alarm] = machine.alarms.splice(0);
  alarm!.ring();
  expect([isActive(contract), machine.alarms.length]).toEqual([false, 1]);
  participant.assign(reassignmentOf(contract), { submitter: bank });
  machine.pass(61n * SECOND);
  expect(machine.alarms).toEqual([]);
});

it('also run for a reassignment that a revert restores', () => {
  const contract = inFlight();
  const snapshot = network.snapshot();
  machine.pass(61n * SECOND);
  expect(isActive(contract)).toBe(true);
  network.revert(snapshot);
  expect(isActive(contract)).toBe(false);
  machine.pass(0n);
  expect(isActive(contract)).toBe(true);
});

it('set a new timer if the target resumes early', () => {
  const [, app] = network.synchronizers;
  network.pause(app!);
  const contract = inFlight();
  expect(machine.alarms).toEqual([]);
  machine.pass(SECOND);
  network.resume(app!);
  machine.pass(60n * SECOND);
  expect(isActive(contract)).toBe(true);
});

function reassignmentOf(contract: string): string {
  const state = network.contracts.state(contract);
  if (state?.kind !== 'inFlight') throw new Error('It is in flight.');
  return state.reassignmentId;
}
