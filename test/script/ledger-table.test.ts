/** The contracts of a script as a table: each of its limits is met and passed. */
import { readDar } from '../../src/daml/index.js';
import { scriptNamed } from '../../src/script/find-scripts.js';
import { contractTables, tableText } from '../../src/script/ide/ledger-table.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { testScript } from '../../src/script/test-script.js';
import { e } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import {
  allocate,
  ANSWER,
  asset,
  createCmd,
  darOf,
  packageOf,
  steps,
  submit,
} from './script-package.js';

const alice = e.var('alice');
const made = (count: number) => {
  const commands = Array.from({ length: count }, () => createCmd(asset(alice)));
  const code = steps([['alice', t.party, allocate('alice')]], [ANSWER, submit(alice, commands)]);
  return { result: ANSWER, code };
};
const { main, packages: all } = readDar(
  darOf(packageOf({ twenty: made(20), more: made(21), none: made(0) })),
);
const packages = new ScriptPackages(all);
const tablesOf = (name: string) =>
  contractTables(
    packages,
    testScript(packages, scriptNamed(main, `Main:${name}`)).ledger.contracts,
  );

it('shows 20 contracts of a template, and the number of other contracts', () => {
  const [twenty] = tablesOf('twenty');
  const [more] = tablesOf('more');
  expect(twenty).toMatchObject({
    template: 'Main:Asset',
    columns: ['#', 'status', 'owner', 'viewers', 'name', 'alice'],
    more: 0,
  });
  expect(twenty!.rows).toEqual(Array(20).fill(['0', 'active', 'alice', '[]', '"gold"', 'S']));
  expect([more!.rows.length, more!.more]).toEqual([20, 1]);
  expect(tableText([twenty!])).toHaveLength(22);
  expect(tableText([more!]).at(-1)).toBe('  … 1 more');
  expect(tablesOf('none')).toEqual([]);
});

it('shows 32 letters of a cell, in columns as wide as the shown text', () => {
  const [fits, long] = ['x'.repeat(32), 'y'.repeat(33)];
  const table = {
    template: 'M:T',
    columns: ['a', 'b'],
    rows: [
      [fits, '1'],
      [long, '2'],
    ],
    more: 0,
  };
  expect(tableText([table])).toEqual([
    'M:T',
    `  a${' '.repeat(31)}  b`,
    `  ${fits}  1`,
    `  ${'y'.repeat(31)}…  2`,
  ]);
});

it('shows 30 templates, and the number of other templates', () => {
  const tables = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...{ template: `M:T${n}`, columns: ['a'], rows: [['1']], more: 0 },
    }));
  expect(tableText(tables(30))).toHaveLength(90);
  expect(tableText(tables(31)).slice(-2)).toEqual(['  1', '… 1 more templates']);
});
