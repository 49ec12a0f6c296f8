/** The reported fault of a package with several: the first in the iteration order of Scala's maps (B-PKG-023). */
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { validationFault } from './refused.js';

const fault = (modules: Readonly<Record<string, ModuleSpec>>): string =>
  validationFault(buildDar(encodePackage({ modules })));

const FOUR = ['Alpha', 'Beta', 'Gamma', 'Delta'];
const FIVE = [...FOUR, 'Epsilon'];

function each<Item>(
  names: readonly string[],
  item: (name: string) => Item,
): Readonly<Record<string, Item>> {
  return Object.fromEntries(names.map((name) => [name, item(name)]));
}

const wrong = { type: t.int64, expression: e.text('no number') };
const missing = (name: string) => ({ record: { x: t.con(`M:No${name}`) } });
const choice = { argument: t.unit, returns: t.unit, update: e.text('') };
const record = { record: {} };

const many: readonly (readonly [
  what: string,
  modules: (names: readonly string[]) => Readonly<Record<string, ModuleSpec>>,
  where: (name: string) => string,
  ofFive: string,
])[] = [
  ['values', (names) => ({ M: { values: each(names, () => wrong) } }), (n) => `M:${n}`, 'Beta'],
  ['types', (names) => ({ M: { types: each(names, missing) } }), (n) => `M:No${n}`, 'Beta'],
  [
    'synonyms',
    (names) => ({ M: { synonyms: each(names, (n) => ({ type: t.con(`M:No${n}`) })) } }),
    (n) => `M:No${n}`,
    'Beta',
  ],
  ['modules', (names) => each(names, () => ({ values: { f: wrong } })), (n) => `${n}:f`, 'Beta'],
  [
    'exceptions',
    (names) => ({
      M: { types: each(names, () => record), exceptions: each(names, () => e.text('')) },
    }),
    (n) => `exception [0-9a-f]+:M:${n}`,
    'Beta',
  ],
  [
    'choices',
    (names) => ({ M: { templates: { T: { fields: {}, choices: each(names, () => choice) } } } }),
    (n) => `choice ${n} in`,
    'Delta',
  ],
];

test.each(many)(
  'reports the first of up to four faulty %s, in the order of the archive',
  (_, modules, where) => {
    expect(fault(modules(FOUR))).toMatch(new RegExp(`${where('Alpha')}\\b`));
  },
);

test.each(many)(
  'reports the first of five faulty %s, in the order of their hashes',
  (_, modules, where, ofFive) => {
    expect(fault(modules(FIVE))).toMatch(new RegExp(`${where(ofFive)}\\b`));
  },
);

test('counts a module’s synonyms, types and values together to choose the order', () => {
  const module = {
    types: each(['Alpha', 'Beta'], missing),
    values: each(['Gamma', 'Delta', 'Epsilon'], () => ({ type: t.unit, expression: e.unit })),
  };
  expect(fault({ M: module })).toContain('M:NoBeta');
});

test('reports the first name collision by the hash of the upper-case name', () => {
  const types = each(['Alpha', 'ALPHA', 'Beta', 'BETA', 'Gamma', 'GAMMA'], () => record);
  expect(fault({ Main: { types } })).toBe(
    'ECollision: validation error: collision between record Main:Gamma and record Main:GAMMA',
  );
});

test('reports an import cycle before a type error in the first of its modules', () => {
  const refersTo = (id: string): ModuleSpec => ({
    values: { f: wrong, x: { type: t.unit, expression: e.value(id) } },
  });
  expect(fault({ A: refersTo('B:x'), B: refersTo('A:x') })).toBe(
    'EImportCycle: validation error: cycle in module dependency B -> A',
  );
});
