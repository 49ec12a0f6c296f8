/** Probes in compiled code: each alternative of a case and each handler has a counter, and comparisons report their operands. */
import { CheckedPackages } from '../../../src/daml/dar/checked-packages.js';
import { readDar } from '../../../src/daml/dar/dar-file.js';
import type { DarPackage } from '../../../src/daml/dar/dar-package.js';
import type { CachedCode } from '../../../src/daml/lf/cached-code.js';
import { Probes } from '../../../src/daml/lf/probing/probes.js';
import { interpret } from '../../../src/daml/interpreter/interpreter.js';
import type { DamlPackage } from '../../../src/daml/model/package.js';
import type { DamlValue, Party } from '../../../src/daml/model/values.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, p, u } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { OWNER, probeModule, type Question } from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';

const over = (n: number) => e.call(e.builtin('GREATER', t.int64), e.var('n'), e.int(n));
const FUNCTION = t.arrow(t.int64, t.text);
const ERR = t.con('Main:Err');
const failing = u.pure(t.unit, e.throw(t.unit, ERR, e.record(ERR, { code: e.int(1) })));
const done = u.pure(t.unit, e.unit);

const questions: Record<string, Question> = {
  Small: { type: t.text, value: e.call(e.value('Main:grade'), e.int(3)) },
  Large: { type: t.text, value: e.call(e.value('Main:grade'), e.int(300)) },
  Mine: {
    type: t.bool,
    value: e.call(e.builtin('EQUAL', t.party), OWNER, OWNER),
  },
  Half: {
    type: t.bool,
    value: e.call(e.builtin('LESS', t.numeric(2)), e.numeric('0.49'), e.numeric('0.50')),
  },
  Both: {
    type: t.bool,
    value: e.match(
      e.call(e.value('Main:isSome'), e.some(t.int64, e.int(1))),
      [p.true, e.call(e.value('Main:isSome'), e.none(t.int64))],
      [p.false, e.false],
    ),
  },
  Caught: {
    type: t.unit,
    update: u.tryCatch(t.unit, failing, 'x', e.some(t.builtin(17, t.unit), done)),
  },
  Uncaught: {
    type: t.unit,
    update: u.tryCatch(t.unit, done, 'x', e.some(t.builtin(17, t.unit), done)),
  },
};

const encoded = encodePackage({
  name: 'probed',
  modules: {
    Main: probeModule(questions, {
      types: { Err: { record: { code: t.int64 } } },
      exceptions: { Err: e.lambda({ x: ERR }, e.text('an error')) },
      values: {
        grade: {
          type: FUNCTION,
          expression: e.lambda(
            { n: t.int64 },
            e.located(
              'Main',
              7,
              e.if(over(10), e.if(over(100), e.text('A'), e.text('B')), e.text('C')),
            ),
          ),
        },
        isSome: {
          type: t.arrow(t.optional(t.int64), t.bool),
          expression: e.lambda(
            { o: t.optional(t.int64) },
            e.match(e.var('o'), [p.none, e.false], [p.some('x'), e.true]),
          ),
        },
        $$fEqThing: {
          type: FUNCTION,
          expression: e.lambda({ n: t.int64 }, e.if(over(1), e.text('a'), e.text('b'))),
        },
      },
    }),
  },
});
const dar = buildDar(encoded);

/** Reads the package with or without probes. */
function read(probes?: Probes, cached?: CachedCode): DarPackage {
  const code = { of: () => cached, ...(probes && { instrumentation: probes }) };
  const checked = new CheckedPackages(undefined, '', code);
  return readDar(dar, undefined, { checked }).main as DarPackage;
}

function exercise(main: DamlPackage, choice: string): void {
  const owner = 'owner::1220' as Party;
  const packages = {
    package: (id: string) => (id === main.id ? main : undefined),
    packageIdForName: () => main.id,
  };
  interpret({
    commands: [
      {
        kind: 'createAndExercise',
        templateId: `${main.id}:Main:Probe`,
        payload: { owner },
        choice,
        argument: {} as DamlValue,
      },
    ],
    actAs: [owner],
    ledgerTime: 0n,
    seed: '00'.repeat(32),
    packages,
    contract: () => undefined,
  });
}

const probed = () => new Probes(({ name }) => name === 'probed');

/** The branches that ran, as `condition is value`. */
const ran = (probes: Probes): readonly string[] =>
  probes.branches
    .filter(({ number }) => probes.runs[number]! > 0)
    .map(({ condition, when, number }) => `${condition} is ${when}: ${probes.runs[number]}`);

test('each branch of an if has a counter', () => {
  const probes = probed();
  const main = read(probes);
  exercise(main, 'Small');
  expect(ran(probes)).toEqual(['n > 10 is False: 1']);
  exercise(main, 'Large');
  exercise(main, 'Large');
  expect(ran(probes)).toEqual(['n > 10 is True: 2', 'n > 100 is True: 2', 'n > 10 is False: 1']);
});

test('a branch has its position and its definition', () => {
  const probes = probed();
  exercise(read(probes), 'Small');
  const [branch] = probes.branches;
  expect(branch).toMatchObject({ at: { module: 'Main', line: 7 }, packageId: encoded.id });
  expect(probes.sourceOf(branch!)).toEqual({ module: 'Main', owner: '', name: 'grade' });
});

test('a branch in a choice names its template and its choice', () => {
  const probes = probed();
  exercise(read(probes), 'Both');
  const [branch] = probes.branches.filter(({ condition }) => condition === 'isSome (Some 1)');
  expect(probes.sourceOf(branch!)).toEqual({ module: 'Main', owner: 'Probe', name: 'Both' });
});

test('the operands of && and the patterns of a match have counters', () => {
  const probes = probed();
  exercise(read(probes), 'Both');
  expect(ran(probes)).toEqual(['isSome (Some 1) is True: 1', 'o is None: 1', 'o is Some x: 1']);
});

test('a handler counts the exceptions that reach it', () => {
  const probes = probed();
  const main = read(probes);
  const handlers = () => ran(probes).filter((each) => each.includes('exception'));
  exercise(main, 'Uncaught');
  expect(handlers()).toEqual([]);
  exercise(main, 'Caught');
  expect(handlers()).toEqual(['pure (throw …) is an exception: 1']);
});

test('the first run of a branch puts its number into the list of reached ones', () => {
  const probes = probed();
  const main = read(probes);
  exercise(main, 'Large');
  exercise(main, 'Large');
  const texts = () => probes.reached.map((number) => probes.branches[number]!.condition);
  expect(texts()).toEqual(['n > 10', 'n > 100']);
  probes.reset(probes.reached);
  probes.reached.length = 0;
  exercise(main, 'Small');
  expect(texts()).toEqual(['n > 10']);
});

test('comparisons report their operands, up to the limit', () => {
  const probes = new Probes(() => true, 2);
  const main = read(probes);
  const seen: unknown[] = [];
  const take = () =>
    probes.operands.take((number, left, right) =>
      seen.push([probes.comparisons[number]!.text, probes.comparisons[number]!.type, left, right]),
    );
  exercise(main, 'Large');
  expect(probes.operands.dropped).toBe(0);
  exercise(main, 'Small');
  expect(probes.operands.dropped).toBe(1);
  take();
  expect(seen).toEqual([
    ['n > 10', 'Int64', 300, 10],
    ['n > 100', 'Int64', 300, 100],
  ]);
  expect(probes.operands.dropped).toBe(0);
  exercise(main, 'Mine');
  take();
  expect(seen.at(-1)).toEqual(['owner == owner', 'Party', 'owner::1220', 'owner::1220']);
  exercise(main, 'Half');
  take();
  expect(String((seen.at(-1) as unknown[])[2])).toBe('0.49');
});

test('a visit finds all branches, without those of generated code, and running keeps their numbers', () => {
  const probes = probed();
  const main = read(probes);
  main.visitCode();
  const texts = probes.branches.map(({ condition, when }) => `${condition} is ${when}`);
  expect(texts.filter((each) => each.startsWith('n > '))).toEqual([
    'n > 10 is True',
    'n > 100 is True',
    'n > 100 is False',
    'n > 10 is False',
  ]);
  const count = probes.branches.length;
  exercise(main, 'Large');
  expect(probes.branches).toHaveLength(count);
  expect(ran(probes)).toEqual(['n > 10 is True: 1', 'n > 100 is True: 1']);
});

test('code without probes stays as it is, before and after other code gets probes', () => {
  const sources = new Map<string, string>();
  const cached = (): CachedCode => ({
    get: () => undefined,
    has: () => false,
    factory: () => () => [],
    add: (key, { source }) => sources.set(key, source.replace(/\bv\d+/g, 'v')),
  });
  exercise(read(undefined, cached()), 'Large');
  const before = new Map(sources);
  exercise(read(probed()), 'Large');
  sources.clear();
  exercise(read(undefined, cached()), 'Large');
  expect(sources).toEqual(before);
  expect([...sources.values()].join()).not.toContain('M.counts');
});
