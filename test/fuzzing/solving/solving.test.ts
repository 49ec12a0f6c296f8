/** The solver reaches branches that wait for numbers which random inputs never have. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FuzzProject } from '../../../src/assembly/fuzzing/fuzz-project.js';
import { z3Solver } from '../../../src/assembly/fuzzing/z3.js';
import type { Command } from '../../../src/daml/model/transaction.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import type { Condition, LinearForm } from '../../../src/fuzzing/solving/conditions.js';
import { Solving } from '../../../src/fuzzing/solving/solve.js';
import type { Step } from '../../../src/fuzzing/model/step.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { vault } from './vault.js';

const folder = useTemporaryFolder();

function opened() {
  const file = join(folder(), 'vault.dar');
  writeFileSync(file, buildDar(vault));
  return new FuzzProject({ file, seed: 0, parties: ['Alice'], cache: false });
}

let solver: Awaited<ReturnType<typeof z3Solver>>;
beforeAll(async () => {
  solver = await z3Solver();
});
afterAll(() => solver.close());

const submit = (number: number, command: Command): Step => ({
  kind: 'submit',
  number,
  submission: { actAs: ['Alice'], readAs: [], commands: [command] },
});

test('each branch of the vault is reached, one after the other', async () => {
  const { packages, start, coverage, main } = opened();
  const ledger = new FuzzLedger(packages, start);
  const mark = ledger.mark();
  const templateId = `${main.id}:Main:Vault`;
  const create = submit(0, {
    kind: 'create',
    templateId,
    payload: { owner: 'Alice', secret: 17n },
  });
  ledger.run(create);
  const [contract] = ledger.active();
  ledger.revert(mark);
  const argument = { first: 5n, second: 9n, word: 'open' };
  const { contractId } = contract!;
  const open = submit(1, { kind: 'exercise', templateId, contractId, choice: 'Open', argument });
  const solving = new Solving(ledger, coverage.probes, solver);
  let sequences: (readonly Step[])[] = [[create, open]];
  const reached: string[] = [];
  for (let round = 0; round < 6; round++) {
    const solved = await solving.solve(sequences);
    for (const { branch } of solved) reached.push(`${branch.when} of ${branch.condition}`);
    sequences = [...sequences, ...solved.map(({ steps }) => steps)];
  }
  expect(reached).toHaveLength(4);
  expect(coverage.summary().missedBranches).toEqual([]);
});

const form = (constant: bigint, terms: readonly [number, bigint][], divisor = 1n): LinearForm => ({
  constant,
  terms: new Map(terms),
  divisor,
});
const any = { least: -100n, most: 100n };

test.each<[string, readonly Condition[], readonly bigint[] | undefined]>([
  [
    'two equations',
    [
      {
        operator: 'EQUAL',
        left: form(0n, [
          [0, 1n],
          [1, 1n],
        ]),
        right: form(10n, []),
        holds: true,
      },
      {
        operator: 'EQUAL',
        left: form(0n, [
          [0, 1n],
          [1, -1n],
        ]),
        right: form(4n, []),
        holds: true,
      },
    ],
    [7n, 3n],
  ],
  [
    'a divisor',
    [
      { operator: 'EQUAL', left: form(0n, [[0, 1n]], 4n), right: form(3n, [], 2n), holds: true },
      { operator: 'EQUAL', left: form(0n, [[1, 1n]]), right: form(1n, []), holds: true },
    ],
    [6n, 1n],
  ],
  [
    'bounds',
    [
      { operator: 'LESS', left: form(0n, [[0, 1n]]), right: form(-99n, []), holds: true },
      { operator: 'LESS_EQ', left: form(0n, [[1, 1n]]), right: form(99n, []), holds: false },
    ],
    [-100n, 100n],
  ],
  [
    'a contradiction',
    [
      { operator: 'GREATER', left: form(0n, [[0, 1n]]), right: form(3n, []), holds: true },
      { operator: 'GREATER_EQ', left: form(0n, [[0, 1n]]), right: form(3n, []), holds: false },
    ],
    undefined,
  ],
])('solves %s', async (_, conditions, values) => {
  expect(await solver.solve([any, any], conditions)).toEqual(values);
});
