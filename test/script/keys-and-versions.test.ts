/** Scripts with contract keys, in the forms of both libraries, and with several versions of a package. */
import { e, u, type Code } from '../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec, type TemplateSpec } from '../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../support/daml/lf-types.js';
import { SUBMIT_ERRORS } from '../support/daml/script-library.js';
import { created, readTypes } from './case-package.js';
import {
  allocate,
  ANSWER,
  commandOf,
  packageOf,
  runnerOf,
  s,
  steps,
  submit,
} from './script-package.js';

const alice = e.var('alice');
const ALICE = ['alice', t.party, allocate('alice')] as const;
const LEFT = 0;
const errorOf = (result: unknown): unknown => {
  const [{ rank, value }] = result as [{ rank: number; value: { rank: number; value: unknown } }];
  return rank === LEFT ? [Object.keys(SUBMIT_ERRORS)[value.rank], value.value] : 'succeeded';
};

describe('Contract keys', () => {
  const [KEY, ACCOUNT] = [t.con('Main:Key'), t.con('Main:Account')];
  const field = (type: LfTypeSpec, name: string, of: string) => e.field(type, name, e.var(of));
  const ORPHAN = t.con('Main:Orphan');
  const keyed = (type: LfTypeSpec, maintainers: Code): TemplateSpec => ({
    fields: { owner: t.party, number: t.int64 },
    precondition: e.true,
    signatories: e.list(t.party, [field(type, 'owner', 'this')]),
    key: {
      type: KEY,
      body: e.record(KEY, {
        holder: field(type, 'owner', 'this'),
        number: field(type, 'number', 'this'),
      }),
      maintainers: e.lambda({ key: KEY }, maintainers),
    },
    choices: {
      Close: {
        argument: t.con('Main:Close'),
        returns: t.int64,
        controllers: e.list(t.party, [field(type, 'owner', 'this')]),
        update: u.pure(t.int64, field(type, 'number', 'this')),
      },
    },
  });
  const account: ModuleSpec = {
    types: {
      Key: { record: { holder: t.party, number: t.int64 } },
      Close: { record: {} },
    },
    templates: {
      Account: keyed(ACCOUNT, e.list(t.party, [field(KEY, 'holder', 'key')])),
      // Its key has no maintainers.
      Orphan: keyed(ORPHAN, e.nil(t.party)),
    },
  };
  const key = (number: number) => e.record(KEY, { holder: alice, number: e.int(number) });
  const rep = s.rep(ACCOUNT);
  /** In the form of the script library, and in the older form of the standard library. */
  const anyKey = (number: number, of = rep) =>
    e.record(s.question('Commands:AnyContractKey'), {
      getAnyContractKey: s.cast(KEY, s.low('LedgerValue'), key(number)),
      getAnyContractKeyTemplateTypeRep: of,
    });
  const STANDARD = s.low('Arguments2', t.any, s.low('TemplateTypeRep'));
  const standardKey = (number: number) =>
    e.record(STANDARD, { a0: e.toAny(KEY, key(number)), a1: rep });
  const parties = [t.list(t.party), e.list(t.party, [alice])] as const;
  const repField = [s.low('TemplateTypeRep'), rep] as const;
  const byKey = (name: string, number: number, ...more: Parameters<typeof s.ask>[2]) =>
    s.ask(
      name,
      name === 'QueryByKey' ? 2 : 1,
      [parties, repField, [s.question('Commands:AnyContractKey'), anyKey(number)], ...more],
      ANSWER,
    );
  const open = (number: number) =>
    [
      `opened${number}`,
      ANSWER,
      submit(alice, [
        commandOf('Create', {
          argC: s.anyTemplate(ACCOUNT, e.record(ACCOUNT, { owner: alice, number: e.int(number) })),
        }),
      ]),
    ] as const;
  const close = (number: number, of = ACCOUNT) =>
    submit(
      alice,
      [
        commandOf('ExerciseByKey', {
          tplId: s.rep(of),
          keyE: anyKey(number, s.rep(of)),
          argE: s.anyChoice(of, t.con('Main:Close'), e.record(t.con('Main:Close'), {})),
        }),
      ],
      { behaviour: 'Try' },
    );
  const openOrphan = submit(
    alice,
    [
      commandOf('Create', {
        argC: s.anyTemplate(ORPHAN, e.record(ORPHAN, { owner: alice, number: e.int(9) })),
      }),
    ],
    { behaviour: 'Try' },
  );
  const after = (last: Code) => ({
    result: ANSWER,
    code: steps([ALICE, open(7)], [ANSWER, last]),
  });
  const run = runnerOf(
    packageOf(
      {
        found: after(byKey('QueryByKey', 7)),
        standard: after(
          s.ask('QueryByKey', 1, [parties, repField, [STANDARD, standardKey(7)]], ANSWER),
        ),
        renamed: after(
          s.ask('QueryContractKey', 1, [parties, repField, [STANDARD, standardKey(7)]], ANSWER),
        ),
        missing: after(byKey('QueryByKey', 8)),
        all: {
          result: ANSWER,
          code: steps(
            [ALICE, open(7), ['_', ANSWER, open(7)[2]]],
            [ANSWER, byKey('QueryNByKey', 7, [t.int64, e.int(5)])],
          ),
        },
        closes: after(close(7)),
        closesNone: after(close(8)),
        opensOrphan: after(openOrphan),
        closesOrphan: after(close(9, ORPHAN)),
      },
      account,
      '3',
    ),
  );
  const id = expect.stringMatching(/^00/) as string;
  const pair = [id, [{ type: 'Main:Account', value: ['alice', 7] }]];

  it.each(['found', 'standard', 'renamed'])('can be queried: %s (R-34-098)', (name) => {
    const { result, failure } = run(name);
    expect(failure).toBeUndefined();
    expect(result).toEqual({ some: pair });
  });

  it('return no contracts for an unused key', () => {
    expect(run('missing').result).toBeNull();
  });

  it('return all contracts with the key', () => {
    expect(run('all').result).toEqual([pair, pair]);
  });

  it('can be exercised, with an error for an unused key', () => {
    const [{ value }] = run('closes').result as [{ value: [unknown] }];
    expect(value[0]).toEqual([{ rank: 1, value: 7 }]);
    expect(errorOf(run('closesNone').result)).toEqual([
      'ContractKeyNotFound',
      [[['alice', 8], ['Main:Account']]],
    ]);
  });

  it('without maintainers are rejected with the contract and the key', () => {
    expect(errorOf(run('opensOrphan').result)).toEqual([
      'CreateEmptyContractKeyMaintainers',
      [[{ type: 'Main:Orphan', value: ['alice', 9] }]],
    ]);
    expect(errorOf(run('closesOrphan').result)).toEqual([
      'FetchEmptyContractKeyMaintainers',
      [[['alice', 9], ['Main:Orphan']]],
    ]);
  });
});

describe('Versions of a package', () => {
  const model = (version: string, more: Readonly<Record<string, LfTypeSpec>>) => {
    const item = t.con('Model:Item');
    const owner = e.list(t.party, [e.field(item, 'owner', e.var('this'))]);
    return encodePackage({
      name: 'model',
      version,
      modules: {
        Model: {
          templates: {
            Item: {
              fields: { owner: t.party, ...more },
              precondition: e.true,
              signatories: owner,
            },
          },
        },
      },
    });
  };
  const old = model('1.0.0', {});
  const later = model('2.0.0', { note: t.optional(t.text) });
  const ITEM = t.con(`${old.id}:Model:Item`);
  const create = (isExact: boolean) =>
    submit(alice, [
      commandOf('Create', { argC: s.anyTemplate(ITEM, e.record(ITEM, { owner: alice })) }, isExact),
    ]);
  const query = s.ask(
    'QueryACS',
    1,
    [
      [t.list(t.party), e.list(t.party, [alice])],
      [s.low('TemplateTypeRep'), s.rep(ITEM)],
    ],
    ANSWER,
  );
  const scripts = {
    creates: { result: ANSWER, code: steps([ALICE], [ANSWER, create(false)]) },
    named: { result: ANSWER, code: steps([ALICE, ['_', ANSWER, create(false)]], [ANSWER, query]) },
    exact: { result: ANSWER, code: steps([ALICE, ['_', ANSWER, create(true)]], [ANSWER, query]) },
  };
  const run = runnerOf(packageOf(scripts), old, later);
  const held = [{ type: 'Model:Item', value: ['alice'] }];

  it('are selected by package name, unless a command requires its own version', () => {
    const versionOf = (name: string) => {
      const [contract] = [...run(name).ledger.contracts.all()];
      return contract!.instance.templateId;
    };
    expect(versionOf('named')).toBe(`${later.id}:Model:Item`);
    expect(versionOf('exact')).toBe(`${old.id}:Model:Item`);
  });

  it('return results in the types of the script', () => {
    const [{ value }] = run('creates').result as [{ value: [unknown, [[{ value: unknown[] }]]] }];
    expect(value[1][0][0].value[1]).toEqual(held);
  });

  it('differ in queries, as in `daml test`', () => {
    expect(run('named').result).toEqual([]);
    expect(run('exact').result).toEqual([[expect.any(String), held]]);
  });
});

describe('A later version that does not match', () => {
  const [ITEM, TOUCH] = [t.con('Model:Item'), t.con('Model:Touch')];
  const model = (version: string, signatories: readonly string[], more = {}) =>
    encodePackage({
      name: 'model',
      version,
      modules: {
        Model: {
          types: { Touch: { record: {} } },
          templates: {
            Item: {
              fields: { owner: t.party, friend: t.party, ...more },
              precondition: e.true,
              signatories: e.list(
                t.party,
                signatories.map((name) => e.field(ITEM, name, e.var('this'))),
              ),
              choices: {
                Touch: {
                  argument: TOUCH,
                  returns: t.unit,
                  controllers: e.list(t.party, [e.field(ITEM, 'owner', e.var('this'))]),
                  update: u.pure(t.unit, e.unit),
                },
              },
            },
          },
        },
      },
    });
  const first = model('1.0.0', ['owner']);
  const of = (type: LfTypeSpec, { id }: { readonly id: string }) =>
    t.con(`${id}:${(type as { id: string }).id}`);

  /** The error in the script for a contract of the first version that it uses by package name. */
  function resultWith(later: ReturnType<typeof model>): unknown {
    const [item, touch] = [of(ITEM, first), of(TOUCH, first)];
    const payload = e.record(item, { owner: alice, friend: e.var('bob') });
    const id = e.call(
      e.builtin('COERCE_CONTRACT_ID', t.con('Main:Asset'), t.unit),
      created('made', 'Asset'),
    );
    const exercise = commandOf('Exercise', {
      tplId: s.rep(item),
      cId: id,
      argE: s.anyChoice(item, touch, e.record(touch, {})),
    });
    const uses = steps(
      [
        ALICE,
        ['bob', t.party, allocate('bob')],
        [
          'made',
          ANSWER,
          submit(alice, [commandOf('Create', { argC: s.anyTemplate(item, payload) }, true)]),
        ],
      ],
      [ANSWER, submit(alice, [exercise], { behaviour: 'Try' })],
    );
    const own = packageOf({ uses: { result: ANSWER, code: uses } }, { types: readTypes });
    const { failure, result } = runnerOf(own, first, later)('uses');
    expect(failure).toBeUndefined();
    return errorOf(result);
  }

  it('is reported with both lists of signatories (R-36-058)', () => {
    const [name, [{ rank, value }, text]] = resultWith(model('2.0.0', ['owner', 'friend'])) as [
      string,
      [{ rank: number; value: unknown }, string],
    ];
    expect([name, rank]).toEqual(['UpgradeError', 0]);
    expect(JSON.stringify(value)).toContain('["alice"]');
    expect(JSON.stringify(value)).toContain('["alice","bob"]');
    expect(text).toMatch(/signatories mismatch|validation/i);
  });

  it('is reported if the payload cannot be upgraded', () => {
    const [name, [{ rank }, text]] = resultWith(model('2.0.0', ['owner'], { note: t.text })) as [
      string,
      [{ rank: number }, string],
    ];
    expect([name, rank]).toEqual(['UpgradeError', 1]);
    expect(text).toContain('Unexpected non-optional extra template field type');
  });
});
