/** Queries over a small ledger: what the first readers of SQL look at. */
import type { Canticle } from 'canticle';
import { rowsOf, sqlLedger, templates } from './sql-ledger.js';

const { Item } = templates;
let canticle: Canticle;
let [alice, bob] = ['', ''];
beforeAll(() => {
  canticle = sqlLedger({ pqs: { datasource: 'TransactionTreeStream' } });
  const { participant } = canticle;
  alice = participant.allocateParty('alice');
  bob = participant.allocateParty('bob');
});
afterAll(() => canticle.close());

const item = (price: string) => ({ seller: alice, buyers: [bob], price, count: '3', note: null });

test('a contract is in active() as soon as its command is answered', async () => {
  const id = canticle.participant.create(Item, item('5.0'), { actAs: alice });
  const rows = await rowsOf(
    canticle,
    'select contract_id, payload, template_fqn from active($1)',
    'Shop:Item',
  );
  expect(rows).toEqual([
    {
      contract_id: id,
      template_fqn: 'shop:Shop:Item',
      payload: { seller: alice, buyers: [bob], price: '5.0000000000', count: '3', note: null },
    },
  ]);
});
