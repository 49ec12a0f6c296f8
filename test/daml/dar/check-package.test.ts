import { readDar } from '../../../src/daml/dar/dar-file.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec, type PackageSpec } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { flag, int, message, nested, part, parts } from '../../support/daml/protobuf-bytes.js';
import { parseFault, validationFault } from './refused.js';

const dar = (M: ModuleSpec, rest: Partial<PackageSpec> = {}): Uint8Array =>
  buildDar(encodePackage({ ...rest, modules: { M } }));
const SELF = '[0-9a-f]{64}';

describe('a signature that does not type-check', () => {
  const library = encodePackage({
    name: 'library',
    modules: { Lib: { types: { T: { record: {} } } } },
  });
  const types = { T: { record: {} } };

  test.each<[string, ModuleSpec, string]>([
    [
      'an unknown module',
      { types: { R: { record: { x: t.con('Gone:T') } } } },
      `EUnknownDefinition: validation error in data type ${SELF}:M:R: unknown module ${SELF}:Gone while looking for data type ${SELF}:Gone:T`,
    ],
    [
      'an unknown type',
      { types: { R: { record: { x: t.con('M:Gone') } } } },
      `EUnknownDefinition: validation error in data type ${SELF}:M:R: unknown definition ${SELF}:M:Gone while looking for data type ${SELF}:M:Gone`,
    ],
    [
      'a synonym in place of a data type',
      { types: { R: { record: { x: t.con('M:S') } } }, synonyms: { S: { type: t.text } } },
      `EUnknownDefinition: .*: unknown data type ${SELF}:M:S`,
    ],
    [
      'an unknown interface',
      { templates: { T: { fields: {}, implements: { 'M:Gone': [] } } } },
      `unknown interface ${SELF}:M:Gone`,
    ],
    ['a template without a record', { templates: { T: {} } }, `unknown definition ${SELF}:M:T`],
    [
      'a template whose type is a variant',
      { types: { T: { variant: { A: t.unit } } }, templates: { T: {} } },
      'EExpectedTemplatableType',
    ],
    [
      'an unknown type of a choice argument',
      {
        templates: {
          T: { fields: {}, choices: { C: { argument: t.con('M:Gone'), returns: t.unit } } },
        },
      },
      `choice C in template ${SELF}:M:T: unknown definition`,
    ],
    [
      'an extra type argument',
      { types: { ...types, R: { record: { x: t.con('M:T', t.text) } } } },
      'EExpectedHigherKind: .*found: \\*',
    ],
    [
      'a missing type argument',
      { types: { R: { record: { x: t.builtin(10) } } } },
      'EKindMismatch: .*found Kind: \\*->\\*',
    ],
    [
      'a scale in place of a type',
      { types: { R: { record: { x: t.list(t.nat(3)) } } } },
      'EKindMismatch',
    ],
    [
      'a type in place of a scale',
      { types: { R: { record: { x: t.builtin(5, t.text) } } } },
      'EKindMismatch',
    ],
    [
      'an unbound type variable',
      { types: { R: { record: { x: t.var('a') } } } },
      'EUnknownTypeVar: .*unknown type variable: a',
    ],
    [
      'a synonym with the wrong number of arguments',
      { types: { R: { record: { x: t.syn('M:S', t.text) } } }, synonyms: { S: { type: t.text } } },
      'ETypeSynAppWrongArity',
    ],
    [
      'synonyms that refer to each other',
      { synonyms: { A: { type: t.syn('M:B') }, B: { type: t.list(t.syn('M:A')) } } },
      'ETypeSynCycle',
    ],
    [
      'a field name that occurs twice',
      {
        types: {
          R: {
            record: [
              ['x', t.text],
              ['x', t.text],
            ],
          },
        },
      },
      'ECollision: .*record field M:R:x',
    ],
    [
      'names that differ only in case',
      { types: { Foo: { record: {} }, FOO: { record: {} } } },
      'ECollision: validation error: collision between record M:Foo and record M:FOO',
    ],
    [
      'a function type that is marked as serializable',
      { types: { R: { record: { x: t.arrow(t.text, t.text) } } } },
      'EExpectedSerializableType: .*reason: function type',
    ],
    [
      'a template with an unserializable payload',
      { types: { R: { record: { x: t.any }, serializable: false } }, templates: { R: {} } },
      'unserializable data type M:R\\n \\* found: M:R\\n \\* problem: template argument',
    ],
    [
      'a choice with an unserializable result',
      { templates: { T: { fields: {}, choices: { C: { argument: t.unit, returns: t.any } } } } },
      'reason: Any\\n \\* found: Any\\n \\* problem: choice result',
    ],
    [
      'a variant without constructors',
      { types: { V: { variant: {} } } },
      'variant type without constructors',
    ],
    [
      'a view that is not a record',
      { types: { V: { enum: ['A'] } }, interfaces: { I: { view: t.con('M:V') } } },
      'EViewTypeConNotRecord',
    ],
    [
      'a view that is not a type constructor',
      { interfaces: { I: { view: t.text } } },
      'EViewTypeHeadNotCon',
    ],
    [
      'a missing method',
      {
        types,
        interfaces: { I: { view: t.con('M:T'), methods: { m: t.text } } },
        templates: { P: { fields: {}, implements: { 'M:I': [] } } },
      },
      "EMissingMethodInInterfaceInstance: .*lacks an implementation for method 'm'",
    ],
    [
      'an extra method',
      {
        types,
        interfaces: { I: { view: t.con('M:T') } },
        templates: { P: { fields: {}, implements: { 'M:I': ['m'] } } },
      },
      'EUnknownMethodInInterfaceInstance',
    ],
    [
      'a required interface that is not implemented',
      {
        types,
        interfaces: { A: { view: t.con('M:T') }, B: { view: t.con('M:T'), requires: ['M:A'] } },
        templates: { P: { fields: {}, implements: { 'M:B': [] } } },
      },
      'EMissingRequiredInterfaceInstance',
    ],
    [
      'an interface that requires itself',
      { types, interfaces: { I: { view: t.con('M:T'), requires: ['M:I'] } } },
      'ECircularInterfaceRequires',
    ],
    [
      'a literal of another type',
      { values: { x: { type: t.bool, expression: e.unit } } },
      `ETypeMismatch: validation error in value ${SELF}:M:x: type mismatch:\\n \\* expected type: Bool\\n \\* found type: Unit`,
    ],
  ])('%s', (_, module, expected) => {
    expect(validationFault(dar(module))).toMatch(new RegExp(expected, 's'));
  });

  test('a package may depend only on packages of the same or an older language version', () => {
    const newer = encodePackage({
      name: 'newer',
      lf: '3',
      modules: { N: { types: { T: { record: {} } } } },
    });
    const older = encodePackage({
      name: 'older',
      lf: '2',
      modules: { M: { types: { R: { record: { x: t.con(`${newer.id}:N:T`) } } } } },
    });
    expect(validationFault(buildDar(older, newer))).toBe(
      `EModuleVersionDependencies: validation error: package ${older.id} using version 2.2 depends on package ${newer.id} using newer version 2.3`,
    );
  });

  test('checks a dependency too, unless the ledger already has it', () => {
    const bad = encodePackage({
      name: 'bad',
      modules: { B: { types: { R: { record: { x: t.con('Gone:T') } } } } },
    });
    const main = encodePackage({
      name: 'main',
      modules: { M: { types: { R: { record: { x: t.con(`${bad.id}:B:R`) } } } } },
    });
    expect(validationFault(buildDar(main, bad))).toMatch(/^EUnknownDefinition/);
    const trusted = readDar(buildDar(library)).main;
    const known = { package: (id: string) => (id === bad.id ? trusted : undefined) };
    expect(readDar(buildDar(main, bad), known).packages[1]).toBe(trusted);
  });
});

describe('a package that cannot be decoded', () => {
  test.each<[string, Uint8Array, string]>([
    [
      'a name with a dash',
      dar({ types: { 'A-B': { record: {} } } }),
      'non expected non first character 0x2d in Daml-LF Name "A-B"',
    ],
    [
      'a name that starts with a digit',
      dar({ types: { '1A': { record: {} } } }),
      'non expected first character 0x31 in Daml-LF Name "1A"',
    ],
    ['an empty name', dar({ types: { R: { record: { '': t.text } } } }), 'Daml-LF Name is empty'],
    [
      'a package name with a space',
      dar({}, { name: 'a b' }),
      'non expected character 0x20 in Daml-LF Package Name "a b"',
    ],
    ['a package without a name', dar({}, { name: '' }), 'Daml-LF Package Name is empty'],
    ['an invalid version', dar({}, { version: '1.02' }), 'Invalid package version string: `1.02`.'],
    [
      'no metadata',
      dar({}, { withoutMetadata: true }),
      'Package.metadata is required in Daml-LF 2.1',
    ],
    [
      'deprecated feature flags',
      dar({ flags: message(flag(1, true)) }),
      'Deprecated feature flag settings detected',
    ],
    [
      'keys before 2.3',
      dar({ templates: { T: { fields: {}, key: t.text } } }),
      'Contract Keys is not supported by Daml-LF 2.1',
    ],
    [
      'a builtin type of 2.dev',
      dar({ types: { R: { record: { x: t.bigNumeric }, serializable: false } } }),
      'is not supported by Daml-LF 2.1',
    ],
    [
      'an unknown builtin type',
      dar({ types: { R: { record: { x: t.builtin(999) } } } }),
      'Unexpected NoSuchElementException Exception',
    ],
    [
      'a scale beyond 37',
      dar({ types: { R: { record: { x: t.numeric(38) } } } }),
      'TNat must be between 0 and 37, found 38',
    ],
    [
      'a template that is defined twice',
      buildDar(
        encodePackage({
          modules: { M: { exceptions: ['T'], types: { T: { record: {} } }, templates: { T: {} } } },
        }),
      ),
      'Unexpected PackageError Exception',
    ],
    [
      'an index beyond the table',
      dar(
        { types: { R: { record: { x: t.text } } } },
        { rawTypes: [message(part(1, message(int(3, 999))))] },
      ),
      'Unexpected IndexOutOfBoundsException Exception',
    ],
    [
      'a reference as an entry of the type table',
      dar({ types: { R: { record: { x: t.text } } } }, { rawTypes: [message(int(8, 0))] }),
      'Immediate Interned type in interning table',
    ],
    [
      'a nested type in the type table of 2.2',
      dar(
        { types: { R: { record: { x: t.text } } } },
        {
          lf: '2',
          rawTypes: [message(part(3, message(int(1, 10), parts(2, [message(int(8, 0))]))))],
        },
      ),
      'Illegal local flattening',
    ],
    [
      'a type application before 2.2',
      dar({ types: { R: { record: { x: t.text } } } }, { rawTypes: [message(part(9, message()))] }),
      'Illegal case: TApp not supported in version 2.1, since this version has local flattening',
    ],
  ])('%s', (_, bytes, reason) => {
    expect(parseFault(bytes)).toContain(reason);
  });
});

describe('deep nesting', () => {
  /** A value of `levels` applications inside each other: two messages a level. */
  const nestedValue = (levels: number): ModuleSpec => ({
    values: { x: { type: t.unit, expression: nested(levels, [15, 1], message(int(5, 0))) } },
  });
  /** The same of projections, all in place, out of a record whose field is a record like it. */
  const projections = (levels: number): ModuleSpec => ({
    types: { R: { record: { x: t.con('M:R') }, serializable: false } },
    values: {
      deep: {
        type: t.con('M:R'),
        expression: (into) => {
          const con = message(part(1, into.typeId('M:R')));
          const field = int(4, into.string('x'));
          let inner = e.value('M:deep')(into);
          for (let level = 0; level < levels; level += 1)
            inner = message(part(8, message(part(1, con), part(3, inner), field)));
          return inner;
        },
      },
    },
  });
  const TOO_DEEP = /too many levels of nesting/;

  test('2.1 allows expressions of 100 to 1000 levels', () => {
    expect(readDar(dar(projections(400))).main.languageVersion).toBe('2.1');
    expect(parseFault(dar(nestedValue(600)))).toMatch(TOO_DEEP);
  });

  test('2.2 allows expressions of at most 100 levels', () => {
    expect(readDar(dar(projections(40), { lf: '2' })).main.languageVersion).toBe('2.2');
    expect(parseFault(dar(nestedValue(60), { lf: '2' }))).toMatch(TOO_DEEP);
  });

  test.each([10_000, 200_000])('rejects %i levels, without a stack overflow', (levels) => {
    expect(parseFault(dar(nestedValue(levels)))).toMatch(TOO_DEEP);
  });

  /** `List (List (…))`, each entry one level on the one before: flat on the wire. */
  const listOf = (index: number): Uint8Array =>
    message(part(3, message(int(1, 10), parts(2, [message(int(8, index))]))));
  const field: ModuleSpec = { types: { R: { record: { x: t.text } } } };

  test('rejects a type that is deep only through references to the type table', () => {
    const rawTypes = Array.from({ length: 20_000 }, (_, index) => listOf(index));
    expect(parseFault(dar(field, { rawTypes }))).toBe('A type nests deeper than 500 levels');
  });

  test('reads, converts and checks a type with the maximum depth', () => {
    let deep = t.text;
    for (let level = 0; level < 400; level++) deep = t.list(deep);
    // 2.2 puts each application into a separate entry: the same depth, but flat on the wire.
    const main = readDar(dar({ types: { R: { record: { x: deep } } } }, { lf: '2' })).main;
    expect(main.dataTypes.get('M:R')!.body).toMatchObject({ fields: [{ type: { kind: 'list' } }] });
  });

  test('rejects a chain of synonyms that is as deep as a type that is too deep', () => {
    const synonyms = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [
        `S${n}`,
        { type: n === 4999 ? t.text : t.syn(`M:S${n + 1}`) },
      ]),
    );
    expect(parseFault(dar({ synonyms }))).toBe('A type nests deeper than 500 levels');
  });

  test('rejects a type that is too large because its parts are shared', () => {
    const both = (index: number): Uint8Array =>
      message(
        part(3, message(int(1, 11), parts(2, [message(int(8, index)), message(int(8, index))]))),
      );
    const rawTypes = Array.from({ length: 64 }, (_, index) => both(index));
    expect(parseFault(dar(field, { rawTypes }))).toBe('A type has more than 50000 parts');
  });

  test('rejects synonyms whose expansion doubles at each step', () => {
    const step = (n: number) => t.syn(`M:S${n}`, t.var('a'));
    const synonyms = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `S${n}`,
        { params: ['a'], type: n === 0 ? t.var('a') : t.genMap(step(n - 1), step(n - 1)) },
      ]),
    );
    const fault = parseFault(dar({ synonyms }));
    expect(fault).toBe('A type has more than 50000 parts');
  });
});
