/** `damlTests`: the Daml scripts of an archive, declared as tests of this file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { damlTests } from '../../src/testing/jest.js';
import {
  allocate,
  ANSWER,
  asset,
  createAndExerciseCmd,
  createCmd,
  darOf,
  packageOf,
  s,
  steps,
  submit,
} from '../script/script-package.js';
import { e, p } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();
const alice = e.var('alice');
const ALICE = ['alice', t.party, allocate('alice')] as const;
const row = t.con('Main:Row');
const field = (name: string) => e.field(row, name, e.var('row'));
const creates = {
  result: ANSWER,
  code: steps([ALICE], [ANSWER, submit(alice, [createCmd(asset(alice))])]),
};
const fails = {
  result: ANSWER,
  code: steps(
    [ALICE, ['_', ANSWER, submit(alice, [createAndExerciseCmd(asset(alice), 'Say')])]],
    [ANSWER, submit(alice, [createAndExerciseCmd(asset(alice), 'Refuse')])],
  ),
};
const adds = {
  type: t.arrow(row, s.of(t.unit)),
  expression: e.lambda(
    { row },
    e.if(
      e.call(
        e.builtin('EQUAL', t.int64),
        e.call(e.builtin('ADD_INT64'), field('left'), field('right')),
        field('sum'),
      ),
      s.finish(t.unit, e.unit),
      e.match(
        field('hint'),
        [p.some('hint'), e.call(e.builtin('ERROR', s.of(t.unit)), e.var('hint'))],
        [p.default, e.call(e.builtin('ERROR', s.of(t.unit)), e.text('it does not'))],
      ),
    ),
  ),
};
const rowType = {
  Row: {
    record: { left: t.int64, right: t.int64, sum: t.int64, hint: t.optional(t.text) },
  },
};
const darWith = (scripts: Parameters<typeof packageOf>[0]) =>
  darOf(packageOf(scripts, { types: rowType, values: { adds } }));

damlTests(darWith({ creates }), { name: 'An archive in a line' });

/** The declared tests, and the outcome of each. */
function declared(
  dar: Uint8Array,
  options: Parameters<typeof damlTests>[1],
): Record<string, string | undefined> {
  const results: Record<string, string | undefined> = {};
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    it: (name: string, body: () => void) => {
      try {
        body();
        results[name] = undefined;
      } catch (error) {
        results[name] = (error as Error).message;
      }
    },
    afterAll: (body: () => void) => body(),
  };
  damlTests(dar, { ...options, runner });
  return results;
}

it('the error for a missing DAR names the file', () => {
  expect(() => damlTests('none-of-these.dar')).toThrow(/^no 'none-of-these.dar' in /);
});

it('a failed test reports the error, the debug output and the ledger', () => {
  const { 'Main:creates': good, 'Main:fails': bad } = declared(darWith({ creates, fails }), {});
  expect(good).toBeUndefined();
  expect(bad).toMatch(/^Script Main:fails failed: Submit failed: DAML_FAILURE: /);
  expect(bad).toContain('\nOutput of the script:\nsaid inside\n');
  expect(bad).toContain(
    [
      'The ledger:',
      'Main:Asset',
      '  #  status  owner  viewers  name    alice',
      '  0  active  alice  []       "gold"  S',
    ].join('\n'),
  );
});

it.each([
  ['rows.csv', 'left,right,sum,hint\n1,2,3,\n2,2,5,"two, ""and"" two"\n'],
  [
    'rows.json',
    JSON.stringify([
      { left: 1, right: '2', sum: 3, hint: null },
      { left: 2, right: 2, sum: 5, hint: 'two, "and" two' },
    ]),
  ],
  [
    'rows.yaml',
    '- { left: 1, right: 2, sum: 3 }\n- { left: 2, right: 2, sum: 5, hint: \'two, "and" two\' }\n',
  ],
])('each row of %s is a test', (name, text) => {
  const file = join(folder(), name);
  writeFileSync(file, text);
  const results = declared(darWith({ creates }), {
    testPattern: 'none of them',
    rows: { 'Main:adds': file },
  });
  const [first, second] = Object.entries(results);
  expect(first).toEqual([expect.stringMatching(/^Main:adds, row 1: /), undefined]);
  expect(second).toEqual([
    expect.stringMatching(/^Main:adds, row 2: /),
    'Script Main:adds failed: two, "and" two',
  ]);
});
