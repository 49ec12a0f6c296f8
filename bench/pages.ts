/** A page of 100 at 1,000 and at 1,000,000 entries: the cost must not grow with history. And what an active contract takes. */
import { createCanticle, type Canticle } from 'canticle';
import { figure, machine, median, ratio } from './measure/report.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const PAGE = 100;
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
  const payload = { issuer: bank, owner: alice, currency: 'EUR', amount: '100.0', observers: [] };
  for (let n = 0; n < entries; n++)
    canticle.participant.create(IOU, payload, { actAs: [bank, alice] });
  return { canticle, parties: [bank, alice] };
}

async function post(canticle: Canticle, path: string, body: object): Promise<unknown> {
  const { status, body: answer } = await canticle.handle({ method: 'POST', path, body });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
}

async function pages({ canticle, parties: [, alice] }: World): Promise<Record<string, number>> {
  const eventFormat = { filtersByParty: { [alice]: {} }, verbose: false };
  const end = canticle.participant.ledgerEnd;
  const middle = Math.floor(end / 2);
  const transactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
  const runs = 41;
  return {
    'active contracts': await median(runs, () =>
      post(canticle, `/v2/state/active-contracts?limit=${PAGE}`, {
        activeAtOffset: end,
        eventFormat,
      }),
    ),
    'updates from the middle': await median(runs, () =>
      post(canticle, `/v2/updates?limit=${PAGE}`, {
        beginExclusive: middle,
        endInclusive: middle + PAGE,
        updateFormat: { includeTransactions: transactions },
      }),
    ),
    'Scan updates from the start': await median(runs, () =>
      post(canticle, '/api/scan/v2/updates', { page_size: PAGE }),
    ),
    'Scan updates after a time': await median(runs, () =>
      post(canticle, '/api/scan/v2/updates', {
        page_size: PAGE,
        after: { after_migration_id: 0, after_record_time: '2026-01-01T00:00:00.000500Z' },
      }),
    ),
  };
}

machine();
const small = await pages(worldOf(SMALL));
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const largeWorld = worldOf(LARGE);
globalThis.gc?.();
const bytes = (process.memoryUsage().heapUsed - before) / LARGE;
const large = await pages(largeWorld);
for (const [name, time] of Object.entries(small)) {
  figure(`${name}, page of ${PAGE} at ${SMALL}`, time, 'ms');
  figure(`${name}, page of ${PAGE} at ${LARGE}`, large[name]!, 'ms');
  ratio(`${name}: ${LARGE} to ${SMALL} entries`, large[name]! / time, { max: 1.5 });
}
figure('memory per active contract', bytes, 'bytes (goal: at most 2048)');
