/**
 * The expectations of the suites of `community/daml-script-tests` for tokens behind an interface, an IOU, and long
 * lists. Each is called as the script there; script-cases.json has the count.
 */
import { createCanticle } from 'canticle';
import { e, p, u, type Code } from '../support/daml/lf-code.js';
import type { ChoiceSpec, InterfaceSpec } from '../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../support/daml/lf-types.js';
import {
  by,
  casePackage,
  check,
  createAnd,
  created,
  creation,
  doing,
  equals,
  exercised,
  idOf,
  make,
  mustFail,
  nameOf,
  payloadIn,
  showing,
  typeOf,
  use,
  type CaseScript,
  type CaseStep,
  type CaseTemplate,
} from './case-package.js';
import { darOf } from './script-package.js';

const v = e.var;
const party = t.party;
const UPDATE = 17;
const update = (type: LfTypeSpec) => t.builtin(UPDATE, type);
const add = (left: Code, right: Code) => e.call(e.builtin('ADD_INT64'), left, right);
const minus = (left: Code, right: Code) => e.call(e.builtin('SUB_INT64'), left, right);
const less = (left: Code, right: Code) => e.call(e.builtin('LESS', t.int64), left, right);
const fail = (type: LfTypeSpec) => e.call(e.builtin('ERROR', update(type)), e.text('it is not so'));
const provided = (type: LfTypeSpec, is: Code, then: Code) => e.if(is, then, fail(type));
const DONE = u.pure(t.unit, e.unit);

const TOKEN = 'Main:Token';
const [TOKEN_TYPE, TOKEN_ID, ASSET] = [typeOf('Token'), idOf('Token'), typeOf('Asset')];
const TWO_TOKENS = typeOf('TwoTokens');
const asToken = (id: Code) => e.call(e.builtin('COERCE_CONTRACT_ID', ASSET, TOKEN_TYPE), id);
const method = (name: string, of = v('this')) => e.callInterface(TOKEN, name, of);
const givenTo = (choice: string, field: string) => e.field(typeOf(choice), field, v('arg'));
const ownerOfToken = e.list(party, [method('getOwner')]);

const token: InterfaceSpec = {
  view: typeOf('NoView'),
  methods: {
    getOwner: party,
    getAmount: t.int64,
    setAmount: t.arrow(t.int64, TOKEN_TYPE),
    splitImpl: t.arrow(t.int64, update(TWO_TOKENS)),
    transferImpl: t.arrow(party, update(TOKEN_ID)),
    noopImpl: t.arrow(t.unit, update(t.unit)),
  },
  choices: {
    SplitToken: {
      argument: typeOf('SplitToken'),
      returns: TWO_TOKENS,
      controllers: ownerOfToken,
      update: e.call(method('splitImpl'), givenTo('SplitToken', 'splitAmount')),
    },
    TransferToken: {
      argument: typeOf('TransferToken'),
      returns: TOKEN_ID,
      controllers: e.cons(party, [givenTo('TransferToken', 'newOwner')], ownerOfToken),
      update: e.call(method('transferImpl'), givenTo('TransferToken', 'newOwner')),
    },
    Noop: {
      consuming: false,
      argument: typeOf('Noop'),
      returns: t.unit,
      controllers: ownerOfToken,
      update: e.call(method('noopImpl'), e.unit),
    },
    GetRich: {
      argument: typeOf('GetRich'),
      returns: TOKEN_ID,
      controllers: ownerOfToken,
      update: provided(
        TOKEN_ID,
        less(e.int(0), givenTo('GetRich', 'byHowMuch')),
        u.createInterface(
          TOKEN,
          e.call(method('setAmount'), add(method('getAmount'), givenTo('GetRich', 'byHowMuch'))),
        ),
      ),
    },
  },
};
const archive: ChoiceSpec = { argument: typeOf('Archive'), returns: t.unit, update: DONE };
const mine = (field: string) => e.field(ASSET, field, v('this'));
const assetOf = (fields: Readonly<Record<string, Code>>) =>
  make('Asset', {
    issuer: mine('issuer'),
    owner: mine('owner'),
    amount: mine('amount'),
    ...fields,
  });
const viaToken = (choice: string, id: Code, fields = {}) =>
  u.exerciseInterface(TOKEN, choice, id, e.record(typeOf(choice), fields));
/** Of a token that is fetched: its amount by its method, and by what it is. */
const amounts = (id: Code, amount: number, rest: Code): Code =>
  u.block(
    [['token', TOKEN_TYPE, u.fetchInterface(TOKEN, id)]],
    provided(
      t.unit,
      e.if(
        equals(t.int64, method('getAmount', v('token')), e.int(amount)),
        e.match(
          e.fromInterface(TOKEN, 'Main:Asset', v('token')),
          [p.some('asset'), equals(t.int64, e.field(ASSET, 'amount', v('asset')), e.int(amount))],
          [p.default, e.false],
        ),
        e.false,
      ),
      rest,
    ),
  );
const firstOf = (which: 'first' | 'second') => e.field(TWO_TOKENS, which, v('two'));
const making = (then: (id: Code) => Code) => (my: (field: string) => Code) =>
  u.block(
    [['id', idOf('Asset'), make('Asset', { issuer: my('p'), owner: my('p'), amount: e.int(15) })]],
    then(asToken(v('id'))),
  );

const IOU = typeOf('Iou');
const same = (field: string, my: (field: string) => Code, type: LfTypeSpec) =>
  equals(type, my(field), e.field(IOU, field, v('other')));
const iouOf = (my: (field: string) => Code, fields: Readonly<Record<string, Code>>) =>
  make('Iou', {
    issuer: my('issuer'),
    owner: my('owner'),
    currency: my('currency'),
    amount: my('amount'),
    regulator: my('regulator'),
    ...fields,
  });
const NUMBERS = t.list(t.int64);
/** The list, each number of it times ten: it is made in the choice. */
const tenfold = (numbers: Code) =>
  e.call(
    e.builtin('FOLDR', t.int64, NUMBERS),
    e.lambda(
      { n: t.int64, rest: NUMBERS },
      e.cons(t.int64, [e.call(e.builtin('MUL_INT64'), v('n'), e.int(10))], v('rest')),
    ),
    e.nil(t.int64),
    numbers,
  );

const TEMPLATES: Record<string, CaseTemplate> = {
  Asset: {
    fields: { issuer: party, owner: party, amount: t.int64 },
    signatories: ['issuer', 'owner'],
    ensure: ({ my }) => e.call(e.builtin('LESS_EQ', t.int64), e.int(0), my('amount')),
    implements: {
      [TOKEN]: {
        view: e.record(typeOf('NoView'), {}),
        methods: {
          getOwner: mine('owner'),
          getAmount: mine('amount'),
          setAmount: e.lambda(
            { x: t.int64 },
            e.toInterface(TOKEN, 'Main:Asset', e.with(ASSET, 'amount', v('this'), v('x'))),
          ),
          splitImpl: e.lambda(
            { x: t.int64 },
            provided(
              TWO_TOKENS,
              less(v('x'), mine('amount')),
              u.block(
                [
                  ['one', idOf('Asset'), assetOf({ amount: v('x') })],
                  ['two', idOf('Asset'), assetOf({ amount: minus(mine('amount'), v('x')) })],
                ],
                u.pure(
                  TWO_TOKENS,
                  e.record(TWO_TOKENS, { first: asToken(v('one')), second: asToken(v('two')) }),
                ),
              ),
            ),
          ),
          transferImpl: e.lambda(
            { x: party },
            u.block(
              [['id', idOf('Asset'), assetOf({ owner: v('x') })]],
              u.pure(TOKEN_ID, asToken(v('id'))),
            ),
          ),
          noopImpl: e.lambda({ _: t.unit }, DONE),
        },
      },
    },
  },
  Helper: {
    fields: { p: party },
    signatories: ['p'],
    choices: {
      TestInterface: {
        by: ['p'],
        does: ({ my }) =>
          making((id) =>
            u.block(
              [
                ['_', t.unit, viaToken('Noop', id)],
                ['two', TWO_TOKENS, viaToken('SplitToken', id, { splitAmount: e.int(10) })],
                ['token', TOKEN_TYPE, u.fetchInterface(TOKEN, firstOf('first'))],
                [
                  '_',
                  t.unit,
                  provided(
                    t.unit,
                    // Issuer and owner: the same one twice.
                    equals(
                      t.list(party),
                      e.signatoryInterface(TOKEN, v('token')),
                      e.list(party, [my('p'), my('p')]),
                    ),
                    DONE,
                  ),
                ],
                ['_', t.unit, amounts(firstOf('first'), 10, DONE)],
                ['_', t.unit, amounts(firstOf('second'), 5, DONE)],
                [
                  'rich',
                  TOKEN_ID,
                  viaToken('GetRich', firstOf('second'), { byHowMuch: e.int(20) }),
                ],
              ],
              amounts(v('rich'), 25, DONE),
            ),
          )(my),
      },
      Exe: {
        by: ['p'],
        returns: TOKEN_ID,
        does: ({ my }) =>
          making((id) =>
            u.block(
              [
                ['_', t.unit, viaToken('Noop', id)],
                ['_', TOKEN_TYPE, u.fetchInterface(TOKEN, id)],
              ],
              viaToken('GetRich', id, { byHowMuch: e.int(20) }),
            ),
          )(my),
      },
      Times: {
        args: { numbers: NUMBERS },
        by: ['p'],
        returns: NUMBERS,
        does: ({ given }) => u.pure(NUMBERS, tenfold(given('numbers'))),
      },
      TimesInContract: {
        args: { numbers: NUMBERS },
        by: ['p'],
        returns: idOf('Listed'),
        does: ({ my, given }) => make('Listed', { p: my('p'), numbers: tenfold(given('numbers')) }),
      },
      FetchListed: {
        args: { id: idOf('Listed') },
        by: ['p'],
        returns: typeOf('Listed'),
        does: ({ given }) => u.fetch('Main:Listed', given('id')),
      },
    },
  },
  Listed: { fields: { p: party, numbers: NUMBERS }, signatories: ['p'] },
  Archived: {
    fields: { p: party },
    signatories: ['p'],
    choices: { Consume: { by: ['p'] }, Stay: { by: ['p'], stays: true }, Archive: { by: ['p'] } },
    implements: {
      'Main:Archivable': {
        view: e.record(typeOf('NoView'), {}),
        methods: { getOwner: e.field(typeOf('Archived'), 'p', v('this')) },
      },
    },
  },
  Iou: {
    fields: {
      issuer: party,
      owner: party,
      currency: t.text,
      amount: t.int64,
      regulator: party,
    },
    signatories: ['issuer'],
    observers: ['owner', 'regulator'],
    ensure: ({ my }) => less(e.int(0), my('amount')),
    choices: {
      Retire: { by: ['issuer'] },
      Transfer: {
        args: { newOwner: party },
        by: ['owner'],
        returns: idOf('Iou'),
        does: ({ my, given }) => iouOf(my, { owner: given('newOwner') }),
      },
      Split: {
        args: { splitAmount: t.int64 },
        by: ['owner'],
        returns: typeOf('TwoIous'),
        does: ({ my, given }) =>
          u.block(
            [
              ['one', idOf('Iou'), iouOf(my, { amount: given('splitAmount') })],
              [
                'two',
                idOf('Iou'),
                iouOf(my, { amount: minus(my('amount'), given('splitAmount')) }),
              ],
            ],
            u.pure(
              typeOf('TwoIous'),
              e.record(typeOf('TwoIous'), { split: v('one'), rest: v('two') }),
            ),
          ),
      },
      Merge: {
        args: { id: idOf('Iou') },
        by: ['owner'],
        returns: idOf('Iou'),
        does: ({ my, given }) =>
          u.block(
            [
              ['other', IOU, u.fetch('Main:Iou', given('id'))],
              [
                '_',
                t.unit,
                provided(
                  t.unit,
                  e.if(
                    same('issuer', my, party),
                    e.if(same('owner', my, party), same('currency', my, t.text), e.false),
                    e.false,
                  ),
                  DONE,
                ),
              ],
              [
                'transferred',
                idOf('Iou'),
                doing('Iou', given('id'), 'Transfer', { newOwner: my('issuer') }),
              ],
              ['_', t.unit, doing('Iou', v('transferred'), 'Retire')],
            ],
            iouOf(my, { amount: add(my('amount'), e.field(IOU, 'amount', v('other'))) }),
          ),
      },
    },
  },
};

const iou = (owner: string, amount: number, currency = 'USD', issuer = 'bank') => ({
  issuer: v(issuer),
  owner: v(owner),
  currency: e.text(currency),
  amount: e.int(amount),
  regulator: v('sec'),
});
const issued = (owner: string, amount: number, name: string, currency?: string): CaseStep =>
  by('bank', creation('Iou', iou(owner, amount, currency)), name);
const sides = (which: 'split' | 'rest') =>
  e.field(typeOf('TwoIous'), which, exercised('two', typeOf('TwoIous')));
const iouIn = (step: string) => exercised(step, idOf('Iou'));
const transferred = (id: Code, newOwner: string) =>
  use('Iou', id, 'Transfer', { newOwner: v(newOwner) });
/** The party's view of the contract: none, or an IOU with this amount. */
const sees = (who: string, id: Code, amount?: number): CaseScript['steps'] => [
  showing(who, 'Iou', id, 'seen'),
  check(
    equals(
      t.optional(IOU),
      payloadIn('seen', 'Iou'),
      amount === undefined ? e.none(IOU) : e.some(IOU, e.record(IOU, iou(who, amount))),
    ),
  ),
];
const archived = (choice: string) => use('Archived', created('made', 'Archived'), choice);
const ints = (count: number, by = 1) =>
  e.list(
    t.int64,
    Array.from({ length: count }, (_, n) => e.int(n * by)),
  );
const listing = (choice: string, count: number) =>
  by('p', createAnd('Helper', { p: v('p') }, choice, { numbers: ints(count) }), 'said');
const fetchesListed = (count: number): CaseScript => ({
  parties: ['p'],
  steps: [
    listing('TimesInContract', count),
    by(
      'p',
      createAnd('Helper', { p: v('p') }, 'FetchListed', { id: exercised('said', idOf('Listed')) }),
      'fetched',
    ),
    check(
      equals(
        NUMBERS,
        e.field(typeOf('Listed'), 'numbers', exercised('fetched', typeOf('Listed'))),
        ints(count, 10),
      ),
    ),
  ],
});

const CASES: Record<string, CaseScript> = {
  'Interface:main': {
    parties: ['p'],
    steps: [
      mustFail('p', creation('Asset', { issuer: v('p'), owner: v('p'), amount: e.int(-1) })),
      by('p', createAnd('Helper', { p: v('p') }, 'TestInterface')),
    ],
  },
  'LfInterfaces:run': {
    parties: ['p'],
    steps: [by('p', createAnd('Helper', { p: v('p') }, 'Exe'))],
  },
  'InterfaceArchive:main': {
    parties: ['alice'],
    steps: [
      by('alice', creation('Archived', { p: v('alice') }), 'made'),
      by('alice', archived('Stay')),
      by('alice', use('Archivable', created('made', 'Archivable'), 'Archive')),
      mustFail('alice', archived('Stay')),
      mustFail('alice', archived('Consume')),
      mustFail('alice', archived('Archive')),
    ],
  },
  'Iou12:main': {
    parties: ['bank', 'alice', 'bob', 'charlie', 'sec'],
    steps: [
      issued('alice', 100, 'hers'),
      issued('bob', 30, 'his'),
      by('alice', use('Iou', created('hers', 'Iou'), 'Split', { splitAmount: e.int(40) }), 'two'),
      by('alice', transferred(sides('split'), 'bob'), 'sent'),
      by('bob', use('Iou', created('his', 'Iou'), 'Merge', { id: iouIn('sent') }), 'all'),
      ...sees('alice', sides('rest'), 60),
      ...sees('bob', iouIn('all'), 70),
      issued('bank', 100, 'own'),
      by('bank', use('Iou', created('own', 'Iou'), 'Retire')),
      ...sees('bank', created('own', 'Iou')),
      mustFail('alice', creation('Iou', iou('alice', 50))),
      mustFail('bank', creation('Iou', iou('alice', -20))),
      mustFail('alice', use('Iou', sides('rest'), 'Split', { splitAmount: e.int(80) })),
      mustFail('alice', transferred(sides('split'), 'charlie')),
      mustFail('bob', transferred(iouIn('sent'), 'charlie')),
      mustFail('bank', transferred(sides('rest'), 'charlie')),
      mustFail('alice', use('Iou', sides('rest'), 'Retire')),
      ...sees('bob', sides('rest')),
      issued('alice', 10, 'more'),
      issued('alice', 60, 'euros', 'EUR'),
      mustFail('alice', use('Iou', sides('rest'), 'Merge', { id: created('euros', 'Iou') })),
      by('alice', use('Iou', sides('rest'), 'Merge', { id: created('more', 'Iou') })),
    ],
  },
  'LargeTransaction:rangeOfIntsToListTest': {
    parties: ['p'],
    steps: [listing('Times', 5), check(equals(NUMBERS, exercised('said', NUMBERS), ints(5, 10)))],
  },
  'LargeTransaction:rangeOfIntsToListContainerTest': fetchesListed(5),
  'LargeTransaction:largeTransactionWithOneContractTest': fetchesListed(100),
};

const choiceTypes = {
  SplitToken: { record: { splitAmount: t.int64 } },
  TransferToken: { record: { newOwner: party } },
  Noop: { record: {} },
  GetRich: { record: { byHowMuch: t.int64 } },
};
const archivable: InterfaceSpec = {
  view: typeOf('NoView'),
  methods: { getOwner: party },
  choices: {
    Archive: {
      ...archive,
      controllers: e.list(party, [e.callInterface('Main:Archivable', 'getOwner', v('this'))]),
    },
  },
};
const canticle = createCanticle({
  protocolVersion: 34,
  dars: [
    darOf(
      casePackage(TEMPLATES, CASES, {
        interfaces: { Token: token, Archivable: archivable },
        types: {
          ...choiceTypes,
          NoView: { record: {} },
          TwoTokens: { record: { first: TOKEN_ID, second: TOKEN_ID } },
          TwoIous: { record: { split: idOf('Iou'), rest: idOf('Iou') } },
        },
      }),
    ),
  ],
});
const start = canticle.snapshot();
afterEach(() => canticle.revert(start));
afterAll(() => canticle.close());

it.each(Object.keys(CASES))('%s', (name) => {
  expect(() => canticle.runScript(`Main:${nameOf(name)}`)).not.toThrow();
});
