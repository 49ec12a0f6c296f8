/**
 * The expectations of the suites of `community/daml-script-tests` for scripts on a participant, as our own cases:
 * authorization, visibility, consumption, exceptions. Each is called as the script there; script-cases.json has the
 * count.
 */
import { createCanticle } from 'canticle';
import { e, p, u } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import {
  abort,
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
  typeOf,
  use,
  type CaseChoice,
  type CaseScript,
  type CaseTemplate,
} from './case-package.js';
import { darOf, s } from './script-package.js';

const getTime = s.ask('GetTime', 1, [], t.timestamp);

const party = t.party;
const v = e.var;
const UPDATE = 17;
const lengthOf = (list: ReturnType<typeof v>) =>
  e.call(
    e.builtin('FOLDL', t.int64, t.int64),
    e.lambda({ n: t.int64, _: t.int64 }, e.call(e.builtin('ADD_INT64'), v('n'), e.int(1))),
    e.int(0),
    list,
  );
const hundred = e.list(
  t.int64,
  Array.from({ length: 100 }, (_, n) => e.int(n)),
);
const intOf = (value: number) => u.pure(t.int64, e.int(value));
const then = (
  ...updates: readonly (readonly [ReturnType<typeof t.con>, ReturnType<typeof u.pure>])[]
) => {
  const last = updates[updates.length - 1]!;
  return u.block(
    updates.slice(0, -1).map(([type, update]) => ['_', type, update] as const),
    last[1],
  );
};

const TEMPLATES: Record<string, CaseTemplate> = {
  Owned: { fields: { owner: party }, signatories: ['owner'] },
  Other: {
    fields: { owner: party, number: t.int64 },
    signatories: ['owner'],
    ensure: ({ my }) => e.call(e.builtin('GREATER', t.int64), my('number'), e.int(3)),
  },
  Acting: {
    fields: { actor: party, other: party },
    signatories: ['actor'],
    choices: {
      CreateOwn: {
        by: ['actor'],
        returns: idOf('Owned'),
        does: ({ my }) => make('Owned', { owner: my('actor') }),
      },
      CreateForOther: {
        by: ['actor'],
        returns: idOf('Owned'),
        does: ({ my }) => make('Owned', { owner: my('other') }),
      },
      UseBuilder: {
        args: { builder: idOf('Builder') },
        by: ['actor'],
        returns: idOf('Owned'),
        does: ({ my, given }) =>
          doing('Builder', given('builder'), 'Build', { owner: my('other') }),
      },
      FetchOwned: {
        args: { id: idOf('Owned') },
        by: ['actor'],
        returns: typeOf('Owned'),
        does: ({ given }) => u.fetch('Main:Owned', given('id')),
      },
    },
  },
  Builder: {
    fields: { signer: party, user: party },
    signatories: ['signer'],
    observers: ['user'],
    choices: {
      Build: {
        args: { owner: party },
        by: ['user'],
        returns: idOf('Owned'),
        does: ({ given }) => make('Owned', { owner: given('owner') }),
      },
    },
  },
  Guarded: {
    fields: { signer: party },
    signatories: ['signer'],
    choices: { UseGuarded: { args: { actor: party }, by: ['.actor'] } },
  },
  Iou: {
    fields: { owner: party, obligor: party },
    signatories: ['obligor'],
    observers: ['owner'],
    choices: {
      Sell: {
        args: { to: party },
        by: ['owner'],
        returns: idOf('Iou'),
        does: ({ my, given }) => make('Iou', { owner: given('to'), obligor: my('obligor') }),
      },
    },
  },
  Offer: {
    fields: { from: party, to: party },
    signatories: ['from'],
    observers: ['to'],
    choices: {
      Show: {
        args: { iou: idOf('Iou') },
        by: ['from'],
        returns: idOf('Swap'),
        does: ({ my, given }) =>
          make('Swap', { from: my('from'), to: my('to'), iou: given('iou') }),
      },
      ShowFetched: {
        args: { iou: idOf('Iou') },
        by: ['from'],
        returns: idOf('Swap'),
        does: ({ my, given }) =>
          then(
            [typeOf('Iou'), u.fetch('Main:Iou', given('iou'))],
            [idOf('Swap'), make('Swap', { from: my('from'), to: my('to'), iou: given('iou') })],
          ),
      },
    },
  },
  Swap: {
    fields: { from: party, to: party, iou: idOf('Iou') },
    signatories: ['from'],
    observers: ['to'],
    choices: {
      TakeBoth: {
        args: { other: idOf('Iou') },
        by: ['to'],
        returns: idOf('Iou'),
        does: ({ my, given }) =>
          then(
            [idOf('Iou'), doing('Iou', my('iou'), 'Sell', { to: my('to') })],
            [idOf('Iou'), doing('Iou', given('other'), 'Sell', { to: my('from') })],
          ),
      },
    },
  },
  Delegation: {
    fields: { one: party, two: party },
    signatories: ['one'],
    observers: ['two'],
    choices: {
      Delegate: {
        by: ['two'],
        returns: idOf('Both'),
        does: ({ my }) => make('Both', { one: my('one'), two: my('two') }),
      },
    },
  },
  Both: {
    fields: { one: party, two: party },
    signatories: ['one', 'two'],
    choices: {
      CreateAndTouch: {
        by: ['one'],
        returns: idOf('Touched'),
        does: ({ my }) =>
          u.block(
            [
              ['id', idOf('Touched'), make('Touched', { one: my('one'), two: my('two') })],
              ['_', t.unit, doing('Touched', v('id'), 'Touch')],
            ],
            u.pure(idOf('Touched'), v('id')),
          ),
      },
    },
  },
  Touched: {
    fields: { one: party, two: party },
    signatories: ['one'],
    observers: ['two'],
    choices: { Touch: { by: ['two'], stays: true } },
  },
  Fetching: {
    fields: { actor: party },
    signatories: ['actor'],
    choices: {
      FetchTouched: {
        args: { id: idOf('Touched') },
        by: ['actor'],
        returns: typeOf('Touched'),
        does: ({ given }) => u.fetch('Main:Touched', given('id')),
      },
    },
  },
  Timed: {
    fields: { p: party, number: t.optional(t.int64) },
    signatories: ['p'],
    choices: { TellTime: { by: ['p'], returns: t.timestamp, does: () => u.getTime } },
  },
  House: {
    fields: { owner: party, painter: party, cleaner: party },
    signatories: ['owner', 'painter', 'cleaner'],
  },
  HouseOffer: {
    fields: { owner: party, painter: party, cleaner: party },
    signatories: ['owner'],
    observers: ['painter', 'cleaner'],
    choices: {
      AcceptHouse: {
        by: ['painter', 'cleaner'],
        returns: idOf('House'),
        does: ({ my }) =>
          make('House', { owner: my('owner'), painter: my('painter'), cleaner: my('cleaner') }),
      },
    },
  },
  Crew: {
    fields: { painter: party, cleaner: party },
    signatories: ['painter', 'cleaner'],
    choices: {
      AcceptForCrew: {
        args: { id: idOf('HouseOffer') },
        by: ['painter'],
        stays: true,
        returns: idOf('House'),
        does: ({ given }) => doing('HouseOffer', given('id'), 'AcceptHouse'),
      },
    },
  },
  CrewOffer: {
    fields: { painter: party, cleaner: party },
    signatories: ['painter'],
    observers: ['cleaner'],
    choices: {
      AcceptCrew: {
        by: ['cleaner'],
        returns: idOf('Crew'),
        does: ({ my }) => make('Crew', { painter: my('painter'), cleaner: my('cleaner') }),
      },
    },
  },
  Many: {
    fields: { p: party },
    signatories: ['p'],
    choices: {
      // As many updates as the list is long, one after the other.
      CreateMany: {
        args: { numbers: t.list(t.int64) },
        by: ['p'],
        returns: t.list(t.int64),
        does: ({ my, given }) =>
          e.call(
            e.builtin('FOLDR', t.int64, t.builtin(UPDATE, t.list(t.int64))),
            e.lambda(
              { n: t.int64, rest: t.builtin(UPDATE, t.list(t.int64)) },
              u.block(
                [
                  ['_', idOf('Owned'), make('Owned', { owner: my('p') })],
                  ['others', t.list(t.int64), v('rest')],
                ],
                u.pure(t.list(t.int64), e.cons(t.int64, [v('n')], v('others'))),
              ),
            ),
            u.pure(t.list(t.int64), e.nil(t.int64)),
            given('numbers'),
          ),
      },
      CountNumbers: {
        args: { numbers: t.list(t.int64) },
        by: ['p'],
        returns: t.int64,
        does: ({ given }) => u.pure(t.int64, lengthOf(given('numbers'))),
      },
    },
  },
  Shadowed: {
    fields: { p: party, q: party },
    signatories: ['p'],
    observers: ['p', 'q'],
    choices: {
      Shadow: {
        args: { p: party },
        by: ['q'],
        returns: party,
        // The parameter of the choice, not the contract's field of its name.
        does: ({ given }) => u.pure(party, given('p')),
      },
    },
  },
  Joint: {
    fields: { p: party, q: party },
    signatories: ['p'],
    observers: ['q'],
    choices: {
      Together: { by: ['p', 'q'], stays: true, returns: t.int64, does: () => intOf(41) },
      TogetherOnce: { by: ['p', 'q'], returns: t.int64, does: () => intOf(43) },
    },
  },
  Delegated: {
    fields: { p: party, q: party },
    signatories: ['p'],
    observers: ['q'],
    choices: {
      UseTogether: {
        args: { id: idOf('Joint') },
        by: ['q'],
        stays: true,
        returns: t.int64,
        does: ({ given }) => doing('Joint', given('id'), 'Together'),
      },
      UseTogetherOnce: {
        args: { id: idOf('Joint') },
        by: ['q'],
        returns: t.int64,
        does: ({ given }) => doing('Joint', given('id'), 'TogetherOnce'),
      },
    },
  },
  Consumed: {
    fields: { p: party },
    signatories: ['p'],
    choices: {
      Stay: { by: ['p'], stays: true, returns: t.int64, does: () => intOf(41) },
      Go: { by: ['p'], returns: t.int64, does: () => intOf(42) },
      GoAndFetch: {
        by: ['p'],
        returns: typeOf('Consumed'),
        does: () => u.fetch('Main:Consumed', v('self')),
      },
      // As a choice is compiled that consumes after its body.
      UseAndGo: {
        by: ['p'],
        stays: true,
        returns: t.int64,
        does: () =>
          u.block(
            [
              ['before', t.int64, doing('Consumed', v('self'), 'Stay')],
              ['_', t.int64, doing('Consumed', v('self'), 'Go')],
            ],
            u.pure(t.int64, e.call(e.builtin('ADD_INT64'), v('before'), e.int(2))),
          ),
      },
      GoAndUse: {
        by: ['p'],
        returns: t.int64,
        does: () => doing('Consumed', v('self'), 'Stay'),
      },
      StayAndGo: {
        by: ['p'],
        stays: true,
        returns: t.int64,
        does: () => doing('Consumed', v('self'), 'Go'),
      },
      IsSelf: {
        args: { id: idOf('Consumed') },
        by: ['p'],
        returns: t.bool,
        does: ({ given }) => u.pure(t.bool, equals(idOf('Consumed'), v('self'), given('id'))),
      },
      CreateAndUse: {
        by: ['p'],
        returns: t.int64,
        does: ({ my }) =>
          u.block(
            [['id', idOf('Consumed'), make('Consumed', { p: my('p') })]],
            doing('Consumed', v('id'), 'Stay'),
          ),
      },
      CreateAndFail: {
        by: ['p'],
        stays: true,
        returns: t.unit,
        does: ({ my }) =>
          u.block(
            [['id', idOf('Failing'), make('Failing', { p: my('p') })]],
            doing('Failing', v('id'), 'Fail'),
          ),
      },
    },
  },
  Failing: {
    fields: { p: party },
    signatories: ['p'],
    choices: {
      Fail: {
        by: ['p'],
        does: () => u.pure(t.unit, e.call(e.builtin('ERROR', t.unit), e.text('failed'))),
      },
    },
  },
  Secret: {
    fields: { owner: party },
    signatories: ['owner'],
    choices: { Reveal: { args: { to: party }, by: ['.to'], stays: true } },
  },
  Divulger: {
    fields: { owner: party },
    signatories: ['owner'],
    choices: {
      Divulge: {
        args: { id: idOf('Secret'), to: party },
        by: ['owner'],
        observers: ['.to'],
        stays: true,
        returns: typeOf('Secret'),
        does: ({ given }) => u.fetch('Main:Secret', given('id')),
      },
    },
  },
};

const OOPS = typeOf('Oops');
const oops = e.record(OOPS, {});
/** This handler catches the listed exceptions; others propagate. */
const catching = (type: ReturnType<typeof typeOf>, body: ReturnType<typeof v>, then: typeof body) =>
  u.tryCatch(
    type,
    body,
    'x',
    e.match(
      e.fromAnyException(OOPS, v('x')),
      [p.some('_'), e.some(t.builtin(UPDATE, type), then)],
      [p.default, e.none(t.builtin(UPDATE, type))],
    ),
  );
const throwing = e.throw(t.builtin(UPDATE, t.unit), OOPS, oops);
const ZERO = e.call(e.builtin('DIV_INT64'), e.int(1), e.int(0));
/** Creates one, and does both with it. */
const withOne = (first: typeof ZERO, second: typeof ZERO): CaseChoice => ({
  by: ['p'],
  stays: true,
  does: ({ my }) =>
    u.block(
      [['id', idOf('Single'), make('Single', { p: my('p') })]],
      then([t.unit, first], [t.unit, second]),
    ),
});
const end = doing('Single', v('id'), 'End');
const useUp = doing('Single', v('id'), 'Archive');
const andThrow = (update: typeof ZERO) => then([t.unit, update], [t.unit, throwing]);
const DONE = u.pure(t.unit, e.unit);

Object.assign(TEMPLATES, {
  Single: {
    fields: { p: party },
    signatories: ['p'],
    choices: { End: { by: ['p'] }, Archive: { by: ['p'] } },
  },
  Throwing: {
    fields: { p: party },
    signatories: ['p'],
    choices: {
      Throw: { by: ['p'], stays: true, does: () => throwing },
      Catch: {
        by: ['p'],
        stays: true,
        does: () => catching(t.unit, doing('Throwing', v('self'), 'Throw'), DONE),
      },
      Divide: { by: ['p'], stays: true, returns: t.int64, does: () => u.pure(t.int64, ZERO) },
      CatchDivision: {
        by: ['p'],
        stays: true,
        returns: t.int64,
        does: () =>
          u.tryCatch(
            t.int64,
            doing('Throwing', v('self'), 'Divide'),
            'x',
            e.some(t.builtin(UPDATE, t.int64), intOf(42)),
          ),
      },
      FetchInTry: {
        args: { id: idOf('Single') },
        by: ['p'],
        stays: true,
        returns: typeOf('Single'),
        does: ({ given, my }) =>
          catching(
            typeOf('Single'),
            u.fetch('Main:Single', given('id')),
            u.pure(typeOf('Single'), e.record(typeOf('Single'), { p: my('p') })),
          ),
      },
      RolledBackArchive: withOne(catching(t.unit, andThrow(useUp), useUp), DONE),
      KeptArchive: withOne(catching(t.unit, useUp, DONE), useUp),
      RolledBackUse: withOne(catching(t.unit, andThrow(end), useUp), DONE),
      KeptUse: withOne(catching(t.unit, end, DONE), end),
      RolledBackCreate: {
        by: ['p'],
        stays: true,
        does: ({ my }) =>
          catching(
            t.unit,
            then([idOf('Single'), make('Single', { p: my('p') })], [t.unit, throwing]),
            DONE,
          ),
      },
    },
  },
} satisfies Record<string, CaseTemplate>);

const throwingBy = (choice: string, fields = {}) =>
  createAnd('Throwing', { p: v('p') }, choice, fields);

const acting = { actor: v('mach'), other: v('ivy') };
const both = { from: v('alice'), to: v('bob') };
const REQUIRES = /requires authorizers .*, but only .* were given/;

/** The script's result: empty if it succeeds, otherwise its error message. */
const CASES: Record<string, CaseScript & { readonly fails?: RegExp }> = {
  'AuthEvalOrder:t1_create_success': {
    parties: ['mach', 'ivy'],
    steps: [
      by('mach', createAnd('Acting', acting, 'CreateOwn')),
      abort('no authorization failure'),
    ],
    fails: /no authorization failure/,
  },
  'AuthEvalOrder:t2_create_badlyAuthorized': {
    parties: ['mach', 'ivy'],
    steps: [by('mach', createAnd('Acting', acting, 'CreateForOther')), abort('no failure')],
    fails: REQUIRES,
  },
  'AuthEvalOrder:t3_createViaExerice_success': {
    parties: ['mach', 'ivy'],
    steps: [
      by('ivy', creation('Builder', { signer: v('ivy'), user: v('mach') }), 'builder'),
      by(
        'mach',
        createAnd('Acting', acting, 'UseBuilder', { builder: created('builder', 'Builder') }),
      ),
      abort('no authorization failure'),
    ],
    fails: /no authorization failure/,
  },
  'AuthEvalOrder:t4_createViaExerice_badlyAuthorized': {
    parties: ['mach', 'ivy'],
    steps: [
      by('mach', creation('Builder', { signer: v('mach'), user: v('mach') }), 'builder'),
      by(
        'mach',
        createAnd('Acting', acting, 'UseBuilder', { builder: created('builder', 'Builder') }),
      ),
    ],
    fails: REQUIRES,
  },
  'AuthFailure:t1_CreateMissingAuthorization': {
    parties: ['mach', 'ivy'],
    steps: [by('mach', creation('Owned', { owner: v('ivy') }))],
    fails: REQUIRES,
  },
  'AuthFailure:t5_ExerciseMissingAuthorization': {
    parties: ['mach', 'ivy'],
    steps: [
      by('mach', creation('Guarded', { signer: v('mach') }), 'made'),
      by('mach', use('Guarded', created('made', 'Guarded'), 'UseGuarded', { actor: v('ivy') })),
    ],
    fails: REQUIRES,
  },
  'AuthorizedDivulgence:test_authorizedFetch': {
    parties: ['ivy', 'mach'],
    steps: [
      by('ivy', creation('Owned', { owner: v('ivy') }), 'made'),
      mustFail('mach', createAnd('Acting', acting, 'FetchOwned', { id: created('made', 'Owned') })),
    ],
  },
  'AuthorizedDivulgence:test_noDivulgenceOfCreateArguments': {
    parties: ['alice', 'bob'],
    steps: swapping('Show'),
  },
  'AuthorizedDivulgence:test_noDivulgenceForFetch': {
    parties: ['alice', 'bob'],
    steps: swapping('ShowFetched'),
  },
  'AuthorizedDivulgence:test_divulgeChoiceTargetContractId': {
    parties: ['one', 'two'],
    steps: [
      by('one', creation('Delegation', { one: v('one'), two: v('two') }), 'c'),
      by('two', use('Delegation', created('c', 'Delegation'), 'Delegate'), 'd'),
      by('one', use('Both', exercised('d', idOf('Both')), 'CreateAndTouch'), 'e'),
      by(
        'two',
        createAnd('Fetching', { actor: v('two') }, 'FetchTouched', {
          id: exercised('e', idOf('Touched')),
        }),
      ),
    ],
  },
  'BasicTests:test_screateAndExercise': {
    parties: ['p'],
    steps: [
      by('p', creation('Consumed', { p: v('p') }), 'one'),
      by('p', consumed('one', 'Go'), 'gone'),
      check(equals(t.int64, exercised('gone', t.int64), e.int(42))),
    ],
  },
  'BasicTests:test_screateAndExerciseComposit': {
    parties: ['p'],
    steps: [by('p', createAnd('Consumed', { p: v('p') }, 'CreateAndUse'), 'said')],
  },
  'BasicTests:test_createAndFetch': {
    parties: ['mach', 'ivy'],
    steps: [
      by('mach', createAnd('Acting', acting, 'CreateOwn'), 'made'),
      by(
        'mach',
        createAnd('Acting', acting, 'FetchOwned', { id: exercised('made', idOf('Owned')) }),
      ),
    ],
  },
  'BasicTests:test_failedAuths': {
    parties: ['one', 'two'],
    steps: [mustFail('one', creation('Both', { one: v('one'), two: v('two') }))],
  },
  'BasicTests:test_mustFails': {
    parties: ['p', 'q'],
    steps: [
      by('p', creation('Consumed', { p: v('p') }), 'one'),
      mustFail('q', consumed('one', 'Go')),
    ],
  },
  'BasicTests:test_payoutTest': {
    parties: ['alice', 'bob', 'clara'],
    steps: [
      by('alice', creation('Iou', { owner: v('bob'), obligor: v('alice') }), 'made'),
      by('bob', use('Iou', created('made', 'Iou'), 'Sell', { to: v('clara') })),
    ],
  },
  'BasicTests:test_getTimeTest': {
    parties: ['p'],
    steps: [
      by('p', createAnd('Timed', { p: v('p'), number: e.none(t.int64) }, 'TellTime'), 'said'),
      ['now', t.timestamp, getTime],
      check(e.call(e.builtin('LESS_EQ', t.timestamp), exercised('said', t.timestamp), v('now'))),
    ],
  },
  'BasicTests:test_typeWithParameters': {
    parties: ['p'],
    steps: [by('p', creation('Timed', { p: v('p'), number: e.some(t.int64, e.int(42)) }))],
  },
  'ConjunctionChoices:demo': {
    parties: ['alice', 'bob', 'charlie', 'eric'],
    steps: [
      by('bob', creation('CrewOffer', { painter: v('bob'), cleaner: v('charlie') }), 'offer'),
      by('charlie', use('CrewOffer', created('offer', 'CrewOffer'), 'AcceptCrew'), 'crew'),
      by('alice', houseFor('charlie'), 'house'),
      by('bob', accepted('house')),
      by('alice', houseFor('eric'), 'other'),
      mustFail('bob', accepted('other')),
      mustFail('bob', use('HouseOffer', created('other', 'HouseOffer'), 'AcceptHouse')),
      by('alice', houseFor('bob'), 'alone'),
      by('bob', use('HouseOffer', created('alone', 'HouseOffer'), 'AcceptHouse')),
    ],
  },
  'LargeTransaction:largeListAsAChoiceArgTest': {
    parties: ['p'],
    steps: [
      by('p', createAnd('Many', { p: v('p') }, 'CountNumbers', { numbers: hundred }), 'said'),
      check(equals(t.int64, exercised('said', t.int64), e.int(100))),
    ],
  },
  'LargeTransaction:listSizeTest': {
    parties: ['p'],
    steps: [
      by(
        'p',
        createAnd('Many', { p: v('p') }, 'CountNumbers', {
          numbers: e.list(t.int64, [e.int(0), e.int(1), e.int(2)]),
        }),
        'said',
      ),
      check(equals(t.int64, exercised('said', t.int64), e.int(3))),
    ],
  },
  'LargeTransaction:largeTransactionWithManyContractsTest': {
    parties: ['p'],
    steps: [
      by('p', createAnd('Many', { p: v('p') }, 'CreateMany', { numbers: hundred }), 'said'),
      check(equals(t.list(t.int64), exercised('said', t.list(t.int64)), hundred)),
    ],
  },
  'ChoiceShadowing:test1': {
    parties: ['alice', 'bob'],
    steps: [
      by('alice', creation('Shadowed', { p: v('alice'), q: v('bob') }), 'made'),
      by('bob', use('Shadowed', created('made', 'Shadowed'), 'Shadow', { p: v('bob') }), 'said'),
      check(equals(party, exercised('said', party), v('bob'))),
    ],
  },
  'CoerceContractId:test': {
    parties: ['mach', 'ivy'],
    steps: [
      by('mach', creation('Owned', { owner: v('mach') }), 'made'),
      // An id goes through another type and back.
      check(
        equals(
          idOf('Owned'),
          e.call(
            e.builtin('COERCE_CONTRACT_ID', typeOf('Other'), typeOf('Owned')),
            e.call(
              e.builtin('COERCE_CONTRACT_ID', typeOf('Owned'), typeOf('Other')),
              created('made', 'Owned'),
            ),
          ),
          created('made', 'Owned'),
        ),
      ),
      by('mach', createAnd('Acting', acting, 'FetchOwned', { id: created('made', 'Owned') })),
    ],
  },
  'Conjunction:main': {
    parties: ['p', 'q'],
    steps: [
      by('p', creation('Joint', { p: v('p'), q: v('q') }), 'joint'),
      by('p', creation('Delegated', { p: v('p'), q: v('q') }), 'delegated'),
      ...['p', 'q'].flatMap((one) =>
        ['Together', 'TogetherOnce'].map((choice) =>
          mustFail(one, use('Joint', created('joint', 'Joint'), choice)),
        ),
      ),
      by('q', delegated('UseTogether'), 'first'),
      check(equals(t.int64, exercised('first', t.int64), e.int(41))),
      by('q', delegated('UseTogetherOnce'), 'second'),
      check(equals(t.int64, exercised('second', t.int64), e.int(43))),
    ],
  },
  'ConsumingTests:main': {
    parties: ['p'],
    steps: [
      by('p', creation('Consumed', { p: v('p') }), 'one'),
      by('p', consumed('one', 'Stay'), 'stayed'),
      check(equals(t.int64, exercised('stayed', t.int64), e.int(41))),
      by('p', consumed('one', 'Go'), 'gone'),
      check(equals(t.int64, exercised('gone', t.int64), e.int(42))),
      mustFail('p', consumed('one', 'Stay')),
      by('p', creation('Consumed', { p: v('p') }), 'two'),
      mustFail('p', consumed('two', 'GoAndFetch')),
      by('p', consumed('two', 'UseAndGo'), 'used'),
      check(equals(t.int64, exercised('used', t.int64), e.int(43))),
      mustFail('p', consumed('two', 'Stay')),
    ],
  },
  'CreateAndExercise:main': {
    parties: ['p'],
    steps: [
      by('p', createAnd('Consumed', { p: v('p') }, 'Go'), 'gone'),
      check(equals(t.int64, exercised('gone', t.int64), e.int(42))),
    ],
  },
  'EqContractId:main': {
    parties: ['p'],
    steps: [
      by('p', creation('Consumed', { p: v('p') }), 'one'),
      by('p', creation('Consumed', { p: v('p') }), 'two'),
      check(same('one', 'one')),
      check(e.if(same('one', 'two'), e.false, e.true)),
    ],
  },
  'FailedFetch:fetchNonStakeholder': {
    parties: ['ivy', 'mach'],
    steps: [
      by('ivy', creation('Owned', { owner: v('ivy') }), 'made'),
      by('mach', createAnd('Acting', acting, 'FetchOwned', { id: created('made', 'Owned') })),
    ],
    fails: /CONTRACT_NOT_FOUND/,
  },
  'LedgerTestException:test': { parties: [], steps: [abort('ohno')], fails: /ohno/ },
  'MoreChoiceObserverDivulgence:test': {
    parties: ['alice', 'bob'],
    steps: [
      by('alice', creation('Secret', { owner: v('alice') }), 'made'),
      mustFail('bob', use('Secret', created('made', 'Secret'), 'Reveal', { to: v('bob') })),
      by(
        'alice',
        createAnd('Divulger', { owner: v('alice') }, 'Divulge', {
          id: created('made', 'Secret'),
          to: v('bob'),
        }),
      ),
      mustFail('bob', use('Secret', created('made', 'Secret'), 'Reveal', { to: v('bob') })),
    ],
  },
  'Self:main': {
    parties: ['p'],
    steps: [
      by('p', creation('Consumed', { p: v('p') }), 'one'),
      by(
        'p',
        use('Consumed', created('one', 'Consumed'), 'IsSelf', { id: created('one', 'Consumed') }),
        'said',
      ),
      check(exercised('said', t.bool)),
    ],
  },
  'Self2:main': {
    parties: ['p'],
    steps: [
      mustFail('p', createAnd('Consumed', { p: v('p') }, 'GoAndUse')),
      by('p', createAnd('Consumed', { p: v('p') }, 'StayAndGo'), 'gone'),
      check(equals(t.int64, exercised('gone', t.int64), e.int(42))),
    ],
  },
  'ExceptionSemantics:uncaughtUserException': {
    parties: ['p'],
    steps: [mustFail('p', throwingBy('Throw'))],
  },
  'ExceptionSemantics:unhandledUserException': {
    parties: ['p'],
    steps: [by('p', throwingBy('Throw'))],
    fails: /UNHANDLED_EXCEPTION\/Main:Oops/,
  },
  'ExceptionSemantics:handledUserException': {
    parties: ['p'],
    steps: [by('p', throwingBy('Catch'))],
  },
  'ExceptionSemantics:uncaughtArithmeticError': {
    parties: ['p'],
    steps: [mustFail('p', throwingBy('Divide'))],
  },
  'ExceptionSemantics:unhandledArithmeticError': {
    parties: ['p'],
    steps: [by('p', throwingBy('Divide'))],
    fails: /UNHANDLED_EXCEPTION\/DA.Exception.ArithmeticError:ArithmeticError/,
  },
  'ExceptionSemantics:handledArithmeticError': {
    parties: ['p'],
    steps: [
      by('p', throwingBy('CatchDivision'), 'said'),
      check(equals(t.int64, exercised('said', t.int64), e.int(42))),
    ],
  },
  'ExceptionSemantics:rollbackArchive': {
    parties: ['p'],
    steps: [mustFail('p', throwingBy('KeptArchive')), by('p', throwingBy('RolledBackArchive'))],
  },
  'ExceptionSemantics:rollbackConsumingExercise': {
    parties: ['p'],
    steps: [mustFail('p', throwingBy('KeptUse')), by('p', throwingBy('RolledBackUse'))],
  },
  'ExceptionSemantics:rollbackCreate': {
    parties: ['p'],
    steps: [by('p', throwingBy('RolledBackCreate'))],
  },
  'ExceptionSemantics:tryContext': {
    parties: ['p'],
    steps: [
      by('p', creation('Single', { p: v('p') }), 'one'),
      by('p', use('Single', created('one', 'Single'), 'Archive')),
      by('p', throwingBy('FetchInTry', { id: created('one', 'Single') })),
    ],
    fails: /Contract could not be found/,
  },
  'TransientFailure:testBio': {
    parties: ['p'],
    steps: [
      by('p', creation('Consumed', { p: v('p') }), 'one'),
      by('p', consumed('one', 'CreateAndFail')),
    ],
    fails: /failed/,
  },
};

function swapping(show: string): CaseScript['steps'] {
  return [
    by('alice', creation('Iou', { owner: v('alice'), obligor: v('alice') }), 'hers'),
    by('bob', creation('Iou', { owner: v('bob'), obligor: v('bob') }), 'his'),
    by('alice', creation('Offer', both), 'offer'),
    by(
      'alice',
      use('Offer', created('offer', 'Offer'), show, { iou: created('hers', 'Iou') }),
      'swap',
    ),
    mustFail(
      'bob',
      use('Swap', exercised('swap', idOf('Swap')), 'TakeBoth', { other: created('his', 'Iou') }),
    ),
  ];
}

function houseFor(cleaner: string) {
  return creation('HouseOffer', { owner: v('alice'), painter: v('bob'), cleaner: v(cleaner) });
}

function accepted(step: string) {
  return use('Crew', exercised('crew', idOf('Crew')), 'AcceptForCrew', {
    id: created(step, 'HouseOffer'),
  });
}

function delegated(choice: string) {
  return use('Delegated', created('delegated', 'Delegated'), choice, {
    id: created('joint', 'Joint'),
  });
}

function consumed(step: string, choice: string) {
  return use('Consumed', created(step, 'Consumed'), choice);
}

function same(one: string, two: string) {
  return equals(idOf('Consumed'), created(one, 'Consumed'), created(two, 'Consumed'));
}

const EXCEPTIONS = {
  types: { Oops: { record: {} } },
  exceptions: { Oops: e.lambda({ x: OOPS }, e.text('E')) },
};
const canticle = createCanticle({
  protocolVersion: 34,
  dars: [darOf(casePackage(TEMPLATES, CASES, EXCEPTIONS))],
});
const start = canticle.snapshot();
afterEach(() => canticle.revert(start));
afterAll(() => canticle.close());

it.each(Object.entries(CASES))('%s', (name, { fails }) => {
  const run = () => canticle.runScript(`Main:${nameOf(name)}`);
  if (fails === undefined) expect(run).not.toThrow();
  else expect(run).toThrow(fails);
});
