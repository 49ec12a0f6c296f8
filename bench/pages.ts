/** A page of 100 at 1,000 and at 1,000,000 entries: the cost must not grow with history. And what an active contract takes. */
import { createCanticle, type Canticle } from 'canticle';
import { IOU, iou } from './measure/iou.js';
import { figure, machine, ratio } from './measure/report.js';

const PAGE = 100;
const RUNS = 41;
const SMALL = 1_000;
const LARGE = Number(process.env.CANTICLE_BENCH_ENTRIES ?? 1_000_000);

interface World {
  readonly canticle: Canticle;
  readonly parties: readonly [bank: string, alice: string];
}

function worldOf(entries: number): World {
  const canticle = createCanticle({ seed: 1 });
  const [bank, alice] = ['bank', 'alice'].map((hint) =>
    canticle.participant.allocateParty(hint),
  ) as [string, string];
  const payload = iou(bank, alice);
  for (let n = 0; n < entries; n++)
    canticle.participant.create(IOU, payload, { actAs: [bank, alice] });
  return { canticle, parties: [bank, alice] };
}

async function post(canticle: Canticle, path: string, body: object): Promise<unknown> {
  const { status, body: answer } = await canticle.handle({ method: 'POST', path, body });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Each page that is asked for, by its name. */
function pages({ canticle, parties: [, alice] }: World): Record<string, () => Promise<unknown>> {
  const eventFormat = { filtersByParty: { [alice]: {} }, verbose: false };
  const end = canticle.participant.ledgerEnd;
  const middle = Math.floor(end / 2);
  const transactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
  return {
    'active contracts': () =>
      post(canticle, `/v2/state/active-contracts?limit=${PAGE}`, {
        activeAtOffset: end,
        eventFormat,
      }),
    'updates from the middle': () =>
      post(canticle, `/v2/updates?limit=${PAGE}`, {
        beginExclusive: middle,
        endInclusive: middle + PAGE,
        updateFormat: { includeTransactions: transactions },
      }),
    'Scan updates from the start': () =>
      post(canticle, '/api/scan/v2/updates', { page_size: PAGE }),
    'Scan updates after a time': () =>
      post(canticle, '/api/scan/v2/updates', {
        page_size: PAGE,
        after: { after_migration_id: 0, after_record_time: '2026-01-01T00:00:00.000500Z' },
      }),
  };
}

/** Milliseconds of processor time. */
async function cost(action: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The least of many, in turns, so that neither meets colder code or a busier machine. */
async function leastOf(actions: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const least = actions.map(() => Infinity);
  for (let run = 0; run < RUNS; run++)
    for (const [index, action] of actions.entries())
      least[index] = Math.min(least[index]!, await cost(action));
  return least;
}

machine();
const small = pages(worldOf(SMALL));
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const started = process.cpuUsage();
const largeWorld = worldOf(LARGE);
const { user, system } = process.cpuUsage(started);
globalThis.gc?.();
const bytes = (process.memoryUsage().heapUsed - before) / LARGE;
const large = pages(largeWorld);
for (const [name, page] of Object.entries(small)) {
  const [few, many] = (await leastOf([page, large[name]!])) as [number, number];
  figure(`${name}, page of ${PAGE} at ${SMALL}, processor time`, few, 'ms');
  figure(`${name}, page of ${PAGE} at ${LARGE}, processor time`, many, 'ms');
  ratio(`${name}: ${LARGE} to ${SMALL} entries`, many / few, { max: 1.5 });
}
figure(`create, over ${LARGE}, processor time`, (user + system) / LARGE, 'µs');
figure('memory per active contract', bytes, 'bytes (goal: at most 2048)');
