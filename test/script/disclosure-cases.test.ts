/**
 * The cases of `community/daml-script-tests` about contracts that are disclosed, known, or created in the transaction: which of them a
 * key finds, and which parts are visible without authority. Each has the name of the original script; script-cases.json has the count.
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
  disclosed,
  equals,
  exercised,
  idOf,
  idsIn,
  make,
  mustFail,
  nameOf,
  queryIdsByKey,
  showing,
  typeOf,
  use,
  useByKey,
  type CaseScript,
  type CaseStep,
  type CaseTemplate,
} from './case-package.js';
import { ANSWER, library, submit } from './script-package.js';

const v = e.var;
const party = t.party;
const UPDATE = 17;
const TYPES = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types';
const FOUND = (template: string) => t.con(`${TYPES}:Tuple2`, idOf(template), typeOf(template));
const [OOPS, PAIR] = [typeOf('Oops'), typeOf('PairKey')];
const DONE = u.pure(t.unit, e.unit);
const unless = (type: LfTypeSpec, is: Code, wanted: Code) =>
  e.if(
    equals(type, is, wanted),
    DONE,
    e.call(e.builtin('ERROR', t.builtin(UPDATE, t.unit)), e.text('it is another')),
  );
const lookUp = (template: string, most: Code, key: Code) =>
  e.call(u.queryNByKey(`Main:${template}`), most, key);
/** A record in place of the standard library's pairs. */
const TWO = typeOf('Two');
/** The texts in the result of a look-up. */
const textsIn = (step: string): Code =>
  e.match(
    exercised(step, t.optional(t.list(TWO))),
    [
      p.some('list'),
      e.call(
        e.builtin('FOLDR', TWO, t.list(t.text)),
        e.lambda(
          { one: TWO, rest: t.list(t.text) },
          e.cons(
            t.text,
            [e.field(typeOf('Texted'), 'payload', e.field(TWO, 'second', v('one')))],
            v('rest'),
          ),
        ),
        e.nil(t.text),
        v('list'),
      ),
    ],
    [p.default, e.nil(t.text)],
  );

const TEMPLATES: Record<string, CaseTemplate> = {
  Texted: {
    fields: { p: party, payload: t.text },
    signatories: ['p'],
    key: { type: party, of: ({ my }) => my('p'), maintainers: e.list(party, [v('key')]) },
    choices: {
      Archive: { by: ['p'] },
      Tell: {
        args: { reader: party, wanted: t.text },
        by: ['.reader'],
        stays: true,
        does: ({ my, given }) => unless(t.text, my('payload'), given('wanted')),
      },
    },
  },
  Helper: {
    fields: { p: party },
    signatories: ['p'],
    choices: {
      TellByKey: {
        args: { k: party, wanted: t.text },
        by: ['p'],
        does: ({ my, given }) =>
          u.exerciseByKey(
            'Main:Texted',
            'Tell',
            given('k'),
            e.record(typeOf('Tell'), { reader: my('p'), wanted: given('wanted') }),
          ),
      },
      // The transaction creates two contracts.
      LookUpTexts: {
        by: ['p'],
        returns: t.optional(t.list(FOUND('Texted'))),
        does: ({ my }) =>
          u.block(
            ['local 1', 'local 2'].map((payload) => [
              '_',
              idOf('Texted'),
              make('Texted', { p: my('p'), payload: e.text(payload) }),
            ]),
            lookUp('Texted', e.int(5), my('p')),
          ),
      },
      CreateOfTwo: {
        args: { other: party },
        by: ['.other'],
        returns: idOf('OfTwo'),
        does: ({ my, given }) => make('OfTwo', { one: my('p'), two: given('other') }),
      },
      LookUpOfTwo: {
        args: { other: party },
        by: ['p'],
        does: ({ my, given }) =>
          u.block(
            [
              [
                '_',
                t.optional(t.list(FOUND('OfTwo'))),
                lookUp('OfTwo', e.int(1), e.record(PAIR, { one: my('p'), two: given('other') })),
              ],
            ],
            DONE,
          ),
      },
    },
  },
  OfTwo: {
    fields: { one: party, two: party },
    signatories: ['one', 'two'],
    key: {
      type: PAIR,
      of: ({ my }) => e.record(PAIR, { one: my('one'), two: my('two') }),
      maintainers: e.list(party, [e.field(PAIR, 'one', v('key')), e.field(PAIR, 'two', v('key'))]),
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
        returns: idOf('Texted'),
        does: ({ given }) => make('Texted', { p: given('owner'), payload: e.text('built') }),
      },
    },
  },
  Fetcher: {
    fields: { sig: party, obs: party },
    signatories: ['sig'],
    observers: ['obs'],
    choices: {
      Fetch: {
        args: { id: idOf('Texted') },
        by: ['obs'],
        stays: true,
        returns: typeOf('Texted'),
        does: ({ given }) => u.fetch('Main:Texted', given('id')),
      },
      FetchAndRollBack: {
        args: { id: idOf('Texted') },
        by: ['obs'],
        stays: true,
        does: ({ given }) =>
          u.tryCatch(
            t.unit,
            u.block(
              [['_', typeOf('Texted'), u.fetch('Main:Texted', given('id'))]],
              e.throw(t.builtin(UPDATE, t.unit), OOPS, e.record(OOPS, {})),
            ),
            'x',
            e.some(t.builtin(UPDATE, t.unit), DONE),
          ),
      },
    },
  },
};

const text = (owner: string, payload: string, name = '_'): CaseStep =>
  by(owner, creation('Texted', { p: v(owner), payload: e.text(payload) }), name);
const idIn = (step: string) => created(step, 'Texted');
const shown = (step: string, name: string) => showing('alice', 'Texted', idIn(step), name);
const exercisesByKey = (reader: string, wanted: string): readonly Code[] => [
  createAnd('Helper', { p: v(reader) }, 'TellByKey', { k: v('alice'), wanted: e.text(wanted) }),
  useByKey('Texted', party, v('alice'), 'Tell', { reader: v(reader), wanted: e.text(wanted) }),
];
const local = (payload: string) => creation('Texted', { p: v('alice'), payload: e.text(payload) });
const submitting = (
  actor: string,
  commands: readonly Code[],
  steps: readonly (readonly [shown: string, made: string])[],
  name = '_',
): CaseStep => {
  const disclosures = steps.map(([name, made]) => disclosed(name, 'Texted', idIn(made)));
  return [name, ANSWER, submit(v(actor), commands, { disclosures })];
};
const [FIRST, SECOND] = [
  ['shown1', 'made1'],
  ['shown2', 'made2'],
] as const;
const showsBoth = [shown('made1', 'shown1'), shown('made2', 'shown2')];

const CASES: Record<string, CaseScript & { readonly fails?: RegExp }> = {
  'NUCKTests:exerciseByMultiple': {
    parties: ['alice', 'bob'],
    steps: [
      text('bob', 'of another key'),
      text('alice', 'disclosed 1', 'made1'),
      text('bob', 'of another key'),
      text('alice', 'disclosed 2', 'made2'),
      ...showsBoth,
      text('alice', 'known 1'),
      text('alice', 'known 2'),
      submitting(
        'alice',
        [local('local 1'), ...exercisesByKey('alice', 'local 1')],
        [FIRST, SECOND],
      ),
      submitting('alice', exercisesByKey('alice', 'disclosed 1'), [FIRST, SECOND]),
      submitting('alice', exercisesByKey('alice', 'disclosed 2'), [SECOND]),
    ],
  },
  'NUCKTests:lookupNByKeyMultiple': {
    parties: ['alice', 'bob'],
    steps: [
      text('alice', 'known 1'),
      text('alice', 'known 2'),
      text('bob', 'of another key'),
      text('alice', 'disclosed 1', 'made1'),
      text('alice', 'disclosed 2', 'made2'),
      ...showsBoth,
      submitting(
        'alice',
        [createAnd('Helper', { p: v('alice') }, 'LookUpTexts')],
        [FIRST, SECOND],
        'said',
      ),
      check(
        equals(
          t.list(t.text),
          textsIn('said'),
          e.list(
            t.text,
            ['local 2', 'local 1', 'disclosed 1', 'disclosed 2', 'known 2'].map((payload) =>
              e.text(payload),
            ),
          ),
        ),
      ),
    ],
  },
  'NUCKTests:queryNByKeyMultiple': {
    parties: ['alice', 'bob'],
    steps: [
      ...[1, 2, 3, 4, 5, 6].map((number) => text('alice', `known ${number}`, `made${number}`)),
      text('bob', 'of another key'),
      ...[4, 2].map((number) => by('alice', use('Texted', idIn(`made${number}`), 'Archive'))),
      queryIdsByKey('alice', 'Texted', party, v('alice'), 3, 'found'),
      check(
        equals(
          t.list(idOf('Texted')),
          idsIn('found', 'Texted'),
          e.list(
            idOf('Texted'),
            [6, 5, 3].map((number) => idIn(`made${number}`)),
          ),
        ),
      ),
    ],
  },
  'NUCKTests:queryNByKeyUnauthorized': {
    parties: ['alice', 'bob'],
    steps: [
      by('alice', creation('Helper', { p: v('alice') }), 'made'),
      showing('alice', 'Helper', created('made', 'Helper'), 'shown'),
      by('bob', use('Helper', created('made', 'Helper'), 'CreateOfTwo', { other: v('bob') }), '_', {
        disclosures: [disclosed('shown', 'Helper', created('made', 'Helper'))],
      }),
      mustFail('alice', createAnd('Helper', { p: v('alice') }, 'LookUpOfTwo', { other: v('bob') })),
    ],
  },
  'NUCKTests:exerciseByKeyWithInvisibleButDisclosedKey': {
    parties: ['alice', 'bob'],
    steps: [
      text('alice', 'disclosed', 'made1'),
      text('alice', 'known'),
      shown('made1', 'shown1'),
      submitting('bob', exercisesByKey('bob', 'disclosed'), [FIRST]),
    ],
  },
  'AuthFailure:t3_FetchMissingAuthorization': {
    parties: ['alice', 'bob'],
    steps: [
      by('alice', creation('Builder', { signer: v('alice'), user: v('bob') }), 'builder'),
      by('bob', use('Builder', created('builder', 'Builder'), 'Build', { owner: v('alice') }), 'b'),
      showing('alice', 'Texted', exercised('b', idOf('Texted')), 'shown'),
      by(
        'bob',
        createAnd('Fetcher', { sig: v('bob'), obs: v('bob') }, 'Fetch', {
          id: exercised('b', idOf('Texted')),
        }),
        '_',
        { disclosures: [disclosed('shown', 'Texted', exercised('b', idOf('Texted')))] },
      ),
    ],
    fails: /requires one of the stakeholders .* but authorizers were/,
  },
  'ExceptionSemanticsWithKeys:divulgence': {
    parties: ['alice', 'bob'],
    steps: [
      text('alice', 'hers', 'made'),
      by('bob', creation('Fetcher', { sig: v('bob'), obs: v('alice') }), 'divulger'),
      by('alice', creation('Fetcher', { sig: v('alice'), obs: v('bob') }), 'fetcher'),
      mustFail('bob', fetched('fetcher', 'Fetch')),
      by('alice', fetched('divulger', 'FetchAndRollBack')),
      mustFail('bob', fetched('fetcher', 'Fetch')),
    ],
  },
};

function fetched(step: string, choice: string): Code {
  return use('Fetcher', created(step, 'Fetcher'), choice, { id: idIn('made') });
}

const main = casePackage(TEMPLATES, CASES, {
  lf: '3',
  types: {
    Oops: { record: {} },
    PairKey: { record: { one: party, two: party } },
    Two: { record: { first: idOf('Texted'), second: typeOf('Texted') } },
  },
  exceptions: { Oops: e.lambda({ x: OOPS }, e.text('E')) },
});
// Canticle provides the pairs of the standard library.
const canticle = createCanticle({ packages: uncheckedPackages([main, library.main]) });
const start = canticle.snapshot();
afterEach(() => canticle.revert(start));
afterAll(() => canticle.close());

it.each(Object.entries(CASES))('%s', (name, { fails }) => {
  const run = () => canticle.runScript(`Main:${nameOf(name)}`);
  if (fails === undefined) expect(run).not.toThrow();
  else expect(run).toThrow(fails);
});
