/**
 * Contract keys in compiled code (Daml-LF 2.3): the result of each update of the archive, the contracts of the transaction itself
 * and of the ledger, and the required authority. Keys are not unique: the newest comes first.
 */
import { createCanticle, d, definePackage, defineTemplate } from 'canticle';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e, p, u, type BindingCode, type Code } from '../../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec } from '../../../support/daml/lf-encoder.js';
import {
  answer,
  lfLedger,
  OWNER,
  probeModule,
  uncheckedLedger,
  uncheckedPackage,
  type Question,
} from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

const TAG = t.con('Main:Tag');
const KEY = t.con('Main:Key');
const ID = t.contractId(TAG);
const TYPES = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types';
const PAIR = t.con(`${TYPES}:Tuple2`, ID, TAG);
const parties = (...items: Code[]) => e.list(t.party, items);
const field = (name: string, of = e.var('this')) => e.field(TAG, name, of);

const TAG_KEY = {
  type: KEY,
  body: e.record(KEY, { owner: field('owner'), text: field('text') }),
  maintainers: e.lambda({ key: KEY }, parties(e.field(KEY, 'owner', e.var('key')))),
};

/** A tag is known by its owner and text; its note is not part of the key. */
const model: ModuleSpec = {
  types: { Key: { record: { owner: t.party, text: t.text } } },
  templates: {
    Tag: {
      fields: { owner: t.party, text: t.text, remark: t.text },
      signatories: parties(field('owner')),
      key: TAG_KEY,
      choices: {
        Note: {
          consuming: false,
          argument: t.unit,
          returns: t.text,
          controllers: parties(field('owner')),
          update: u.pure(t.text, field('remark')),
        },
        Fail: {
          consuming: false,
          argument: t.unit,
          returns: t.int64,
          controllers: parties(field('owner')),
          update: u.pure(t.int64, e.call(e.builtin('DIV_INT64'), e.int(1), e.int(0))),
        },
        Drop: {
          argument: t.unit,
          returns: t.unit,
          controllers: parties(field('owner')),
          update: u.pure(t.unit, e.unit),
        },
      },
    },
    /** Its maintainer is another party. */
    Alien: {
      fields: { owner: t.party, other: t.party },
      signatories: parties(e.field(t.con('Main:Alien'), 'owner', e.var('this'))),
      key: {
        type: t.party,
        body: e.field(t.con('Main:Alien'), 'other', e.var('this')),
        maintainers: e.lambda({ key: t.party }, parties(e.var('key'))),
      },
    },
    /** Its maintainers cannot be computed. */
    Mute: {
      fields: { owner: t.party },
      signatories: parties(e.field(t.con('Main:Mute'), 'owner', e.var('this'))),
      key: {
        type: t.text,
        body: e.text('mute'),
        maintainers: e.lambda(
          { key: t.text },
          e.call(e.builtin('ERROR', t.list(t.party)), e.text('no maintainers')),
        ),
      },
    },
    /** Its list of maintainers is out of order, and has one of them twice. */
    Shared: {
      fields: { owner: t.party },
      signatories: parties(e.field(t.con('Main:Shared'), 'owner', e.var('this'))),
      key: {
        type: t.party,
        body: e.field(t.con('Main:Shared'), 'owner', e.var('this')),
        maintainers: e.lambda(
          { key: t.party },
          e.match(
            e.call(e.builtin('TEXT_TO_PARTY'), e.text('a-first')),
            [p.none, parties()],
            [p.some('first'), parties(e.var('key'), e.var('first'), e.var('key'))],
          ),
        ),
      },
    },
    /** It has no maintainers. */
    Orphan: {
      fields: { owner: t.party },
      signatories: parties(e.field(t.con('Main:Orphan'), 'owner', e.var('this'))),
      key: {
        type: t.text,
        body: e.text('orphan'),
        maintainers: e.lambda({ key: t.text }, parties()),
      },
    },
  },
};

const tag = (note: string, text = 'a') =>
  u.create('Main:Tag', e.record(TAG, { owner: OWNER, text: e.text(text), remark: e.text(note) }));
const key = (text: string) => e.record(KEY, { owner: OWNER, text: e.text(text) });
const query = (count: number, text = 'a') =>
  e.call(u.queryNByKey('Main:Tag'), e.int(count), key(text));
const found = t.optional(t.list(PAIR));
const noteByKey = (text = 'a') => u.exerciseByKey('Main:Tag', 'Note', key(text), e.unit);
const drop = (id: string) => u.exercise('Main:Tag', 'Drop', e.var(id), e.unit);

/** Does one after the other, and answers the last. */
const doing = (last: Code, ...bindings: BindingCode[]): Code => u.block(bindings, last);
const also = (type: LfTypeSpec, update: Code): BindingCode => [undefined, type, update];

const QUESTIONS: Readonly<Record<string, Question>> = {
  FetchNewest: {
    type: PAIR,
    update: doing(
      e.call(u.fetchByKey('Main:Tag'), key('a')),
      also(ID, tag('old')),
      also(ID, tag('new')),
    ),
  },
  FetchNothing: { type: PAIR, update: e.call(u.fetchByKey('Main:Tag'), key('none')) },
  ExerciseNewest: {
    type: t.text,
    update: doing(noteByKey(), also(ID, tag('old')), also(ID, tag('new'))),
  },
  ExerciseNothing: { type: t.text, update: noteByKey('none') },
  QueryTwo: {
    type: found,
    update: doing(query(2), also(ID, tag('1')), also(ID, tag('2')), also(ID, tag('3'))),
  },
  QueryAll: {
    type: found,
    update: doing(query(9), also(ID, tag('1')), also(ID, tag('2')), also(ID, tag('else', 'b'))),
  },
  QueryNothing: { type: found, update: query(3, 'none') },
  /** The query skips consumed contracts. */
  QueryAfterDrop: {
    type: found,
    update: doing(
      query(9),
      also(ID, tag('1')),
      ['second', ID, tag('2')],
      also(t.unit, drop('second')),
    ),
  },
  /** As in upstream's code, the number is cut to 32 bits before the check. */
  QueryFarBelow: { type: found, update: query(2 - 2 ** 32) },
  QueryZero: { type: found, update: query(0) },
  QueryShared: {
    type: t.optional(
      t.list(t.con(`${TYPES}:Tuple2`, t.contractId(t.con('Main:Shared')), t.con('Main:Shared'))),
    ),
    update: e.call(u.queryNByKey('Main:Shared'), e.int(1), OWNER),
  },
  QueryZeroOfNobody: {
    type: t.optional(
      t.list(t.con(`${TYPES}:Tuple2`, t.contractId(t.con('Main:Mute')), t.con('Main:Mute'))),
    ),
    update: e.call(u.queryNByKey('Main:Mute'), e.int(0), e.text('mute')),
  },
  QueryMinus: { type: found, update: query(-1) },
  QueryMany: {
    type: found,
    update: e.call(u.queryNByKey('Main:Tag'), e.int(2n ** 63n - 1n), key('none')),
  },
  CreateOrphan: {
    type: t.contractId(t.con('Main:Orphan')),
    update: u.create('Main:Orphan', e.record(t.con('Main:Orphan'), { owner: OWNER })),
  },
  QueryOrphan: {
    type: t.optional(
      t.list(t.con(`${TYPES}:Tuple2`, t.contractId(t.con('Main:Orphan')), t.con('Main:Orphan'))),
    ),
    update: e.call(u.queryNByKey('Main:Orphan'), e.int(1), e.text('orphan')),
  },
};

const main = encodePackage({ lf: '3', modules: { Main: probeModule(QUESTIONS, model) } });
const ledger = uncheckedLedger(main);
const { canticle, alice } = ledger;
const { participant } = canticle;
const TAG_ID = `${main.id}:Main:Tag`;
const pair = (note: string, text = 'a') => ({
  _1: expect.stringMatching(/^00/),
  _2: { owner: alice, text, remark: note },
});
const beginning = canticle.snapshot();
afterEach(() => canticle.revert(beginning));

it.each([
  ['FetchNewest', pair('new')],
  ['ExerciseNewest', 'new'],
  ['QueryTwo', [pair('3'), pair('2')]],
  ['QueryAll', [pair('2'), pair('1')]],
  ['QueryNothing', []],
  ['QueryAfterDrop', [pair('1')]],
  ['QueryMany', []],
  ['QueryFarBelow', []],
])('%s', (name, expected) => {
  expect(ledger.evaluate(name)).toEqual(expected);
});

const GLOBAL_KEY = (text: string) =>
  `GlobalKey(${TAG_ID}, test-package, Record(None,ImmArray((None,Party(${alice})),(None,Text(${text})))), Hash(`;

it.each([
  ['FetchNothing', 'CONTRACT_KEY_NOT_FOUND', `couldn't find key: ${GLOBAL_KEY('none')}`],
  ['ExerciseNothing', 'CONTRACT_KEY_NOT_FOUND', `couldn't find key: ${GLOBAL_KEY('none')}`],
  ['QueryZero', 'LEDGER_API_INTERNAL_ERROR', 'Invalid argument n for QueryNByKey: 0'],
  ['QueryZeroOfNobody', 'INTERPRETATION_USER_ERROR', 'User abort: no maintainers'],
  ['QueryMinus', 'LEDGER_API_INTERNAL_ERROR', 'Invalid argument n for QueryNByKey: -1'],
  [
    'CreateOrphan',
    'CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS',
    'a contract key with an empty set of maintainers when creating Main:Orphan@',
  ],
  [
    'QueryOrphan',
    'FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS',
    'when fetching or looking up by key test-package / Main:Orphan@',
  ],
])('rejects %s: %s', (name, refused, cause) => {
  expect(ledger.evaluate(name)).toMatchObject({ refused, cause: expect.stringContaining(cause) });
});

it('without maintainers, errors show contracts and keys without labels', () => {
  for (const name of ['CreateOrphan', 'QueryOrphan'])
    expect((ledger.evaluate(name) as { cause: string }).cause).toMatch(/key is (?!Main:)/);
  expect((ledger.evaluate('CreateOrphan') as { cause: string }).cause).toContain('{ <no-label> = ');
});

it('maintainers form a sorted set', () => {
  expect(ledger.evaluate('QueryShared')).toMatchObject({
    refused: 'DAML_AUTHORIZATION_ERROR',
    cause: expect.stringContaining(
      `(${main.id}:Main:Shared) requires authorizers a-first,${alice} for lookup by key, but it only has ${alice}`,
    ) as string,
  });
});

it('a maintainer must be a signatory', () => {
  const create = () =>
    participant.create(
      `${main.id}:Main:Alien`,
      { owner: alice, other: ledger.bob },
      { actAs: [alice] },
    );
  expect(answer(create)).toMatchObject({
    refused: 'DAML_AUTHORIZATION_ERROR',
    cause: expect.stringContaining(
      `has maintainers ${ledger.bob} which are not a subset of the signatories TreeSet(${alice})`,
    ),
  });
});

it('contracts of the ledger come after those of the transaction, the newest first', () => {
  const options = { actAs: [alice] };
  for (const note of ['x', 'y'])
    participant.create(TAG_ID, { owner: alice, text: 'a', remark: note }, options);
  expect(ledger.evaluate('QueryAll')).toEqual(['2', '1', 'y', 'x'].map((note) => pair(note)));
  const at = { owner: alice, text: 'a' };
  const note = () => participant.exerciseByKey(TAG_ID, at, 'Note', {}, options).result;
  const before = note();
  participant.exerciseByKey(TAG_ID, at, 'Drop', {}, options);
  expect([before, note()]).toEqual(['2', '1']);
});

// Canton's trace holds the pretty-printer's document of the key itself, and so its name for itself.
it('the trace of a failed choice by key does not contain the key', () => {
  const options = { actAs: [alice] };
  participant.create(TAG_ID, { owner: alice, text: 'a', remark: 'x' }, options);
  const fail = () =>
    participant.exerciseByKey(TAG_ID, { owner: alice, text: 'a' }, 'Fail', {}, options);
  expect(answer(fail)).toMatchObject({
    refused: 'DAML_FAILURE',
    context: {
      exercise_trace: expect.stringMatching(
        /^ {4}in choice \w{8}:Main:Tag:Fail on contract 00\w{8} \(#0\)\n {4}in exercise-by-key command \w{8}:Main:Tag:Fail on key Doc\(\.\.\.\)\.\n$/,
      ) as string,
    },
  });
});

/** Unlike 2.3, the language in development knows look-ups of single contracts. */
it('LookupByKey returns the newest contract or None', () => {
  const one = { type: t.optional(ID), update: e.call(u.lookupByKey('Main:Tag'), key('a')) };
  const questions = {
    Lookup: one,
    LookupOwn: { ...one, update: doing(one.update, also(ID, tag('own'))) },
  };
  const spec = { modules: { Main: probeModule(questions, model) } };
  const { evaluate } = lfLedger(encodePackage({ ...spec, lf: 'dev' }));
  expect(evaluate('Lookup')).toBeNull();
  expect(evaluate('LookupOwn')).toMatch(/^00/);
  const refused = () => participant.uploadDar(buildDar(encodePackage({ ...spec, lf: '3' })));
  expect(JSON.stringify(answer(refused))).toContain(
    'Lookup by key is not supported by Daml-LF 2.3',
  );
});

it('packages before 2.3 have no keys', () => {
  const spec = { modules: { Main: probeModule(QUESTIONS, model) } };
  const upload = () => participant.uploadDar(buildDar(encodePackage({ ...spec, lf: '2' })));
  expect(JSON.stringify(answer(upload))).toContain('Contract Keys is not supported by Daml-LF 2.2');
});

it('TypeScript code finds the contracts of a DAR by their keys', () => {
  const Finder = defineTemplate({
    name: 'Typed:Finder',
    fields: { owner: d.party },
    signatories: ({ owner }) => [owner],
    choices: (choice) => ({
      Notes: choice({
        consuming: false,
        argument: { text: d.text },
        result: d.list(d.text),
        controllers: ({ owner }) => [owner],
        run: (update, { payload: { owner } }, { text }) => {
          const at = { owner, text };
          const notes = update.untyped
            .queryByKey(TAG_ID, at, 5)
            .map(({ payload }) => payload.remark as string);
          return [...notes, update.untyped.exerciseByKey(TAG_ID, at, 'Note', {}) as string];
        },
      }),
    }),
  });
  const typed = definePackage({ name: 'typed', version: '1.0.0', templates: [Finder] });
  const mixed = createCanticle({ packages: [typed, uncheckedPackage(main)] }).participant;
  const owner = mixed.allocateParty('owner');
  const options = { actAs: [owner] };
  for (const note of ['x', 'y']) mixed.create(TAG_ID, { owner, text: 'a', remark: note }, options);
  const finder = mixed.create('#typed:Typed:Finder', { owner }, options);
  const { result } = mixed.exercise('#typed:Typed:Finder', finder, 'Notes', { text: 'a' }, options);
  expect(result).toEqual(['y', 'x', 'y']);
});

it('a fetch fails if another version of the package computes another key', () => {
  const version = (number: string, text: Code) => {
    const templates = { Tag: { ...model.templates!.Tag!, key: { ...TAG_KEY, body: text } } };
    const more = { ...model, templates };
    return encodePackage({
      lf: '3',
      name: 'tags',
      version: number,
      modules: { Main: probeModule({}, more) },
    });
  };
  const plain = e.record(KEY, { owner: field('owner'), text: field('text') });
  const other = e.record(KEY, { owner: field('owner'), text: field('remark') });
  const [one, two] = [version('1.0.0', plain), version('2.0.0', other)];
  const upgraded = createCanticle().participant;
  for (const each of [one, two]) upgraded.uploadDar(buildDar(each));
  const owner = upgraded.allocateParty('owner');
  const options = { actAs: [owner] };
  const make = (text: string, remark: string) =>
    upgraded.create(`${one.id}:Main:Tag`, { owner, text, remark }, options);
  const [same, different] = [make('x', 'x'), make('x', 'y')];
  const note = (id: string) =>
    answer(() => upgraded.exercise(`${two.id}:Main:Tag`, id, 'Note', {}, options).result);
  expect(note(same)).toBe('x');
  expect(note(different)).toMatchObject({
    refused: 'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED',
    cause: expect.stringMatching(/original key is .*"x".*\n.*\n?recomputed key is .*"y"/s),
  });
});
