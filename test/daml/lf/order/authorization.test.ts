/**
 * Refusals for missing authority, for contracts of the ledger and of the same transaction (upstream AuthorizationTest and
 * AuthorizationSpec), and the effect of choice authorizers (ChoiceAuthorityTest). The contract is Bob's; Alice acts alone.
 */
import { createCanticle } from 'canticle';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e, u, type BindingCode, type Code } from '../../../support/daml/lf-code.js';
import { encodePackage } from '../../../support/daml/lf-encoder.js';
import { answer } from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';
import {
  arg,
  as,
  BOB,
  choiceArgument,
  createItem,
  human,
  HUMAN,
  ITEM,
  ITEM_ID,
  key,
  lookAtAlien,
  lookAtStranger,
  makeAlien,
  makeStranger,
  NESTED,
  orderOf,
  PERSON,
  says,
  type Row,
} from './model.js';

const TYPES = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types';
const PAIR = t.con(`${TYPES}:Tuple2`, ITEM_ID, ITEM);
const bobs = key({ maintainers: e.list(t.party, [BOB]) });
const use = choiceArgument();

const BEFORE: Readonly<Record<string, BindingCode>> = {
  global: [undefined, t.unit, u.pure(t.unit, e.unit)],
  cached: [undefined, ITEM, lookAtAlien],
  local: ['id', ITEM_ID, makeAlien],
};
const ways = (id: Code): Readonly<Record<string, readonly [LfTypeSpec, Code, string]>> => ({
  fetch: [ITEM, u.fetch('Main:Item', id), ''],
  exercise: [NESTED, u.exercise('Main:Item', 'Use', id, use), 'controllers, choice observers'],
  fetchByKey: [PAIR, e.call(u.fetchByKey('Main:Item'), bobs), 'maintainers'],
  exerciseByKey: [
    NESTED,
    u.exerciseByKey('Main:Item', 'Use', bobs, use),
    'maintainers, controllers, choice observers',
  ],
  queryByKey: [
    t.optional(t.list(PAIR)),
    e.call(u.queryNByKey('Main:Item'), e.int(3), bobs),
    'maintainers',
  ],
});

const nap = (id: Code, guard?: Code) =>
  u.exerciseInterface('Main:Person', 'Nap', as(HUMAN, PERSON, id), e.int(42), guard);
const guard = e.lambda({ person: PERSON }, says(t.bool, 'guard', e.true));
const interfaceWays: Readonly<Record<string, readonly [(id: Code) => Code, string]>> = {
  exerciseByInterface: [(id) => nap(id), 'controllers, choice observers'],
  exerciseByInterfaceWithGuard: [(id) => nap(id, guard), 'guard, controllers, choice observers'],
};
const BY_INTERFACE: Readonly<Record<string, readonly [BindingCode, Code]>> = {
  global: [[undefined, t.unit, u.pure(t.unit, e.unit)], arg('stranger')],
  cached: [[undefined, HUMAN, lookAtStranger], arg('stranger')],
  local: [['id', t.contractId(HUMAN), makeStranger], e.var('id')],
};

const cases = Object.entries(BEFORE).flatMap(([where, before]) =>
  Object.entries(ways(where === 'local' ? e.var('id') : arg('alien'))).map(
    ([way, [type, update, log]]): [string, string, Row, string] => [
      way,
      where,
      { type, update, before: [before] },
      log,
    ],
  ),
);
const outcomeOf = orderOf(
  {
    create: { type: ITEM_ID, update: createItem({ signatory: BOB }) },
    ...Object.fromEntries(cases.map(([way, where, row]) => [`${way}${where}`, row])),
  },
  { lf: '3', withKeys: true },
);

/** A key of his without any contract. */
const nobody = key({ maintainers: e.list(t.party, [BOB]), depth: 1 });
const others = orderOf(
  {
    createByInterface: {
      type: t.contractId(PERSON),
      update: u.createInterface(
        'Main:Person',
        e.toInterface('Main:Person', 'Main:Human', human({ signatory: BOB })),
      ),
    },
    queryOfNothing: {
      type: t.optional(t.list(PAIR)),
      update: e.call(u.queryNByKey('Main:Item'), e.int(5), nobody),
    },
    ...Object.fromEntries(
      Object.entries(BY_INTERFACE).flatMap(([where, [before, id]]) =>
        Object.entries(interfaceWays).map(([way, [update]]): [string, Row] => [
          `${way}${where}`,
          { type: t.int64, update: update(id), before: [before] },
        ]),
      ),
    ),
  },
  { lf: 'dev', withKeys: true },
);

test('create', () => {
  expect(outcomeOf('create').end).toBe('DAML_AUTHORIZATION_ERROR');
});

test.each(['createByInterface', 'queryOfNothing'])('%s', (name) => {
  expect(others(name).end).toBe('DAML_AUTHORIZATION_ERROR');
});

describe.each(Object.entries(interfaceWays))('%s', (way, [, log]) => {
  test.each(Object.keys(BY_INTERFACE))('of a %s contract', (where) => {
    expect(others(`${way}${where}`)).toEqual({ end: 'DAML_AUTHORIZATION_ERROR', log });
  });
});

test.each(cases)('%s of a %s contract', (way, where, _row, log) => {
  expect(outcomeOf(`${way}${where}`)).toEqual({ end: 'DAML_AUTHORIZATION_ERROR', log });
});

describe('a choice with authorizers runs its body with their authority', () => {
  const PACT = t.con('Main:Pact');
  const GOAL = t.con('Main:Goal');
  const field = (name: string) => e.field(PACT, name, e.var('this'));
  const parties = (...items: Code[]) => e.list(t.party, items);
  const main = encodePackage({
    lf: 'dev',
    modules: {
      Main: {
        templates: {
          Goal: {
            fields: { owner: t.party },
            precondition: e.true,
            signatories: parties(e.field(GOAL, 'owner', e.var('this'))),
          },
          Pact: {
            fields: {
              signer: t.party,
              controller: t.party,
              authorizers: t.list(t.party),
              goal: t.party,
            },
            precondition: e.true,
            signatories: parties(field('signer')),
            choices: {
              Reach: {
                argument: t.unit,
                returns: t.contractId(GOAL),
                controllers: parties(field('controller')),
                authorizers: field('authorizers'),
                update: u.create('Main:Goal', e.record(GOAL, { owner: field('goal') })),
              },
            },
          },
        },
      },
    },
  });
  const { participant } = createCanticle({ seed: 1, alphaVersionSupport: true });
  participant.uploadDar(buildDar(main));
  const [a, b, c] = ['a', 'b', 'c'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
    string,
  ];
  const reach = (authorizers: readonly string[], goal: string) => {
    const pact = { signer: a, controller: b, authorizers, goal };
    const id = participant.create(`${main.id}:Main:Pact`, pact, { actAs: [a] });
    return answer(() =>
      participant.exercise(`${main.id}:Main:Pact`, id, 'Reach', {}, { actAs: [a, b] }),
    );
  };

  test.each([
    ['A, where A is required', [a], a],
    ['B, where B is required', [b], b],
    ['A and B, where A is required', [a, b], a],
    ['A and B, where B is required', [a, b], b],
  ])('%s', (_name, authorizers, goal) => {
    expect(reach(authorizers, goal)).not.toHaveProperty('refused');
  });

  const requires = (node: number, template: string, required: string[], given: string[]) =>
    `node NodeId(${node}) (${main.id}:Main:${template}) requires authorizers ${required.join(',')}, ` +
    `but only ${given.join(',')} were given`;

  test.each([
    ['nobody', [], a, `node NodeId(0) (${main.id}:Main:Pact) has no authorizers`],
    ['A, where B is required', [a], b, requires(1, 'Goal', [b], [a])],
    ['B, where A is required', [b], a, requires(1, 'Goal', [a], [b])],
    ['A and B, where C is required', [a, b], c, requires(1, 'Goal', [c], [a, b])],
    ['C, without the authority of C', [c], a, requires(0, 'Pact', [b, c], [a, b])],
  ])('rejected: %s', (_name, authorizers, goal, cause) => {
    expect(reach(authorizers, goal)).toMatchObject({
      refused: 'DAML_AUTHORIZATION_ERROR',
      cause: expect.stringContaining(cause),
    });
  });
});
