/** Names that a package, module, template or interface uses twice are refused: upstream's AstSpec. */
import { createHash } from 'node:crypto';
import { buildDar } from '../../support/daml/dar-builder.js';
import { encodeArchive, encodePackage, type ModuleSpec } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { parseFault, stackOf } from './refused.js';

/** The package in which each `Twin2` is a second `Twin1`. */
function twinned(modules: Readonly<Record<string, ModuleSpec>>): Uint8Array {
  const encoded = encodePackage({ modules });
  const text = Buffer.from(encoded.payload).toString('latin1').replaceAll('Twin2', 'Twin1');
  const payload = Buffer.from(text, 'latin1');
  const id = createHash('sha256').update(payload).digest('hex');
  return buildDar({ ...encoded, id, payload, dalf: encodeArchive(payload) });
}

const empty = { record: {} };
const both = <Each>(each: Each) => ({ Twin1: each, Twin2: each });
const choice = { argument: t.unit, returns: t.unit };
const view = t.con('M:View');
const types = { View: empty };
const facade = { view };

test.each<[what: string, name: string, module: ModuleSpec]>([
  ['definition', 'Twin1', { types: both(empty) }],
  ['definition', 'Twin1', { types: { Twin1: empty }, values: { Twin2: { type: t.unit } } }],
  ['definition', 'Twin1', { types: { Twin1: empty }, synonyms: { Twin2: { type: t.unit } } }],
  ['template', 'Twin1', { types: { Twin1: empty }, templates: both({}) }],
  ['exception', 'Twin1', { types: { Twin1: empty }, exceptions: ['Twin1', 'Twin2'] }],
  ['definition', 'Twin1', { types, interfaces: both(facade) }],
  [
    'template, interface or exception',
    'Twin1',
    { types: { Twin1: empty }, templates: { Twin1: {} }, exceptions: ['Twin2'] },
  ],
  [
    'template, interface or exception',
    'Twin1',
    { types, templates: { Twin1: {} }, interfaces: { Twin2: facade } },
  ],
  [
    'template, interface or exception',
    'Twin1',
    { types, exceptions: ['Twin1'], interfaces: { Twin2: facade } },
  ],
  ['choice', 'Twin1', { templates: { T: { fields: {}, choices: both(choice) } } }],
  ['choice', 'Twin1', { types, interfaces: { I: { view, choices: both(choice) } } }],
  ['interface method', 'Twin1', { types, interfaces: { I: { view, methods: both(t.unit) } } }],
  [
    'required interface',
    'M:Twin1',
    { types, interfaces: { I: { view, requires: ['M:Twin1', 'M:Twin2'] }, Twin1: facade } },
  ],
  [
    'interface implementation',
    'M:Twin1',
    {
      types,
      interfaces: { Twin1: facade },
      templates: { T: { fields: {}, implements: { 'M:Twin1': [], 'M:Twin2': [] } } },
    },
  ],
  [
    'method implementation',
    'Twin1',
    {
      types,
      interfaces: { I: { view, methods: { Twin1: t.unit } } },
      templates: { T: { fields: {}, implements: { 'M:I': ['Twin1', 'Twin2'] } } },
    },
  ],
])('rejects two definitions of the same name: %s %s', (what, name, module) => {
  const dar = twinned({ M: module });
  expect(parseFault(dar)).toBe('Unexpected PackageError Exception');
  expect(stackOf(dar)).toMatch(new RegExp(`The ${what} '(\\w+:)?${name}' is defined twice`));
});

test('rejects two modules of the same name', () => {
  const dar = twinned(both({ types: { R: empty } }));
  expect(parseFault(dar)).toBe('Unexpected PackageError Exception');
});
