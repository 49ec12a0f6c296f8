/** How many sequences the solver looks at. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FuzzProject } from '../../../src/assembly/fuzzing/fuzz-project.js';
import { z3Solver } from '../../../src/assembly/fuzzing/z3.js';
import { Some, type DamlValue } from '../../../src/daml/model/values.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import type { Step } from '../../../src/fuzzing/model/step.js';
import { Solving } from '../../../src/fuzzing/solving/solve.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { submit } from '../models.js';
import { e, isEqual, p, t, u, zooPackage } from '../zoo/notation.js';

const folder = useTemporaryFolder();
let solver: Awaited<ReturnType<typeof z3Solver>>;
beforeAll(async () => {
  solver = await z3Solver();
});
afterAll(() => solver.close());

/** A lock that opens for one number. Without a number, no other one changes its comparison. */
const lock = zooPackage({
  templates: {
    Lock: {
      fields: { owner: t.party },
      signatories: ['owner'],
      choices: {
        Open: {
          stays: true,
          args: { key: t.optional(t.int64) },
          by: ['owner'],
          returns: t.int64,
          does: ({ given }) => {
            const number = e.match(given('key'), [p.none, e.int(0)], [p.some('n'), e.var('n')]);
            return u.pure(t.int64, e.if(isEqual(number, e.int(77)), e.int(1), e.int(2)));
          },
        },
      },
    },
  },
});

/** @param keys of the known sequences; undefined for a sequence without steps @returns how many branches were reached */
async function solved(keys: readonly (DamlValue | undefined)[]): Promise<number> {
  const file = join(folder(), 'lock.dar');
  writeFileSync(file, buildDar(lock));
  const { packages, start, coverage, main } = new FuzzProject({ file, seed: 0, cache: false });
  const ledger = new FuzzLedger(packages, start);
  const mark = ledger.mark();
  const templateId = `${main.id}:Main:Lock`;
  const create = submit(0, ['Alice'], {
    kind: 'create',
    templateId,
    payload: { owner: 'Alice' },
  });
  ledger.run(create);
  const { contractId } = [...ledger.active()][0]!;
  ledger.revert(mark);
  const sequences = keys.map((key): readonly Step[] => {
    if (key === undefined) return [];
    const argument = { key };
    const open = { kind: 'exercise', templateId, contractId, choice: 'Open', argument } as const;
    return [create, submit(1, ['Alice'], open)];
  });
  const found = await new Solving(ledger, coverage.probes, solver).solve(sequences);
  expect([...ledger.active()]).toEqual([]);
  return found.length;
}
const number = new Some(5n);
const times = <T>(count: number, value: T): readonly T[] =>
  Array.from({ length: count }, () => value);

test('four sequences for each comparison, the first ones', async () => {
  expect(await solved([null])).toBe(0);
  expect(await solved([...times(3, null), number])).toBe(1);
  expect(await solved([...times(4, null), number])).toBe(0);
});

test('20,000 sequences in all', async () => {
  expect(await solved([...times(19_999, undefined), number])).toBe(1);
  expect(await solved([...times(20_000, undefined), number])).toBe(0);
}, 60_000);
