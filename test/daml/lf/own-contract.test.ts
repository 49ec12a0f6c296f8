/**
 * A consuming choice archives its contract before its body runs. Every use of the contract in the body fails because it is not
 * active, and no handler catches that. A nonconsuming choice keeps the contract, until its body archives it.
 */
import { createCanticle } from 'canticle';
import { e, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage, type ChoiceSpec } from '../../support/daml/lf-encoder.js';
import { answer, uncheckedPackage } from '../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';

const TUPLE = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types:Tuple2';
const [COIN, ASSET, MINT] = ['Coin', 'Asset', 'Mint'].map((name) => t.con(`Main:${name}`)) as [
  LfTypeSpec,
  LfTypeSpec,
  LfTypeSpec,
];
const PAIR = t.con(TUPLE, t.contractId(COIN), COIN);
const owner = (type: LfTypeSpec) => e.field(type, 'owner', e.var('this'));
const self = (from: LfTypeSpec, to: LfTypeSpec) =>
  e.call(e.builtin('COERCE_CONTRACT_ID', from, to), e.var('self'));
const key = e.field(COIN, 'owner', e.var('this'));
const done = u.pure(t.unit, e.unit);
const alone = (type: LfTypeSpec, update: Code) => u.block([[undefined, type, update]], done);

/** Uses of the choice's own contract in a body, and the code of each if the choice consumed it. */
const ACTS: Readonly<Record<string, readonly [Code, code: string]>> = {
  Fetch: [alone(COIN, u.fetch('Main:Coin', e.var('self'))), 'CONTRACT_NOT_ACTIVE'],
  FetchByInterface: [
    alone(ASSET, u.fetchInterface('Main:Asset', self(COIN, ASSET))),
    'CONTRACT_NOT_ACTIVE',
  ],
  Exercise: [u.exercise('Main:Coin', 'Look', e.var('self'), e.unit), 'CONTRACT_NOT_ACTIVE'],
  ExerciseByInterface: [
    u.exerciseInterface('Main:Asset', 'LookAtAsset', self(COIN, ASSET), e.unit),
    'CONTRACT_NOT_ACTIVE',
  ],
  Archive: [u.exercise('Main:Coin', 'Archive', e.var('self'), e.unit), 'CONTRACT_NOT_ACTIVE'],
  FetchByKey: [alone(PAIR, e.call(u.fetchByKey('Main:Coin'), key)), 'CONTRACT_KEY_NOT_FOUND'],
  ExerciseByKey: [u.exerciseByKey('Main:Coin', 'Look', key, e.unit), 'CONTRACT_KEY_NOT_FOUND'],
};
const caught = (update: Code) =>
  u.tryCatch(t.unit, update, 'x', e.some(t.builtin(17, t.unit), done));
const choice = (consuming: boolean, update: Code, type = COIN): ChoiceSpec => ({
  consuming,
  argument: t.unit,
  returns: t.unit,
  controllers: e.list(t.party, [owner(type)]),
  update,
});
const acting = Object.entries(ACTS).flatMap(([name, [act]]): [string, ChoiceSpec][] => [
  [`Do${name}`, choice(true, act)],
  [`Do${name}Caught`, choice(true, caught(act))],
  [`Do${name}Kept`, choice(false, act)],
]);
/** The same on a coin that the mint has made just now. */
const mint = [...acting].map(([name]): [string, ChoiceSpec] => [
  name,
  choice(
    false,
    u.block(
      [['coin', t.contractId(COIN), u.create('Main:Coin', e.record(COIN, { owner: owner(MINT) }))]],
      u.exercise('Main:Coin', name, e.var('coin'), e.unit),
    ),
    MINT,
  ),
]);
const byInterface: ChoiceSpec = {
  ...choice(true, alone(ASSET, u.fetchInterface('Main:Asset', e.var('self')))),
  controllers: e.signatoryInterface('Main:Asset', e.var('this')),
};

const main = encodePackage({
  lf: '3',
  modules: {
    Main: {
      types: { View: { record: {} } },
      interfaces: {
        Asset: {
          view: t.con('Main:View'),
          choices: {
            LookAtAsset: { ...byInterface, consuming: false, update: done },
            TakeAsset: byInterface,
          },
        },
      },
      templates: {
        Coin: {
          fields: { owner: t.party },
          precondition: e.true,
          signatories: e.list(t.party, [owner(COIN)]),
          key: {
            type: t.party,
            body: key,
            maintainers: e.lambda({ key: t.party }, e.list(t.party, [e.var('key')])),
          },
          choices: {
            Look: choice(false, done),
            Archive: choice(true, done),
            ArchiveAndLook: choice(
              false,
              u.block([[undefined, t.unit, ACTS['Archive']![0]]], ACTS['Exercise']![0]),
            ),
            ...Object.fromEntries(acting),
          },
          implements: { 'Main:Asset': { view: e.record(t.con('Main:View'), {}), methods: {} } },
        },
        Mint: {
          fields: { owner: t.party },
          precondition: e.true,
          signatories: e.list(t.party, [owner(MINT)]),
          choices: Object.fromEntries(mint),
        },
      },
    },
  },
});
const { participant } = createCanticle({ seed: 1, packages: [uncheckedPackage(main)] });
const alice = participant.allocateParty('alice');
const by = { actAs: alice };
const create = (template: string) =>
  participant.create(`${main.id}:Main:${template}`, { owner: alice }, by);
const exercise = (template: string, contract: string, name: string, of = template) =>
  answer(() => participant.exercise(`${main.id}:Main:${of}`, contract, name, {}, by).result);

const WHERE: Readonly<Record<string, (name: string) => unknown>> = {
  'that existed before': (name) => {
    const coin = create('Coin');
    const result = exercise('Coin', coin, name);
    if (participant.contract(coin) !== undefined) exercise('Coin', coin, 'Archive');
    return result;
  },
  'that the same transaction created': (name) => {
    const before = new Set(participant.activeContracts().map(({ contractId }) => contractId));
    const result = exercise('Mint', create('Mint'), name);
    for (const { contractId, templateId } of participant.activeContracts())
      if (!before.has(contractId) && templateId.endsWith(':Coin'))
        exercise('Coin', contractId, 'Archive');
    return result;
  },
};

describe.each(Object.entries(WHERE))('a contract %s', (_where, run) => {
  test.each(Object.entries(ACTS))('%s fails in the choice that consumes it', (name, [, code]) => {
    expect(run(`Do${name}`)).toMatchObject({ refused: code });
    expect(run(`Do${name}Caught`)).toMatchObject({ refused: code });
  });

  test.each(Object.keys(ACTS))('%s works in a choice that does not consume it', (name) => {
    expect(run(`Do${name}Kept`)).toEqual({});
  });
});

test('a choice body that archives its own contract cannot use it afterwards', () => {
  const coin = create('Coin');
  expect(exercise('Coin', coin, 'ArchiveAndLook')).toMatchObject({
    refused: 'CONTRACT_NOT_ACTIVE',
  });
  expect(exercise('Coin', coin, 'DoArchiveKept')).toEqual({});
  expect(participant.contract(coin)).toBeUndefined();
});

test('a consuming interface choice archives the contract before its body', () => {
  const coin = create('Coin');
  expect(exercise('Coin', coin, 'TakeAsset', 'Asset')).toMatchObject({
    refused: 'CONTRACT_NOT_ACTIVE',
  });
  expect(participant.contract(coin)).toBeDefined();
});
