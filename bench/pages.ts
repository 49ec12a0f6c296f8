/**
 * A page of 100 at 1,000 and at 1,000,000 entries: the cost must not grow with history. Also measures the memory of
 * an active contract. And the updates per second of a client that reads one page after the other over HTTP.
 */
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { IOU, iou } from './measure/iou.js';
import { figure, machine, milliseconds, ratio, spread } from './measure/report.js';

const PAGE = 100;
const RUNS = 41;
const SMALL = 1_000;
const LARGE = Number(process.env.CANTICLE_BENCH_ENTRIES ?? 1_000_000);

interface World {
  readonly canticle: Canticle;
  readonly parties: readonly [bank: string, alice: string];
}

const worldOf = (entries: number): World => populate(createCanticle({ seed: 1 }), entries);

function populate<C extends Canticle>(canticle: C, entries: number) {
  const [bank, alice] = ['bank', 'alice'].map((hint) =>
    canticle.participant.allocateParty(hint),
  ) as [string, string];
  const payload = iou(bank, alice);
  for (let n = 0; n < entries; n++)
    canticle.participant.create(IOU, payload, { actAs: [bank, alice] });
  return { canticle, parties: [bank, alice] as const };
}

async function post(canticle: Canticle, path: string, body: object): Promise<unknown> {
  const { status, body: answer } = await canticle.handle({ method: 'POST', path, body });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

/** The measured pages, by name. */
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

/** The minimum of many runs. The two take turns, so that warm-up and other load affect both equally. */
async function leastOf(actions: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const least = actions.map(() => Infinity);
  for (let run = 0; run < RUNS; run++)
    for (const [index, action] of actions.entries())
      least[index] = Math.min(least[index]!, await cost(action));
  return least;
}

const UPDATES = 20_000;
const SCAN_PAGE = 1_000;
const LEDGER_PAGE = 200;
const READINGS = 5;

/** Updates per second, over HTTP with the client's own work. */
async function overHttp(): Promise<void> {
  const { canticle, parties } = populate(await startCanticle({ seed: 1 }), UPDATES);
  const read = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(canticle.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const eventFormat = { filtersByParty: { [parties[1]]: {} }, verbose: false };
  const transactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
  const updateFormat = { includeTransactions: transactions };
  const begin = canticle.participant.ledgerEnd - UPDATES;
  const scan = async (): Promise<void> => {
    let after: object | undefined;
    for (let n = 0; n < UPDATES; n += SCAN_PAGE) {
      const page = (await read('/api/scan/v2/updates', { page_size: SCAN_PAGE, after })) as {
        transactions: { migration_id: number; record_time: string }[];
      };
      const last = page.transactions.at(-1)!;
      after = { after_migration_id: last.migration_id, after_record_time: last.record_time };
    }
  };
  const ledger = async (): Promise<void> => {
    for (let n = 0; n < UPDATES; n += LEDGER_PAGE)
      await read(`/v2/updates?limit=${LEDGER_PAGE}`, {
        beginExclusive: begin + n,
        endInclusive: begin + UPDATES,
        updateFormat,
      });
  };
  const rates: Record<string, number[]> = { scan: [], ledger: [] };
  for (let reading = 0; reading < READINGS; reading += 1) {
    rates['scan']!.push((UPDATES * 1000) / (await milliseconds(scan)));
    rates['ledger']!.push((UPDATES * 1000) / (await milliseconds(ledger)));
  }
  const wanted = '(goal: at least 20000)';
  spread(`Scan updates by pages of ${SCAN_PAGE} ${wanted}`, rates['scan']!, 'per second');
  spread(`ledger updates by pages of ${LEDGER_PAGE} ${wanted}`, rates['ledger']!, 'per second');
  await canticle.close();
}

machine();
await overHttp();
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
