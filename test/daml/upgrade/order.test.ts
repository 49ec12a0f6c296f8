/** The reported fault of an upgrade with several: the first in the iteration order of Scala's maps (B-PKG-022). */
import { readDar } from '../../../src/daml/dar/dar-file.js';
import type { PackageLookup } from '../../../src/daml/model/package.js';
import { upgradeError } from '../../../src/daml/upgrade/check.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';

type Modules = Readonly<Record<string, ModuleSpec>>;

function faultOf(past: Modules, present: Modules): string | undefined {
  const [before, after] = [past, present].map((modules, index) => {
    const version = `${index + 1}.0.0`;
    return readDar(buildDar(encodePackage({ name: 'ordered', version, modules }))).main;
  });
  const known = new Map([before!, after!].map((each) => [each.id, each]));
  const packages = {
    package: (id: string) => known.get(id),
    packageIdForName: () => undefined,
  } as unknown as PackageLookup;
  return upgradeError(packages, before!, after!);
}

const record = { record: { a: t.int64 } } as const;
const types = (...names: string[]) => ({
  types: Object.fromEntries(names.map((name) => [name, record])),
});
const templates = (...names: string[]): ModuleSpec => ({
  templates: Object.fromEntries(names.map((name) => [name, { fields: { owner: t.party } }])),
});
const missingMessage = (what: string) =>
  `${what} appears in package that is being upgraded, but does not appear in the upgrading package.`;

test('reports the first of up to four by the order of the archive, and of more by their hashes', () => {
  const few = ['Gamma', 'Alpha', 'Delta', 'Beta'];
  const many = [...few, 'Epsilon'];
  expect(faultOf({ M: types(...few) }, { M: types() })).toBe(missingMessage('Data type Gamma'));
  expect(faultOf({ M: types(...many) }, { M: types() })).toBe(missingMessage('Data type Beta'));
  expect(faultOf({ M: templates(...few) }, { M: templates() })).toBe(
    missingMessage('Template Gamma'),
  );
  expect(faultOf({ M: templates(...many) }, { M: templates() })).toBe(
    missingMessage('Template Beta'),
  );
  const modules = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, types()]));
  expect(faultOf(modules(few), { Other: {} })).toBe(missingMessage('Module Gamma'));
  expect(faultOf(modules(many), { Other: {} })).toBe(missingMessage('Module Beta'));
});

test('data types have the order of the map of all definitions', () => {
  const value = { type: t.int64, expression: e.int(1) };
  const { types: two } = types('Alpha', 'Beta');
  const alone = { M: { types: two } };
  const crowded = { M: { types: two, values: { x: value, y: value, z: value } } };
  expect(faultOf(alone, { M: {} })).toBe(missingMessage('Data type Alpha'));
  expect(faultOf(crowded, { M: {} })).toBe(missingMessage('Data type Beta'));
  expect(faultOf(crowded, crowded)).toBeUndefined();
});

test('a later version may remove an exception, which does not count as a data type', () => {
  const exception: ModuleSpec = {
    ...types('Failure'),
    exceptions: { Failure: e.lambda({ x: t.con('M:Failure') }, e.text('failed')) },
  };
  expect(faultOf({ M: exception }, { M: {} })).toBeUndefined();
  expect(faultOf({ M: types('Failure') }, { M: {} })).toBe(missingMessage('Data type Failure'));
});

test('reports missing definitions before changed ones', () => {
  const changed = { record: { a: t.text } };
  const present = { M: { types: { Alpha: changed } } };
  expect(faultOf({ M: types('Alpha', 'Beta') }, present)).toBe(missingMessage('Data type Beta'));
});

test('reports the last interface of a template first', () => {
  const view = t.con('M:View');
  const implementing = (...names: readonly string[]): ModuleSpec => ({
    types: { View: { record: {} } },
    interfaces: { J: { view }, K: { view } },
    templates: {
      T: {
        fields: { owner: t.party },
        implements: Object.fromEntries(
          names.map((name) => [`M:${name}`, { view: e.record(view, {}), methods: {} }]),
        ),
      },
    },
  });
  expect(faultOf({ M: implementing('J', 'K') }, { M: implementing() })).toMatch(
    /^Implementation of interface \w+:M:K by template T/,
  );
});

test('reports a missing module, even if it was empty', () => {
  expect(faultOf({ M: types('A'), Empty: {} }, { M: types('A') })).toBe(
    missingMessage('Module Empty'),
  );
  expect(faultOf({ M: types('A') }, { M: {} })).toBe(missingMessage('Data type A'));
});

test('compares the argument type with the last template that uses it', () => {
  const sharing = (...names: readonly string[]): ModuleSpec => ({
    types: { Do: { record: {} } },
    templates: Object.fromEntries(
      names.map((name) => [
        name,
        {
          fields: { owner: t.party },
          choices: { Do: { argument: t.con('M:Do'), returns: t.unit } },
        },
      ]),
    ),
  });
  expect(faultOf({ M: sharing('T') }, { M: sharing('T', 'A') })).toBe(
    'The record Do has changed origin from input type of choice Do on template T to input type of choice Do on template A',
  );
  expect(faultOf({ M: sharing('T') }, { M: sharing('A', 'T') })).toBeUndefined();
});
