/** Generated code against models of a few lines: the order of values of any type, and what exceptions leave behind. */
import fc from 'fast-check';
import { createCanticle } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec } from '../../support/daml/lf-encoder.js';
import { evaluateEach, probeModule, type Question } from '../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';
import { check } from '../../support/property.js';

type Order<T> = (one: T, other: T) => number;

/** A Daml type: how values are written, in what order they are, and which there are. */
interface Model<T = any> {
  readonly type: LfTypeSpec;
  readonly code: (value: T) => Code;
  readonly order: Order<T>;
  readonly values: fc.Arbitrary<T>;
}

const primitive: Order<any> = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
/** The shorter first, where one begins with the other. */
const inTurn =
  <T>(order: Order<T>): Order<readonly T[]> =>
  (one, other) => {
    for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
      const difference = order(one[at]!, other[at]!);
      if (difference !== 0) return difference;
    }
    return one.length - other.length;
  };
const both =
  <A, B>(first: Order<A>, second: Order<B>): Order<readonly [A, B]> =>
  ([a, b], [c, d]) =>
    first(a, c) || second(b, d);
const codePoints: Order<string> = (one, other) =>
  inTurn(primitive)(
    Array.from(one, (char) => char.codePointAt(0)),
    Array.from(other, (char) => char.codePointAt(0)),
  );

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'ä', '\uffff', '\u{1F389}', 'Z'),
  maxLength: 3,
});
const some = (min: bigint, max: bigint) =>
  fc.oneof(fc.bigInt({ min, max }), fc.bigInt({ min: -2n, max: 2n }));
const decimal = (unscaled: bigint, scale: number): string => {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const at = digits.length - scale;
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at)}`;
};
const numeric = (scale: number): Model<bigint> => ({
  type: t.numeric(scale),
  code: (value) => e.numeric(decimal(value, scale)),
  order: primitive,
  values: some(-(10n ** 37n), 10n ** 37n),
});

const LEAVES: readonly Model[] = [
  { type: t.unit, code: () => e.unit, order: () => 0, values: fc.constant(null) },
  { type: t.bool, code: e.bool, order: primitive, values: fc.boolean() },
  { type: t.int64, code: e.int, order: primitive, values: some(-(2n ** 63n), 2n ** 63n - 1n) },
  { type: t.text, code: e.text, order: codePoints, values: text },
  { type: t.date, code: e.date, order: primitive, values: fc.integer({ min: -719162, max: 9 }) },
  {
    type: t.timestamp,
    code: e.timestamp,
    order: primitive,
    values: some(-(10n ** 15n), 10n ** 15n),
  },
  numeric(0),
  numeric(10),
  {
    type: t.con('Main:Color'),
    code: (rank: number) => e.enum('Main:Color', ['Red', 'Green', 'Blue'][rank]!),
    order: primitive,
    values: fc.integer({ min: 0, max: 2 }),
  },
];

const UNARY: readonly ((of: Model) => Model)[] = [
  (of) => ({
    type: t.optional(of.type),
    code: (value: readonly unknown[]) =>
      value.length === 0 ? e.none(of.type) : e.some(of.type, of.code(value[0])),
    order: inTurn(of.order),
    values: fc.array(of.values, { maxLength: 1 }),
  }),
  (of) => ({
    type: t.list(of.type),
    code: (value: readonly unknown[]) => e.list(of.type, value.map(of.code)),
    order: inTurn(of.order),
    values: fc.array(of.values, { maxLength: 3 }),
  }),
  (of) => ({
    type: t.textMap(of.type),
    code: (entries: readonly (readonly [string, unknown])[]) =>
      entries.reduceRight(
        (map, [key, value]) =>
          e.call(e.builtin('TEXTMAP_INSERT', of.type), e.text(key), of.code(value), map),
        e.builtin('TEXTMAP_EMPTY', of.type),
      ),
    order: inTurn(both(codePoints, of.order)),
    values: sortedMap(text, codePoints, of),
  }),
];

/** Entries in the order of their keys, each key once. */
function sortedMap<K>(keys: fc.Arbitrary<K>, order: Order<K>, of: Model) {
  return fc
    .array(fc.tuple(keys, of.values), { maxLength: 3 })
    .map((entries) =>
      entries
        .filter(([key], at) => entries.findIndex(([other]) => order(key, other) === 0) === at)
        .sort(([one], [other]) => order(one, other)),
    );
}

const BINARY: readonly ((one: Model, other: Model) => Model)[] = [
  (one, other) => ({
    type: t.con('Main:Pair', one.type, other.type),
    code: ([first, second]: readonly [unknown, unknown]) =>
      e.record(t.con('Main:Pair', one.type, other.type), {
        first: one.code(first),
        second: other.code(second),
      }),
    order: both(one.order, other.order),
    values: fc.tuple(one.values, other.values),
  }),
  (one, other) => {
    const sides = [one, other] as const;
    const type = t.con('Main:Side', one.type, other.type);
    return {
      type,
      code: ([rank, value]: readonly [0 | 1, unknown]) =>
        e.variant(type, ['Left', 'Right'][rank]!, sides[rank].code(value)),
      order: ([rank, a], [otherRank, b]) => rank - otherRank || sides[rank as 0 | 1].order(a, b),
      values: fc.oneof(
        one.values.map((value) => [0, value]),
        other.values.map((value) => [1, value]),
      ),
    };
  },
  (one, other) => ({
    type: t.struct({ a: one.type, b: other.type }),
    code: ([a, b]: readonly [unknown, unknown]) => e.struct({ a: one.code(a), b: other.code(b) }),
    order: both(one.order, other.order),
    values: fc.tuple(one.values, other.values),
  }),
  (key, of) => ({
    type: t.genMap(key.type, of.type),
    code: (entries: readonly (readonly [unknown, unknown])[]) =>
      entries.reduceRight(
        (map, [at, value]) =>
          e.call(e.builtin('GENMAP_INSERT', key.type, of.type), key.code(at), of.code(value), map),
        e.builtin('GENMAP_EMPTY', key.type, of.type),
      ),
    order: inTurn(both(key.order, of.order)),
    values: sortedMap(key.values, key.order, of),
  }),
];

const models: fc.Arbitrary<Model> = fc.letrec<{ model: Model }>((tie) => ({
  model: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...LEAVES),
    fc.tuple(fc.constantFrom(...UNARY), tie('model')).map(([make, of]) => make(of)),
    fc
      .tuple(fc.constantFrom(...BINARY), tie('model'), tie('model'))
      .map(([make, one, other]) => make(one, other)),
  ),
})).model;

const types: ModuleSpec = {
  types: {
    Color: { enum: ['Red', 'Green', 'Blue'] },
    Pair: { params: ['a', 'b'], record: { first: t.var('a'), second: t.var('b') } },
    Side: { params: ['a', 'b'], variant: { Left: t.var('a'), Right: t.var('b') } },
  },
};
const COMPARISONS: Readonly<Record<string, (difference: number) => boolean>> = {
  EQUAL: (difference) => difference === 0,
  LESS: (difference) => difference < 0,
  LESS_EQ: (difference) => difference <= 0,
  GREATER: (difference) => difference > 0,
  GREATER_EQ: (difference) => difference >= 0,
};

/** Each comparison of each two of the values. */
function comparing({ type, code }: Model, values: readonly unknown[]): Question {
  const names = values.map((_, at) => `v${at}`);
  const compared = Object.keys(COMPARISONS).flatMap((name) =>
    names.flatMap((one) =>
      names.map((other) => e.call(e.builtin(name, type), e.var(one), e.var(other))),
    ),
  );
  const bound = values.map((value, at) => [names[at]!, type, code(value)] as const);
  return { type: t.list(t.bool), value: e.let(bound, e.list(t.bool, compared)) };
}

test('values of any type compare as in a model', () => {
  const cases = models.chain((model) =>
    fc.array(model.values, { minLength: 4, maxLength: 4 }).map((values) => ({ model, values })),
  );
  check(
    fc.property(fc.array(cases, { minLength: 25, maxLength: 25, size: 'max' }), (all) => {
      const questions = all.map(({ model, values }, at): [string, Question] => [
        `Q${at}`,
        comparing(model, values),
      ]);
      const answers = evaluateEach(Object.fromEntries(questions), types, { lf: '3' });
      all.forEach(({ model, values }, at) => {
        const expected = Object.values(COMPARISONS).flatMap((holds) =>
          values.flatMap((one) => values.map((other) => holds(model.order(one, other)))),
        );
        expect(answers[`Q${at}`]).toEqual(expected);
      });
    }),
    { numRuns: 4 },
  );
});

/** Updates that answer numbers: what they mark is seen in the transaction. */
type Program =
  | { readonly is: 'pure' | 'mark' | 'throw'; readonly n: number }
  | { readonly is: 'then'; readonly first: Program; readonly next: Program }
  | { readonly is: 'try'; readonly body: Program; readonly catches: readonly (Program | null)[] };

const programs: fc.Arbitrary<Program> = fc.letrec<{ program: Program }>((tie) => ({
  program: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.record({ is: fc.constantFrom('mark', 'throw', 'pure'), n: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ is: fc.constant('then'), first: tie('program'), next: tie('program') }),
    fc.record({
      is: fc.constant('try'),
      body: tie('program'),
      catches: fc.tuple(fc.option(tie('program')), fc.option(tie('program'))),
    }),
  ) as fc.Arbitrary<Program>,
})).program;

const UPDATE_INT = t.builtin(17, t.int64);
const EXCEPTIONS = ['Main:E0', 'Main:E1'].map((id) => t.con(id)) as [LfTypeSpec, LfTypeSpec];
const thrown = (n: number): Code => {
  const type = EXCEPTIONS[n]!;
  return e.throw(UPDATE_INT, type, e.record(type, {}));
};

function codeOf(program: Program): Code {
  switch (program.is) {
    case 'pure':
      return u.pure(t.int64, e.int(program.n));
    case 'mark':
      return u.exercise('Main:Probe', 'Mark', e.var('self'), e.int(program.n));
    case 'throw':
      return thrown(program.n);
    case 'then':
      return u.block([[undefined, t.int64, codeOf(program.first)]], codeOf(program.next));
    case 'try': {
      const handler = program.catches.reduceRight<Code>(
        (otherwise, caught, n) =>
          caught === null
            ? otherwise
            : e.match(
                e.fromAnyException(EXCEPTIONS[n]!, e.var('x')),
                [p.some('it'), e.some(UPDATE_INT, codeOf(caught))],
                [p.none, otherwise],
              ),
        e.none(UPDATE_INT),
      );
      return u.tryCatch(t.int64, codeOf(program.body), 'x', handler);
    }
  }
}

class Thrown {
  constructor(readonly n: number) {}
}

/** Runs a program; a mark that was rolled back is negative. */
function run(program: Program, marks: number[]): number {
  switch (program.is) {
    case 'pure':
      return program.n;
    case 'mark':
      marks.push(program.n + 1);
      return program.n;
    case 'throw':
      throw new Thrown(program.n);
    case 'then':
      run(program.first, marks);
      return run(program.next, marks);
    case 'try': {
      const from = marks.length;
      try {
        return run(program.body, marks);
      } catch (error) {
        if (!(error instanceof Thrown)) throw error;
        for (let at = from; at < marks.length; at += 1) marks[at] = -Math.abs(marks[at]!);
        const caught = program.catches[error.n];
        if (caught == null) throw error;
        return run(caught, marks);
      }
    }
  }
}

test('exceptions are caught, passed on and rolled back as in a model', () => {
  const seen = { caught: 0, refused: 0 };
  const property = fc.property(
    fc.array(programs, { minLength: 30, maxLength: 30, size: 'max' }),
    (all) => {
      const questions = all.map((program, at): [string, Question] => [
        `Q${at}`,
        { type: t.int64, update: codeOf(program) },
      ]);
      const owners = e.list(t.party, [e.field(t.con('Main:Probe'), 'owner', e.var('this'))]);
      const module = probeModule(Object.fromEntries(questions), {
        types: { E0: { record: {} }, E1: { record: {} } },
        exceptions: ['E0', 'E1'],
      });
      const probe = module.templates!['Probe']!;
      const mark = {
        consuming: false,
        argument: t.int64,
        returns: t.int64,
        controllers: owners,
        update: u.pure(t.int64, e.var('arg')),
      };
      const Probe = { ...probe, choices: { ...probe.choices, Mark: mark } };
      const main = encodePackage({
        lf: '3',
        modules: { Main: { ...module, templates: { Probe } } },
      });
      const { participant, network } = createCanticle({ seed: 1 });
      participant.uploadDar(buildDar(main));
      const owner = participant.allocateParty('alice');
      const id = `${main.id}:Main:Probe`;
      const contract = participant.create(id, { owner }, { actAs: owner });
      all.forEach((program, at) => {
        const marks: number[] = [];
        const exercise = () => participant.exercise(id, contract, `Q${at}`, {}, { actAs: owner });
        let expected: number;
        try {
          expected = run(program, marks);
        } catch (error) {
          seen.refused += 1;
          expect(exercise).toThrow(`Main:E${(error as Thrown).n}`);
          return;
        }
        expect(exercise().result).toBe(String(expected));
        const update = network.updates.at(network.updates.length - 1)!;
        if (update.kind !== 'transaction') throw new Error('The last update is a transaction.');
        const found = update.transaction.nodes.flatMap((node) => {
          const action = node.kind === 'rolledBack' ? node.action : node;
          if (action.kind !== 'exercise' || action.choice !== 'Mark') return [];
          const number = Number(action.argument) + 1;
          return [node.kind === 'rolledBack' ? -number : number];
        });
        if (marks.some((number) => number < 0)) seen.caught += 1;
        expect(found).toEqual(marks);
      });
    },
  );
  check(property, { numRuns: 4 });
  expect(Math.min(seen.caught, seen.refused)).toBeGreaterThan(0);
});
