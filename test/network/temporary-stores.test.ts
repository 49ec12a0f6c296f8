/** How many temporary topology stores a participant keeps. */
import { Journal } from '../../src/network/journal/journal.js';
import { TemporaryStores } from '../../src/network/topology/temporary-stores.js';

it('allows up to a thousand stores at once', () => {
  const stores = new TemporaryStores(new Journal());
  for (let i = 0; i < 1000; i += 1) stores.create(`store-${i}`);
  expect(stores.names()).toHaveLength(1000);
  const tooMany = expect.objectContaining({
    code: 'TOPOLOGY_TOO_MANY_PENDING_TOPOLOGY_TRANSACTIONS',
  });
  expect(() => stores.create('one-more')).toThrow(tooMany);
  stores.drop('store-7');
  stores.create('one-more');
  expect(stores.names()).toHaveLength(1000);
});
