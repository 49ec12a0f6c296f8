/** Who is woken by what: nobody pays for entries that are not theirs, however many wait. */
import { createCanticle } from 'canticle';
import { Checkpoints } from '../../../src/services/streams/checkpoints.js';
import { LogHub, type Subscriber } from '../../../src/services/streams/log-hub.js';
import { modelPackage } from '../../support/daml/model-package.js';

const NEVER = { first: 1_000_000, interval: 1_000_000, idle: 1_000_000 };
const DUMMY = '#model-tests:Test:Dummy';

class Waiting implements Subscriber {
  woken = 0;
  reverts = 0;
  constructor(readonly parties: readonly string[] | undefined) {}
  deliver = () => void this.woken++;
  idle = () => undefined;
  reverted = () => void this.reverts++;
}

it('an entry wakes those whose party it concerns and those who wait for everyone, once each', async () => {
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

it('a revert is told at once, and only to those who wait', () => {
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
