/** Each question of a script, against a separate ledger. */
import { createHash, verify } from 'node:crypto';
import { e, p } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import {
  allocate,
  ANSWER,
  ASSET,
  ASSET_ID,
  asset,
  createAndExerciseCmd,
  createCmd,
  exerciseCmd,
  failing,
  packageOf,
  runnerOf,
  s,
  steps,
  submit,
  type ScriptSpec,
} from './script-package.js';

const alice = e.var('alice');
const bob = e.var('bob');
const ALICE = ['alice', t.party, allocate('alice')] as const;
const BOB = ['bob', t.party, allocate('bob')] as const;
const TEXT = t.list(t.text);
const rightType = s.question('UserManagement:UserRight');
const userType = s.question('UserManagement:User');
const idType = s.question('UserManagement:UserId');
const nameType = s.question('Packages:PackageName');

const NOBODY = [t.optional(t.text), e.none(t.text)] as const;
const partiesOf = (...all: Parameters<typeof e.list>[1]) =>
  [t.list(t.party), e.list(t.party, all)] as const;
const rep = [s.low('TemplateTypeRep'), s.rep(ASSET)] as const;
const right = (name: string, party?: typeof alice) => e.variant(rightType, name, party ?? e.unit);
const rights = (...all: ReturnType<typeof right>[]) =>
  [t.list(rightType), e.list(rightType, all)] as const;
const userId = (name: string) => e.record(idType, { unpack: e.text(name) });
const user = (name: string) => [idType, userId(name)] as const;
const newUser = (name: string) =>
  [
    userType,
    e.record(userType, { userId: userId(name), primaryParty: e.some(t.party, alice) }),
  ] as const;
const packages = (name: string, version: string) =>
  [
    t.list(nameType),
    e.list(nameType, [e.record(nameType, { name: e.text(name), version: e.text(version) })]),
  ] as const;

/** A script of Alice and Bob that ends with the question. */
const after = (
  before: readonly (readonly [string, Parameters<typeof t.list>[0], ReturnType<typeof submit>])[],
  last: ReturnType<typeof submit>,
): ScriptSpec => ({
  result: ANSWER,
  code: steps([ALICE, BOB, ...before], [ANSWER, last]),
});
const make = ['outcome', ANSWER, submit(alice, [createCmd(asset(alice))])] as const;
const query = s.ask('QueryACS', 1, [partiesOf(alice), rep], ANSWER);
const seconds = (count: number) => e.timestamp(BigInt(count) * 1_000_000n);
const setTime = (count: number) => s.ask('SetTime', 1, [[t.timestamp, seconds(count)]], ANSWER);
const getTime = s.ask('GetTime', 1, [], ANSWER);
const oops = e.record(t.con('Main:Oops'), { reason: e.text('so it is') });
const thrown = e.toAnyException(t.con('Main:Oops'), oops);
const throwing = s.ask('Throw', 1, [[t.builtin(14), thrown]], ANSWER);
const watched = (name: string, act: ReturnType<typeof submit>) =>
  s.ask(
    name,
    1,
    [
      [t.arrow(t.unit, s.of(ANSWER)), e.lambda({ _: t.unit }, act)],
      [t.unit, e.unit],
    ],
    ANSWER,
  );
const refuse = submit(alice, [createAndExerciseCmd(asset(alice), 'Refuse')]);
const status = s.low('FailureStatus');
const fail = s.ask(
  'FailWithStatus',
  1,
  [
    [
      status,
      e.record(status, {
        errorId: e.text('my/error'),
        category: e.int(9),
        message: e.text('chosen'),
        meta: e.builtin('TEXTMAP_EMPTY', t.text),
      }),
    ],
  ],
  ANSWER,
);

const named = [s.low('TemplateTypeRep'), s.rep(t.con('Main:Named'))] as const;
const PAIR = s.low('Pair', ASSET_ID);
const anyIdOf = [
  t.contractId(t.unit),
  e.call(e.builtin('COERCE_CONTRACT_ID', ASSET, t.unit), e.var('id')),
] as const;
/** The result of a query by id: the contract, its template, its blob. */
const SHOWN_ONE = s.low('Arguments3', s.low('AnyTemplate'), s.low('TemplateTypeRep'), t.text);
const SHOWN = t.optional(SHOWN_ONE);
const disclosureOf = (blob: typeof alice) =>
  e.record(s.question('Commands:Disclosure'), {
    templateId: s.rep(ASSET),
    contractId: anyIdOf[1],
    blob,
  });
/** A script that continues after a creation, with the new contract id. */
function withId(last: ReturnType<typeof submit>): ScriptSpec {
  const found = s.ask('QueryACS', 1, [partiesOf(alice), rep], t.list(PAIR));
  const id = e.field(PAIR, '_1', e.var('pair'));
  return {
    result: ANSWER,
    code: steps(
      [ALICE, BOB, make, ['pairs', t.list(PAIR), found]],
      [
        ANSWER,
        e.match(
          e.var('pairs'),
          [p.cons('pair', '_'), e.let([['id', ASSET_ID, id]], last)],
          [p.default, e.call(e.builtin('ERROR', s.of(ANSWER)), e.text('there is none'))],
        ),
      ],
    ),
  };
}

const MESSAGE = '0badc0de';
/** A script that returns keys and a signature, in hexadecimal. */
function signing(name: string, text: string, key?: typeof alice): ScriptSpec {
  const KEYS = s.low('Arguments2', t.text, t.text);
  const held = key ?? e.field(KEYS, 'a0', e.var('keys'));
  return {
    result: t.text,
    code: steps(
      [['keys', KEYS, s.ask('Secp256k1GenerateKeyPair', 1, [], KEYS)]],
      [
        t.text,
        s.ask(
          name,
          1,
          [
            [t.text, held],
            [t.text, e.text(text)],
          ],
          t.text,
        ),
      ],
    ),
  };
}

const SCRIPTS: Record<string, ScriptSpec> = {
  create: after([], submit(alice, [createCmd(asset(alice))])),
  createAndExercise: after([], submit(alice, [createAndExerciseCmd(asset(alice), 'Tell')])),
  several: after([], submit(alice, [createCmd(asset(alice)), createCmd(asset(alice, 'silver'))])),
  queryOwn: after([make], query),
  queryOthers: after([make], s.ask('QueryACS', 1, [partiesOf(bob), rep], ANSWER)),
  known: after([], s.ask('ListKnownParties', 1, [NOBODY], ANSWER)),
  time: after([], getTime),
  passed: after([['_', ANSWER, setTime(90)]], getTime),
  slept: after(
    [
      [
        '_',
        ANSWER,
        s.ask(
          'Sleep',
          1,
          [
            [
              s.low('Pair', t.int64),
              e.record(s.low('Pair', t.int64), { _1: e.int(5_000_000), _2: e.unit }),
            ],
          ],
          ANSWER,
        ),
      ],
    ],
    getTime,
  ),
  effectiveLater: after([['_', ANSWER, setTime(90)], make, ['_2', ANSWER, setTime(10)]], query),
  caught: after([], watched('Catch', throwing)),
  notCaught: after([], watched('Catch', refuse)),
  failedWithStatus: after([], watched('TryFailureStatus', throwing)),
  triedStatus: after([], watched('TryFailureStatus', fail)),
  evaluates: after(
    [],
    watched('TryFailureStatus', s.finish(ANSWER, s.cast(t.unit, ANSWER, failing('lazily')))),
  ),
  tried: after([], s.ask('TryCommands', 1, [[s.of(ANSWER), refuse]], ANSWER)),
  validId: after([], s.ask('ValidateUserId', 1, [[t.text, e.text('carol')]], ANSWER)),
  invalidId: after([], s.ask('ValidateUserId', 1, [[t.text, e.text('no no')]], ANSWER)),
  viewed: after([make], s.ask('QueryInterface', 1, [partiesOf(alice), named], ANSWER)),
  viewedById: withId(
    s.ask('QueryInterfaceContractId', 1, [partiesOf(alice), named, anyIdOf], ANSWER),
  ),
  byId: withId(s.ask('QueryContractId', 1, [partiesOf(alice), rep, anyIdOf], ANSWER)),
  byIdOfOthers: withId(s.ask('QueryContractId', 1, [partiesOf(bob), rep, anyIdOf], ANSWER)),
  discloses: withId(
    s.then(
      s.ask('QueryContractId', 1, [partiesOf(alice), rep, anyIdOf], SHOWN),
      ['shown', SHOWN],
      e.match(
        e.var('shown'),
        [
          p.some('each'),
          submit(bob, [exerciseCmd(e.var('id'), 'Tell')], {
            behaviour: 'Try',
            disclosures: [disclosureOf(e.field(SHOWN_ONE, 'a2', e.var('each')))],
          }),
        ],
        [p.default, e.call(e.builtin('ERROR', s.of(ANSWER)), e.text('not found'))],
      ),
      ANSWER,
    ),
  ),
  disclosesRubbish: withId(
    submit(bob, [exerciseCmd(e.var('id'), 'Tell')], {
      behaviour: 'Try',
      disclosures: [disclosureOf(e.text('00'))],
    }),
  ),
  asksForEver: {
    result: t.unit,
    code: s.then(getTime, ['_', ANSWER], e.value('Main:asksForEver'), t.unit),
  },
  runsForEver: {
    result: t.unit,
    code: s.then(getTime, ['_', ANSWER], e.call(e.value('Main:loop'), e.int(0)), t.unit),
  },
  users: after(
    [
      [
        '_',
        ANSWER,
        s.ask('CreateUser', 1, [newUser('zoe'), rights(right('ParticipantAdmin')), NOBODY], ANSWER),
      ],
      ['_2', ANSWER, s.ask('CreateUser', 1, [newUser('amy'), rights(), NOBODY], ANSWER)],
    ],
    s.ask('ListAllUsers', 1, [NOBODY], ANSWER),
  ),
  createdTwice: after(
    [['_', ANSWER, s.ask('CreateUser', 1, [newUser('amy'), rights(), NOBODY], ANSWER)]],
    s.ask('CreateUser', 1, [newUser('amy'), rights(), NOBODY], ANSWER),
  ),
  noUser: after([], s.ask('GetUser', 1, [user('amy'), NOBODY], ANSWER)),
  deleted: after(
    [
      ['_', ANSWER, s.ask('CreateUser', 1, [newUser('amy'), rights(), NOBODY], ANSWER)],
      ['_2', ANSWER, s.ask('DeleteUser', 1, [user('amy'), NOBODY], ANSWER)],
    ],
    s.ask('DeleteUser', 1, [user('amy'), NOBODY], ANSWER),
  ),
  granted: after(
    [
      [
        '_',
        ANSWER,
        s.ask('CreateUser', 1, [newUser('amy'), rights(right('CanActAs', alice)), NOBODY], ANSWER),
      ],
    ],
    s.ask(
      'GrantUserRights',
      1,
      [user('amy'), rights(right('CanActAs', alice), right('CanReadAs', bob)), NOBODY],
      ANSWER,
    ),
  ),
  listedAfterGrant: after(
    [
      ['_', ANSWER, s.ask('CreateUser', 1, [newUser('amy'), rights(), NOBODY], ANSWER)],
      [
        '_2',
        ANSWER,
        s.ask('GrantUserRights', 1, [user('amy'), rights(right('CanReadAs', bob)), NOBODY], ANSWER),
      ],
    ],
    s.ask('ListUserRights', 1, [user('amy'), NOBODY], ANSWER),
  ),
  revoked: after(
    [
      [
        '_',
        ANSWER,
        s.ask('CreateUser', 1, [newUser('amy'), rights(right('CanActAs', alice)), NOBODY], ANSWER),
      ],
      [
        '_2',
        ANSWER,
        s.ask(
          'RevokeUserRights',
          1,
          [user('amy'), rights(right('CanReadAs', bob), right('CanActAs', alice)), NOBODY],
          ANSWER,
        ),
      ],
    ],
    s.ask('ListUserRights', 1, [user('amy'), NOBODY], ANSWER),
  ),
  unvetted: after(
    [['_', ANSWER, s.ask('UnvetPackages', 1, [packages('script-tests', '1.0.0'), NOBODY], ANSWER)]],
    submit(alice, [createCmd(asset(alice))], { behaviour: 'Try' }),
  ),
  vettedAgain: after(
    [
      ['_', ANSWER, s.ask('UnvetPackages', 1, [packages('script-tests', '1.0.0'), NOBODY], ANSWER)],
      ['_2', ANSWER, s.ask('VetPackages', 1, [packages('script-tests', '1.0.0'), NOBODY], ANSWER)],
    ],
    s.ask('ListVettedPackages', 1, [], ANSWER),
  ),
  unvettedList: after(
    [['_', ANSWER, s.ask('UnvetPackages', 1, [packages('script-tests', '1.0.0'), NOBODY], ANSWER)]],
    s.ask('ListVettedPackages', 1, [], ANSWER),
  ),
  allPackages: after([], s.ask('ListAllPackages', 1, [], ANSWER)),
  vetsUnknown: after([], s.ask('VetPackages', 1, [packages('nothing', '1.0.0'), NOBODY], ANSWER)),
  mustFail: after(
    [],
    submit(alice, [createAndExerciseCmd(asset(alice), 'Refuse')], { behaviour: 'MustFail' }),
  ),
  mustFailSucceeds: after([], submit(alice, [createCmd(asset(alice))], { behaviour: 'MustFail' })),
  twiceAllocated: after(
    [],
    s.ask(
      'AllocateParty',
      2,
      [
        [t.text, e.text('')],
        [t.text, e.text('bob')],
        [TEXT, e.nil(t.text)],
      ],
      ANSWER,
    ),
  ),
  otherHint: after(
    [],
    s.ask(
      'AllocateParty',
      2,
      [
        [t.text, e.text('carol')],
        [t.text, e.text('dora')],
        [TEXT, e.nil(t.text)],
      ],
      ANSWER,
    ),
  ),
  named: after(
    [],
    s.ask('AllocateParty', 1, [[t.text, e.text('carol')], [t.text, e.text('')], NOBODY], ANSWER),
  ),
  unnamed: after(
    [
      [
        '_',
        t.party,
        s.ask(
          'AllocateParty',
          2,
          [
            [t.text, e.text('')],
            [t.text, e.text('')],
            [TEXT, e.nil(t.text)],
          ],
          t.party,
        ),
      ],
    ],
    s.ask(
      'AllocateParty',
      2,
      [
        [t.text, e.text('')],
        [t.text, e.text('')],
        [TEXT, e.nil(t.text)],
      ],
      ANSWER,
    ),
  ),
  keys: after([], s.ask('Secp256k1GenerateKeyPair', 1, [], ANSWER)),
  signs: signing('Secp256k1Sign', MESSAGE),
  signsDigest: signing(
    'Secp256k1WithEcdsaSign',
    createHash('sha256').update(Buffer.from(MESSAGE, 'hex')).digest('hex'),
  ),
  signsRubbish: signing('Secp256k1Sign', MESSAGE, e.text('00')),
  unknown: after([], s.ask('Dance', 3, [], ANSWER)),
  future: after([], s.ask('Submit', 9, [], ANSWER)),
  empty: after([], s.ask('GetUser', 1, [], ANSWER)),
  noText: after([], s.ask('ValidateUserId', 1, [[t.int64, e.int(5)]], ANSWER)),
};
const loop = {
  type: t.arrow(t.int64, s.of(t.unit)),
  expression: e.lambda({ n: t.int64 }, e.call(e.value('Main:loop'), e.var('n'))),
};
const run = runnerOf(packageOf(SCRIPTS, { values: { loop } }));
const resultOf = (name: string): unknown => {
  const { failure, result } = run(name);
  expect(failure).toBeUndefined();
  return result;
};
const failureOf = (name: string): string | undefined => run(name).failure?.message;

/** The lower half, in hexadecimal. */
const half = (long: bigint) => BigInt.asUintN(32, long).toString(16).padStart(8, '0');
const [first, second] = [half(-4962768465676381896n), half(4437113781045784766n)];

const LEFT = 0;
const RIGHT = 1;
const id = expect.stringMatching(/^00[0-9a-f]{130,}$/) as string;

describe('Submissions', () => {
  const asset1 = (name: string) => [{ type: 'Main:Asset', value: ['alice', [], name] }];

  it('return the results of their commands and the transaction', () => {
    const tree = [[{ rank: 0, value: [[['Main:Asset'], id], asset1('gold')] }]];
    expect(resultOf('create')).toEqual([{ rank: RIGHT, value: [[{ rank: 0, value: id }], tree] }]);
  });

  it('return two results for a create-and-exercise', () => {
    const [outcome] = resultOf('createAndExercise') as [{ value: [unknown, unknown] }];
    const [results, [events]] = outcome.value as [unknown, [unknown[]]];
    expect(results).toEqual([
      { rank: 0, value: id },
      { rank: 1, value: 'gold' },
    ]);
    expect(events[1]).toEqual({
      rank: 1,
      value: [[['Main:Asset'], id], 'Tell', [{ type: 'Main:Tell', value: [] }, ['Main:Asset']], []],
    });
  });

  it('create one transaction from several commands', () => {
    const [outcome] = resultOf('several') as [{ value: [unknown[]] }];
    expect(outcome.value[0]).toHaveLength(2);
  });

  it('that must fail end the script if they succeed', () => {
    expect(resultOf('mustFail')).toMatchObject([{ rank: LEFT }]);
    expect(failureOf('mustFailSucceeds')).toBe(
      'Submit failed: Expected submit to fail but it succeeded',
    );
  });
});

it('Queries find exactly the contracts whose stakeholders include a party', () => {
  expect(resultOf('queryOwn')).toEqual([
    [id, [{ type: 'Main:Asset', value: ['alice', [], 'gold'] }]],
  ]);
  expect(resultOf('queryOthers')).toEqual([]);
});

it('Queries find no contracts with a later time, after the time was set back', () => {
  expect(resultOf('effectiveLater')).toEqual([]);
});

it("Queries by interface return the views of a party's contracts", () => {
  expect(resultOf('viewed')).toEqual([[id, { some: ['gold'] }]]);
  expect(resultOf('viewedById')).toEqual({ some: ['gold'] });
});

it('A stakeholder finds a contract by its id', () => {
  const blob = expect.stringMatching(/^[0-9a-f]+$/) as string;
  const shown = [[{ type: 'Main:Asset', value: ['alice', [], 'gold'] }], ['Main:Asset'], blob];
  expect(resultOf('byId')).toEqual({ some: shown });
  expect(resultOf('byIdOfOthers')).toBeNull();
});

it('A disclosed contract is visible, but does not grant authority', () => {
  const AUTHORIZATION = 4;
  expect(resultOf('discloses')).toMatchObject([{ rank: LEFT, value: { rank: AUTHORIZATION } }]);
  const [rubbish] = resultOf('disclosesRubbish') as [{ value: { value: [string] } }];
  expect(rubbish.value.value[0]).toMatch(/^decoding of disclosure fails: /);
});

it('A script that does not end stops at its limit', () => {
  expect(failureOf('asksForEver')).toBe('The script asked more than 200000 questions.');
  expect(failureOf('runsForEver')).toMatch(/^INTERPRETATION_TIME_EXCEEDED: /);
});

describe('Parties', () => {
  it('are known after their allocation', () => {
    expect(resultOf('known')).toEqual([
      ['alice', true],
      ['bob', true],
    ]);
  });

  it("have the names of Daml's script runner, if the script gives no name", () => {
    // With the lower halves of the numbers that `new java.util.Random(0).nextLong()` returns: -4962768465676381896, 4437113781045784766.
    expect(resultOf('named')).toBe(`carol-${first}`);
    expect(resultOf('unnamed')).toBe(`party-${second}`);
  });

  it('can be allocated only once with the same name', () => {
    expect(failureOf('twiceAllocated')).toBe(
      'AllocateParty failed: Error: Tried to allocate a party that already exists: bob',
    );
    expect(failureOf('otherHint')).toBe(
      "AllocateParty failed: Requested name 'carol' cannot be different from id hint 'dora'",
    );
  });
});

it('Time starts at 1970, and the script sets it', () => {
  expect(resultOf('time')).toBe(0);
  expect(resultOf('passed')).toBe(90_000_000);
  expect(resultOf('slept')).toBe(0);
});

describe('Exceptions', () => {
  it('can be caught in the script', () => {
    expect(resultOf('caught')).toEqual({
      rank: LEFT,
      value: { type: 'Main:Oops', value: ['so it is'] },
    });
  });

  it('of submissions cannot be caught', () => {
    expect(failureOf('notCaught')).toMatch(/^Submit failed: DAML_FAILURE: .*No, never/);
  });

  it('become failures with a status, if the script catches failures', () => {
    expect(resultOf('failedWithStatus')).toEqual({
      rank: LEFT,
      value: ['UNHANDLED_EXCEPTION/Main:Oops', 9, 'so it is', {}],
    });
    expect(resultOf('triedStatus')).toEqual({ rank: LEFT, value: ['my/error', 9, 'chosen', {}] });
    expect(resultOf('evaluates')).toMatchObject({
      rank: LEFT,
      value: ['some/error', 8, 'lazily', {}],
    });
  });

  it('of other commands reach a script that tries them', () => {
    expect(resultOf('tried')).toEqual({
      rank: LEFT,
      value: ['Submit', 'FailureStatus', expect.stringContaining('No, never')],
    });
  });
});

describe('Users', () => {
  it('have a validated id', () => {
    expect(resultOf('validId')).toBeNull();
    expect(resultOf('invalidId')).toEqual({ some: expect.stringContaining('no no') as string });
  });

  it('are created once, listed, found and deleted', () => {
    expect(resultOf('users')).toEqual([
      [['amy'], { some: 'alice' }],
      [['zoe'], { some: 'alice' }],
    ]);
    expect(resultOf('createdTwice')).toBeNull();
    expect(resultOf('noUser')).toBeNull();
    expect(resultOf('deleted')).toBeNull();
  });

  it('gain rights that they lack, and lose rights that they have', () => {
    expect(resultOf('granted')).toEqual({ some: [{ rank: 2, value: 'bob' }] });
    expect(resultOf('listedAfterGrant')).toEqual({ some: [{ rank: 2, value: 'bob' }] });
    expect(resultOf('revoked')).toEqual({ some: [] });
  });
});

describe('Packages', () => {
  it('cannot be used in submissions if they are not vetted', () => {
    expect(resultOf('unvetted')).toMatchObject([{ rank: LEFT }]);
    expect(resultOf('unvettedList')).toEqual([['daml-script', '3.5.0']]);
    expect(resultOf('vettedAgain')).toEqual(resultOf('allPackages'));
    expect(resultOf('allPackages')).toEqual([
      ['script-tests', '1.0.0'],
      ['daml-script', '3.5.0'],
    ]);
  });

  it('cannot be vetted if they are unknown', () => {
    expect(failureOf('vetsUnknown')).toBe('VetPackages failed: Unknown package nothing-1.0.0');
  });
});

it('Contract ids are the same for the same seed, which is 0 by default', () => {
  const { result } = run('create');
  expect(run('create', { seed: 0 }).result).toEqual(result);
  expect(run('create', { seed: 1 }).result).not.toEqual(result);
});

it('Signing keys depend only on the seed', () => {
  const keys = resultOf('keys');
  expect(keys).toEqual([
    expect.stringMatching(/^3081[0-9a-f]+$/),
    expect.stringMatching(/^3056301006072a8648ce3d0201/),
  ]);
  expect(run('keys').result).toEqual(keys);
  expect(run('keys', { seed: 1 }).result).not.toEqual(keys);
});

it.each(['signs', 'signsDigest'])('A signature verifies with the key: %s', (name) => {
  const [, publicKey] = resultOf('keys') as readonly [string, string];
  const signature = Buffer.from(resultOf(name) as string, 'hex');
  const key = { key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' } as const;
  expect(verify('sha256', Buffer.from(MESSAGE, 'hex'), key, signature)).toBe(true);
  expect(verify('sha256', Buffer.from('another'), key, signature)).toBe(false);
});

it('An invalid key cannot sign', () => {
  expect(failureOf('signsRubbish')).toMatch(/^Secp256k1Sign failed: .*key/);
});

it('An unknown command of a script ends it, and the error names the command', () => {
  expect(failureOf('unknown')).toBe('Unknown command Dance - Version 3');
  expect(failureOf('future')).toBe('Unknown command Submit - Version 9');
});

it('A command with a wrong payload ends the script', () => {
  expect(failureOf('empty')).toMatch(/^Expected GetUser payload, but it is another: /);
  expect(failureOf('noText')).toBe('Expected a text');
});
