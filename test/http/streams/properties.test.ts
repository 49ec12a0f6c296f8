/** A reader that resumes from its last offset misses no update, for any events on the ledger and the connection. */
import fc from 'fast-check';
import { checkpointIn, offsetOf, StreamClient } from '../../support/stream-client.js';
import {
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../../support/ledger-api.js';
import { check } from '../../support/property.js';

const DUMMY = '#model-tests:Test:Dummy';
let api: LedgerApi;
let parties: readonly string[];

beforeAll(async () => {
  api = await startLedgerApi({ checkpoints: { first: 1, interval: 1, idle: 1 } });
  parties = ['alice', 'bob'].map((hint) => api.canticle.participant.allocateParty(hint));
});
afterAll(() => api.client.close());

const create = (of: number) =>
  api.canticle.participant.create(DUMMY, { operator: parties[of]! }, { actAs: [parties[of]!] });
const format = () => updateFormat('ACS_DELTA', eventFormat([parties[0]!], wildcard()));
const open = (beginExclusive: number) =>
  new StreamClient(`${api.canticle.url}/v2/updates`).send({
    beginExclusive,
    updateFormat: format(),
  });

/** Offsets of Alice's updates behind one. */
async function listed(begin: number): Promise<number[]> {
  return (await api.updates(format(), { beginExclusive: begin })).map((update: unknown) =>
    offsetOf({ update }),
  );
}

type Step = 'alice' | 'bob' | 'reconnect' | 'let it run';
const steps = fc.array(fc.constantFrom<Step>('alice', 'alice', 'bob', 'reconnect', 'let it run'), {
  maxLength: 12,
});

it('loses and repeats no update, and offsets never decrease', async () => {
  await check(
    fc.asyncProperty(steps, async (happening) => {
      const begin = await api.ledgerEnd();
      const received: { offset: number; isCheckpoint: boolean }[] = [];
      let client = await open(begin);
      const hear = async () => {
        await client.close();
        for (const frame of client.frames)
          received.push({
            offset: offsetOf(frame),
            isCheckpoint: checkpointIn(frame) !== undefined,
          });
      };
      for (const step of happening) {
        if (step === 'alice') create(0);
        else if (step === 'bob') create(1);
        else if (step === 'let it run') await new Promise(setImmediate);
        else {
          await hear();
          client = await open(received.at(-1)?.offset ?? begin);
        }
      }
      const expected = await listed(received.at(-1)?.offset ?? begin);
      await client.take(expected.length);
      await hear();
      expect(
        received.filter(({ isCheckpoint }) => !isCheckpoint).map(({ offset }) => offset),
      ).toEqual(await listed(begin));
      const offsets = received.map(({ offset }) => offset);
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
      expect(offsets.every((offset) => offset >= begin)).toBe(true);
    }),
    { numRuns: 40 },
  );
});
