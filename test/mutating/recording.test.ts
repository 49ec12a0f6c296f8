/** Records of a run without mutants: mutants whose place the run reaches without a result. */
import { CheckedPackages } from '../../src/daml/dar/checked-packages.js';
import { readDar } from '../../src/daml/index.js';
import { FuzzLedger } from '../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../src/fuzzing/ledger/start-state.js';
import { Mutation } from '../../src/mutating/mutation.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { dividedBy, e, isPositive, t, zooPackage } from '../fuzzing/zoo/notation.js';
import { submit } from '../fuzzing/models.js';
import { buildDar } from '../support/daml/dar-builder.js';

const dar = buildDar(
  zooPackage({
    templates: {
      Share: {
        fields: { owner: t.party, parts: t.int64 },
        signatories: ['owner'],
        ensure: ({ my }) => isPositive(dividedBy(e.int(10), my('parts'))),
      },
    },
  }),
);

/** The keys of the mutants that can change the creations, before the end of the process and after it. */
function recorded(...parts: readonly bigint[]) {
  const keys: string[] = [];
  const mutation = new Mutation({
    isMutated: () => true,
    recorder: (kind, key) => {
      if (kind === 'differs') keys.push(key);
    },
  });
  const code = { of: () => undefined, instrumentation: mutation };
  const checked = new CheckedPackages(undefined, '', code);
  const { main, packages } = readDar(dar, undefined, { checked });
  const ledger = new FuzzLedger(new ScriptPackages(packages), plainStart(['alice']));
  const templateId = `${main.id}:Main:Share`;
  for (const [number, each] of parts.entries()) {
    const payload = { owner: 'alice', parts: each };
    ledger.run(submit(number, ['alice'], { kind: 'create', templateId, payload }));
  }
  const during = [...keys];
  mutation.recordUnfinished();
  const removed = mutation.mutants.find(({ operator }) => operator === 'drop-ensure')!;
  return { during, after: keys.slice(during.length), removed: removed.key, mutation };
}

it('an ensure that fails with an exception differs from none, and is recorded at the end', () => {
  const { during, after, removed } = recorded(0n);
  expect(during).not.toContain(removed);
  expect(after).toContain(removed);
});

it('an ensure with a result is recorded when it is false, and never at the end', () => {
  const holds = recorded(5n);
  expect(holds.during).not.toContain(holds.removed);
  expect(holds.after).toEqual([]);
  const refused = recorded(-5n, 5n);
  expect(refused.during.filter((key) => key === refused.removed)).toHaveLength(1);
  expect(refused.after).toEqual([]);
});

it('an exception counts also after a result', () => {
  const { after, removed } = recorded(5n, 0n, 5n);
  expect(after).toContain(removed);
});
