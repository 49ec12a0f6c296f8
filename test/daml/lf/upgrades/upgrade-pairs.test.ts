/**
 * Compiled code that uses a contract through another version of its template than made it, in each of the ways that there are
 * (upstream UpgradeTest), and interfaces whose instances differ between versions (SBuiltinInterfaceTest). A package that calls all
 * the versions makes and uses the contract in one transaction.
 */
import { e, p, u, type BindingCode, type Code } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type EncodedPackage,
  type Fields,
  type KeySpec,
  type ModuleSpec,
} from '../../../support/daml/lf-encoder.js';
import { lfLedger, OWNER, probeModule, type Question } from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

const parties = (...items: Code[]) => e.list(t.party, items);
type Lf = '1' | '3';

const api = encodePackage({
  name: 'source-api',
  lf: '1',
  modules: {
    Api: {
      types: {
        Nested: { record: { inner: t.optional(t.con('Api:Nested')) } },
        View: { record: { version: t.int64, nested: t.con('Api:Nested') } },
      },
      interfaces: {
        Source: {
          view: t.con('Api:View'),
          methods: { text: t.text },
          choices: {
            Tell: {
              consuming: false,
              argument: t.unit,
              returns: t.text,
              controllers: e.signatoryInterface('Api:Source', e.var('this')),
              update: u.pure(t.text, e.callInterface('Api:Source', 'text', e.var('this'))),
            },
          },
        },
      },
    },
  },
});
const SOURCE = `${api.id}:Api:Source`;
const VIEW = t.con(`${api.id}:Api:View`);
const NESTED = t.con(`${api.id}:Api:Nested`);
const nested = (depth: number): Code =>
  e.record(NESTED, { inner: depth === 0 ? e.none(NESTED) : e.some(NESTED, nested(depth - 1)) });

interface Version {
  readonly fields?: Fields;
  readonly isSigned?: boolean;
  readonly viewDepth?: number;
  readonly isSource?: boolean;
  readonly isTextKey?: boolean;
  readonly lf?: Lf;
}
const FIELDS: Fields = {
  owner: t.party,
  other: t.party,
  count: t.int64,
  box: t.contractId(t.con('Main:Box')),
};
const extended = { ...FIELDS, extra: t.optional(t.int64) };

const PARTY_KEY = (body: Code): KeySpec => ({
  type: t.party,
  body,
  maintainers: e.lambda({ key: t.party }, parties(e.var('key'))),
});
const TEXT_KEY = (body: Code): KeySpec => ({
  type: t.text,
  body: e.call(e.builtin('PARTY_TO_TEXT'), body),
  maintainers: e.lambda(
    { key: t.text },
    e.match(
      e.call(e.builtin('TEXT_TO_PARTY'), e.var('key')),
      [p.none, parties()],
      [p.some('party'), parties(e.var('party'))],
    ),
  ),
});

/** A note of the version, with a box that its payload refers to. */
const version = (number: number, spec: Version = {}) => {
  const {
    fields = FIELDS,
    isSigned = true,
    viewDepth = 0,
    isSource = true,
    isTextKey = false,
    lf = '3',
  } = spec;
  const NOTE = t.con('Main:Note');
  const field = (name: string) => e.field(NOTE, name, e.var('this'));
  const view = e.record(VIEW, { version: e.int(number), nested: nested(viewDepth) });
  return encodePackage({
    name: 'notes',
    version: `${number}.0.0`,
    lf,
    imports: [api.id],
    modules: {
      Main: {
        templates: {
          Box: {
            fields: { owner: t.party },
            precondition: e.true,
            signatories: parties(e.field(t.con('Main:Box'), 'owner', e.var('this'))),
          },
          Note: {
            fields,
            precondition: e.true,
            signatories: isSigned ? parties(field('owner')) : parties(),
            observers: parties(field('other')),
            ...(lf === '3' && {
              key: isTextKey ? TEXT_KEY(field('owner')) : PARTY_KEY(field('owner')),
            }),
            choices: {
              Number: {
                consuming: false,
                argument: t.unit,
                returns: t.int64,
                controllers: parties(field('owner')),
                update: u.pure(t.int64, e.int(number)),
              },
            },
            ...(isSource && {
              implements: { [SOURCE]: { view, methods: { text: e.text(`version ${number}`) } } },
            }),
          },
        },
      },
    },
  });
};

const first = version(1);
const second = version(2, { fields: extended });
const note = (of: { id: string }) => t.con(`${of.id}:Main:Note`);
const idOf = (of: { id: string }) => t.contractId(note(of));
const SOURCE_TYPE = t.con(SOURCE);
const boxType = t.con(`${first.id}:Main:Box`);
const BOX: BindingCode = [
  'box',
  t.contractId(boxType),
  u.create(`${first.id}:Main:Box`, e.record(boxType, { owner: OWNER })),
];
const payload = e.record(note(first), {
  owner: OWNER,
  other: OWNER,
  count: e.int(5),
  box: e.var('box'),
});
const NOTE: BindingCode = ['cid', idOf(first), u.create(`${first.id}:Main:Note`, payload)];
const as = (type: LfTypeSpec) =>
  e.call(e.builtin('COERCE_CONTRACT_ID', note(first), type), e.var('cid'));
const asSource = e.toInterface(SOURCE, `${first.id}:Main:Note`, payload);
const using = (type: LfTypeSpec, update: Code): Question => ({
  type,
  update: u.block([BOX, NOTE], update),
});
const fetching = (of: { id: string }): Question =>
  using(note(of), u.fetch(`${of.id}:Main:Note`, as(note(of))));
const viewed = u.block(
  [['source', SOURCE_TYPE, u.fetchInterface(SOURCE, as(SOURCE_TYPE))]],
  u.pure(VIEW, e.viewInterface(SOURCE, e.var('source'))),
);

const byInterface: Readonly<Record<string, Question>> = {
  ExerciseInterface: using(t.text, u.exerciseInterface(SOURCE, 'Tell', as(SOURCE_TYPE), e.unit)),
  View: using(VIEW, viewed),
};
const QUESTIONS: Readonly<Record<string, Question>> = {
  ...byInterface,
  Fetch: fetching(second),
  FetchSame: fetching(first),
  Exercise: using(
    t.int64,
    u.exercise(`${second.id}:Main:Note`, 'Number', as(note(second)), e.unit),
  ),
  ExerciseByKey: using(t.int64, u.exerciseByKey(`${second.id}:Main:Note`, 'Number', OWNER, e.unit)),
  FromInterface: {
    type: t.optional(note(second)),
    update: u.block(
      [BOX],
      u.pure(t.optional(note(second)), e.fromInterface(SOURCE, `${second.id}:Main:Note`, asSource)),
    ),
  },
};

/** A ledger with these versions of the package, and the answers of code that knows them. */
function world(questions: Readonly<Record<string, Question>>, ...versions: EncodedPackage[]) {
  return worldOf('3', questions, versions);
}

function worldOf(
  lf: Lf,
  questions: Readonly<Record<string, Question>>,
  versions: readonly EncodedPackage[],
) {
  const imports = [api.id, ...versions.map(({ id }) => id)];
  const modules: Record<string, ModuleSpec> = { Main: probeModule(questions) };
  const ledger = lfLedger(
    encodePackage({ name: 'caller', lf, imports, modules }),
    api,
    ...versions,
  );
  const made = { owner: ledger.alice, other: ledger.alice, count: '5', box: expect.any(String) };
  return { ...ledger, made };
}

describe('a later version with an additional optional field', () => {
  const { evaluate, made } = world(QUESTIONS, first, second);

  test.each([
    ['FetchSame', made],
    ['Fetch', made],
    ['Exercise', '2'],
    ['ExerciseByKey', '2'],
    ['ExerciseInterface', 'version 2'],
    ['View', { version: '2', nested: {} }],
    ['FromInterface', made],
  ])('%s', (name, expected) => {
    expect(evaluate(name)).toEqual(expected);
  });
});

describe('an interface instance that some versions lack', () => {
  /** A note of one version, used by its interface where the other is the highest. */
  const usedAs = (made: EncodedPackage, highest: EncodedPackage) => {
    const [type, id] = [note(made), `${made.id}:Main:Note`];
    const box = t.con(`${made.id}:Main:Box`);
    const own = { owner: OWNER, other: OWNER, count: e.int(5), box: e.var('box') };
    const bindings: BindingCode[] = [
      ['box', t.contractId(box), u.create(`${made.id}:Main:Box`, e.record(box, { owner: OWNER }))],
      ['cid', t.contractId(type), u.create(id, e.record(type, own))],
    ];
    const anyId = e.call(e.builtin('COERCE_CONTRACT_ID', type, SOURCE_TYPE), e.var('cid'));
    const seen = u.block(
      [['source', SOURCE_TYPE, u.fetchInterface(SOURCE, anyId)]],
      u.pure(VIEW, e.viewInterface(SOURCE, e.var('source'))),
    );
    const questions: Record<string, Question> = {
      Exercise: {
        type: t.text,
        update: u.block(bindings, u.exerciseInterface(SOURCE, 'Tell', anyId, e.unit)),
      },
      View: { type: VIEW, update: u.block(bindings, seen) },
    };
    return world(questions, ...new Set([made, highest])).evaluate;
  };
  const lacking = version(1, { isSource: false });
  const [alsoLacking, having] = [version(2, { isSource: false }), version(3)];

  test.each([
    ['a contract of a lower version that has it, which is the only version', first, first, 1],
    ['a contract of a lower version that has it, if a higher version has it', first, having, 3],
    ['a contract of a lower version that lacks it, if a higher version has it', lacking, having, 3],
  ])('%s', (_what, made, highest, number) => {
    const evaluate = usedAs(made, highest);
    expect(evaluate('Exercise')).toBe(`version ${number}`);
    expect(evaluate('View')).toEqual({ version: `${number}`, nested: {} });
  });

  test.each([
    [
      'a contract of a lower version that has it, if the highest version lacks it',
      first,
      alsoLacking,
    ],
    ['a contract of a version that lacks it, if no version has it', lacking, alsoLacking],
    ['a contract of the highest version, which lacks it', alsoLacking, alsoLacking],
  ])('%s', (_what, made, highest) => {
    const evaluate = usedAs(made, highest);
    const lacks = {
      refused: 'CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE',
      cause: expect.stringContaining(`Main:Note@${highest.id.slice(0, 8)}`) as string,
    };
    expect([evaluate('Exercise'), evaluate('View')]).toMatchObject([lacks, lacks]);
  });
});

test('unsafeFromInterface of 2.1 does not convert the contract', () => {
  const versions = [version(1, { lf: '1' }), version(2, { lf: '1', fields: extended })] as const;
  const [made, wanted] = versions.map(note) as [LfTypeSpec, LfTypeSpec];
  const [madeId, wantedId] = versions.map(({ id }) => `${id}:Main:Note`) as [string, string];
  const box = t.con(`${versions[0].id}:Main:Box`);
  const record = e.record(made, {
    owner: OWNER,
    other: OWNER,
    count: e.int(5),
    box: e.var('box'),
  });
  const anyId = e.call(e.builtin('COERCE_CONTRACT_ID', made, SOURCE_TYPE), e.var('cid'));
  const converted = e.unsafeFromInterface(
    SOURCE,
    wantedId,
    anyId,
    e.toInterface(SOURCE, madeId, record),
  );
  const update = u.block(
    [
      [
        'box',
        t.contractId(box),
        u.create(`${versions[0].id}:Main:Box`, e.record(box, { owner: OWNER })),
      ],
      ['cid', t.contractId(made), u.create(madeId, record)],
    ],
    u.pure(wanted, converted),
  );
  const { evaluate } = worldOf('1', { UnsafeFromInterface: { type: wanted, update } }, versions);
  expect(evaluate('UnsafeFromInterface')).toMatchObject({
    refused: 'WRONGLY_TYPED_CONTRACT',
    cause: expect.stringMatching(/Expected contract of type Main:Note@.* but got Main:Note@/),
  });
});

describe('a version that reads the contract differently', () => {
  const unsigned = version(3, { fields: extended, isSigned: false });
  const entries = Object.entries(FIELDS).map(([name, type]) => [
    name === 'count' ? 'amount' : name,
    type,
  ]);
  const renamed = version(4, { fields: Object.fromEntries(entries) as Fields });
  const hollow = version(5, { isSource: false });
  const deep = version(6, { viewDepth: 100 });

  test.each([
    ['other signatories', unsigned, 'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED'],
    ['a field with another name', renamed, 'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED'],
  ])('%s', (_name, later, refused) => {
    const { evaluate } = world({ Fetch: fetching(later) }, first, later);
    expect(evaluate('Fetch')).toMatchObject({ refused });
  });

  test('lacks the instance of the interface', () => {
    const { evaluate } = world(byInterface, first, hollow);
    for (const name of Object.keys(byInterface))
      expect(evaluate(name)).toMatchObject({ refused: 'CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE' });
  });

  test('converts or rejects a value from an interface as well', () => {
    const retyped = version(8, { fields: { ...FIELDS, count: t.text } });
    const type = t.optional(note(retyped));
    const value = e.fromInterface(SOURCE, `${retyped.id}:Main:Note`, asSource);
    const { evaluate } = world(
      { FromInterface: { type, update: u.block([BOX], u.pure(type, value)) } },
      first,
      retyped,
    );
    expect(evaluate('FromInterface')).toMatchObject({
      refused: 'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED',
      cause: expect.stringContaining(
        `Translation of a contract to a value of type Main:Note@${retyped.id.slice(0, 8)} fails.\n` +
          'Reason: Type-checking fails  mismatching type: Text and value: Int64(5)\n',
      ),
    });
  });

  test('computes another key if the key has another type, even with the same text', () => {
    const texts = version(9, { isTextKey: true });
    const { evaluate } = world({ Fetch: fetching(texts) }, first, texts);
    expect(evaluate('Fetch')).toMatchObject({
      refused: 'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED',
      cause: expect.stringMatching(
        /\noriginal maintainers are { '(.*)' }\noriginal key is '\1'\nrecomputed maintainers are { '\1' }\nrecomputed key is "\1"$/,
      ),
    });
  });

  test('lacks the template', () => {
    const later = encodePackage({
      name: 'notes',
      version: '7.0.0',
      lf: '3',
      modules: {
        Main: { templates: { Other: { fields: { owner: t.party }, precondition: e.true } } },
      },
    });
    const { evaluate } = world(byInterface, first, later);
    for (const name of Object.keys(byInterface))
      expect(evaluate(name)).toMatchObject({
        refused: 'CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE',
        cause: expect.stringContaining(`but contract has type Main:Note@${later.id.slice(0, 8)}`),
      });
  });

  test('returns an invalid view only for a requested view', () => {
    const { evaluate } = world(byInterface, first, deep);
    expect(evaluate('View')).toMatchObject({ refused: 'VALUE_NESTING' });
    expect(evaluate('ExerciseInterface')).toBe('version 6');
  });
});
