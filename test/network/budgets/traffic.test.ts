/** The traffic costs of a run, and their snapshot. */
import fc from 'fast-check';
import { createCanticle, type Canticle } from 'canticle';
import { costReport } from '../../../src/network/budgets/cost-report.js';
import {
  MAX_COSTS,
  mergedTraffic,
  TrafficRecord,
  type RecordedCost,
} from '../../../src/network/budgets/traffic-record.js';
import {
  coinsFor,
  compareTraffic,
  parseTrafficSnapshot,
  trafficChangesText,
  trafficSnapshot,
  trafficTable,
} from '../../../src/network/budgets/traffic-snapshot.js';
import { Asset, Deal, trades } from '../../support/daml/privacy-model.js';
import { check } from '../../support/property.js';

const opened = (options = {}) =>
  createCanticle({ packages: [trades], participants: ['bank', 'market'], ...options });

function trade(canticle: Canticle) {
  const [bank, market] = canticle.participants;
  const issuer = bank!.allocateParty('issuer');
  const [seller, buyer, broker] = ['seller', 'buyer', 'broker'].map((hint) =>
    market!.allocateParty(hint),
  ) as [string, string, string];
  const asset = bank!.create(Asset, { issuer, owner: seller, amount: '5' }, { actAs: [issuer] });
  const deal = market!.create(Deal, { broker, buyer, seller, asset }, { actAs: [seller] });
  return market!.exercise(deal, Deal.Settle, {}, { actAs: [buyer], readAs: [seller] });
}

test('the cost of an update does not depend on traffic control, and has its views', () => {
  const canticle = opened({ trafficControl: true });
  const { updateId } = trade(canticle);
  const { network } = canticle;
  const update = network.updateById(updateId)!;
  const report = costReport(network, update)!;
  expect(
    report.views.map(({ action, participants, depth }) => [action, participants, depth]),
  ).toEqual([
    ['exercise Trade:Deal Settle', ['market'], 0],
    ['exercise Trade:Asset Hand', ['bank', 'market'], 1],
  ]);
  expect(report.inputs).toBe(2);
  const without = opened();
  const same = without.network.updateById(trade(without).updateId)!;
  expect(costReport(without.network, same)!.bytes).toBe(report.bytes);
});

test('it is the paid cost of the Ledger API', async () => {
  const canticle = opened({ trafficControl: true });
  const { updateId } = trade(canticle);
  const update = canticle.network.updateById(updateId)!;
  const [party] = update.kind === 'topology' ? [] : update.submission!.actAs;
  const filter = { identifierFilter: { WildcardFilter: { value: {} } } };
  const eventFormat = { filtersByParty: { [party!]: { cumulative: [filter] } } };
  const { json } = await canticle.handle({
    path: '/participants/market/v2/updates/update-by-id',
    body: {
      updateId,
      updateFormat: {
        includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat },
      },
    },
  });
  const answer = json() as { update: { Transaction: { value: { paidTrafficCost: string } } } };
  expect(Number(answer.update.Transaction.value.paidTrafficCost)).toBe(
    costReport(canticle.network, update)!.bytes,
  );
});

test('a record has the most expensive update of each kind, and survives a revert', () => {
  const canticle = opened();
  const record = new TrafficRecord({ test: () => 'trades' });
  record.watch(canticle.network);
  const start = canticle.snapshot();
  trade(canticle);
  const { costs } = record.report();
  expect(costs.map(({ what, test }) => [what, test])).toEqual([
    ['#trades:Trade:Deal Settle', 'trades'],
    ['create #trades:Trade:Asset', 'trades'],
    ['create #trades:Trade:Deal', 'trades'],
  ]);
  canticle.revert(start);
  expect(record.report().costs).toEqual(costs);
  record.add({ ...costs[0]!, bytes: costs[0]!.bytes - 1 });
  expect(record.report().costs).toEqual(costs);
  record.add({ ...costs[0]!, bytes: costs[0]!.bytes + 1 });
  expect(record.report().costs[0]!.bytes).toBe(costs[0]!.bytes + 1);
});

const COST: RecordedCost = {
  what: '#a:B:C Do',
  bytes: 1000,
  updates: 1,
  views: 2,
  informees: 3,
  participants: 2,
  inputs: 1,
};

test('a record has at most the named number of kinds', () => {
  expect(MAX_COSTS).toBe(100_000);
  const record = new TrafficRecord({ max: 2 });
  for (const what of ['a', 'b', 'c']) record.add({ ...COST, what });
  record.add({ ...COST, what: 'a', bytes: 2000 });
  expect(record.report().costs.map(({ what, bytes }) => [what, bytes])).toEqual([
    ['a', 2000],
    ['b', 1000],
  ]);
});

test('a snapshot has one line for each cost', () => {
  const flow = { ...COST, what: 'flow pay', updates: 2, views: 1 };
  expect(
    trafficSnapshot({ costs: [COST, flow] })
      .split('\n')
      .slice(3),
  ).toEqual([
    '#a:B:C Do: 1000 bytes, 2 views, 3 informees, 2 participants, 1 input',
    'flow pay: 1000 bytes, 2 updates, 1 view, 3 informees, 2 participants, 1 input',
    '',
  ]);
});

test('a snapshot contains all costs of a report', async () => {
  const count = fc.nat(20);
  const cost = fc.record({
    what: fc.stringMatching(/^#?[a-z][a-z: ]{0,8}[a-z]$/),
    bytes: fc.nat(100_000),
    updates: count,
    views: count,
    informees: count,
    participants: count,
    inputs: count,
  });
  await check(
    fc.property(fc.array(cost), (costs) => {
      const report = mergedTraffic({ costs: [] }, { costs });
      expect(parseTrafficSnapshot(trafficSnapshot(report))).toEqual(report.costs);
    }),
  );
});

test.each(['#a:B:C Do: many bytes', '#a:B:C Do', ': 5 bytes'])(
  'a snapshot with a wrong line is rejected: %j',
  (line) => {
    expect(() => parseTrafficSnapshot(`# title\n${line}\n`)).toThrow('line 2 is not a cost');
  },
);

test('costs within the tolerance do not differ', () => {
  const at = (bytes: number) => compareTraffic([COST], { costs: [{ ...COST, bytes }] }, 0.05);
  const none = { more: [], less: [], added: [], missing: [] };
  for (const bytes of [950, 1000, 1050]) expect(at(bytes)).toEqual(none);
  expect(at(1051).more).toMatchObject([{ before: 1000, after: 1051, causes: ['larger payloads'] }]);
  expect(at(949).less).toMatchObject([{ before: 1000, after: 949, causes: ['smaller payloads'] }]);
});

test('a change names its causes, its test and its share', () => {
  const after = { ...COST, bytes: 1500, views: 3, informees: 5, inputs: 0, test: 'pays' };
  const fresh = { ...COST, what: 'flow new' };
  const gone = { ...COST, what: 'flow old' };
  const report = { costs: [after, fresh] };
  const changes = compareTraffic([COST, gone], report, 0);
  expect(trafficChangesText(changes)).toMatchInlineSnapshot(`
"+ #a:B:C Do: 1000 to 1500 bytes (+50%): more views (2 to 3), more informees (3 to 5), fewer inputs (1 to 0)
    test  pays
new flow new: 1000 bytes, 2 views, 3 informees, 2 participants, 1 input
not run flow old: 1000 bytes, 2 views, 3 informees, 2 participants, 1 input
"
`);
  expect(trafficTable(report, changes)).toMatchInlineSnapshot(`
"| traffic of | before | bytes | change |
| --- | --- | --- | --- |
| \`#a:B:C Do\` | 1000 | 1500 | +50%: more views (2 to 3), more informees (3 to 5), fewer inputs (1 to 0) |
| \`flow new\` |  | 1000 | new |
| \`flow old\` | 1000 |  | not run |
"
`);
  const price = { traffic: 16, coin: 0.1 };
  expect(trafficTable(report, changes, price)).toMatchInlineSnapshot(`
"| traffic of | before | bytes | CC | change |
| --- | --- | --- | --- | --- |
| \`#a:B:C Do\` | 1000 | 1500 | 0.240000 | +50%: more views (2 to 3), more informees (3 to 5), fewer inputs (1 to 0) |
| \`flow new\` |  | 1000 | 0.160000 | new |
| \`flow old\` | 1000 |  |  | not run |
"
`);
  expect(coinsFor(1_000_000, price)).toBe('160.000000');
  const cheaper = compareTraffic([COST], { costs: [{ ...COST, bytes: 500 }] }, 0);
  expect(trafficChangesText(cheaper)).toBe(
    '- #a:B:C Do: 1000 to 500 bytes (-50%): smaller payloads\n',
  );
});
