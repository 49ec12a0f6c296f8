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
      'a module that is not there',
      { types: { R: { record: { x: t.con('Gone:T') } } } },
      `EUnknownDefinition: validation error in data type ${SELF}:M:R: unknown module ${SELF}:Gone while looking for data type ${SELF}:Gone:T`,
    ],
    [
      'a type that is not there',
      { types: { R: { record: { x: t.con('M:Gone') } } } },
      `EUnknownDefinition: validation error in data type ${SELF}:M:R: unknown definition ${SELF}:M:Gone while looking for data type ${SELF}:M:Gone`,
    ],
    [
      'a synonym where a data type is meant',
      { types: { R: { record: { x: t.con('M:S') } } }, synonyms: { S: { type: t.text } } },
      `EUnknownDefinition: .*: unknown data type ${SELF}:M:S`,
    ],
    [
      'an interface that is not there',
      { templates: { T: { fields: {}, implements: { 'M:Gone': [] } } } },
      `unknown interface ${SELF}:M:Gone`,
    ],
    ['a template without a record', { templates: { T: {} } }, `unknown definition ${SELF}:M:T`],
    [
      'a template of a variant',
      { types: { T: { variant: { A: t.unit } } }, templates: { T: {} } },
      'EExpectedTemplatableType',
    ],
    [
      'a choice argument that is not there',
      {
        templates: {
          T: { fields: {}, choices: { C: { argument: t.con('M:Gone'), returns: t.unit } } },
        },
      },
      `choice C in template ${SELF}:M:T: unknown definition`,
    ],
    [
      'a type argument too many',
      { types: { ...types, R: { record: { x: t.con('M:T', t.text) } } } },
      'EExpectedHigherKind: .*found: \\*',
    ],
    [
      'a type argument too few',
      { types: { R: { record: { x: t.builtin(10) } } } },
      'EKindMismatch: .*found Kind: \\*->\\*',
    ],
    [
      'a scale where a type is meant',
      { types: { R: { record: { x: t.list(t.nat(3)) } } } },
      'EKindMismatch',
    ],
    [
      'a type where a scale is meant',
      { types: { R: { record: { x: t.builtin(5, t.text) } } } },
      'EKindMismatch',
    ],
    [
      'a type variable from nowhere',
      { types: { R: { record: { x: t.var('a') } } } },
      'EUnknownTypeVar: .*unknown type variable: a',
    ],
    [
      'a synonym with the wrong number of arguments',
      { types: { R: { record: { x: t.syn('M:S', t.text) } } }, synonyms: { S: { type: t.text } } },
      'ETypeSynAppWrongArity',
    ],
    [
      'synonyms in a circle',
      { synonyms: { A: { type: t.syn('M:B') }, B: { type: t.list(t.syn('M:A')) } } },
      'ETypeSynCycle',
    ],
    [
      'a field twice',
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
      'names that differ in case alone',
      { types: { Foo: { record: {} }, FOO: { record: {} } } },
      'ECollision: validation error: collision between record M:Foo and record M:FOO',
    ],
    [
      'a function that says it is serializable',
      { types: { R: { record: { x: t.arrow(t.text, t.text) } } } },
      'EExpectedSerializableType: .*reason: function type',
    ],
    [
      'a template of an unserializable payload',
      { types: { R: { record: { x: t.any }, serializable: false } }, templates: { R: {} } },
      'unserializable data type M:R\\n \\* found: M:R\\n \\* problem: template argument',
    ],
    [
      'a choice result that cannot cross the ledger',
      { templates: { T: { fields: {}, choices: { C: { argument: t.unit, returns: t.any } } } } },
      'reason: Any\\n \\* found: Any\\n \\* problem: choice result',
    ],
    [
      'a variant without constructors',
      { types: { V: { variant: {} } } },
      'variant type without constructors',
    ],
    [
      'a view that is no record',
      { types: { V: { enum: ['A'] } }, interfaces: { I: { view: t.con('M:V') } } },
      'EViewTypeConNotRecord',
    ],
    [
      'a view that is no type constructor',
      { interfaces: { I: { view: t.text } } },
      'EViewTypeHeadNotCon',
    ],
    [
      'a method that is missing',
      {
        types,
        interfaces: { I: { view: t.con('M:T'), methods: { m: t.text } } },
        templates: { P: { fields: {}, implements: { 'M:I': [] } } },
      },
      "EMissingMethodInInterfaceInstance: .*lacks an implementation for method 'm'",
    ],
    [
      'a method too many',
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

  test('a package may only depend on the same language version or an older one', () => {
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

  test('the fault of a dependency is found too, unless it is known already', () => {
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

describe('a package that cannot be read', () => {
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
    [
      'a version that is none',
      dar({}, { version: '1.02' }),
      'Invalid package version string: `1.02`.',
    ],
    [
      'no metadata',
      dar({}, { withoutMetadata: true }),
      'Package.metadata is required in Daml-LF 2.1',
    ],
    [
      'feature flags of long ago',
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
      'a builtin type of no version',
      dar({ types: { R: { record: { x: t.builtin(999) } } } }),
      'Unexpected NoSuchElementException Exception',
    ],
    [
      'a scale beyond 37',
      dar({ types: { R: { record: { x: t.numeric(38) } } } }),
      'TNat must be between 0 and 37, found 38',
    ],
    [
      'a template twice',
      buildDar(
        encodePackage({
          modules: { M: { exceptions: ['T'], types: { T: { record: {} } }, templates: { T: {} } } },
        }),
      ),
      'Unexpected PackageError Exception',
    ],
    [
      'an index into nothing',
      dar(
        { types: { R: { record: { x: t.text } } } },
        { rawTypes: [message(part(1, message(int(3, 999))))] },
      ),
      'Unexpected IndexOutOfBoundsException Exception',
    ],
    [
      'a reference in place of an interned type',
      dar({ types: { R: { record: { x: t.text } } } }, { rawTypes: [message(int(8, 0))] }),
      'Immediate Interned type in interning table',
    ],
    [
      'a type in place where 2.2 interns',
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
      'applications before 2.2',
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

  test('2.1 may nest beyond 100 levels, up to 1000', () => {
    expect(readDar(dar(projections(400))).main.languageVersion).toBe('2.1');
    expect(parseFault(dar(nestedValue(600)))).toMatch(TOO_DEEP);
  });

  test('2.2 has its expressions interned, and nests no deeper than 100', () => {
    expect(readDar(dar(projections(40), { lf: '2' })).main.languageVersion).toBe('2.2');
    expect(parseFault(dar(nestedValue(60), { lf: '2' }))).toMatch(TOO_DEEP);
  });

  test.each([10_000, 200_000])('%i levels are refused, and overflow nothing', (levels) => {
    expect(parseFault(dar(nestedValue(levels)))).toMatch(TOO_DEEP);
  });

  /** `List (List (…))`, each entry one level on the one before: flat on the wire. */
  const listOf = (index: number): Uint8Array =>
    message(part(3, message(int(1, 10), parts(2, [message(int(8, index))]))));
  const field: ModuleSpec = { types: { R: { record: { x: t.text } } } };

  test('a type that is deep through interning alone is refused', () => {
    const rawTypes = Array.from({ length: 20_000 }, (_, index) => listOf(index));
    expect(parseFault(dar(field, { rawTypes }))).toBe('A type nests deeper than 500 levels');
  });

  test('a type as deep as may be is read, converted and checked', () => {
    let deep = t.text;
    for (let level = 0; level < 400; level++) deep = t.list(deep);
    // 2.2 puts each application into a separate entry: the same depth, but flat on the wire.
    const main = readDar(dar({ types: { R: { record: { x: deep } } } }, { lf: '2' })).main;
    expect(main.dataTypes.get('M:R')!.body).toMatchObject({ fields: [{ type: { kind: 'list' } }] });
  });

  test('a chain of synonyms is refused like a type of that depth', () => {
    const synonyms = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [
        `S${n}`,
        { type: n === 4999 ? t.text : t.syn(`M:S${n + 1}`) },
      ]),
    );
    expect(parseFault(dar({ synonyms }))).toBe('A type nests deeper than 500 levels');
  });

  test('a type that is huge through sharing is refused', () => {
    const both = (index: number): Uint8Array =>
      message(
        part(3, message(int(1, 11), parts(2, [message(int(8, index)), message(int(8, index))]))),
      );
    const rawTypes = Array.from({ length: 64 }, (_, index) => both(index));
    expect(parseFault(dar(field, { rawTypes }))).toBe('A type has more than 50000 parts');
  });

  test('synonyms that double with each step are refused', () => {
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
