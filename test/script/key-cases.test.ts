/**
 * The expectations of the suites of `community/daml-script-tests` for scripts over contract keys of Daml-LF 2.3, as
 * our own cases. Each is called as the script there; script-cases.json has the count.
 */
import { createCanticle } from 'canticle';
import { e, p, u, type Code } from '../support/daml/lf-code.js';
import { uncheckedPackages } from '../support/daml/lf-probe.js';
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
  queryByKey,
  setTime,
  typeOf,
  use,
  useByKey,
  type CaseScript,
  type CaseTemplate,
} from './case-package.js';
import { library } from './script-package.js';

const v = e.var;
const party = t.party;
const TYPES = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types';
const UPDATE = 17;
const OOPS = typeOf('Oops');
const found = (template: string): LfTypeSpec =>
  t.con(`${TYPES}:Tuple2`, idOf(template), typeOf(template));
const fetchBy = (template: string, key: Code) => e.call(u.fetchByKey(`Main:${template}`), key);
const queryBy = (template: string, count: number, key: Code) =>
  e.call(u.queryNByKey(`Main:${template}`), e.int(count), key);
const FOUND = (template: string) => t.list(found(template));
/** The number of contracts that the lookup finds, at most `count`. */
const countBy = (template: string, count: number, key: Code): Code =>
  u.block(
    [['some', t.optional(FOUND(template)), queryBy(template, count, key)]],
    u.pure(
      t.int64,
      e.match(
        v('some'),
        [
          p.some('list'),
          e.call(
            e.builtin('FOLDL', found(template), t.int64),
            e.lambda(
              { n: t.int64, _: found(template) },
              e.call(e.builtin('ADD_INT64'), v('n'), e.int(1)),
            ),
            e.int(0),
            v('list'),
          ),
        ],
        [p.default, e.int(0)],
      ),
    ),
  );
const throwing = (type: LfTypeSpec) => e.throw(t.builtin(UPDATE, type), OOPS, e.record(OOPS, {}));
const caught = (body: Code, then: Code) =>
  u.tryCatch(t.unit, body, 'x', e.some(t.builtin(UPDATE, t.unit), then));
const DONE = u.pure(t.unit, e.unit);

const TEMPLATES: Record<string, CaseTemplate> = {
  Keyed: {
    fields: { p: party },
    signatories: ['p'],
    key: { type: party, of: ({ my }) => my('p'), maintainers: e.list(party, [v('key')]) },
    choices: {
      Archive: { by: ['p'] },
      End: { by: ['p'] },
      FetchKeyOfGone: {
        by: ['p'],
        returns: found('Keyed'),
        does: ({ my }) => fetchBy('Keyed', my('p')),
      },
      CountKeyOfGone: {
        by: ['p'],
        returns: t.int64,
        does: ({ my }) => countBy('Keyed', 1, my('p')),
      },
      FetchGone: {
        by: ['p'],
        returns: typeOf('Keyed'),
        does: () => u.fetch('Main:Keyed', v('self')),
      },
    },
  },
  Foreign: {
    fields: { p: party, m: party },
    signatories: ['p'],
    key: { type: party, of: ({ my }) => my('m'), maintainers: e.list(party, [v('key')]) },
  },
  Orphan: {
    fields: { p: party },
    signatories: ['p'],
    key: { type: party, of: ({ my }) => my('p'), maintainers: e.nil(party) },
  },
  Linked: {
    fields: { p: party, id: idOf('Keyed') },
    signatories: ['p'],
    key: {
      type: typeOf('Link'),
      of: ({ my }) => e.record(typeOf('Link'), { p: my('p'), id: my('id') }),
      maintainers: e.list(party, [e.field(typeOf('Link'), 'p', v('key'))]),
    },
    choices: { TouchLinked: { by: ['p'], stays: true } },
  },
  Helper: {
    fields: { p: party },
    signatories: ['p'],
    choices: {
      FetchKey: {
        args: { k: party },
        by: ['p'],
        returns: found('Keyed'),
        does: ({ given }) => fetchBy('Keyed', given('k')),
      },
      ArchiveByKey: {
        by: ['p'],
        does: ({ my }) =>
          u.exerciseByKey('Main:Keyed', 'Archive', my('p'), e.record(typeOf('Archive'), {})),
      },
      CountThenFetch: {
        by: ['p'],
        returns: found('Keyed'),
        does: ({ my }) =>
          u.block([['_', t.int64, countBy('Keyed', 1, my('p'))]], fetchBy('Keyed', my('p'))),
      },
      CountKey: {
        args: { k: party },
        by: ['p'],
        returns: t.int64,
        does: ({ given }) => countBy('Keyed', 5, given('k')),
      },
      MakeOrphan: {
        by: ['p'],
        returns: idOf('Orphan'),
        does: ({ my }) => make('Orphan', { p: my('p') }),
      },
      FetchOrphan: {
        by: ['p'],
        returns: found('Orphan'),
        does: ({ my }) => fetchBy('Orphan', my('p')),
      },
      CountOrphan: { by: ['p'], returns: t.int64, does: ({ my }) => countBy('Orphan', 1, my('p')) },
      MakeLinked: {
        args: { id: idOf('Keyed') },
        by: ['p'],
        returns: idOf('Linked'),
        does: ({ my, given }) => make('Linked', { p: my('p'), id: given('id') }),
      },
      FetchLinked: {
        args: { id: idOf('Keyed') },
        by: ['p'],
        returns: found('Linked'),
        does: ({ my, given }) => fetchBy('Linked', linkOf(my('p'), given('id'))),
      },
      CountLinked: {
        args: { id: idOf('Keyed') },
        by: ['p'],
        returns: t.int64,
        does: ({ my, given }) => countBy('Linked', 1, linkOf(my('p'), given('id'))),
      },
      TouchByLink: {
        args: { id: idOf('Keyed') },
        by: ['p'],
        does: ({ my, given }) =>
          u.exerciseByKey(
            'Main:Linked',
            'TouchLinked',
            linkOf(my('p'), given('id')),
            e.record(typeOf('TouchLinked'), {}),
          ),
      },
      ArchiveCountTwice: {
        args: { id: idOf('Keyed') },
        by: ['p'],
        returns: t.int64,
        does: ({ my, given }) => afterRollback(given('id'), my('p'), countBy('Keyed', 1, my('p'))),
      },
      ArchiveCountCreate: {
        args: { id: idOf('Keyed') },
        by: ['p'],
        returns: idOf('Keyed'),
        does: ({ my, given }) => afterRollback(given('id'), my('p'), make('Keyed', { p: my('p') })),
      },
      RolledBackArchive: {
        by: ['p'],
        stays: true,
        does: ({ my }) => rolledBack(my('p'), doing('Keyed', v('id'), 'Archive')),
      },
      RolledBackUse: {
        by: ['p'],
        stays: true,
        does: ({ my }) => rolledBack(my('p'), doing('Keyed', v('id'), 'End')),
      },
      RolledBackCreate: {
        by: ['p'],
        stays: true,
        does: ({ my }) =>
          caught(
            u.block([['_', idOf('Keyed'), make('Keyed', { p: my('p') })]], throwing(t.unit)),
            DONE,
          ),
      },
      FetchInTry: {
        args: { id: idOf('Keyed') },
        by: ['p'],
        does: ({ given }) =>
          caught(u.block([['_', typeOf('Keyed'), u.fetch('Main:Keyed', given('id'))]], DONE), DONE),
      },
    },
  },
  Shower: {
    fields: { to: party, sig: party },
    signatories: ['to'],
    observers: ['sig'],
    choices: {
      ShowKeyed: {
        args: { id: idOf('Keyed') },
        by: ['sig'],
        stays: true,
        returns: typeOf('Keyed'),
        does: ({ given }) => u.fetch('Main:Keyed', given('id')),
      },
    },
  },
  Delegation: {
    fields: { sig: party, to: party },
    signatories: ['sig'],
    observers: ['to'],
    choices: {
      CountAsSig: {
        by: ['to'],
        returns: t.int64,
        does: ({ my }) => countBy('Keyed', 1, my('sig')),
      },
      FetchAsSig: {
        by: ['to'],
        returns: found('Keyed'),
        does: ({ my }) => fetchBy('Keyed', my('sig')),
      },
      CreateAndCount: {
        by: ['to'],
        returns: t.int64,
        does: ({ my }) =>
          u.block(
            [['_', idOf('Keyed'), make('Keyed', { p: my('sig') })]],
            countBy('Keyed', 1, my('sig')),
          ),
      },
      CreateAndFetch: {
        by: ['to'],
        returns: found('Keyed'),
        does: ({ my }) =>
          u.block(
            [['_', idOf('Keyed'), make('Keyed', { p: my('sig') })]],
            fetchBy('Keyed', my('sig')),
          ),
      },
    },
  },
};

function linkOf(owner: Code, id: Code): Code {
  return e.record(typeOf('Link'), { p: owner, id });
}

/** Archives, looks for the key in a block that is rolled back, and once more. */
function afterRollback(id: Code, key: Code, last: Code): Code {
  return u.block(
    [
      ['_', t.unit, doing('Keyed', id, 'Archive')],
      [
        '_',
        t.unit,
        caught(u.block([['_', t.int64, countBy('Keyed', 1, key)]], throwing(t.unit)), DONE),
      ],
    ],
    last,
  );
}

function rolledBack(key: Code, update: Code): Code {
  return u.block(
    [['id', idOf('Keyed'), make('Keyed', { p: key })]],
    caught(u.block([['_', t.unit, update]], throwing(t.unit)), doing('Keyed', v('id'), 'Archive')),
  );
}

const alice = v('alice');
const keyed = by('alice', creation('Keyed', { p: alice }), 'made');
const helperOf = (owner: string, choice: string, fields = {}) =>
  createAnd('Helper', { p: v(owner) }, choice, fields);
const onMade = (choice: string): CaseScript => ({
  parties: ['alice'],
  steps: [keyed, by('alice', use('Keyed', created('made', 'Keyed'), choice), 'said')],
});
const linked = (choice: string): CaseScript => ({
  parties: ['alice'],
  steps: [keyed, by('alice', helperOf('alice', choice, { id: created('made', 'Keyed') }))],
});
/** Bob's action with Alice's authority on a contract that he does not see. */
const delegated = (choice: string, ...last: CaseScript['steps']): CaseScript => ({
  parties: ['alice', 'bob'],
  steps: [
    keyed,
    by('alice', creation('Delegation', { sig: alice, to: v('bob') }), 'delegation'),
    by('bob', use('Delegation', created('delegation', 'Delegation'), choice), 'said'),
    ...last,
  ],
});
const saying = (count: number) => check(equals(t.int64, exercised('said', t.int64), e.int(count)));
const NOT_FOUND = /CONTRACT_KEY_NOT_FOUND: .*couldn't find key/;
const ORPHAN = /Update failed due to a contract key with an empty set of maintainers/;
const NO_IDS = /Contract IDs are not supported/;

/** Bob gets to know of the contract, without a stake in it. */
const showing = (): CaseScript['steps'] => [
  keyed,
  by('bob', creation('Shower', { to: v('bob'), sig: alice }), 'shower'),
  by(
    'alice',
    use('Shower', created('shower', 'Shower'), 'ShowKeyed', { id: created('made', 'Keyed') }),
  ),
];
/** Bob would create what gives him Alice's authority. */
const strangers = (isShown: boolean, choice: string): CaseScript & { readonly fails: RegExp } => ({
  parties: ['alice', 'bob'],
  steps: [
    ...(isShown ? showing() : [keyed]),
    by('bob', createAnd('Delegation', { sig: alice, to: v('bob') }, choice)),
  ],
  fails: /requires authorizers .*, but only .* were given/,
});

const CASES: Record<string, CaseScript & { readonly fails?: RegExp }> = {
  'AuthFailureWithKeys:t2_MaintainersNotSubsetOfSignatories': {
    parties: ['alice', 'bob'],
    steps: [by('alice', creation('Foreign', { p: alice, m: v('bob') }))],
    fails: /has maintainers .* which are not a subset of the signatories/,
  },
  'AuthFailureWithKeys:t4_LookupByKeyMissingAuthorization': {
    parties: ['alice', 'bob'],
    steps: [keyed, by('bob', helperOf('bob', 'CountKey', { k: alice }))],
    fails: /requires authorizers .* for (lookup|query) by key/,
  },
  'ConsumedContractKey:testFetchFromConsumingChoice': {
    ...onMade('FetchGone'),
    fails: /Update failed due to fetch of an inactive contract/,
  },
  'ConsumedContractKey:testFetchKeyFromConsumingChoice': {
    ...onMade('FetchKeyOfGone'),
    fails: NOT_FOUND,
  },
  'ConsumedContractKey:testLookupKeyFromConsumingChoice': {
    parties: ['alice'],
    steps: [...onMade('CountKeyOfGone').steps, saying(0)],
  },
  'ContractIdInContractKeySkipCheck:createCmdCrashes': {
    parties: ['alice'],
    steps: [keyed, by('alice', creation('Linked', { p: alice, id: created('made', 'Keyed') }))],
    fails: NO_IDS,
  },
  'ContractIdInContractKeySkipCheck:exerciseCmdCrashes': {
    parties: ['alice'],
    steps: [
      keyed,
      by(
        'alice',
        useByKey('Linked', typeOf('Link'), linkOf(alice, created('made', 'Keyed')), 'TouchLinked'),
      ),
    ],
    fails: NO_IDS,
  },
  'ContractIdInContractKeySkipCheck:queryCrashes': {
    parties: ['alice'],
    steps: [
      keyed,
      queryByKey(
        'alice',
        'Linked',
        typeOf('Link'),
        linkOf(alice, created('made', 'Keyed')),
        'seen',
      ),
    ],
    fails: NO_IDS,
  },
  'ContractIdInContractKeySkipCheck:createCrashes': { ...linked('MakeLinked'), fails: NO_IDS },
  'ContractIdInContractKeySkipCheck:fetchCrashes': { ...linked('FetchLinked'), fails: NO_IDS },
  'ContractIdInContractKeySkipCheck:lookupCrashes': { ...linked('CountLinked'), fails: NO_IDS },
  'ContractIdInContractKeySkipCheck:exerciseCrashes': { ...linked('TouchByLink'), fails: NO_IDS },
  'ContractKeyNotEffective:fetchByKeyMustFail': {
    parties: ['alice'],
    steps: [keyed, setTime(0n)],
    // The real one says that setting time backwards is not allowed.
    fails: /SetTime failed: INVALID_ARGUMENT: Time cannot go back/,
  },
  'ContractKeyNotVisible:aScript': {
    parties: ['alice', 'bob'],
    steps: [
      by('bob', creation('Keyed', { p: v('bob') })),
      queryByKey('alice', 'Keyed', party, v('bob'), 'seen'),
      check(e.match(v('seen'), [p.none, e.false], [p.default, e.true]), 'it is not seen'),
    ],
    fails: /it is not seen/,
  },
  'ContractKeyNotVisible:blindLookup': delegated('CountAsSig', saying(0)),
  'ContractKeyNotVisible:divulgeeLookup': {
    ...delegated('CountAsSig'),
    steps: [...showing(), ...delegated('CountAsSig').steps.slice(1), saying(0)],
  },
  'ContractKeyNotVisible:localLookup': delegated('CreateAndCount', saying(1)),
  'ContractKeyNotVisible:localFetch': delegated('CreateAndFetch'),
  'KeyNotVisibleStakeholders:blindFetch': strangers(false, 'FetchAsSig'),
  'KeyNotVisibleStakeholders:blindLookup': strangers(false, 'CountAsSig'),
  'KeyNotVisibleStakeholders:divulgeeFetch': strangers(true, 'FetchAsSig'),
  'KeyNotVisibleStakeholders:divulgeeLookup': strangers(true, 'CountAsSig'),
  'EmptyContractKeyMaintainers:createCmdNoMaintainer': {
    parties: ['alice'],
    steps: [by('alice', creation('Orphan', { p: alice }))],
    fails: ORPHAN,
  },
  'EmptyContractKeyMaintainers:createNoMaintainer': {
    parties: ['alice'],
    steps: [by('alice', helperOf('alice', 'MakeOrphan'))],
    fails: ORPHAN,
  },
  'EmptyContractKeyMaintainers:fetchNoMaintainer': {
    parties: ['alice'],
    steps: [by('alice', helperOf('alice', 'FetchOrphan'))],
    fails: ORPHAN,
  },
  'EmptyContractKeyMaintainers:lookupNoMaintainer': {
    parties: ['alice'],
    steps: [by('alice', helperOf('alice', 'CountOrphan'))],
    fails: ORPHAN,
  },
  'EmptyContractKeyMaintainers:queryNoMaintainer': {
    parties: ['alice'],
    steps: [
      queryByKey('alice', 'Orphan', party, alice, 'seen'),
      check(e.match(v('seen'), [p.none, e.false], [p.default, e.true]), 'it is not seen'),
    ],
    fails: /it is not seen/,
  },
  'ExceptionAndContractKey:testLookup': linked('ArchiveCountTwice'),
  'ExceptionAndContractKey:testCreate': linked('ArchiveCountCreate'),
  'ExceptionSemanticsWithKeys:rollbackArchive': {
    parties: ['alice'],
    steps: [by('alice', helperOf('alice', 'RolledBackArchive'))],
    fails: /DAML_EFFECTFUL_ROLLBACK_ERROR/,
  },
  'ExceptionSemanticsWithKeys:rollbackConsumingExercise': {
    parties: ['alice'],
    steps: [by('alice', helperOf('alice', 'RolledBackUse'))],
    fails: /DAML_EFFECTFUL_ROLLBACK_ERROR/,
  },
  'ExceptionSemanticsWithKeys:rollbackCreate': {
    parties: ['alice'],
    steps: [by('alice', helperOf('alice', 'RolledBackCreate'))],
    fails: /DAML_EFFECTFUL_ROLLBACK_ERROR/,
  },
  'ExceptionSemanticsWithKeys:tryContext': {
    parties: ['alice'],
    steps: [
      keyed,
      by('alice', use('Keyed', created('made', 'Keyed'), 'Archive')),
      by('alice', helperOf('alice', 'FetchInTry', { id: created('made', 'Keyed') })),
    ],
    fails: /Contract could not be found/,
  },
  'FetchByKey:failLedger': {
    parties: ['alice'],
    steps: [by('alice', helperOf('alice', 'FetchKey', { k: alice }))],
    fails: NOT_FOUND,
  },
  'FetchByKey:failSpeedy': {
    parties: ['alice'],
    steps: [by('alice', helperOf('alice', 'CountThenFetch'))],
    fails: NOT_FOUND,
  },
  'FetchByKey:mustFail': {
    parties: ['alice'],
    steps: [
      mustFail('alice', helperOf('alice', 'FetchKey', { k: alice })),
      mustFail('alice', helperOf('alice', 'CountThenFetch')),
    ],
  },
  'DamlScriptTrySubmitWithKeys:duplicateContractKey': {
    parties: ['alice'],
    // It succeeds, as keys need not be unique.
    steps: [keyed, by('alice', creation('Keyed', { p: alice }))],
  },
  'NUCKTests:createMultiple': {
    parties: ['alice'],
    steps: [
      keyed,
      keyed,
      by('alice', helperOf('alice', 'CountKey', { k: alice }), 'said'),
      saying(2),
    ],
  },
  'NUCKTests:useAllOperations': {
    parties: ['alice'],
    steps: [
      keyed,
      by('alice', helperOf('alice', 'CountKey', { k: alice }), 'said'),
      saying(1),
      by('alice', helperOf('alice', 'FetchKey', { k: alice })),
      by('alice', helperOf('alice', 'ArchiveByKey')),
      mustFail('alice', useByKey('Keyed', party, alice, 'Archive')),
    ],
  },
};

const main = casePackage(TEMPLATES, CASES, {
  lf: '3',
  types: { Oops: { record: {} }, Link: { record: { p: party, id: idOf('Keyed') } } },
  exceptions: { Oops: e.lambda({ x: OOPS }, e.text('E')) },
});
// The pairs of the standard library are Canticle's own.
const canticle = createCanticle({ packages: uncheckedPackages([main, library.main]) });
const start = canticle.snapshot();
afterEach(() => canticle.revert(start));
afterAll(() => canticle.close());

it.each(Object.entries(CASES))('%s', (name, { fails }) => {
  const run = () => canticle.runScript(`Main:${nameOf(name)}`);
  if (fails === undefined) expect(run).not.toThrow();
  else expect(run).toThrow(fails);
});
