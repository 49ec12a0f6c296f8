/** The subscribers that an entry wakes: entries of others cost a subscriber no time, for any number of subscribers. */
import { createCanticle } from 'canticle';
import { Checkpoints } from '../../../src/services/streams/checkpoints.js';
import { LogHub, type Subscriber } from '../../../src/services/streams/log-hub.js';
import { modelPackage } from '../../support/daml/model-package.js';

const NEVER = { first: 1_000_000, interval: 1_000_000, idle: 1_000_000 };
const DUMMY = '#model-tests:Test:Dummy';

class Waiting implements Subscriber {
  woken = 0;
  idled = 0;
  reverts = 0;
  constructor(readonly parties: readonly string[] | undefined) {}
  deliver = () => void this.woken++;
  idle = () => void this.idled++;
  reverted = () => void this.reverts++;
}

it('an entry wakes subscribers of its parties and subscribers of all parties, once each', async () => {
  const canticle = createCanticle({ seed: 1, packages: [modelPackage] });
  const { participant, network } = canticle;
  const parties = Array.from({ length: 50 }, (_, i) => participant.allocateParty(`p${i}`));
  const hub = new LogHub(network.participants[0]!, new Checkpoints(network.participants, NEVER));
  const each = parties.map((party) => new Waiting([party]));
  const everyone = new Waiting(undefined);
  const ends = [...each, everyone].map((subscriber) => hub.subscribe(subscriber));
  for (let i = 0; i < 3; i++)
    participant.create(DUMMY, { operator: parties[7] }, { actAs: [parties[7]!] });
  expect(each.every(({ woken }) => woken === 0)).toBe(true);
  await new Promise(setImmediate);
  expect(each.map(({ woken }) => woken)).toEqual(parties.map((_, i) => (i === 7 ? 1 : 0)));
  expect(everyone.woken).toBe(1);
  for (const end of ends) end();
  participant.create(DUMMY, { operator: parties[7] }, { actAs: [parties[7]!] });
  await new Promise(setImmediate);
  expect([each[7]!.woken, everyone.woken]).toEqual([1, 1]);
});

it('reports a revert at once, to current subscribers only', () => {
  const canticle = createCanticle({ seed: 1 });
  const { participants } = canticle.network;
  const hub = new LogHub(participants[0]!, new Checkpoints(participants, NEVER));
  const [staying, gone] = [new Waiting([]), new Waiting(undefined)];
  const end = hub.subscribe(staying);
  hub.subscribe(gone)();
  canticle.reset();
  expect([staying.reverts, gone.reverts]).toEqual([1, 0]);
  end();
});

it('several entries before a notification wake each subscriber once, and later entries wake it again', async () => {
  const { hub, parties, create } = opened();
  const [submitter, other] = parties;
  const each = [
    new Waiting([submitter!]),
    new Waiting([other!]),
    new Waiting([other!, submitter!]),
  ];
  const ends = each.map((subscriber) => hub.subscribe(subscriber));
  create(submitter!);
  create(submitter!);
  await new Promise(setImmediate);
  expect(each.map(({ woken }) => woken)).toEqual([1, 0, 1]);
  create(other!);
  await new Promise(setImmediate);
  expect(each.map(({ woken }) => woken)).toEqual([1, 1, 2]);
  ends[2]!();
  // A second end of the same subscription does nothing.
  ends[2]!();
  create(other!);
  await new Promise(setImmediate);
  expect(each.map(({ woken }) => woken)).toEqual([1, 2, 2]);
  ends.forEach((end) => end());
});

it('with after-answers, notifies subscribers after the answers', async () => {
  const { hub, parties, create } = opened(NEVER, 'after-answers');
  const waiting = new Waiting(undefined);
  const end = hub.subscribe(waiting);
  create(parties[0]!);
  // Without after-answers, the notification is a microtask.
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  expect(waiting.woken).toBe(0);
  await until(() => waiting.woken > 0);
  expect(waiting.woken).toBe(1);
  end();
});

it('notifies idle subscribers repeatedly, until they unsubscribe', async () => {
  const { hub } = opened({ first: 20, interval: 1_000_000, idle: 60 });
  const [staying, gone] = [new Waiting([]), new Waiting([])];
  const end = hub.subscribe(staying);
  hub.subscribe(gone)();
  await until(() => staying.idled >= 3);
  end();
  const { idled } = staying;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect([staying.idled, gone.idled]).toEqual([idled, 0]);
  // A later subscriber gets notifications again.
  const again = new Waiting([]);
  const last = hub.subscribe(again);
  await until(() => again.idled >= 2);
  last();
});

it('entries delay the idle notification', async () => {
  const IDLE = 300;
  const { hub, parties, create } = opened({ first: 1_000_000, interval: 1_000_000, idle: IDLE });
  const waiting = new Waiting([]);
  const end = hub.subscribe(waiting);
  // Entries for longer than the delay. On a busy machine, a pause between two of them may be too long: then it starts over.
  let [began, last] = [performance.now(), performance.now()];
  while (performance.now() - began < 1.5 * IDLE) {
    create(parties[0]!);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = performance.now();
    if (now - last > IDLE / 2) {
      began = now;
      waiting.idled = 0;
    }
    last = now;
  }
  expect(waiting.idled).toBe(0);
  end();
});

it('a new subscriber receives one notification after all others unsubscribed', () => {
  const { hub, canticle } = opened();
  hub.subscribe(new Waiting(undefined))();
  const waiting = new Waiting(undefined);
  const end = hub.subscribe(waiting);
  canticle.reset();
  expect(waiting.reverts).toBe(1);
  end();
});

it('a new checkpoint wakes all subscribers once, with the next entry', async () => {
  const { hub, parties, create, takeCheckpoint } = opened();
  const [concerned, other] = [new Waiting([parties[0]!]), new Waiting([parties[1]!])];
  const ends = [concerned, other].map((subscriber) => hub.subscribe(subscriber));
  const seen: number[][] = [];
  for (const isTaken of [false, true, false]) {
    if (isTaken) takeCheckpoint();
    create(parties[0]!);
    await new Promise(setImmediate);
    seen.push([concerned.woken, other.woken]);
  }
  expect(seen).toEqual([
    [1, 0],
    [2, 1],
    [3, 1],
  ]);
  ends.forEach((end) => end());
});

function opened(delays = NEVER, order?: 'after-answers') {
  const canticle = createCanticle({ seed: 1, packages: [modelPackage] });
  const { participant, network } = canticle;
  const parties = ['alice', 'bob'].map((hint) => participant.allocateParty(hint));
  const checkpoints = new Checkpoints(network.participants, delays);
  const hub = new LogHub(network.participants[0]!, checkpoints, order);
  const create = (party: string) =>
    participant.create(DUMMY, { operator: party }, { actAs: [party] });
  const takeCheckpoint = () => checkpoints.of(network.participants[0]!).take();
  return { canticle, hub, parties, create, takeCheckpoint };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}
