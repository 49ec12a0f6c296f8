/** Ledgers with SQL for the tests of this folder. */
import {
  createCanticle,
  d,
  defineInterface,
  definePackage,
  defineTemplate,
  some,
  type Canticle,
  type CanticleOptions,
} from 'canticle';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** An offer, and its seller. */
const Offer = defineInterface({
  name: 'Shop.Offers:Offer',
  view: d.record('Shop.Offers:OfferView', {
    seller: d.party,
    price: d.numeric(10),
    note: d.optional(d.text),
  }),
  choices: (choice) => ({
    Look: choice({
      consuming: false,
      argument: { reader: d.party },
      result: d.optional(d.text),
      controllers: ({ seller }) => [seller],
      run: (_, { view }) => view.note,
    }),
  }),
});

/** A contract with an interface, optional fields and lists. */
const Item = defineTemplate({
  name: 'Shop:Item',
  fields: {
    seller: d.party,
    buyers: d.list(d.party),
    price: d.numeric(10),
    count: d.int64,
    note: d.optional(d.text),
  },
  signatories: ({ seller }) => [seller],
  observers: ({ buyers }) => buyers,
  implements: (implement) => [
    implement(Offer, { view: ({ seller, price, note }) => ({ seller, price, note }) }),
  ],
  choices: (choice) => ({
    Buy: choice({
      argument: { buyer: d.party },
      result: d.contractId('Shop:Receipt'),
      controllers: (_, { buyer }) => [buyer],
      run: (update, { payload: { seller, price } }, { buyer }) =>
        update.create(Receipt, { seller, buyer, price }),
    }),
    Reprice: choice({
      argument: { price: d.numeric(10) },
      result: d.contractId('Shop:Item'),
      controllers: ({ seller }) => [seller],
      run: (update, { payload, template }, { price }) =>
        update.create(template, { ...payload, price }),
    }),
    /** Creates an item and archives it. */
    Try: choice({
      consuming: false,
      result: d.unit,
      controllers: ({ seller }) => [seller],
      run: (update, { payload, template }) => {
        update.archive(template, update.create(template, { ...payload, note: some('tried') }));
        return {};
      },
    }),
  }),
});

const Receipt = defineTemplate({
  name: 'Shop:Receipt',
  fields: { seller: d.party, buyer: d.party, price: d.numeric(10) },
  signatories: ({ seller }) => [seller],
  observers: ({ buyer }) => [buyer],
});

export const shop = definePackage({
  name: 'shop',
  version: '1.2.0',
  interfaces: [Offer],
  templates: [Item, Receipt],
});
export const templates = { Item, Receipt };

/** Prepared data folders, for all suites and runs: the first takes seconds. */
export const cache = join(tmpdir(), `canticle-sql-${userInfo().uid}`);

export const sqlLedger = (options: CanticleOptions = {}): Canticle =>
  createCanticle({ bare: true, packages: [shop], pqs: true, cache, ...options });

/** The rows of a statement. */
export async function rowsOf<Row = Record<string, unknown>>(
  { pqs }: Canticle,
  sql: string,
  ...params: unknown[]
): Promise<Row[]> {
  return (await pqs.query(sql, params)).rows as unknown as Row[];
}
