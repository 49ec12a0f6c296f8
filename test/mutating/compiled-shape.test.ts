/** Archives of the Daml compiler have methods of instances, and definitions that were lifted out of others. Mutants see through both. */
import { CheckedPackages } from '../../src/daml/dar/checked-packages.js';
import { readDar } from '../../src/daml/dar/dar-file.js';
import type { DarPackage } from '../../src/daml/dar/dar-package.js';
import { Evaluation } from '../../src/daml/dar/evaluation.js';
import { Mutation } from '../../src/mutating/mutation.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { e, p, u, type Code } from '../support/daml/lf-code.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { t } from '../support/daml/lf-types.js';

const BINARY = t.arrow(t.int64, t.arrow(t.int64, t.int64));
const COMPARISON = t.arrow(t.int64, t.arrow(t.int64, t.bool));
const [A, B] = [e.var('a'), e.var('b')];
const ab = (body: Code) => e.lambda({ a: t.int64, b: t.int64 }, body);
const method = (name: string, ...types: (typeof t.int64)[]) =>
  ab(e.call(e.builtin(name, ...types), A, B));

const library = encodePackage({
  name: 'numbers',
  modules: {
    'GHC.Num': {
      values: {
        $$c$u002b: { type: BINARY, expression: method('ADD_INT64') },
        $$c$u002d: { type: COMPARISON, expression: method('LESS', t.int64) },
        $$c$u002d1: { type: BINARY, expression: method('SUB_INT64') },
        $$c$u003c: { type: COMPARISON, expression: method('LESS', t.int64) },
        $$c$u002f$u003d: {
          type: COMPARISON,
          expression: ab(e.if(e.call(e.builtin('EQUAL', t.int64), A, B), e.false, e.true)),
        },
      },
    },
  },
});
const of = (name: string) => e.value(`${library.id}:GHC.Num:${name}`);

const DEAL = t.con('Main:Deal');
const self = e.var('this');
const own = (name: string) => e.value(`Main:${name}`);
const field = (name: string) => e.field(DEAL, name, self);
const ofDeal = (type: typeof t.int64) => t.arrow(DEAL, type);

const main = encodePackage({
  name: 'deals',
  modules: {
    Main: {
      templates: {
        Deal: {
          fields: { issuer: t.party, owner: t.party, price: t.int64 },
          signatories: e.call(own('$$csignatory12'), self),
          observers: e.nil(t.party),
          precondition: e.match(
            e.call(own('$$censure3'), self),
            [p.true, e.true],
            [p.false, e.call(e.builtin('ERROR', t.bool), e.text('violated'))],
          ),
          choices: {
            Total: {
              consuming: false,
              argument: t.unit,
              returns: t.int64,
              controllers: e.call(own('$$$$sc_Deal_1'), self, e.var('arg')),
              update: e.call(own('$$$$sc_Deal_2'), self),
            },
          },
        },
      },
      values: {
        $$csignatory12: {
          type: ofDeal(t.list(t.party)),
          expression: e.lambda({ this: DEAL }, e.list(t.party, [field('issuer')])),
        },
        $$censure3: {
          type: ofDeal(t.bool),
          expression: e.lambda(
            { this: DEAL },
            e.call(e.builtin('GREATER', t.int64), field('price'), e.int(0)),
          ),
        },
        // The compiler lifts a function that takes the contract apart before it takes the argument.
        $$$$sc_Deal_1: {
          type: ofDeal(t.arrow(t.unit, t.list(t.party))),
          expression: e.lambda(
            { this: DEAL },
            e.let(
              [['ds', t.party, field('owner')]],
              e.lambda({ arg: t.unit }, e.list(t.party, [e.var('ds')])),
            ),
          ),
        },
        $$$$sc_Deal_2: {
          type: ofDeal(t.builtin(17, t.int64)),
          expression: e.lambda(
            { this: DEAL },
            u.pure(t.int64, e.call(e.builtin('MUL_INT64'), field('price'), e.int(2))),
          ),
        },
        $$$$sc_add_1: { type: BINARY, expression: of('$$c$u002b') },
        $$$$sc_next_1: {
          type: t.arrow(t.int64, t.int64),
          expression: e.call(of('$$c$u002b'), e.int(1)),
        },
        add: { type: BINARY, expression: ab(e.call(own('$$$$sc_add_1'), A, B)) },
        next: { type: BINARY, expression: ab(e.call(own('$$$$sc_next_1'), A)) },
        less: { type: COMPARISON, expression: ab(e.call(of('$$c$u003c'), A, B)) },
        differ: { type: COMPARISON, expression: ab(e.call(of('$$c$u002f$u003d'), A, B)) },
        or: {
          type: COMPARISON,
          expression: ab(
            e.match(
              e.call(e.builtin('LESS', t.int64), A, B),
              [p.true, e.true],
              [p.false, e.call(e.builtin('EQUAL', t.int64), A, e.int(7))],
            ),
          ),
        },
        $$fShowDeal: { type: t.int64, expression: e.int(11) },
        $$cshow4: { type: t.int64, expression: e.int(11) },
        $$con2tag_Deal: { type: t.int64, expression: e.int(11) },
      },
    },
  },
});

const mutation = new Mutation({ isMutated: ({ name }) => name === 'deals' });
const checked = new CheckedPackages(undefined, '', {
  of: () => undefined,
  instrumentation: mutation,
});
const { main: pkg, packages } = readDar(buildDar(main, library), undefined, { checked });
(pkg as DarPackage).visitCode();
const evaluation = new Evaluation({
  package: (id) => packages.find((each) => each.id === id),
  packageIdForName: () => undefined,
});

const shown = (owner: string, name?: string) =>
  mutation.mutants
    .filter((each) => {
      const source = mutation.sourceOf(each);
      return source.owner === owner && (name === undefined || source.name === name);
    })
    .map(({ operator, before, after }) => `${operator}: ${before} → ${after}`);

/** The result of a function with each of its mutants. */
function results(name: string, a: number, b: number): readonly string[] {
  const run = () =>
    String(evaluation.apply(evaluation.value(pkg as DarPackage, 'Main', name), [a, b]));
  const original = run();
  const ofName = mutation.mutants.filter((each) => mutation.sourceOf(each).name === name);
  const found = ofName.map(({ number, after }) => {
    mutation.selector.at = number;
    (pkg as DarPackage).forgetConstants();
    return `${after}: ${run()}`;
  });
  mutation.selector.at = 0;
  return [original, ...found];
}

test('parties and conditions in methods of a template are those of its parts', () => {
  expect(shown('Deal', 'signatories')).toEqual([
    'swap-signatory: signatory issuer → signatory owner',
  ]);
  expect(shown('Deal', 'precondition')).toEqual([
    'constant: 0 → 1',
    'comparison: price > 0 → price >= 0',
    'drop-ensure: ensure price > 0 → (removed)',
  ]);
});

test('code that was lifted out of a choice belongs to the choice', () => {
  expect(shown('Deal', 'Total controllers')).toEqual([
    'swap-controller: controller owner → controller issuer',
  ]);
  expect(shown('Deal', 'Total')).toEqual(['constant: 2 → 3', 'arithmetic: price * 2 → price / 2']);
});

test('operators of instances change to the method of the same type', () => {
  expect(results('add', 5, 3)).toEqual(['8', 'a - b: 2']);
  expect(results('next', 5, 3)).toEqual(['6', '2: 7', '1 - a: -4']);
});

test('comparisons of instances swap their operands or are negated', () => {
  expect(results('less', 3, 3)).toEqual(['false', 'a <= b: true']);
  expect(results('less', 4, 3)).toEqual(['false', 'a <= b: false']);
  expect(results('differ', 3, 3)).toEqual(['false', 'a == b: true']);
});

test('either operand of || can be ignored', () => {
  expect(results('or', 2, 3)).toEqual([
    'true',
    '8: true',
    'a /= 7: true',
    'a <= b: true',
    'a == 7: false',
    'a < b: true',
  ]);
});

test('derived code has no mutants', () => {
  expect(mutation.mutants.filter(({ before }) => before === '11')).toEqual([]);
});
