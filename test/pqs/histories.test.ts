/** SQL over generated histories, compared with a fold of the update stream at every offset. */
import type { Canticle } from 'canticle';
import fc from 'fast-check';
import { check } from '../support/property.js';
import { foldOf, inOrder, type Fold } from './fold.js';
import { rowsOf, sqlLedger, templates } from './sql-ledger.js';

const { Item } = templates;

/** The steps of a history: the numbers choose contracts and prices. */
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('create'), price: fc.nat(50), note: fc.option(fc.string()) }),
    fc.record({
      kind: fc.constantFrom('buy', 'reprice', 'try', 'look', 'archive'),
      which: fc.nat(9),
      price: fc.nat(50),
    }),
    // Rows are written now, and a later step continues.
    fc.record({ kind: fc.constantFrom('read', 'refuse') }),
    fc.record({ kind: fc.constantFrom('snapshot', 'revert') }),
  ),
  { minLength: 1, maxLength: 12 },
);
type Step = { kind: string; price?: number; note?: string | null; which?: number };

describe.each([
  ['TransactionTreeStream', 'TRANSACTION_SHAPE_LEDGER_EFFECTS', '3.6'],
  ['TransactionStream', 'TRANSACTION_SHAPE_ACS_DELTA', '3.5'],
] as const)('with %s', (datasource, shape, version) => {
  let canticle: Canticle;
  let [alice, bob, start] = ['', '', ''];
  beforeAll(async () => {
    canticle = sqlLedger({ pqs: { datasource, version } });
    const { participant } = canticle;
    alice = participant.allocateParty('alice');
    bob = participant.allocateParty('bob');
    start = canticle.snapshot();
    await canticle.pqs.query('select 1');
  });
  afterAll(() => canticle.close());

  async function run(history: readonly Step[]): Promise<void> {
    const { participant } = canticle;
    const snapshots = [start];
    const price = (amount = 0) => `${amount + 1}.25`;
    for (const { kind, which = 0, note = null, ...step } of history) {
      const items = participant.activeContracts(Item);
      const item = items[which % Math.max(items.length, 1)]?.contractId;
      if (kind === 'create') {
        const payload = {
          seller: alice,
          buyers: [bob],
          price: price(step.price),
          count: '7',
          note,
        };
        participant.create(Item, payload, { actAs: alice });
      } else if (kind === 'read') await canticle.pqs.query('select 1');
      else if (kind === 'snapshot') snapshots.push(canticle.snapshot());
      else if (kind === 'revert') canticle.revert(snapshots.at(-1)!);
      else if (kind === 'refuse')
        expect(() =>
          participant.create(
            Item,
            { seller: alice, buyers: [], price: '1', count: '1', note: null },
            { actAs: bob },
          ),
        ).toThrow();
      else if (item === undefined) continue;
      else if (kind === 'buy') participant.exercise(item, Item.Buy, { buyer: bob }, { actAs: bob });
      else if (kind === 'reprice')
        participant.exercise(item, Item.Reprice, { price: price(step.price) }, { actAs: alice });
      else if (kind === 'try') participant.exercise(item, Item.Try, {}, { actAs: alice });
      else if (kind === 'look')
        participant.exercise(
          '#shop:Shop.Offers:Offer',
          item,
          'Look',
          { reader: bob },
          { actAs: alice },
        );
      else participant.archive(Item, item, { actAs: alice });
    }
  }

  /** A function at each offset: rows as JSON, by offset. */
  const at = (call: string) =>
    rowsOf<{ o: number; row: Record<string, unknown> }>(
      canticle,
      `select o.o, to_jsonb(f) as row from unnest($1::bigint[]) o(o), lateral ${call} f`,
      offsets,
    );
  let offsets: readonly number[] = [];

  const counted = (rows: readonly Record<string, unknown>[], names: readonly string[]) => {
    const counts = new Map<string, { row: Record<string, unknown>; count: number }>();
    for (const each of rows) {
      const row = Object.fromEntries(names.map((name) => [name, each[name]]));
      const key = JSON.stringify(row);
      counts.set(key, { row, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    return [...counts.values()].map(({ row, count }) => ({ ...row, count }));
  };
  const TYPE = ['template_fqn', 'payload_type'];

  async function compare(fold: Fold): Promise<void> {
    const { contracts, exercises } = fold;
    const last = fold.offsets.at(-1)!;
    offsets = last === 0 ? [] : fold.offsets;
    const expectAt = async (
      call: string,
      expected: (o: number) => readonly Record<string, unknown>[],
    ) => {
      const rows = await at(call);
      for (const o of offsets) {
        const found = inOrder(rows.filter((each) => each.o === o).map(({ row }) => row));
        const wanted = inOrder(expected(o));
        if (JSON.stringify(found) !== JSON.stringify(wanted))
          expect([call, o, found]).toEqual([call, o, wanted]);
      }
    };
    const isActive = (o: number) => (c: Fold['contracts'][number]) =>
      c.created <= o &&
      !(c.archived !== undefined && c.archived <= o) &&
      c['divulged_only'] === false;
    const isItem = (c: Record<string, unknown>) => c['template_fqn'] === 'shop:Shop:Item';
    await expectAt('active(null, o.o)', (o) => contracts.filter(isActive(o)));
    await expectAt(`active(qname := 'Item', "offset" := o.o)`, (o) =>
      contracts.filter(isActive(o)).filter(isItem),
    );
    await expectAt('creates(null, o.o)', (o) => contracts.filter((c) => c.created >= o));
    await expectAt(`creates('Shop:Item', to_offset := o.o)`, (o) =>
      contracts.filter((c) => c.created <= o && isItem(c)),
    );
    const archived = (from: number, to: number) =>
      contracts
        .filter((c) => c.archived !== undefined && c.archived >= from && c.archived <= to)
        .map((c) => ({ ...c, witnesses: [] }));
    await expectAt('archives(null, o.o)', (o) => archived(o, last));
    await expectAt(`archives(to_offset := o.o)`, (o) => archived(0, o));
    await expectAt('exercises(null, o.o)', (o) => exercises.filter((e) => e['at'] >= o));
    await expectAt(`exercises('Offer:Look', 0, o.o)`, (o) =>
      exercises.filter((e) => e['at'] <= o && e['choice'] === 'Look'),
    );
    await expectAt('summary_active(o.o)', (o) => counted(contracts.filter(isActive(o)), TYPE));
    await expectAt('summary_creates(o.o)', (o) =>
      counted(
        contracts.filter((c) => c.created >= o),
        TYPE,
      ),
    );
    await expectAt('summary_archives(o.o)', (o) => counted(archived(o, last), TYPE));
    await expectAt('summary_exercises(o.o)', (o) =>
      counted(
        exercises.filter((e) => e['at'] >= o),
        ['template_fqn', 'choice_fqn', 'choice', 'consuming'],
      ),
    );
    await expectAt('summary_transients(o.o)', (o) =>
      counted(
        contracts.filter(
          (c) =>
            // A range that is empty is part of every range.
            c['divulged_only'] === false &&
            c.created >= o &&
            c.archived !== undefined &&
            c.archived <= last,
        ),
        TYPE,
      ),
    );
    await expectAt('summary_updates(o.o)', (o) => {
      const names = [
        ...new Set(contracts.map((c) => JSON.stringify([c['template_fqn'], c['payload_type']]))),
      ];
      return names
        .map((name) => {
          const [template_fqn, payload_type] = JSON.parse(name) as [string, string];
          const own = contracts.filter((c) => c['template_fqn'] === template_fqn);
          const creates = own.filter((c) => c.created >= o).length;
          const archives = own.filter((c) => c.archived !== undefined && c.archived >= o).length;
          return { template_fqn, payload_type, creates, archives };
        })
        .filter(({ creates, archives }) => creates + archives > 0);
    });
    const found = await rowsOf<{ row: Record<string, unknown> }>(
      canticle,
      'select to_jsonb(t) as row from transactions t',
    );
    const wanted = last === 0 ? [] : fold.transactions;
    const blank = {
      transaction_id: null,
      effective_at: null,
      workflow_id: null,
      trace_context: null,
    };
    const rest = { external_transaction_hash: null, paid_traffic_cost: null };
    expect(inOrder(found.map(({ row }) => row))).toEqual(
      inOrder(wanted.map((each) => ({ ...blank, ...rest, ...each }))),
    );
    const ids = [...new Set(contracts.map((c) => c['contract_id'] as string))];
    const looked = await rowsOf<{ row: Record<string, unknown> }>(
      canticle,
      'select to_jsonb(f) as row from unnest($1::text[]) i(i), lateral lookup_contract(i.i) f',
      ids,
    );
    expect(inOrder(looked.map(({ row }) => row))).toEqual(inOrder(contracts));
    const exercised = await rowsOf<{ row: Record<string, unknown> }>(
      canticle,
      'select to_jsonb(f) as row from unnest($1::text[]) i(i), lateral lookup_exercises(i.i) f',
      ids,
    );
    expect(inOrder(exercised.map(({ row }) => row))).toEqual(
      inOrder(exercises.filter((e) => ids.includes(e['contract_id']))),
    );
  }

  test('every function shows what the update stream says, at every offset', async () => {
    await check(
      fc.asyncProperty(steps, async (history) => {
        canticle.revert(start);
        await run(history);
        await compare(await foldOf(canticle, shape, version));
      }),
      { numRuns: 12 },
    );
  });
});
