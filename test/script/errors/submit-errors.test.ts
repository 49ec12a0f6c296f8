/** The error in a script for a rejected submission: each constructor of the library's `SubmitError`, with its contents. */
import { type ErrorCode, LedgerError, readDar } from '../../../src/daml/index.js';
import { PROTOCOLS } from '../../../src/network/index.js';
import { scriptNamed } from '../../../src/script/find-scripts.js';
import { IdeLedger } from '../../../src/script/ide/ide-ledger.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { submitError } from '../../../src/script/questions/submit-error.js';
import { ScriptRun } from '../../../src/script/script-run.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { e, p, type Code } from '../../support/daml/lf-code.js';
import { t } from '../../support/daml/lf-types.js';
import { shown } from '../../support/daml/shown-value.js';
import { SUBMIT_ERRORS } from '../../support/daml/script-library.js';
import {
  allocate,
  ANSWER,
  asset,
  ASSET_ID,
  createAndExerciseCmd,
  createCmd,
  darOf,
  exerciseCmd,
  packageOf,
  runnerOf,
  s,
  steps,
  submit,
  type ScriptSpec,
} from '../script-package.js';

const alice = e.var('alice');
const bob = e.var('bob');
const PARTIES = [
  ['alice', t.party, allocate('alice')],
  ['bob', t.party, allocate('bob')],
] as const;
const tryIt = (party: Code, ...commands: Code[]) => submit(party, commands, { behaviour: 'Try' });
const last = (type: Parameters<typeof t.list>[0], code: Code): ScriptSpec => ({
  result: type,
  code: steps([...PARTIES], [type, code]),
});

const REP = s.low('TemplateTypeRep');
const queryOne = (party: Code) =>
  s.ask(
    'QueryACS',
    1,
    [
      [t.list(t.party), e.list(t.party, [party])],
      [REP, s.rep(t.con('Main:Asset'))],
    ],
    t.list(s.low('Pair', ASSET_ID)),
  );
const PAIRS = t.list(s.low('Pair', ASSET_ID));
/** The id of Alice's only asset, from the first contract that a query finds. */
const firstOf = (pairs: Code, then: Code): Code =>
  e.match(
    pairs,
    [
      p.cons('pair', '_'),
      e.let([['id', ASSET_ID, e.field(s.low('Pair', ASSET_ID), '_1', e.var('pair'))]], then),
    ],
    [p.default, e.call(e.builtin('ERROR', s.of(ANSWER)), e.text('there is none'))],
  );

const withAsset = (
  code: Code,
  before: readonly (readonly [string, typeof ANSWER, Code])[] = [],
): ScriptSpec => ({
  result: ANSWER,
  code: steps(
    [
      ...PARTIES,
      ...before,
      ['_', ANSWER, submit(alice, [createCmd(asset(alice))])],
      ['pairs', PAIRS, queryOne(alice)],
    ],
    [ANSWER, code],
  ),
});
const id = e.var('id');
const setTime = (seconds: bigint) =>
  s.ask('SetTime', 1, [[t.timestamp, e.timestamp(seconds * 1_000_000n)]], ANSWER);
const again = (before: Code, then: Code) =>
  firstOf(e.var('pairs'), s.then(before, ['_', ANSWER], then, ANSWER));

const own = packageOf({
  authorization: last(ANSWER, tryIt(alice, createCmd(asset(bob)))),
  failure: last(ANSWER, tryIt(alice, createAndExerciseCmd(asset(alice), 'Refuse'))),
  userError: last(ANSWER, tryIt(alice, createAndExerciseCmd(asset(alice), 'Abort'))),
  precondition: last(ANSWER, tryIt(alice, createCmd(asset(alice, '')))),
  notActive: withAsset(
    again(
      submit(alice, [exerciseCmd(id, 'Rename', { name: e.text('b') })]),
      tryIt(alice, exerciseCmd(id, 'Tell')),
    ),
  ),
  notVisible: withAsset(firstOf(e.var('pairs'), tryIt(bob, exerciseCmd(id, 'Tell')))),
  notEffective: withAsset(again(setTime(10n), tryIt(alice, exerciseCmd(id, 'Tell'))), [
    ['_0', ANSWER, setTime(90n)],
  ]),
  readAs: withAsset(
    firstOf(
      e.var('pairs'),
      submit(bob, [exerciseCmd(id, 'Tell')], {
        behaviour: 'Try',
        readAs: e.list(t.party, [alice]),
      }),
    ),
  ),
  twice: withAsset(
    firstOf(
      e.var('pairs'),
      tryIt(
        alice,
        exerciseCmd(id, 'Rename', { name: e.text('b') }),
        exerciseCmd(id, 'Rename', { name: e.text('c') }),
      ),
    ),
  ),
  nothing: { result: t.unit, code: s.finish(t.unit, e.unit) },
});
const run = runnerOf(own);
const ranks = new Map(Object.keys(SUBMIT_ERRORS).map((name, rank) => [rank, name]));

/** The constructor and contents of the error, for a single submission. */
function errorOf(name: string): unknown {
  const { failure, result } = run(name);
  expect(failure).toBeUndefined();
  const [{ rank: side, value }] = result as [{ rank: number; value: { rank: number } }];
  return side === 0 ? named(value) : 'succeeded';
}
const named = (error: unknown) => {
  const { rank, value } = error as { rank: number; value: unknown };
  return [ranks.get(rank), value];
};

const contract = [['Main:Asset'], expect.stringMatching(/^00/) as string];

it.each([
  [
    'authorization',
    [
      'AuthorizationError',
      [
        expect.stringMatching(
          /^node NodeId\(0\).* requires authorizers bob, but only alice were given$/,
        ),
      ],
    ],
  ],
  ['failure', ['FailureStatusError', [['some/error', 8, 'No, never', {}]]]],
  ['userError', ['UserError', ['aborted']]],
  ['precondition', ['TemplatePreconditionViolated', []]],
  [
    'notActive',
    ['ContractNotFound', [[contract[1], []], { some: { rank: 1, value: [contract] } }]],
  ],
  [
    'notEffective',
    [
      'ContractNotFound',
      [[contract[1], []], { some: { rank: 2, value: [contract, '1970-01-01T00:01:30Z'] } }],
    ],
  ],
  [
    'notVisible',
    [
      'ContractNotFound',
      [[contract[1], []], { some: { rank: 3, value: [contract, ['bob'], [], ['alice']] } }],
    ],
  ],
  ['twice', ['ContractNotFound', [[contract[1], []], { some: { rank: 1, value: [contract] } }]]],
  ['readAs', ['AuthorizationError', [expect.stringContaining('requires authorizers alice')]]],
])('A submission fails because of %s', (name, expected) => {
  expect(errorOf(name)).toEqual(expected);
});

describe('engine errors are converted by code and resources (R-34-099):', () => {
  const { main, packages: all } = readDar(darOf(own));
  const packages = new ScriptPackages(all);
  const ledger = new IdeLedger(packages, { protocol: PROTOCOLS[34] });
  const running = new ScriptRun(scriptNamed(main, 'Main:nothing'), { packages, ledger });
  const [template, cid] = [`${own.id}:Main:Asset`, `00${'ab'.repeat(32)}`];
  const reading = (code: ErrorCode, resources: readonly (readonly [string, string])[] = []) =>
    named(
      shown(
        submitError(
          running,
          {
            error: new LedgerError(code, { cause: 'Interpretation error: Error: why', resources }),
          },
          false,
        ),
      ),
    );
  const OF = ['TEMPLATE_ID', template] as const;
  const CONTRACT = ['CONTRACT_ID', cid] as const;
  const INTERFACE = ['INTERFACE_ID', `${own.id}:Main:Named`] as const;
  const CALL = [
    ['EXTERNAL_CALL_EXTENSION_ID', 'x'],
    ['EXTERNAL_CALL_FUNCTION_ID', 'f'],
    ['EXCEPTION_TEXT', 'no'],
  ] as const;
  const shownId = [['Main:Asset'], cid];
  const rep = ['Main:Asset'];

  it.each<[ErrorCode, readonly (readonly [string, string])[], unknown]>([
    ['CONTRACT_NOT_FOUND', [CONTRACT], ['ContractNotFound', [[cid, []], null]]],
    [
      'CONTRACT_NOT_FOUND',
      [['CONTRACT_IDS', '[a, b]']],
      ['ContractNotFound', [['a', ['b']], null]],
    ],
    ['UNRESOLVED_PACKAGE_NAME', [['PACKAGE_NAME', 'p']], ['UnresolvedPackageName', ['p']]],
    ['DAML_EFFECTFUL_ROLLBACK_ERROR', [], ['EffectfulRollbackError', ['why']]],
    ['UNSUPPORTED_CONTRACT_ID', [['CONTRACT_ID', '00ab']], ['UnsupportedContractId', ['00ab']]],
    ['WRONGLY_TYPED_CONTRACT', [CONTRACT, OF, OF], ['WronglyTypedContract', [shownId, rep, rep]]],
    [
      'CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE',
      [CONTRACT, OF, INTERFACE],
      ['ContractDoesNotImplementInterface', [shownId, rep, ['Main:Named']]],
    ],
    [
      'CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE',
      [CONTRACT, OF, INTERFACE, ['INTERFACE_ID', `${own.id}:Main:Other`]],
      [
        'ContractDoesNotImplementRequiringInterface',
        [shownId, rep, ['Main:Named'], ['Main:Other']],
      ],
    ],
    ['NON_COMPARABLE_VALUES', [], ['NonComparableValues', []]],
    ['CONTRACT_ID_IN_CONTRACT_KEY', [], ['ContractIdInContractKey', []]],
    ['CONTRACT_ID_COMPARABILITY', [CONTRACT], ['ContractIdComparability', [cid]]],
    ['VALUE_NESTING', [], ['ValueNesting', [100]]],
    ['LOCAL_VERDICT_LOCKED_CONTRACTS', [], ['LocalVerdictLockedContracts', [[]]]],
    ['DUPLICATE_CONTRACT_KEY', [], ['DuplicateContractKey', [null]]],
    ['UNHANDLED_EXCEPTION', [], ['UnhandledException', [null]]],
    [
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY',
      [['CRYPTO_VALUE', '00']],
      ['CryptoError', [{ rank: 1, value: ['00'] }, 'why']],
    ],
    [
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE',
      [['CRYPTO_VALUE', '00']],
      ['CryptoError', [{ rank: 2, value: ['00'] }, 'why']],
    ],
    [
      'INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING',
      [['CRYPTO_VALUE', '00']],
      ['CryptoError', [{ rank: 0, value: ['00'] }, 'why']],
    ],
    [
      'INTERPRETATION_EXTERNAL_CALL_ERROR_PREPARATION_FAILED',
      CALL,
      ['ExternalCallError', [0, 'x', 'f', 'no']],
    ],
    [
      'INTERPRETATION_EXTERNAL_CALL_ERROR_EXECUTION_FAILED',
      CALL,
      ['ExternalCallError', [1, 'x', 'f', 'no']],
    ],
    [
      'INTERPRETATION_EXTERNAL_CALL_ERROR_INVALID_OUTPUT',
      CALL,
      ['ExternalCallError', [2, 'x', 'f', 'no']],
    ],
    [
      'INTERPRETATION_DEV_ERROR',
      [['DEV_ERROR_TYPE', 'ChoiceGuardFailed']],
      ['DevError', [0, 'why']],
    ],
    ['INTERPRETATION_DEV_ERROR', [['DEV_ERROR_TYPE', 'Novelty']], ['DevError', [1, 'why']]],
    // Resources are missing.
    ['WRONGLY_TYPED_CONTRACT', [CONTRACT], ['TruncatedError', ['WronglyTypedContract', 'why']]],
    ['CONTRACT_KEY_NOT_FOUND', [OF], ['TruncatedError', ['ContractKeyNotFound', 'why']]],
    ...(
      [
        ['INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED', 'ValidationFailed'],
        ['INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED', 'TranslationFailed'],
        ['INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED', 'AuthenticationFailed'],
        ['INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING', 'MalformedByteEncoding'],
        ['INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY', 'MalformedKey'],
        ['INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE', 'MalformedSignature'],
        ['INTERPRETATION_EXTERNAL_CALL_ERROR_PREPARATION_FAILED', 'ExternalCallError'],
        ['INTERPRETATION_EXTERNAL_CALL_ERROR_EXECUTION_FAILED', 'ExternalCallError'],
        ['INTERPRETATION_EXTERNAL_CALL_ERROR_INVALID_OUTPUT', 'ExternalCallError'],
        ['DAML_FAILURE', 'FailureStatusError'],
        ['INTERPRETATION_DEV_ERROR', 'DevError'],
        ['INTERPRETATION_USER_ERROR', 'UserError'],
      ] as const
    ).map(
      ([code, type]) => [code, [], ['TruncatedError', [type, 'why']]] as [ErrorCode, [], unknown],
    ),
    // No row has this code.
    ['DUPLICATE_COMMAND', [], ['UnknownError', ['why']]],
    // This release of the library does not know these codes.
    [
      'MALFORMED_TEXT',
      [],
      [
        'UnknownError',
        ['Outdated daml-script library failed to represent MalformedText error as SubmitError'],
      ],
    ],
  ])('%s %j', (code, resources, expected) => {
    expect(reading(code, resources)).toEqual(expected);
  });
});

it('a library with another name is not accepted', () => {
  const legacy = encodePackage({
    name: 'daml-script-legacy',
    modules: {
      'Daml.Script': {
        types: { Script: { record: { run: t.var('a') }, params: ['a'], serializable: false } },
        values: {
          old: {
            type: t.con('Daml.Script:Script', t.unit),
            expression: e.record(t.con('Daml.Script:Script', t.unit), { run: e.unit }),
          },
        },
      },
    },
  });
  const { main, packages } = readDar(darOf(legacy));
  const all = new ScriptPackages(packages);
  const ledger = new IdeLedger(all, { protocol: PROTOCOLS[34] });
  const script = scriptNamed(main, 'Daml.Script:old');
  expect(() => new ScriptRun(script, { packages: all, ledger })).toThrow(
    'Legacy daml-script is not supported in daml 3.3, please recompile your script using a daml 3.3+ SDK',
  );
});
