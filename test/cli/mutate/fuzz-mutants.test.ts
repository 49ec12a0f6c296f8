/** `canticle mutate --fuzz`: random sequences with checks and invariants as the tests. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { casePackage } from '../../script/case-package.js';
import { darOf } from '../../script/script-package.js';
import { e, u } from '../../support/daml/lf-code.js';
import { t } from '../../support/daml/lf-types.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';

const folder = useTemporaryFolder();

const shares = casePackage(
  {
    Share: {
      fields: { owner: t.party, holder: t.party, parts: t.int64 },
      signatories: ['owner'],
      observers: ['holder'],
      ensure: ({ my }) => e.call(e.builtin('GREATER', t.int64), my('parts'), e.int(0)),
      choices: {
        Divide: {
          by: ['holder'],
          stays: true,
          returns: t.int64,
          does: ({ my }) =>
            u.pure(t.int64, e.call(e.builtin('DIV_INT64'), e.int(100), my('parts'))),
        },
      },
    },
  },
  {},
);

async function mutate(...flags: readonly string[]) {
  const file = join(folder(), 'shares.dar');
  writeFileSync(file, darOf(shares));
  return runHere('mutate', file, '--fuzz', '--cache', 'off', ...flags);
}

it('kills the mutants with a bug that the original code has not', async () => {
  const { status, stdout } = await mutate('--runs', '20', '--json');
  expect(status).toBe(0);
  const { tests, mutants } = JSON.parse(stdout) as {
    tests: readonly unknown[];
    mutants: readonly { status: string; key: string; by?: string; reason?: string }[];
  };
  expect(tests).toEqual([{ name: 'random sequences' }]);
  expect(mutants.filter((each) => each.status === 'killed')).toMatchObject([
    {
      key: 'Main:Share precondition#0',
      by: 'arithmetic-error',
      reason: expect.stringContaining('DIV_INT64 100 0'),
    },
  ]);
  expect(mutants.filter((each) => each.status === 'survived')).toHaveLength(6);
});

/** Rejects what the mutants with a divisor of 0 create, under another name than the check that notices it first. */
const POSITIVE = `exports.positive = {
  name: 'parts are positive',
  summary: 'Shares have parts.',
  start: () => ({
    afterStep: (outcome, ledger) =>
      [...ledger.active()]
        .filter(({ payload }) => payload.parts < 1n)
        .map(() => ({ check: 'parts are positive', place: 'Share', message: 'No parts.' })),
  }),
};`;

it('notices mutants by the invariants of modules', async () => {
  const module = join(folder(), 'positive.cjs');
  writeFileSync(module, POSITIVE);
  const flags = ['--runs', '20', '--operator', 'drop-ensure', '--workers', '1', '--json'];
  const { stdout } = await mutate('--invariant', module, ...flags);
  expect((JSON.parse(stdout) as { mutants: unknown }).mutants).toMatchObject([
    { status: 'killed', by: 'parts are positive' },
  ]);
  const [alone, missing] = [
    await runHere('mutate', join(folder(), 'shares.dar'), '--invariant', module),
    await mutate('--invariant', join(folder(), 'missing.cjs')),
  ];
  expect(alone.stderr).toContain('--invariant needs --fuzz');
  expect(missing.stderr).toContain('failed to load');
});

it('needs a start state that exists, and no command', async () => {
  expect((await mutate('--setup', 'Main:none')).stderr).toContain('has no script Main:none');
  expect((await mutate('--', 'npx', 'jest')).stderr).toContain('exclude each other');
});
