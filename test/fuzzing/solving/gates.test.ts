/** A gate for each kind of condition: the solver finds the argument that opens it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FuzzProject } from '../../../src/assembly/fuzzing/fuzz-project.js';
import { z3Solver } from '../../../src/assembly/fuzzing/z3.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import type { DamlValue } from '../../../src/daml/model/values.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { Solving } from '../../../src/fuzzing/solving/solve.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import {
  and,
  e,
  isAtMost,
  isEqual,
  isLess,
  p,
  plus,
  t,
  u,
  zooPackage,
  type Code,
} from '../zoo/notation.js';

const folder = useTemporaryFolder();
const DECIMAL = t.numeric(10);
const MOST = 9_223_372_036_854_775_807n;
const NEW_YEAR = 1_798_761_600_000_000n;

interface Gate {
  readonly type: typeof t.int64;
  readonly opens: (value: Code) => Code;
  /** The argument of the known sequence. */
  readonly known: DamlValue;
  /** Whether an argument that the solver found is right; undefined for a gate that it cannot open. */
  readonly isRight?: (found: never) => boolean;
}

const gates: Readonly<Record<string, Gate>> = {
  Equal: {
    type: t.int64,
    opens: (x) => isEqual(plus(x, e.int(7)), e.int(1000)),
    known: 0n,
    isRight: (found: bigint) => found === 993n,
  },
  Largest: {
    type: t.int64,
    opens: (x) => isEqual(x, e.int(MOST)),
    known: MOST - 1n,
    isRight: (found: bigint) => found === MOST,
  },
  FarAway: {
    type: t.int64,
    opens: (x) => isLess(e.int(MOST - 5n), x),
    known: 12n,
    isRight: (found: bigint) => found > MOST - 5n,
  },
  Smallest: {
    type: t.int64,
    opens: (x) => isAtMost(x, e.int(-MOST)),
    known: 12n,
    isRight: (found: bigint) => found <= -MOST,
  },
  Between: {
    type: t.int64,
    opens: (x) => and(isAtMost(e.int(500), x), isLess(x, e.int(501))),
    known: 5n,
    isRight: (found: bigint) => found === 500n,
  },
  Decimal: {
    type: DECIMAL,
    opens: (x) =>
      isEqual(
        e.call(e.builtin('ADD_NUMERIC', t.nat(10)), x, e.numeric('0.5000000000')),
        e.numeric('12.3400000000'),
        DECIMAL,
      ),
    known: Numeric.of('3'),
    isRight: (found: Numeric) => found.toCompact() === '11.84',
  },
  Later: {
    type: t.timestamp,
    opens: (x) => isLess(e.timestamp(NEW_YEAR), x, t.timestamp),
    known: 0n,
    isRight: (found: bigint) => found > NEW_YEAR,
  },
  Day: {
    type: t.date,
    opens: (x) => isEqual(x, e.date(20_000), t.date),
    known: 19_000,
    isRight: (found: number) => found === 20_000,
  },
  Word: {
    type: t.text,
    opens: (x) => isEqual(e.text('sesame'), x, t.text),
    known: 'open',
    isRight: (found: string) => found === 'sesame',
  },
  Present: {
    type: t.optional(t.int64),
    opens: (x) => e.match(x, [p.none, e.false], [p.some('_'), e.true]),
    known: null,
  },
};

const gatePackage = zooPackage({
  templates: {
    Gate: {
      fields: { owner: t.party },
      signatories: ['owner'],
      choices: Object.fromEntries(
        Object.entries(gates).map(([name, { type, opens }]) => [
          name,
          {
            stays: true,
            args: { key: type },
            by: ['owner'],
            returns: t.int64,
            does: ({ given }) => u.pure(t.int64, e.if(opens(given('key')), e.int(1), e.int(2))),
          },
        ]),
      ),
    },
  },
});

let solver: Awaited<ReturnType<typeof z3Solver>>;
beforeAll(async () => {
  solver = await z3Solver();
});
afterAll(() => solver.close());

test.each(Object.entries(gates))('%s', async (choice, { known, isRight }) => {
  const file = join(folder(), 'gates.dar');
  writeFileSync(file, buildDar(gatePackage));
  const { packages, start, coverage, main } = new FuzzProject({ file, seed: 0, cache: false });
  const ledger = new FuzzLedger(packages, start);
  const mark = ledger.mark();
  const templateId = `${main.id}:Main:Gate`;
  const submission = { actAs: ['Alice'], readAs: [] };
  const payload = { owner: 'Alice' };
  const create = { kind: 'create', templateId, payload } as const;
  const step = {
    kind: 'submit',
    number: 0,
    submission: { ...submission, commands: [create] },
  } as const;
  ledger.run(step);
  const [contract] = ledger.active();
  ledger.revert(mark);
  const { contractId } = contract!;
  const exercise = {
    kind: 'exercise',
    templateId,
    contractId,
    choice,
    argument: { key: known },
  } as const;
  const last = {
    kind: 'submit',
    number: 1,
    submission: { ...submission, commands: [exercise] },
  } as const;
  const solving = new Solving(ledger, coverage.probes, solver);
  // The first round opens the first of two conditions.
  const once = await solving.solve([[step, last]]);
  const twice = await solving.solve([[step, last], ...once.map(({ steps }) => steps)]);
  const keys = [...once, ...twice].map(({ steps }) => {
    const [command] = (steps.at(-1) as typeof last).submission.commands;
    return (command as typeof exercise).argument.key as never;
  });
  if (isRight === undefined) expect(keys).toEqual([]);
  else expect(keys.some(isRight)).toBe(true);
  expect([...ledger.active()]).toEqual([]);
});
