/** Scripts that do a little of everything, for ledgers of several kinds. */
import { e, p } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import {
  allocate,
  ANSWER,
  asset,
  ASSET,
  ASSET_ID,
  createAndExerciseCmd,
  createCmd,
  darOf,
  exerciseCmd,
  packageOf,
  s,
  steps,
  submit,
} from './script-package.js';

const alice = e.var('alice');
const ALICE = ['alice', t.party, allocate('alice')] as const;
const run = (name: string, ...fields: Parameters<typeof s.ask>[2]) =>
  s.ask(name, 1, fields, ANSWER);
const NOBODY = [t.optional(t.text), e.none(t.text)] as const;
const packageName = s.question('Packages:PackageName');
const userType = s.question('UserManagement:User');
const idType = s.question('UserManagement:UserId');
const id = e.record(idType, { unpack: e.text('amy') });
const rightType = s.question('UserManagement:UserRight');
const rights = e.list(rightType, [e.variant(rightType, 'CanActAs', alice)]);
const create = submit(alice, [createCmd(asset(alice))]);

const allocateOn = (name: string, hint = 'bob', ...more: readonly string[]) =>
  s.ask(
    'AllocateParty',
    2,
    [
      [t.text, e.text('')],
      [t.text, e.text(hint)],
      [t.list(t.text), e.list(t.text, [name, ...more].map(e.text))],
    ],
    t.party,
  );

/** The result of a query: ids and contracts. */
const PAIR = s.low('Arguments2', ASSET_ID, s.low('AnyTemplate'));
const FOUND = t.list(PAIR);
const parties = e.list(t.party, [alice]);
const rep = [s.low('TemplateTypeRep'), s.rep(ASSET)] as const;
const query = s.ask('QueryACS', 1, [[t.list(t.party), parties], rep], FOUND);
/** A query as two parties, each of which is allocated on a participant. */
const queryOf = (...participants: readonly string[]) =>
  steps(
    participants.map((name, n) => [`party${n}`, t.party, allocateOn(name, `party${n}`)] as const),
    [
      FOUND,
      s.ask(
        'QueryACS',
        1,
        [
          [
            t.list(t.party),
            e.list(
              t.party,
              participants.map((_, n) => e.var(`party${n}`)),
            ),
          ],
          rep,
        ],
        FOUND,
      ),
    ],
  );
const ofFirst = (list: string, type: Parameters<typeof t.list>[0], then: typeof create) =>
  e.match(
    e.var(list),
    [p.cons('pair', '_'), then],
    [p.default, e.call(e.builtin('ERROR', s.of(type)), e.text('there is none'))],
  );
const rename = submit(alice, [
  exerciseCmd(e.field(PAIR, 'a0', e.var('pair')), 'Rename', { name: e.text('renamed') }),
]);
const held = e.field(s.low('AnyTemplate'), 'getAnyTemplate', e.field(PAIR, 'a1', e.var('pair')));
const nameOf = e.match(
  e.fromAny(ASSET, held),
  [p.some('asset'), e.field(ASSET, 'name', e.var('asset'))],
  [p.default, e.text('no asset')],
);

export const dar = darOf(
  packageOf(
    {
      setup: {
        result: t.party,
        code: steps([ALICE, ['_', ANSWER, create]], [t.party, s.finish(t.party, alice)]),
      },
      refused: {
        result: ANSWER,
        code: steps(
          [ALICE, ['_', ANSWER, create]],
          [ANSWER, submit(alice, [createAndExerciseCmd(asset(alice), 'Refuse')])],
        ),
      },
      user: {
        result: ANSWER,
        code: steps(
          [
            ALICE,
            [
              '_',
              ANSWER,
              run(
                'CreateUser',
                [
                  userType,
                  e.record(userType, { userId: id, primaryParty: e.some(t.party, alice) }),
                ],
                [t.list(rightType), rights],
                NOBODY,
              ),
            ],
          ],
          [ANSWER, run('GetUser', [idType, id], NOBODY)],
        ),
      },
      sleeps: {
        result: t.timestamp,
        code: s.then(
          run('Sleep', [
            s.low('Pair', t.int64),
            e.record(s.low('Pair', t.int64), { _1: e.int(60_000_000), _2: e.unit }),
          ]),
          ['_', ANSWER],
          s.ask('GetTime', 1, [], t.timestamp),
          t.timestamp,
        ),
      },
      sets: {
        result: t.timestamp,
        code: s.then(
          s.ask('SetTime', 1, [[t.timestamp, e.timestamp(4_102_444_800_000_000n)]], ANSWER),
          ['_', ANSWER],
          s.ask('GetTime', 1, [], t.timestamp),
          t.timestamp,
        ),
      },
      unvets: {
        result: ANSWER,
        code: run(
          'UnvetPackages',
          [
            t.list(packageName),
            e.list(packageName, [
              e.record(packageName, { name: e.text('script-tests'), version: e.text('1.0.0') }),
            ]),
          ],
          NOBODY,
        ),
      },
      lists: { result: ANSWER, code: run('ListVettedPackages') },
      counts: {
        result: t.list(t.int64),
        code: s.finish(t.list(t.int64), e.list(t.int64, [e.int(42)])),
      },
      renames: {
        result: t.text,
        code: steps(
          [
            ALICE,
            ['_', ANSWER, create],
            ['before', FOUND, query],
            ['outcome', ANSWER, ofFirst('before', ANSWER, rename)],
            ['after', FOUND, query],
          ],
          [t.text, ofFirst('after', t.text, s.finish(t.text, nameOf))],
        ),
      },
      elsewhere: { result: t.party, code: allocateOn('second') },
      shared: { result: t.party, code: allocateOn('second', 'bob', 'first') },
      nowhere: { result: t.party, code: allocateOn('third') },
      together: { result: FOUND, code: queryOf('second', 'second') },
      apart: { result: FOUND, code: queryOf('first', 'second') },
    },
    {
      values: {
        named: {
          type: t.arrow(t.text, s.of(t.text)),
          expression: e.lambda({ x: t.text }, s.finish(t.text, e.var('x'))),
        },
        measured: {
          type: t.arrow(t.numeric(10), s.of(t.numeric(10))),
          expression: e.lambda({ x: t.numeric(10) }, s.finish(t.numeric(10), e.var('x'))),
        },
      },
    },
  ),
);
