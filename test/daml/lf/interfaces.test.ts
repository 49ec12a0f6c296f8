/** Interfaces of Daml-LF (specification, "Interfaces"): methods, views, conversions, choices with and without guards. */
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec } from '../../support/daml/lf-encoder.js';
import {
  deepened,
  lfLedger,
  OWNER,
  probeModule,
  type Question,
  type Refusal,
} from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';

const [ASSET, NAMED] = ['Main:Asset', 'Main:Named'];
const ASSET_TYPE = t.con(ASSET);
const VIEW = t.con('Main:AssetView');
const COIN = t.con('Main:Coin');
const TOKEN = t.con('Main:Token');
const UPDATE = 17;
const parties = (...items: Code[]) => e.list(t.party, items);
const coinField = (name: string) => e.field(COIN, name, e.var('this'));
const coin = (amount: number) => e.record(COIN, { owner: OWNER, amount: e.int(amount) });
const asAsset = (value: Code) => e.toInterface(ASSET, 'Main:Coin', value);
const CID = t.contractId(ASSET_TYPE);

const archive = {
  argument: t.unit,
  returns: t.unit,
  update: u.pure(t.unit, e.unit),
};

const definitions: ModuleSpec = {
  types: { AssetView: { record: { amount: t.int64, label: t.text } } },
  interfaces: {
    Named: {
      view: t.con('Main:AssetView'),
      methods: { name: t.text },
      choices: {
        Name: {
          consuming: false,
          argument: t.unit,
          returns: t.text,
          controllers: e.signatoryInterface(NAMED, e.var('this')),
          update: u.pure(t.text, e.callInterface(NAMED, 'name', e.var('this'))),
        },
      },
    },
    Asset: {
      view: VIEW,
      requires: [NAMED],
      methods: {
        amount: t.int64,
        grow: t.arrow(t.int64, t.builtin(UPDATE, CID)),
      },
      choices: {
        Grow: {
          argument: t.int64,
          returns: CID,
          controllers: e.signatoryInterface(ASSET, e.var('this')),
          update: e.call(e.callInterface(ASSET, 'grow', e.var('this')), e.var('arg')),
        },
        Amount: {
          consuming: false,
          argument: t.unit,
          returns: t.int64,
          controllers: e.signatoryInterface(ASSET, e.var('this')),
          update: u.pure(t.int64, e.callInterface(ASSET, 'amount', e.var('this'))),
        },
      },
    },
  },
  templates: {
    Coin: {
      fields: { owner: t.party, amount: t.int64 },
      precondition: e.true,
      signatories: parties(coinField('owner')),
      choices: { Archive: { ...archive, controllers: parties(coinField('owner')) } },
      implements: {
        [NAMED]: {
          view: e.record(VIEW, { amount: e.int(0), label: e.text('named') }),
          methods: { name: e.text('coin') },
        },
        [ASSET]: {
          view: e.record(VIEW, { amount: coinField('amount'), label: e.text('a coin') }),
          methods: {
            amount: coinField('amount'),
            grow: e.lambda(
              { by: t.int64 },
              u.block(
                [
                  [
                    'cid',
                    t.contractId(COIN),
                    u.create(
                      'Main:Coin',
                      e.with(
                        COIN,
                        'amount',
                        e.var('this'),
                        e.call(e.builtin('ADD_INT64'), coinField('amount'), e.var('by')),
                      ),
                    ),
                  ],
                ],
                u.pure(
                  CID,
                  e.call(e.builtin('COERCE_CONTRACT_ID', COIN, ASSET_TYPE), e.var('cid')),
                ),
              ),
            ),
          },
        },
      },
    },
    /** It implements Named, but not Asset; its view cannot be computed. */
    Label: {
      fields: { owner: t.party },
      precondition: e.true,
      signatories: parties(e.field(t.con('Main:Label'), 'owner', e.var('this'))),
      implements: {
        [NAMED]: {
          view: e.call(e.builtin('ERROR', VIEW), e.text('no view')),
          methods: { name: e.text('label') },
        },
      },
    },
    /** Its view has a value that is not valid on a ledger. */
    Nul: {
      fields: { owner: t.party },
      precondition: e.true,
      signatories: parties(e.field(t.con('Main:Nul'), 'owner', e.var('this'))),
      implements: {
        [NAMED]: {
          view: e.record(VIEW, {
            amount: e.int(0),
            label: e.call(e.builtin('CODE_POINTS_TO_TEXT'), e.list(t.int64, [e.int(0)])),
          }),
          methods: { name: e.text('nul') },
        },
      },
    },
    // Another template of the same interfaces, of which no contract is made.
    Token: {
      fields: { owner: t.party },
      implements: { [NAMED]: ['name'], [ASSET]: ['amount', 'grow'] },
    },
  },
};

const SELF = e.call(
  e.builtin('COERCE_CONTRACT_ID', t.con('Main:Probe'), t.con(NAMED)),
  e.var('self'),
);
const label = e.record(t.con('Main:Label'), { owner: OWNER });
const asNamed = (value: Code) => e.toInterface(NAMED, 'Main:Label', value);
const withLabel = (body: Code) =>
  u.block([['cid', t.contractId(t.con(NAMED)), u.createInterface(NAMED, asNamed(label))]], body);
const withCoin = (amount: number, body: Code) =>
  u.block([['cid', CID, u.createInterface(ASSET, asAsset(coin(amount)))]], body);
const allow = (condition: boolean) => e.lambda({ asset: ASSET_TYPE }, e.bool(condition));

const questions: Readonly<Record<string, Question>> = {
  Method: { type: t.int64, value: e.callInterface(ASSET, 'amount', asAsset(coin(4))) },
  View: { type: VIEW, value: e.viewInterface(ASSET, asAsset(coin(4))) },
  Signatories: { type: t.list(t.party), value: e.signatoryInterface(ASSET, asAsset(coin(4))) },
  Observers: { type: t.list(t.party), value: e.observerInterface(ASSET, asAsset(coin(4))) },
  TypeRep: {
    type: t.bool,
    value: e.call(
      e.builtin('EQUAL', t.builtin(15)),
      e.interfaceTypeRep(ASSET, asAsset(coin(4))),
      e.typeRep(COIN),
    ),
  },
  Back: { type: t.optional(COIN), value: e.fromInterface(ASSET, 'Main:Coin', asAsset(coin(4))) },
  BackToAnother: {
    type: t.optional(TOKEN),
    value: e.fromInterface(ASSET, 'Main:Token', asAsset(coin(4))),
  },
  Required: {
    type: t.text,
    value: e.callInterface(NAMED, 'name', e.toRequiredInterface(NAMED, ASSET, asAsset(coin(4)))),
  },
  Requiring: {
    type: t.bool,
    value: e.match(
      e.fromRequiredInterface(NAMED, ASSET, e.toInterface(NAMED, 'Main:Coin', coin(4))),
      [p.none, e.false],
      [p.some('asset'), e.true],
    ),
  },
  UnsafeRequiring: {
    type: t.int64,
    value: e.callInterface(
      ASSET,
      'amount',
      e.unsafeFromRequiredInterface(NAMED, ASSET, SELF, e.toInterface(NAMED, 'Main:Coin', coin(4))),
    ),
  },
  UnsafeRequiringOfAnother: {
    type: t.int64,
    value: e.callInterface(
      ASSET,
      'amount',
      e.unsafeFromRequiredInterface(NAMED, ASSET, SELF, asNamed(label)),
    ),
  },
  FetchWithoutView: {
    type: t.text,
    update: withLabel(
      u.block(
        [['named', t.con(NAMED), u.fetchInterface(NAMED, e.var('cid'))]],
        u.pure(t.text, e.callInterface(NAMED, 'name', e.var('named'))),
      ),
    ),
  },
  ExerciseWithoutView: {
    type: t.text,
    update: withLabel(u.exerciseInterface(NAMED, 'Name', e.var('cid'), e.unit)),
  },
  ViewOfNoLedger: {
    type: t.int64,
    value: e.field(
      VIEW,
      'amount',
      e.viewInterface(
        NAMED,
        e.toInterface(NAMED, 'Main:Nul', e.record(t.con('Main:Nul'), { owner: OWNER })),
      ),
    ),
  },
  ViewThatFails: { type: VIEW, value: e.viewInterface(NAMED, asNamed(label)) },
  Exercise: {
    type: t.int64,
    update: withCoin(
      5,
      u.block(
        [['grown', CID, u.exerciseInterface(ASSET, 'Grow', e.var('cid'), e.int(10))]],
        u.exerciseInterface(ASSET, 'Amount', e.var('grown'), e.unit),
      ),
    ),
  },
  Fetch: {
    type: t.text,
    update: withCoin(
      5,
      u.block(
        [['asset', ASSET_TYPE, u.fetchInterface(ASSET, e.var('cid'))]],
        u.pure(t.text, e.field(VIEW, 'label', e.viewInterface(ASSET, e.var('asset')))),
      ),
    ),
  },
  NotImplemented: {
    type: t.int64,
    update: u.exerciseInterface(
      ASSET,
      'Amount',
      e.call(e.builtin('COERCE_CONTRACT_ID', t.con('Main:Probe'), ASSET_TYPE), e.var('self')),
      e.unit,
    ),
  },
};

/** 2.1 alone converts without looking. */
const unsafe: typeof questions = {
  ...questions,
  UnsafeFromAnother: {
    type: TOKEN,
    value: e.unsafeFromInterface(
      ASSET,
      'Main:Token',
      e.call(e.builtin('COERCE_CONTRACT_ID', t.con('Main:Probe'), ASSET_TYPE), e.var('self')),
      asAsset(coin(4)),
    ),
  },
};

/** 2.dev alone has guards. */
const guarded: typeof questions = {
  ...questions,
  GuardAllows: {
    type: t.int64,
    update: withCoin(5, u.exerciseInterface(ASSET, 'Amount', e.var('cid'), e.unit, allow(true))),
  },
  GuardForbids: {
    type: t.int64,
    update: withCoin(5, u.exerciseInterface(ASSET, 'Amount', e.var('cid'), e.unit, allow(false))),
  },
};

describe.each([
  ['2.1', '1', unsafe, definitions] as const,
  ['2.2', '2', questions, definitions] as const,
  ['2.dev', 'dev', guarded, definitions] as const,
  ['2.dev, deep down', 'dev', ...deepened(guarded, definitions)] as const,
])('Daml-LF %s', (_name, lf, cases, module_) => {
  const ledger = lfLedger(encodePackage({ lf, modules: { Main: probeModule(cases, module_) } }));
  const evaluate = (name: string) => ledger.evaluate(name);
  const refusal = (name: string) => (evaluate(name) as Refusal).refused;

  test('use the methods, views, signatories and observers of the template', () => {
    expect(evaluate('Method')).toBe('4');
    expect(evaluate('View')).toEqual({ amount: '4', label: 'a coin' });
    expect([evaluate('Signatories'), evaluate('Observers')]).toEqual([[ledger.alice], []]);
  });

  test('convert to and from templates', () => {
    expect(evaluate('TypeRep')).toBe(true);
    expect(evaluate('Back')).toEqual({ owner: ledger.alice, amount: '4' });
    expect(evaluate('BackToAnother')).toBeNull();
    expect([evaluate('Required'), evaluate('Requiring')]).toEqual(['coin', true]);
    if (lf === '1') expect(refusal('UnsafeFromAnother')).toBe('WRONGLY_TYPED_CONTRACT');
    expect(evaluate('UnsafeRequiring')).toBe('4');
    expect(refusal('UnsafeRequiringOfAnother')).toBe(
      'CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE',
    );
  });

  test('compute a view only if the code requests it', () => {
    expect([evaluate('FetchWithoutView'), evaluate('ExerciseWithoutView')]).toEqual([
      'label',
      'label',
    ]);
    expect(refusal('ViewThatFails')).toBe('INTERPRETATION_USER_ERROR');
    expect(refusal('ViewOfNoLedger')).toBe('MALFORMED_TEXT');
  });

  test('run choices, if their guard allows it', () => {
    expect([evaluate('Exercise'), evaluate('Fetch')]).toEqual(['15', 'a coin']);
    if (lf === 'dev') {
      expect(evaluate('GuardAllows')).toBe('5');
      expect(refusal('GuardForbids')).toBe('INTERPRETATION_DEV_ERROR');
    }
    expect(refusal('NotImplemented')).toBe('CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE');
  });
});
