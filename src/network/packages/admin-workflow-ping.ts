/**
 * `canton-builtin-admin-workflow-ping`, which every participant contains and vets on each synchronizer (B-PKG-015).
 * Clients use it to ping themselves as a health check. A DAR with the real package replaces it.
 * NOTE: it answers pings of the admin API only. A real participant's admin party also answers other contracts of the
 * package. An invalid proposal gets the error text of TypeScript templates.
 */
import { d, definePackage, defineTemplate, tuple2 } from '../../daml/define/index.js';
import { eitherOf } from '../../daml/define/stable-packages.js';
import type { DamlPackage } from '../../daml/model/package.js';
import { DamlVariant } from '../../daml/model/values.js';

const PING = 'Canton.Internal.Ping';
const BONG = 'Canton.Internal.Bong';

/** Choices of contracts that any observer may end. */
const abort = {
  argument: { anyone: d.party },
  result: d.unit,
  controllers: (_: unknown, { anyone }: { anyone: string }) => [anyone],
  run: () => ({}),
} as const;

const Ping = defineTemplate({
  name: `${PING}:Ping`,
  fields: { id: d.text, initiator: d.party, responder: d.party },
  signatories: ({ initiator }) => [initiator],
  observers: ({ responder }) => [responder],
  choices: (choice) => ({
    Respond: choice({
      result: d.unit,
      controllers: ({ responder }) => [responder],
      run: () => ({}),
    }),
    AbortPing: choice(abort),
  }),
});

/** The common members of a bong's contracts: a tree of contracts that expands, and collapses into one again. */
const shared = {
  id: d.text,
  initiator: d.party,
  validators: d.list(d.party),
  responders: d.list(d.party),
} as const;

const signed = {
  signatories: (of: { initiator: string; validators: readonly string[] }) => [
    of.initiator,
    ...of.validators,
  ],
  observers: ({ responders }: { responders: readonly string[] }) => responders,
};

const Bong = defineTemplate({
  name: `${BONG}:Bong`,
  fields: {
    id: d.text,
    initiator: d.party,
    validators: d.list(d.party),
    responder: d.party,
    observers: d.list(d.party),
    timeout: d.timestamp,
  },
  signatories: ({ initiator, responder }) => [initiator, responder],
  observers: ({ observers, validators }) => [...observers, ...validators],
  choices: (choice) => ({
    Ack: choice({
      result: d.unit,
      controllers: ({ initiator }) => [initiator],
      run: () => ({}),
    }),
    AbortBong: choice(abort),
  }),
});

const Collapse = defineTemplate({
  name: `${BONG}:Collapse`,
  fields: { ...shared, path: d.text, timeout: d.timestamp },
  ...signed,
  choices: (choice) => ({
    ProcessCollapse: choice({
      argument: { winner: d.party },
      result: d.unit,
      controllers: (_, { winner }) => [winner],
      run: () => ({}),
    }),
    AbortCollapse: choice(abort),
  }),
});

const Merge = defineTemplate({
  name: `${BONG}:Merge`,
  fields: { ...shared, path: d.text, timeout: d.timestamp },
  ...signed,
  choices: (choice) => ({
    ProcessMerge: choice({
      argument: {
        winner: d.party,
        leftId: d.contractId(Collapse),
        rightId: d.contractId(Collapse),
      },
      result: eitherOf(d.contractId(Bong), d.contractId(Collapse)),
      controllers: (_, { winner }) => [winner],
      run: (update, { payload }, { winner, leftId, rightId }) => {
        const { path, id, initiator, validators, responders, timeout } = payload;
        for (const half of [leftId, rightId]) {
          const found = update.fetch(Collapse, half).payload;
          update.assert(found.path === path && found.id === id, FAILED);
        }
        for (const half of [leftId, rightId])
          update.exercise(Collapse, half, 'ProcessCollapse', { winner });
        if (path !== '') {
          const shorter = [...path].slice(0, -1).join('');
          return new DamlVariant('Right', update.create(Collapse, { ...payload, path: shorter }));
        }
        const bong = { id, initiator, validators, responder: winner, observers: responders };
        return new DamlVariant('Left', update.create(Bong, { ...bong, timeout }));
      },
    }),
    AbortMerge: choice(abort),
  }),
});

const EXPLODE = `${BONG}:Explode`;
const explode = d.contractId(EXPLODE);
const collapse = d.contractId(Collapse);

const Explode = defineTemplate({
  name: EXPLODE,
  fields: { ...shared, path: d.text, maxLevel: d.int64, timeout: d.timestamp },
  ...signed,
  choices: (choice) => ({
    ProcessExplode: choice({
      argument: { winner: d.party },
      result: tuple2(
        d.contractId(Merge),
        eitherOf(tuple2(explode, explode), tuple2(collapse, collapse)),
      ),
      controllers: (_, { winner }) => [winner],
      run: (update, { payload, template }) => {
        const { maxLevel: _, ...rest } = payload;
        const merge = update.create(Merge, rest);
        const [_1, _2] = ['L', 'R'].map((side) =>
          isLast(payload)
            ? update.create(Collapse, rest)
            : update.create(template, { ...payload, path: payload.path + side }),
        ) as [string, string];
        return { _1: merge, _2: new DamlVariant(isLast(payload) ? 'Right' : 'Left', { _1, _2 }) };
      },
    }),
    AbortExplode: choice(abort),
  }),
});

const isLast = ({ path, maxLevel }: { path: string; maxLevel: bigint }): boolean =>
  BigInt([...path].length) + 1n >= maxLevel;

const PROPOSAL = `${BONG}:BongProposal`;

const BongProposal = defineTemplate({
  name: PROPOSAL,
  fields: {
    id: d.text,
    initiator: d.party,
    candidates: d.list(d.party),
    validators: d.list(d.party),
    responders: d.list(d.party),
    maxLevel: d.int64,
    timeout: d.timestamp,
  },
  signatories: signed.signatories,
  observers: ({ candidates, responders }) => [...candidates, ...responders],
  ensure: ({ candidates, validators }) =>
    [candidates, validators].every((each) => new Set(each).size === each.length) &&
    candidates.length > 0,
  choices: (choice) => ({
    Accept: choice({
      argument: { validator: d.party },
      result: eitherOf(d.contractId(PROPOSAL), explode),
      controllers: (_, { validator }) => [validator],
      run: (update, { payload, template }, { validator }) => {
        update.assert(payload.candidates.includes(validator), FAILED);
        const candidates = payload.candidates.filter((each) => each !== validator);
        const validators = [validator, ...payload.validators];
        if (candidates.length > 0) {
          const next = update.create(template, { ...payload, candidates, validators });
          return new DamlVariant('Left', next);
        }
        const { candidates: _, ...rest } = payload;
        return new DamlVariant('Right', update.create(Explode, { ...rest, validators, path: '' }));
      },
    }),
    AbortBongProposal: choice(abort),
  }),
});

const FAILED = 'Assertion failed';

export const PING_PACKAGE: DamlPackage = definePackage({
  name: 'canton-builtin-admin-workflow-ping',
  version: '3.4.0',
  id: 'de2cc2f90eb523414ff54e899951dadd8789a4c07e0f71f6d6c9eaf57d412a54',
  templates: [Ping, BongProposal, Bong, Explode, Merge, Collapse],
});
