/**
 * Scripts that are compiled with SDK 3.6: separate packages, which all later SDKs share, have the types of the script library
 * (B-SCR-001). An error of a submission is a tag and a map of fields (B-SCR-002).
 */
import { createCanticle } from 'canticle';
import { type ErrorCode, LedgerError, readDar } from '../../../src/daml/index.js';
import { PROTOCOLS } from '../../../src/network/index.js';
import { scriptNamed, scriptsOf } from '../../../src/script/find-scripts.js';
import { IdeLedger } from '../../../src/script/ide/ide-ledger.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { submitError } from '../../../src/script/questions/submit-error.js';
import { ScriptRun } from '../../../src/script/script-run.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { e, p, type Code } from '../../support/daml/lf-code.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';
import { standardLibrary, stableLibrary } from '../../support/daml/script-library.js';
import { shown } from '../../support/daml/shown-value.js';
import { asset, ASSET_ID, kitOf, type ScriptSpec } from '../script-package.js';

const library = stableLibrary();
const kit = kitOf(library);
const { s, ANSWER } = kit;
const [alice, bob] = [e.var('alice'), e.var('bob')];
type Kit = typeof kit;

const PARTIES = [
  ['alice', t.party, kit.allocate('alice')],
  ['bob', t.party, kit.allocate('bob')],
] as const;
const tryIt = (party: Code, command: Code, { submit }: Kit = kit) =>
  submit(party, [command], { behaviour: 'Try' });
const spec = (type: LfTypeSpec, code: Code): ScriptSpec => ({
  result: type,
  code: kit.steps(PARTIES, [type, code]),
});
const refused = kit.createCmd(asset(bob));

/** The only result of a submission, as the script receives it. */
function resultOf(result: unknown): { readonly rank: number; readonly value: unknown } {
  const [only] = result as [{ rank: number; value: unknown }];
  return only;
}

/** The tag and the fields of the error that a script receives. */
function errorOf(result: unknown): unknown {
  const { rank, value } = resultOf(result);
  expect(rank).toBe(0);
  const [tagged] = value as [unknown];
  return tagged;
}

describe('the error of a submission', () => {
  const TAGGED = t.con(library.nameOf('Daml.Script.Internal.Questions.Submit.Error:TaggedRecord'));
  const ERROR = t.con(library.nameOf('Daml.Script.Internal.Questions.Submit.Error:AnySubmitError'));
  const EITHER = t.con('Main:Either');
  const tagged = e.field(ERROR, 'unpack', e.var('error'));
  /** `match` of the real library: the field if the error has the tag. */
  const matched = (tag: string, field: string): Code =>
    e.match(
      e.call(e.builtin('EQUAL', t.text), e.text(tag), e.field(TAGGED, 'tgTag', tagged)),
      [
        p.true,
        e.match(
          e.call(
            e.builtin('GENMAP_LOOKUP', t.text, s.low('LedgerValue')),
            e.text(field),
            e.field(TAGGED, 'tgData', tagged),
          ),
          [p.some('found'), s.cast(s.low('LedgerValue'), t.text, e.var('found'))],
          [p.default, e.text('no such field')],
        ),
      ],
      [p.default, e.field(TAGGED, 'tgTag', tagged)],
    );
  const matching = (tag: string, field: string): ScriptSpec =>
    spec(
      t.text,
      s.then(
        tryIt(alice, refused),
        ['results', ANSWER],
        e.match(
          s.cast(ANSWER, t.list(EITHER), e.var('results')),
          [
            p.cons('first', '_'),
            e.match(
              e.var('first'),
              [p.variant('Main:Either', 'Left', 'error'), s.finish(t.text, matched(tag, field))],
              [p.default, s.finish(t.text, e.text('succeeded'))],
            ),
          ],
          [p.default, s.finish(t.text, e.text('no result'))],
        ),
        t.text,
      ),
    );
  const own = kit.packageOf(
    {
      refused: spec(ANSWER, tryIt(alice, refused)),
      matched: matching('AuthorizationError', 'authorizationErrorMessage'),
      original: matching('AuthorizationError', 'originalMessage'),
      absent: matching('AuthorizationError', 'none'),
      other: matching('UserError', 'none'),
      nothing: { result: t.unit, code: s.finish(t.unit, e.unit) },
    },
    { types: { Either: { variant: { Left: ERROR, Right: t.unit }, serializable: false } } },
  );
  const run = kit.runnerOf(own);
  const message = /^node NodeId\(0\).* requires authorizers bob, but only alice were given$/;

  it('has a tag, its fields and its message (R-36-084)', () => {
    expect(errorOf(run('refused').result)).toEqual([
      'AuthorizationError',
      {
        authorizationErrorMessage: expect.stringMatching(message),
        originalMessage: expect.stringMatching(message),
      },
    ]);
  });

  it.each([
    ['matched', message],
    ['original', message],
    ['absent', /^no such field$/],
    ['other', /^AuthorizationError$/],
  ])('can be matched by the script: %s (R-36-084)', (name, expected) => {
    expect(run(name).result).toMatch(expected);
  });

  const { main, packages: all } = readDar(kit.darOf(own));
  const packages = new ScriptPackages(all);
  const ledger = new IdeLedger(packages, { protocol: PROTOCOLS[34] });
  const running = new ScriptRun(scriptNamed(main, 'Main:nothing'), { packages, ledger });
  const template = ['TEMPLATE_ID', `${own.id}:Main:Asset`] as const;
  const cid = `00${'ab'.repeat(32)}`;
  const contract = ['CONTRACT_ID', cid] as const;
  const CALL = [
    ['EXTERNAL_CALL_EXTENSION_ID', 'x'],
    ['EXTERNAL_CALL_FUNCTION_ID', 'f'],
    ['EXCEPTION_TEXT', 'no'],
  ] as const;
  const call = (stage: string) => ({
    externalCallErrorType: [[stage, {}]],
    extensionId: 'x',
    functionId: 'f',
    externalCallErrorMessage: 'no',
  });
  const crypto = (tag: string, field: string) => ({
    cryptoErrorType: [[tag, { [field]: '00' }]],
    cryptoErrorMessage: 'why',
  });
  const VALUE = [['CRYPTO_VALUE', '00']] as const;
  const parts = { srcTemplateId: ['Main:Asset'], dstTemplateId: ['Main:Asset'] };

  it.each<[ErrorCode, readonly (readonly [string, string])[], string, object]>([
    [
      'CONTRACT_NOT_FOUND',
      [contract],
      'ContractNotFound',
      { unknownContractIds: [cid, []], additionalDebuggingInfo: null },
    ],
    [
      'UNSUPPORTED_CONTRACT_ID',
      [['CONTRACT_ID', '00ab']],
      'UnsupportedContractId',
      { unknownContractId: '00ab' },
    ],
    [
      'UNRESOLVED_PACKAGE_NAME',
      [['PACKAGE_NAME', 'p']],
      'UnresolvedPackageName',
      { packageName: 'p' },
    ],
    [
      'WRONGLY_TYPED_CONTRACT',
      [contract, template, template],
      'WronglyTypedContract',
      {
        contractId: [['Main:Asset'], cid],
        expectedTemplateId: ['Main:Asset'],
        actualTemplateId: ['Main:Asset'],
      },
    ],
    ['DUPLICATE_CONTRACT_KEY', [], 'DuplicateContractKey', { duplicateContractKey: null }],
    ['NON_COMPARABLE_VALUES', [], 'NonComparableValues', {}],
    ['VALUE_NESTING', [], 'ValueNesting', { limit: 100 }],
    // A library before 3.6 does not have it.
    ['MALFORMED_TEXT', [], 'MalformedText', { malformedTextMessage: 'why' }],
    ['UNHANDLED_EXCEPTION', [], 'UnhandledException', { exc: null }],
    [
      'LOCAL_VERDICT_LOCKED_CONTRACTS',
      [],
      'LocalVerdictLockedContracts',
      { localVerdictLockedContracts: [] },
    ],
    [
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING',
      VALUE,
      'CryptoError',
      crypto('MalformedByteEncoding', 'value'),
    ],
    [
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY',
      VALUE,
      'CryptoError',
      crypto('MalformedKey', 'keyValue'),
    ],
    [
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE',
      VALUE,
      'CryptoError',
      crypto('MalformedSignature', 'signatureValue'),
    ],
    [
      'INTERPRETATION_DEV_ERROR',
      [['DEV_ERROR_TYPE', 'Novelty']],
      'DevError',
      { devErrorType: [['UnknownNewFeature', {}]], devErrorMessage: 'why' },
    ],
    [
      'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED',
      [
        ...[template, template, contract],
        ...(['p', 'q'].map((name) => ['PACKAGE_NAME', name]) as [string, string][]),
        ...(['a', ''].map((list) => ['PARTIES', list]) as [string, string][]),
        ...[['NULLABLE_CONTRACT_KEY', 'NULL'] as const, ['NULLABLE_PARTIES', 'NULL'] as const],
        ...(['a,b', ''].map((list) => ['PARTIES', list]) as [string, string][]),
        ...[['NULLABLE_CONTRACT_KEY', 'NULL'] as const, ['NULLABLE_PARTIES', 'NULL'] as const],
      ],
      'UpgradeError',
      {
        errorType: [
          [
            'ValidationFailed',
            {
              coid: [['Main:Asset'], cid],
              ...parts,
              ...{ srcPackageName: 'p', dstPackageName: 'q' },
              ...{ originalSignatories: ['a'], originalNonSignatoryStakeholders: [] },
              ...{ recomputedSignatories: ['a', 'b'], recomputedNonSignatoryStakeholders: [] },
              ...{ originalKeyOpt: null, recomputedKeyOpt: null },
            },
          ],
        ],
        errorMessage: 'why',
      },
    ],
    // Resources are missing.
    [
      'WRONGLY_TYPED_CONTRACT',
      [contract],
      'TruncatedError',
      { truncatedErrorType: 'WronglyTypedContract', truncatedErrorMessage: 'why' },
    ],
    // No row has this code.
    ['DUPLICATE_COMMAND', [], 'UnknownError', { unknownErrorMessage: 'why' }],
  ])(
    'of code %s has the tag and fields of the library (R-36-084)',
    (code, resources, tag, fields) => {
      const error = new LedgerError(code, { cause: 'Interpretation error: Error: why', resources });
      expect(shown(submitError(running, { error }, false))).toEqual([
        [tag, { ...fields, originalMessage: 'why' }],
      ]);
    },
  );

  it.each<[ErrorCode, string]>([
    ['INTERPRETATION_EXTERNAL_CALL_ERROR_PREPARATION_FAILED', 'PreparationFailed'],
    ['INTERPRETATION_EXTERNAL_CALL_ERROR_EXECUTION_FAILED', 'ExecutionFailed'],
    ['INTERPRETATION_EXTERNAL_CALL_ERROR_INVALID_OUTPUT', 'InvalidOutput'],
  ])(
    'of an external call, %s, has its stage, service, function and reason (R-36-085)',
    (code, stage) => {
      const error = new LedgerError(code, { cause: 'why', resources: CALL });
      expect(shown(submitError(running, { error }, false))).toEqual([
        ['ExternalCallError', { ...call(stage), originalMessage: 'why' }],
      ]);
    },
  );
});

it('an external call that fails on the ledger is an error that a script receives (R-36-085)', () => {
  const [ORACLE, ASK] = [t.con('Main:Oracle'), t.con('Main:Ask')];
  const owners = e.list(t.party, [e.field(ORACLE, 'owner', e.var('this'))]);
  const argument = e.record(ASK, {});
  const asks = kit.commandOf('CreateAndExercise', {
    tplArgCE: s.anyTemplate(ORACLE, e.record(ORACLE, { owner: alice })),
    choiceArgCE: s.anyChoice(ORACLE, ASK, argument),
  });
  const call = ['prices', 'latest', '00', '01'].map((text) => e.text(text));
  const more = {
    types: { Ask: { record: {} } },
    templates: {
      Oracle: {
        fields: { owner: t.party },
        precondition: e.true,
        signatories: owners,
        choices: {
          Ask: {
            argument: ASK,
            returns: t.text,
            controllers: owners,
            update: e.call(e.builtin('EXTERNAL_CALL'), ...call),
          },
        },
      },
    },
  };
  const own = kit.packageOf({ asks: spec(ANSWER, tryIt(alice, asks)) }, more, '4');
  expect(errorOf(kit.runnerOf(own)('asks').result)).toEqual([
    'ExternalCallError',
    {
      externalCallErrorType: [['ExecutionFailed', {}]],
      ...{ extensionId: 'prices', functionId: 'latest' },
      externalCallErrorMessage: 'External calls not supported',
      originalMessage: expect.stringContaining('functionId=latest'),
    },
  ]);
});

describe('a submission', () => {
  const create = kit.createCmd(asset(alice));
  const own = kit.packageOf({
    succeeds: spec(ANSWER, kit.submit(alice, [create])),
    fails: spec(ANSWER, kit.submit(alice, [refused], { behaviour: 'MustFail' })),
    mustFail: spec(ANSWER, kit.submit(alice, [create], { behaviour: 'MustFail' })),
  });
  const run = kit.runnerOf(own);

  it('has its results and its transaction', () => {
    const { rank, value } = resultOf(run('succeeds').result);
    const id = expect.stringMatching(/^00/);
    const payload = { type: 'Main:Asset', value: ['alice', [], 'gold'] };
    expect([rank, value]).toEqual([
      1,
      [[{ rank: 0, value: id }], [[{ rank: 0, value: [[['Main:Asset'], id], [payload]] }]]],
    ]);
    expect(errorOf(run('fails').result)).toEqual(['AuthorizationError', expect.anything()]);
    expect(run('mustFail').failure?.message).toContain('Expected submit to fail but it succeeded');
  });

  it('has its own version of a package, if its data says so', () => {
    const model = (version: string) =>
      encodePackage({
        name: 'model',
        version,
        modules: {
          Model: {
            templates: {
              Item: {
                fields: {
                  owner: t.party,
                  ...(version === '2.0.0' && { note: t.optional(t.text) }),
                },
                precondition: e.true,
                signatories: e.list(t.party, [
                  e.field(t.con('Model:Item'), 'owner', e.var('this')),
                ]),
              },
            },
          },
        },
      });
    const [old, later] = [model('1.0.0'), model('2.0.0')];
    const ITEM = t.con(`${old.id}:Model:Item`);
    const createsItem = (isExact?: boolean) => {
      const argC = s.anyTemplate(ITEM, e.record(ITEM, { owner: alice }));
      return spec(ANSWER, kit.submit(alice, [kit.commandOf('Create', { argC }, isExact)]));
    };
    const items = { usual: createsItem(false), exact: createsItem(true), silent: createsItem() };
    const runItem = kit.runnerOf(kit.packageOf(items), old, later);
    const versionOf = (name: string) =>
      [...runItem(name).ledger.contracts.all()][0]?.instance.templateId;
    expect(versionOf('exact')).toBe(`${old.id}:Model:Item`);
    expect(versionOf('usual')).toBe(`${later.id}:Model:Item`);
    expect(versionOf('silent')).toBe(`${later.id}:Model:Item`);
  });

  it.each([
    ['a stable library', kit, 2, 'Unsupported non-stable submission using stable daml-script.'],
    ['a stable library', kit, 1, 'Unsupported non-stable submission using stable daml-script.'],
    [
      'an older library',
      kitOf(standardLibrary()),
      3,
      'Unsupported stable submission using non-stable daml-script.',
    ],
  ] as const)('of %s must not have version %#', (_, of, version, text) => {
    const code = of.steps(
      [['alice', t.party, of.allocate('alice')]],
      [of.ANSWER, of.submit(alice, [of.createCmd(asset(alice))], { version })],
    );
    const runOld = of.runnerOf(of.packageOf({ submits: { result: of.ANSWER, code } }));
    expect(runOld('submits').failure?.message).toBe(
      `Submit failed: ${text} Do not use daml-script internal directly.`,
    );
  });
});

describe('scripts of several SDKs (R-36-086)', () => {
  const later = stableLibrary('3.7.0', true);
  const laterKit: Kit = kitOf(later);

  it('share the stable types', () => {
    expect(later.parts.map(({ id }) => id)).toEqual(library.parts.map(({ id }) => id));
    expect(later.main.id).not.toBe(library.main.id);
  });

  // The later library orders other constructors in reverse, among them those of the behaviours and of the reasons.
  const tries = (of: Kit) => tryIt(alice, refused, of);
  const created = (of: Kit) => of.submit(alice, [kit.createCmd(asset(alice))]);
  const queried = s.ask(
    'QueryACS',
    1,
    [
      [t.list(t.party), e.list(t.party, [alice])],
      [s.low('TemplateTypeRep'), s.rep(t.con('Main:Asset'))],
    ],
    t.list(s.low('Pair', ASSET_ID)),
  );
  /** A submission for a contract that bob does not see. */
  const unseen = (of: Kit): ScriptSpec =>
    spec(
      ANSWER,
      s.then(
        created(kit),
        ['_', ANSWER],
        s.then(
          queried,
          ['pairs', t.list(s.low('Pair', ASSET_ID))],
          e.match(
            e.var('pairs'),
            [
              p.cons('pair', '_'),
              tryIt(
                bob,
                kit.exerciseCmd(e.field(s.low('Pair', ASSET_ID), '_1', e.var('pair')), 'Tell'),
                of,
              ),
            ],
            [p.default, e.call(e.builtin('ERROR', s.of(ANSWER)), e.text('there is none'))],
          ),
          ANSWER,
        ),
        ANSWER,
      ),
    );
  const own = kit.packageOf({
    mixed: spec(
      ANSWER,
      s.then(
        tries(kit),
        ['first', ANSWER],
        s.then(created(laterKit), ['_', ANSWER], tries(laterKit), ANSWER),
        ANSWER,
      ),
    ),
    unseen: unseen(kit),
    unseenLater: unseen(laterKit),
  });
  const run = kit.runnerOf(own, later.main);

  it('run in one script, each with its own types', () => {
    const { failure, result, ledger } = run('mixed');
    expect(failure).toBeUndefined();
    expect(errorOf(result)).toEqual(['AuthorizationError', expect.anything()]);
    expect([...ledger.contracts.all()]).toHaveLength(1);
  });

  it.each([
    ['unseen', 3],
    ['unseenLater', 0],
  ])(
    '%s: the reason of a missing contract has the type that belongs to the library',
    (name, rank) => {
      const id = [['Main:Asset'], expect.stringMatching(/^00/)];
      expect(errorOf(run(name).result)).toEqual([
        'ContractNotFound',
        {
          unknownContractIds: [id[1], []],
          additionalDebuggingInfo: { some: { rank, value: [id, ['bob'], [], ['alice']] } },
          originalMessage: expect.any(String),
        },
      ]);
    },
  );
});

describe('a thrown value of the library', () => {
  const USERS = 'Daml.Script.Internal.Questions.UserManagement';
  const thrown = (of: Kit, name: string): Code => {
    const id = of.s.question('UserManagement:UserId');
    const error = of.s.question(`UserManagement:${name}`);
    const userId = e.record(id, { unpack: e.text('carol') });
    const value = e.record(error, name === 'InvalidUserId' ? { m: e.text('bad id') } : { userId });
    const throws = of.s.ask('Throw', 1, [[t.any, e.toAny(error, value)]], of.ANSWER);
    const closure = e.lambda({ _: t.unit }, throws);
    return of.s.ask(
      'TryFailureStatus',
      1,
      [
        [t.arrow(t.unit, of.s.of(of.ANSWER)), closure],
        [t.unit, e.unit],
      ],
      of.ANSWER,
    );
  };
  const messages = {
    InvalidUserId: 'bad id',
    UserAlreadyExists: 'User already exists: carol',
    UserNotFound: 'User not found: carol',
  };

  it.each([
    ['stable', kit, (name: string) => `${USERS}.Stable.${name}:${name}`],
    ['older', kitOf(standardLibrary()), (name: string) => `${USERS}:${name}`],
  ] as const)('becomes a failure with the name of its %s type', (_, of, nameOf) => {
    const scripts = Object.keys(messages).map(
      (name) => [`throw${name}`, { result: of.ANSWER, code: thrown(of, name) }] as const,
    );
    const run = of.runnerOf(of.packageOf(Object.fromEntries(scripts)));
    for (const [name, message] of Object.entries(messages))
      expect(run(`throw${name}`).result).toEqual({
        rank: 0,
        value: [`UNHANDLED_EXCEPTION/${nameOf(name)}`, 9, message, {}],
      });
  });
});

it('a script of stable types needs a library', () => {
  const own = kit.packageOf({
    asks: { result: t.int64, code: s.ask('GetTime', 1, [], t.int64) },
  });
  const dar = readDar(kit.darOf(own));
  const packages = new ScriptPackages(dar.packages.filter(({ name }) => name !== 'daml-script'));
  const ledger = new IdeLedger(packages, { protocol: PROTOCOLS[34] });
  const script = scriptNamed(dar.main, 'Main:asks');
  const run = () => {
    const running = new ScriptRun(script, { packages, ledger });
    return running.library;
  };
  expect(run).toThrow(
    'Invalid daml script package name. Expected daml-script or daml3-script, got no known package',
  );
});

it('a network finds and runs such scripts, and shows their results in JSON', async () => {
  const own = kit.packageOf({
    setup: spec(
      t.party,
      s.then(
        kit.submit(alice, [kit.createCmd(asset(alice))]),
        ['_', ANSWER],
        s.finish(t.party, alice),
        t.party,
      ),
    ),
    refused: spec(ANSWER, kit.submit(alice, [refused])),
  });
  const dar = kit.darOf(own);
  expect(scriptsOf(readDar(dar).main).map(({ name }) => name)).toEqual(['setup', 'refused']);
  const canticle = createCanticle({ dars: [dar] });
  const party = canticle.runScript<string>('Main:setup');
  expect(canticle.participant.activeContracts({ party })).toMatchObject([
    { payload: { owner: party, name: 'gold' } },
  ]);
  await canticle.close();
  const other = createCanticle({ dars: [dar] });
  expect(() => other.runScript('Main:refused')).toThrow(/DAML_AUTHORIZATION_ERROR/);
  await other.close();
});
