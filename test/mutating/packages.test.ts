/** The packages and the code that get mutants: not those of tests. */
import { readDar, type DamlPackage } from '../../src/daml/index.js';
import type { DarPackage } from '../../src/daml/dar/dar-package.js';
import {
  affectedPackages,
  chosenPackages,
  TestCode,
} from '../../src/mutating/running/mutated-packages.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { e } from '../support/daml/lf-code.js';
import { encodePackage, type EncodedPackage } from '../support/daml/lf-encoder.js';
import { t } from '../support/daml/lf-types.js';

const scripts = encodePackage({
  name: 'daml-script',
  modules: {
    'Daml.Script.Internal': {
      types: { Script: { params: ['a'], record: { value: t.var('a') } } },
    },
  },
});
const SCRIPT = `${scripts.id}:Daml.Script.Internal:Script`;

const OWNER = { owner: t.party };
const template = (module: string) => ({
  T: {
    fields: OWNER,
    signatories: e.list(t.party, [e.field(t.con(`${module}:T`), 'owner', e.var('this'))]),
    observers: e.nil(t.party),
    precondition: e.true,
  },
});
const done = e.record(t.con(SCRIPT, t.unit), { value: e.unit });
const SCRIPTS = {
  setup: { type: t.con(SCRIPT, t.unit), expression: done },
  pay: {
    type: t.arrow(t.int64, t.con(SCRIPT, t.unit)),
    expression: e.lambda({ amount: t.int64 }, done),
  },
  $$$$sc_pay_1: { type: t.int64, expression: e.int(1) },
  $$$$sc_total_1: { type: t.int64, expression: e.int(1) },
  total: { type: t.int64, expression: e.int(3) },
};

type Modules = Parameters<typeof encodePackage>[0]['modules'];
const pkg = (name: string, modules: Modules): EncodedPackage => encodePackage({ name, modules });
const opened = (main: EncodedPackage, ...others: readonly EncodedPackage[]) =>
  readDar(buildDar(main, scripts, ...others));
const chosen = (
  { main, packages }: ReturnType<typeof opened>,
  names: readonly string[] = [],
): readonly string[] => chosenPackages(main, [...packages], names).map(({ name }) => name);

const model = pkg('model', { Model: { templates: template('Model') } });
const helper = pkg('helper', {
  Helper: { values: { one: { type: t.int64, expression: e.int(1) } } },
});
describe('the chosen packages', () => {
  it('are the main one if one of its modules has templates without scripts', () => {
    const mixed = {
      Model: { templates: template('Model') },
      Tests: { templates: template('Tests'), values: SCRIPTS },
    };
    expect(chosen(opened(pkg('mixed', mixed)))).toEqual(['mixed']);
    const tested = { Tests: { templates: template('Tests'), values: SCRIPTS } };
    // Without others, the package with the tests is the only one.
    expect(chosen(opened(pkg('tested', tested)))).toEqual(['tested']);
  });

  it('are those with templates that the tests use, and not those without', () => {
    const one = { value: { type: t.int64, expression: e.value(`${helper.id}:Helper:one`) } };
    const uses = {
      type: t.arrow(t.con(`${model.id}:Model:T`), t.int64),
      expression: e.lambda({ contract: t.con(`${model.id}:Model:T`) }, e.int(1)),
    };
    const tests = pkg('tests', { Tests: { values: { ...SCRIPTS, ...one, uses } } });
    expect(chosen(opened(tests, model, helper))).toEqual(['model']);
  });

  it('are those with the given names', () => {
    const dar = opened(pkg('named', { Model: { templates: template('Model') } }), model);
    expect(chosen(dar, ['model'])).toEqual(['model']);
    expect(chosen(dar, ['other'])).toEqual([]);
  });
});

it('affects the packages that refer to a changed one, also through others', () => {
  const of = (id: string, ...dependencies: readonly string[]) =>
    ({ id, dependencies }) as unknown as DamlPackage;
  const all = [of('app', 'middle'), of('middle', 'model'), of('model', 'lib'), of('lib')];
  const affected = (id: string) => [...affectedPackages(all, [of(id)])].sort();
  expect(affected('model')).toEqual(['app', 'middle', 'model']);
  expect(affected('lib')).toEqual(['app', 'lib', 'middle', 'model']);
  expect(affected('app')).toEqual(['app']);
});

describe('the code of tests', () => {
  const isTest = (modules: Modules, module: string, name: string): boolean => {
    const { lf } = opened(pkg('code', modules)).main as DarPackage;
    return new TestCode().has(lf, module, name);
  };
  const withTemplate = { Main: { templates: template('Main'), values: SCRIPTS } };

  it('is that of scripts, and of the parts that the compiler lifted out of them', () => {
    for (const name of ['setup', 'pay', '$$$$sc_pay_1'])
      expect([name, isTest(withTemplate, 'Main', name)]).toEqual([name, true]);
    for (const name of ['total', '$$$$sc_total_1', 'T signatories'])
      expect([name, isTest(withTemplate, 'Main', name)]).toEqual([name, false]);
  });

  it('is all code of a module with scripts and without templates', () => {
    expect(isTest({ Main: { values: SCRIPTS } }, 'Main', 'total')).toBe(true);
    const { total } = SCRIPTS;
    expect(isTest({ Main: { values: { total } } }, 'Main', 'total')).toBe(false);
  });
});
