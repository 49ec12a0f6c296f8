/** A package for tests of contract keys, written with the public DSL: one small template per behaviour. */
import { d, definePackage, defineTemplate, some, tuple2, type Type } from 'canticle';

export const key = (name: string) => `#key-tests:Keys:${name}`;

const textKey = tuple2(d.party, d.text);
type TextKey = { readonly _1: string; readonly _2: string };
const done = () => ({});

/** A key of a text and a party, which maintains it. */
const Account = defineTemplate({
  name: 'Keys:Account',
  fields: { owner: d.party, number: d.text, readers: d.list(d.party) },
  signatories: ({ owner }) => [owner],
  observers: ({ readers }) => readers,
  key: {
    type: textKey,
    of: ({ owner, number }) => ({ _1: owner, _2: number }),
    maintainers: ({ _1 }: TextKey) => [_1],
  },
  choices: (choice) => ({
    Close: choice({ result: d.unit, controllers: ({ owner }) => [owner], run: done }),
    /** The same again. */
    Renew: choice({
      result: d.contractId('Keys:Account'),
      controllers: ({ owner }) => [owner],
      run: (update, { payload, template }) => update.create(template, payload),
    }),
    /** Another account, archived at the end. */
    Flash: choice({
      consuming: false,
      argument: { number: d.text },
      result: d.unit,
      controllers: ({ owner }) => [owner],
      run: (update, { payload, template }, { number }) => {
        update.archive(template, update.create(template, { ...payload, number }));
        return {};
      },
    }),
  }),
});

const found = d.list(d.contractId(Account));

/** Looks up accounts for its owner, or for parties that the owner permits. */
const Clerk = defineTemplate({
  name: 'Keys:Clerk',
  fields: { owner: d.party, delegate: d.party },
  signatories: ({ owner }) => [owner],
  observers: ({ delegate }) => [delegate],
  choices: (choice) => ({
    Lookup: choice({
      consuming: false,
      argument: { key: textKey },
      result: d.optional(d.contractId(Account)),
      controllers: ({ delegate }) => [delegate],
      run: (update, _self, argument) => {
        const id = update.lookupByKey(Account, argument.key);
        return id === undefined ? null : some(id);
      },
    }),
    Query: choice({
      consuming: false,
      argument: { key: textKey, count: d.int64 },
      result: found,
      controllers: ({ delegate }) => [delegate],
      run: (update, _self, argument) =>
        update
          .queryByKey(Account, argument.key, Number(argument.count))
          .map(({ contractId }) => contractId),
    }),
    Fetch: choice({
      consuming: false,
      argument: { key: textKey },
      result: d.contractId(Account),
      controllers: ({ delegate }) => [delegate],
      run: (update, _self, argument) => update.fetchByKey(Account, argument.key).contractId,
    }),
    FetchById: choice({
      consuming: false,
      argument: { id: d.contractId(Account) },
      result: d.unit,
      controllers: ({ delegate }) => [delegate],
      run: (update, _self, { id }) => {
        update.fetch(Account, id);
        return {};
      },
    }),
    /** With the delegate as observer. */
    Show: choice({
      argument: { id: d.contractId(Account) },
      result: d.unit,
      controllers: ({ owner }) => [owner],
      run: (update, _self, { id }) => {
        update.fetch(Account, id);
        return {};
      },
    }),
    /** Whether the key finds the contract before its archival by id, and any contract after it. */
    CloseAndLookup: choice({
      consuming: false,
      argument: { id: d.contractId(Account), key: textKey },
      result: d.list(d.bool),
      controllers: ({ delegate }) => [delegate],
      run: (update, _self, { id, key: named }) => {
        const before = update.lookupByKey(Account, named) === id;
        update.exercise(Account, id, 'Close', {});
        return [before, update.lookupByKey(Account, named) !== undefined];
      },
    }),
    FetchAndRenew: choice({
      consuming: false,
      argument: { key: textKey },
      result: d.contractId(Account),
      controllers: ({ delegate }) => [delegate],
      run: (update, _self, argument) => {
        const { contractId, payload } = update.fetchByKey(Account, argument.key);
        update.exercise(Account, contractId, 'Close', {});
        return update.create(Account, payload);
      },
    }),
    /** The contract of the key before and after the archival of the newest by key. */
    CloseByKey: choice({
      consuming: false,
      argument: { key: textKey },
      result: d.list(found),
      controllers: ({ delegate }) => [delegate],
      run: (update, _self, argument) => {
        const all = () =>
          update.queryByKey(Account, argument.key, 10).map(({ contractId }) => contractId);
        const before = all();
        update.exerciseByKey(Account, argument.key, 'Close', {});
        return [before, all()];
      },
    }),
    /** Creates one, and finds it by its key. */
    FindOwn: choice({
      consuming: false,
      argument: { number: d.text },
      result: d.list(d.bool),
      controllers: ({ delegate }) => [delegate],
      run: (update, { payload: { owner } }, { number }) => {
        const id = update.create(Account, { owner, number, readers: [] });
        const at = { _1: owner, _2: number };
        const same = [update.lookupByKey(Account, at), update.fetchByKey(Account, at).contractId];
        update.archive(Account, id);
        return [...same.map((each) => each === id), update.lookupByKey(Account, at) === undefined];
      },
    }),
  }),
});

/** Its key is the owner. Each party that sees it may exercise it. */
const Badge = defineTemplate({
  name: 'Keys:Badge',
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
  key: { type: d.party, of: ({ owner }) => owner, maintainers: (owner) => [owner] },
  choices: (choice) => ({
    Touch: choice({
      consuming: false,
      argument: { by: d.party },
      result: d.unit,
      controllers: (_badge, { by }) => [by],
      run: done,
    }),
  }),
});

/** Another party may create the issuer's badge. */
const BadgeMaker = defineTemplate({
  name: 'Keys:BadgeMaker',
  fields: { issuer: d.party, maker: d.party },
  signatories: ({ issuer }) => [issuer],
  observers: ({ maker }) => [maker],
  choices: (choice) => ({
    Make: choice({
      consuming: false,
      result: d.contractId(Badge),
      controllers: ({ maker }) => [maker],
      run: (update, { payload: { issuer } }) => update.create(Badge, { owner: issuer }),
    }),
  }),
});

/** Several signatories maintain a key, which is the whole payload. */
const joint = { parties: d.list(d.party), name: d.text };
const JointKey = d.record('Keys:JointKey', joint);
const Joint = defineTemplate({
  name: 'Keys:Joint',
  fields: joint,
  signatories: ({ parties }) => parties,
  key: { type: JointKey, of: (payload) => payload, maintainers: ({ parties }) => parties },
  choices: (choice) => {
    const argument = { key: JointKey, actors: d.list(d.party) };
    return {
      FetchOther: choice({
        consuming: false,
        argument,
        result: d.unit,
        controllers: (_joint, { actors }) => actors,
        run: (update, { template }, { key: other }) => {
          update.fetchByKey(template, other as never);
          return {};
        },
      }),
      LookupOther: choice({
        consuming: false,
        argument: { ...argument, expected: d.optional(d.contractId('Keys:Joint')) },
        result: d.unit,
        controllers: (_joint, { actors }) => actors,
        run: (update, { template }, { key: other, expected }) => {
          const id = update.lookupByKey(template, other as never);
          update.assert(id === expected?.value, 'what was found is what was expected');
          return {};
        },
      }),
    };
  },
});

/** The owner is not the issuer, which maintains the key. */
const Asset = defineTemplate({
  name: 'Keys:Asset',
  fields: { issuer: d.party, owner: d.party },
  signatories: ({ issuer }) => [issuer],
  observers: ({ owner }) => [owner],
  key: { type: d.party, of: ({ issuer }) => issuer, maintainers: (issuer) => [issuer] },
  choices: (choice) => ({
    Give: choice({
      argument: { to: d.party },
      result: d.contractId('Keys:Asset'),
      controllers: ({ owner }) => [owner],
      run: (update, { payload, template }, { to }) =>
        update.create(template, { ...payload, owner: to }),
    }),
  }),
});

const Proposal = defineTemplate({
  name: 'Keys:Proposal',
  fields: { from: d.party, to: d.party },
  signatories: ({ from }) => [from],
  observers: ({ to }) => [to],
  choices: (choice) => ({
    Accept: choice({
      argument: { asset: d.contractId(Asset) },
      result: d.contractId(Asset),
      controllers: ({ to }) => [to],
      run: (update, { payload: { from } }, { asset }) => {
        update.fetch(Asset, asset);
        return update.exercise(Asset, asset, 'Give', { to: from });
      },
    }),
  }),
});

/** Points to a plain contract; a contract with a key whose payload has a contract id. */
const Plain = defineTemplate({
  name: 'Keys:Plain',
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
});
const Pointer = defineTemplate({
  name: 'Keys:Pointer',
  fields: { owner: d.party, to: d.contractId(Plain) },
  signatories: ({ owner }) => [owner],
  key: { type: d.party, of: ({ owner }) => owner, maintainers: (owner) => [owner] },
  choices: (choice) => ({
    Change: choice({
      argument: { to: d.contractId(Plain) },
      result: d.contractId('Keys:Pointer'),
      controllers: ({ owner }) => [owner],
      run: (update, { payload, template }, { to }) => update.create(template, { ...payload, to }),
    }),
  }),
});

/** A natural number whose nesting depth is its value. */
const Natural: Type<unknown> = d.variant('Keys:Natural', {
  Zero: d.unit,
  Successor: d.lazy<unknown>(() => Natural),
});
const natural = (size: number): unknown => {
  let number: unknown = { tag: 'Zero', value: {} };
  for (let count = 0; count < size; count++) number = { tag: 'Successor', value: number };
  return number;
};
const deepKey = tuple2(d.party, Natural);
const Deep = defineTemplate({
  name: 'Keys:Deep',
  fields: { owner: d.party, size: d.int64 },
  signatories: ({ owner }) => [owner],
  key: {
    type: deepKey,
    of: ({ owner, size }) => ({ _1: owner, _2: natural(Number(size)) }),
    maintainers: ({ _1 }: { _1: string }) => [_1],
  },
});
/** Creates and finds deep keys. */
const Digger = defineTemplate({
  name: 'Keys:Digger',
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
  choices: (choice) => {
    const common = {
      consuming: false,
      argument: { size: d.int64 },
      result: d.bool,
      controllers: ({ owner }: { owner: string }) => [owner],
    } as const;
    const at = (owner: string, size: bigint) => ({ _1: owner, _2: natural(Number(size)) });
    return {
      MakeDeep: choice({
        ...common,
        run: (update, { payload: { owner } }, { size }) =>
          update.create(Deep, { owner, size }) !== '',
      }),
      FetchDeep: choice({
        ...common,
        run: (update, { payload: { owner } }, { size }) =>
          update.fetchByKey(Deep, at(owner, size)).contractId !== '',
      }),
      LookupDeep: choice({
        ...common,
        run: (update, { payload: { owner } }, { size }) =>
          update.lookupByKey(Deep, at(owner, size)) !== undefined,
      }),
    };
  },
});

/** Templates with invalid keys. */
const Foreign = defineTemplate({
  name: 'Keys:Foreign',
  fields: { owner: d.party, other: d.party },
  signatories: ({ owner }) => [owner],
  key: { type: d.party, of: ({ other }) => other, maintainers: (other) => [other] },
});
const Unmaintained = defineTemplate({
  name: 'Keys:Unmaintained',
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
  key: { type: d.text, of: () => 'nobody', maintainers: () => [] },
});

export const keysPackage = definePackage({
  name: 'key-tests',
  version: '1.0.0',
  templates: [
    Account,
    Clerk,
    Badge,
    BadgeMaker,
    Joint,
    Asset,
    Proposal,
    Plain,
    Pointer,
    Deep,
    Digger,
    Foreign,
    Unmaintained,
  ],
});
