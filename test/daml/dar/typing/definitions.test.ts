/**
 * Definitions that are not well-typed: templates, keys, interfaces, exceptions, data types, synonyms and whole packages. Rebuilds
 * the real checker's own cases (TypingSpec, RecursionSpec, CollisionSpec, SerializabilitySpec).
 */
import { readDar } from '../../../../src/daml/dar/dar-file.js';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { encodePackage, type ModuleSpec } from '../../../support/daml/lf-encoder.js';
import { validationFault } from '../refused.js';
import { e, NO_PARTIES, t, u, type LfTypeSpec } from './model.js';

type Modules = Readonly<Record<string, ModuleSpec>>;
const TK = t.con('M:T');
const [UNIT, VIEW] = [{ record: {} }, t.con('M:V')];
const fields = { person: t.party, name: t.text };
const dar = (modules: Modules, lf: '1' | '3' | 'dev' = '1') =>
  buildDar(encodePackage({ lf, modules }));
const fault = (modules: Modules, lf?: '1' | '3' | 'dev'): string =>
  validationFault(dar(modules, lf)).replaceAll(/[0-9a-f]{64}/g, '#');
const mismatch = (where: string, expected: string, found: string): string =>
  `ETypeMismatch: validation error in ${where}: type mismatch:\n * expected type: ${expected}\n * found type: ${found}`;
const kinds = (where: string, expected: string, found: string): string =>
  `EKindMismatch: validation error in ${where}: kind mismatch:\n * expected kind: ${expected}\n * found Kind: ${found}`;
const choice = { argument: t.unit, returns: t.unit, update: u.pure(t.unit, e.unit) };
const LIST = t.builtin(10);
const owner = e.field(TK, 'person', e.var('this'));

type Row = readonly [name: string, module: ModuleSpec, text: string];
const view = { types: { V: UNIT } };
const implementing = (
  implementation: { view?: typeof e.unit; methods: Record<string, typeof e.unit> },
  methods: Record<string, LfTypeSpec> = { getParties: t.list(t.party) },
): ModuleSpec => ({
  ...view,
  interfaces: { I: { view: VIEW, methods } },
  templates: { T: { fields, implements: { 'M:I': implementation } } },
});
const instance = 'interface instance #:M:I for #:M:T';
const V = e.record(VIEW, {});

const TEMPLATES: readonly Row[] = [
  [
    'of a type with parameters',
    { types: { T: { params: ['a'], record: { x: t.var('a') } } }, templates: { T: {} } },
    'EExpectedTemplatableType: validation error in template #:M:T: expected monomorphic record type in template definition, but found: M:T',
  ],
  [
    'with a precondition that is not a boolean',
    { templates: { T: { fields, precondition: e.unit } } },
    mismatch('template #:M:T', 'Bool', 'Unit'),
  ],
  [
    'with signatories that are not parties',
    { templates: { T: { fields, signatories: e.unit } } },
    mismatch('template #:M:T', 'List Party', 'Unit'),
  ],
  [
    'with observers that are not parties',
    { templates: { T: { fields, observers: e.unit } } },
    mismatch('template #:M:T', 'List Party', 'Unit'),
  ],
  [
    'with controllers that are not parties',
    { templates: { T: { fields, choices: { Ch: { ...choice, controllers: e.unit } } } } },
    mismatch('choice Ch in template #:M:T', 'List Party', 'Unit'),
  ],
  [
    'with choice observers that are not parties',
    { templates: { T: { fields, choices: { Ch: { ...choice, observers: owner } } } } },
    mismatch('choice Ch in template #:M:T', 'List Party', 'Party'),
  ],
  [
    'with authorizers that are not parties',
    { templates: { T: { fields, choices: { Ch: { ...choice, authorizers: e.unit } } } } },
    mismatch('choice Ch in template #:M:T', 'List Party', 'Unit'),
  ],
  [
    'with a choice argument of another kind',
    { templates: { T: { fields, choices: { Ch: { ...choice, argument: LIST } } } } },
    kinds('choice Ch in template #:M:T', '*', '*->*'),
  ],
  [
    'with a choice result of another kind',
    { templates: { T: { fields, choices: { Ch: { ...choice, returns: LIST } } } } },
    kinds('choice Ch in template #:M:T', '*', '*->*'),
  ],
  [
    'with a choice that returns another type',
    { templates: { T: { fields, choices: { Ch: { ...choice, returns: t.text } } } } },
    mismatch('choice Ch in template #:M:T', 'Update Text', 'Update Unit'),
  ],
  [
    'whose controllers use the contract id',
    { templates: { T: { fields, choices: { Ch: { ...choice, controllers: e.var('self') } } } } },
    'EUnknownExprVar: validation error in choice Ch in template #:M:T: unknown expr variable: self',
  ],
  [
    'whose signatories use an argument',
    { templates: { T: { fields, signatories: e.var('arg') } } },
    'EUnknownExprVar: validation error in template #:M:T: unknown expr variable: arg',
  ],
  [
    'with a method of another type',
    implementing({ view: V, methods: { getParties: e.unit } }),
    `EMethodTypeMismatch: validation error in ${instance}: Implementation of method getParties on interface #:M:I should return List Party but instead returns Unit`,
  ],
  [
    'with a mismatch inside a method',
    implementing({ view: V, methods: { getParties: e.cons(t.party, [e.text('x')], NO_PARTIES) } }),
    `EMethodTypeMismatch: validation error in ${instance}: Implementation of method getParties on interface #:M:I should return Party but instead returns Text`,
  ],
  [
    'with a view of another type',
    implementing({ view: e.unit, methods: {} }, {}),
    `EViewTypeMismatch: validation error in ${instance}: Tried to implement a view of type Unit on interface M:I for template M:T, but the definition of interface M:I requires a view of type M:V`,
  ],
  [
    'with an unknown interface',
    { templates: { T: { fields, implements: { 'M:J': [] } } } },
    'EUnknownDefinition: validation error in interface instance #:M:J for #:M:T: unknown interface #:M:J',
  ],
];

const KEYS: readonly Row[] = [
  [
    'with another kind',
    { templates: { T: { fields, key: LIST } } },
    kinds('template #:M:T', '*', '*->*'),
  ],
  [
    'that is not serializable',
    { templates: { T: { fields, key: t.any } } },
    'EExpectedSerializableType: validation error in template #:M:T: expected serializable type:\n * reason: Any\n * found: Any\n * problem: contract key\n     ',
  ],
];

const INTERFACES: readonly Row[] = [
  [
    'with controllers that are not parties',
    {
      ...view,
      interfaces: { I: { view: VIEW, choices: { Ch: { ...choice, controllers: e.unit } } } },
    },
    mismatch('choice Ch in template #:M:I', 'List Party', 'Unit'),
  ],
  [
    'with a choice argument of another kind',
    { ...view, interfaces: { I: { view: VIEW, choices: { Ch: { ...choice, argument: LIST } } } } },
    kinds('choice Ch in template #:M:I', '*', '*->*'),
  ],
  [
    'with a method of another kind',
    { ...view, interfaces: { I: { view: VIEW, methods: { m: LIST } } } },
    kinds('interface #:M:I', '*', '*->*'),
  ],
  [
    'that requires an unknown interface',
    { ...view, interfaces: { I: { view: VIEW, requires: ['M:J'] } } },
    'EUnknownDefinition: validation error in interface #:M:I: unknown interface #:M:J',
  ],
  [
    'that omits an interface that its required interface requires',
    {
      ...view,
      interfaces: {
        X: { view: VIEW },
        Y: { view: VIEW, requires: ['M:X'] },
        Z: { view: VIEW, requires: ['M:Y'] },
      },
    },
    'ENotClosedInterfaceRequires: validation error in interface #:M:Z: Interface #:M:Z is missing requirements #:M:X required by #:M:Y',
  ],
  [
    'whose view has parameters',
    { types: { V: { params: ['a'], record: {} } }, interfaces: { I: { view: VIEW } } },
    'EViewTypeHasVars: validation error in interface #:M:I: expected monomorphic record type in view type, but found a type constructor with type variables: M:V',
  ],
  [
    'whose view is a type application',
    {
      types: { V: { params: ['a'], record: {} } },
      interfaces: { I: { view: t.con('M:V', t.unit) } },
    },
    'EViewTypeHasVars: validation error in interface #:M:I: expected monomorphic record type in view type, but found a type constructor with type variables: M:V Unit',
  ],
  [
    'whose view is an enum',
    { types: { V: { enum: ['A'] } }, interfaces: { I: { view: VIEW } } },
    'EViewTypeConNotRecord: validation error in interface #:M:I: expected monomorphic record type in view type, but found an enum type instead: M:V',
  ],
  [
    'whose view is a builtin',
    { interfaces: { I: { view: t.int64 } } },
    'EViewTypeHeadNotCon: validation error in interface #:M:I: expected monomorphic record type in view type, but found a built-in type instead: Int64',
  ],
  [
    'whose type has parameters',
    { types: { ...view.types, I: { interface: true, params: ['a'], serializable: false } } },
    'EIllegalHigherInterfaceType: validation error in data type #:M:I: illegal higher interface type',
  ],
  [
    'whose type is not defined',
    { types: { I: { interface: true, serializable: false } } },
    'EUnknownDefinition: validation error in data type #:M:I: unknown interface #:M:I',
  ],
];

const EXCEPTIONS: readonly Row[] = [
  [
    'with parameters',
    { types: { X: { params: ['a'], record: {} } }, exceptions: ['X'] },
    'EExpectedExceptionableType: validation error in exception #:M:X: expected monomorphic record type in exception definition, but found: M:X',
  ],
  [
    'whose type is a variant',
    { types: { X: { variant: { A: t.unit } } }, exceptions: ['X'] },
    'EExpectedExceptionableType: validation error in exception #:M:X: expected monomorphic record type in exception definition, but found: M:X',
  ],
  [
    'whose type is not defined',
    { exceptions: ['X'] },
    'EUnknownDefinition: validation error in exception #:M:X: unknown definition #:M:X while looking for data type #:M:X',
  ],
  [
    'whose message is not a function',
    { types: { X: UNIT }, exceptions: { X: e.text('a message') } },
    mismatch('exception #:M:X', 'M:X → Text', 'Text'),
  ],
  [
    'that is not serializable',
    { types: { X: { ...UNIT, serializable: false } }, exceptions: ['X'] },
    'EExpectedSerializableType: validation error in exception #:M:X: expected serializable type:\n * reason: unserializable data type M:X\n * found: M:X\n * problem: exception argument\n     ',
  ],
];

const unserializable = (reason: string): string =>
  `EExpectedSerializableType: validation error in data type #:M:R: expected serializable type:\n * reason: ${reason}\n * found: M:R\n * problem: serializable data type\n     `;
const record = (type: LfTypeSpec, params: readonly string[] = []): ModuleSpec => ({
  types: { R: { params, record: { x: type } } },
});
const TYPES: readonly Row[] = [
  [
    'a record with a parameter of a bad kind',
    { types: { R: { params: ['a:*->nat'], record: {}, serializable: false } } },
    'ENatKindRightOfArrow: validation error in data type #:M:R: invalid kind *->nat',
  ],
  [
    'a variant with a parameter of a bad kind',
    { types: { R: { params: ['a', 'b:*->nat'], variant: {}, serializable: false } } },
    'ENatKindRightOfArrow: validation error in data type #:M:R: invalid kind *->nat',
  ],
  [
    'a type with the same parameter twice',
    { types: { R: { params: ['a', 'a'], record: {} } } },
    'EDuplicateTypeParam: validation error in data type #:M:R: duplicate type parameter: a',
  ],
  [
    'a synonym with a parameter of a bad kind',
    { synonyms: { S: { params: ['f:*->nat'], type: t.unit } } },
    'ENatKindRightOfArrow: validation error in template #:M:S: invalid kind *->nat',
  ],
  [
    'a synonym with an unbound variable',
    { synonyms: { S: { params: ['a'], type: t.var('b') } } },
    'EUnknownTypeVar: validation error in template #:M:S: unknown type variable: b',
  ],
  [
    'a synonym with the same parameter twice',
    { synonyms: { S: { params: ['a', 'a'], type: t.var('a') } } },
    'EDuplicateTypeParam: validation error in template #:M:S: duplicate type parameter: a',
  ],
  [
    'a synonym of another kind',
    { synonyms: { S: { type: LIST } } },
    kinds('template #:M:S', '*', '*->*'),
  ],
  [
    'a synonym of its parameter of another kind',
    { synonyms: { S: { params: ['f:*->*'], type: t.var('f') } } },
    kinds('template #:M:S', '*', '*->*'),
  ],
  [
    'a field of a struct of another kind',
    record(t.struct({ a: LIST })),
    kinds('data type #:M:R', '*', '*->*'),
  ],
  [
    'a higher-kinded parameter in a serializable type',
    record(t.unit, ['f:*->*']),
    unserializable('higher-kinded type variable f : *->*'),
  ],
  ['an update in a serializable type', record(t.builtin(17, t.unit)), unserializable('Update')],
  [
    'a struct in a serializable type',
    record(t.struct({ a: t.unit })),
    unserializable('structural record'),
  ],
  [
    'a forall in a serializable type',
    record(t.forall('a', t.var('a'))),
    unserializable('higher-ranked type'),
  ],
  [
    'a numeric of any scale in a serializable type',
    { types: { R: { params: [], record: { x: t.forall('n:nat', t.builtin(5, t.var('n'))) } } } },
    unserializable('higher-ranked type'),
  ],
  [
    'a type representation in a serializable type',
    record(t.builtin(15)),
    unserializable('TypeRep'),
  ],
  [
    'a failure category in a serializable type',
    record(t.builtin(18)),
    unserializable('FailureCategory'),
  ],
  [
    'an interface in a serializable type',
    {
      ...view,
      interfaces: { I: { view: VIEW } },
      types: { ...view.types, R: { record: { x: t.list(t.con('M:I')) } } },
    },
    unserializable('unserializable data type M:I'),
  ],
  [
    'a synonym in a serializable type',
    { synonyms: { S: { type: t.unit } }, ...record(t.syn('M:S')) },
    unserializable('type synonym M:S'),
  ],
];

const COLLISIONS: readonly Row[] = [
  [
    'two fields of a record',
    { types: { R: { record: { same: t.unit, SAME: t.unit } } } },
    'ECollision: validation error: collision between record field M:R:same and record field M:R:SAME',
  ],
  [
    'two constructors of a variant',
    { types: { V: { variant: { Same: t.unit, SAME: t.unit } } } },
    'ECollision: validation error: collision between variant constructor M:V:Same and variant constructor M:V:SAME',
  ],
  [
    'two choices of a template',
    { templates: { T: { fields: {}, choices: { Go: choice, GO: choice } } } },
    'ECollision: validation error: collision between template choice M:T:Go and template choice M:T:GO',
  ],
  [
    'two choices of an interface',
    { ...view, interfaces: { I: { view: VIEW, choices: { Go: choice, GO: choice } } } },
    'ECollision: validation error: collision between interface choice M:I:Go and interface choice M:I:GO',
  ],
  [
    'two constructors of an enum',
    { types: { E: { enum: ['Red', 'RED'] } } },
    'ECollision: validation error: collision between variant constructor M:E:Red and variant constructor M:E:RED',
  ],
  [
    'a variant and a synonym',
    { types: { A: { variant: { X: t.unit } } }, synonyms: { a: { type: t.unit } } },
    'ECollision: validation error: collision between type synonym M:a and variant M:A',
  ],
  [
    'a field and a choice',
    { templates: { T: { fields: { go: t.unit }, choices: { Go: choice } } } },
    'ECollision: validation error: collision between record field M:T:go and template choice M:T:Go',
  ],
];

describe.each(Object.entries({ TEMPLATES, INTERFACES, EXCEPTIONS, TYPES, COLLISIONS }))(
  '%s',
  (_, rows) => {
    test.each(rows)('%s', (_name, module, text) => {
      expect(fault({ M: module })).toBe(text);
    });
  },
);

test.each(KEYS)('a contract key %s', (_, module, text) => {
  expect(fault({ M: module }, '3')).toBe(text);
});

describe('names from several modules', () => {
  const [record, variant, enumeration] = [
    { types: { 'B.C': UNIT } },
    { types: { 'B.C': { variant: { X: t.unit } } } },
    { types: { 'B.C': { enum: ['X'] } } },
  ] as const satisfies readonly ModuleSpec[];
  const synonym: ModuleSpec = { synonyms: { 'B.C': { type: t.unit } } };
  const inB = ({ types, synonyms }: ModuleSpec): ModuleSpec => ({
    ...(types && { types: { C: types['B.C']! } }),
    ...(synonyms && { synonyms: { C: synonyms['B.C']! } }),
  });
  const kinds_ = { record, variant, enum: enumeration, 'type synonym': synonym };

  test.each<[module: string, type: string]>([
    ['A.B', 'B'],
    ['a.B', 'B'],
    ['A.b', 'B'],
  ])('collide: a module %s, and in module A a type %s', (module, type) => {
    const modules = { A: { types: { [type]: UNIT } }, [module]: { types: { D: UNIT } } };
    expect(fault(modules)).toBe(
      `ECollision: validation error: collision between record A:${type} and module ${module}`,
    );
  });

  const pairs = Object.entries(kinds_).flatMap(([left, one]) =>
    Object.entries(kinds_).flatMap(([right, other]) =>
      ['A.B', 'a.b'].map((module) => [left, right, module, one, other] as const),
    ),
  );
  test.each(pairs)(
    'collide: a %s B.C in A, and a %s C in %s',
    (left, right, module, one, other) => {
      expect(fault({ A: one, [module]: inB(other) })).toBe(
        `ECollision: validation error: collision between ${left} A:B.C and ${right} ${module}:C`,
      );
    },
  );

  test('do not collide if they differ', () => {
    const apart: readonly Modules[] = [
      { A: { types: { B: UNIT } }, 'A.C': { types: { D: UNIT } } },
      { A: record, 'A.B': { types: { D: UNIT } } },
    ];
    for (const modules of apart) expect(readDar(dar(modules)).main.name).toBe('test-package');
  });
});

describe('a constructor and the record of its fields', () => {
  const tree = (node: string) => ({ variant: { Leaf: t.unit, Node: t.con(node) } });
  const node = { record: { left: t.con('M:Tree'), right: t.con('M:Tree') } };

  test('may share a name in one module', () => {
    const modules = { M: { types: { Tree: tree('M:Tree.Node'), 'Tree.Node': node } } };
    expect(readDar(dar(modules)).main.name).toBe('test-package');
  });

  test('may not share a name across modules, or with another case', () => {
    const elsewhere = {
      M: { types: { Tree: tree('M.Tree:Node') } },
      'M.Tree': { types: { Node: node } },
    };
    expect(fault(elsewhere)).toMatch(/^ECollision: .*variant M:Tree and module M.Tree$/);
    const apart = { M: { types: { Tree: tree('M:Tree.node'), 'Tree.node': node } } };
    expect(fault(apart)).toBe(
      'ECollision: validation error: collision between variant constructor M:Tree:Node and record M:Tree.node',
    );
  });
});

test('choices of interfaces do not collide with those of the template, or with each other', () => {
  const choices = { Go: choice };
  const implemented = { view: V, methods: {} };
  const M: ModuleSpec = {
    ...view,
    interfaces: { I: { view: VIEW, choices }, J: { view: VIEW, choices } },
    templates: { T: { fields, choices, implements: { 'M:I': implemented, 'M:J': implemented } } },
  };
  expect(readDar(dar({ M })).main.name).toBe('test-package');
});

describe('import cycles between modules', () => {
  const refersTo = (id: string): ModuleSpec => ({
    values: { x: { type: t.unit, expression: e.value(id) } },
  });

  test('are rejected, through values and through types', () => {
    expect(fault({ A: refersTo('B:x'), B: refersTo('A:x') })).toBe(
      'EImportCycle: validation error: cycle in module dependency B -> A',
    );
    const types = { types: { R: { record: { x: t.contractId(t.con('A:R')) } } } };
    const modules = {
      A: { types: { R: { record: { x: t.optional(t.con('C:R')) } } } },
      B: types,
      C: { types: { R: { record: { x: t.list(t.con('B:R')) } } } },
    };
    expect(fault(modules)).toBe(
      'EImportCycle: validation error: cycle in module dependency B -> C -> A',
    );
  });

  test('are rejected through synonyms', () => {
    const synonym = (id: string): ModuleSpec => ({ synonyms: { S: { type: t.syn(id) } } });
    expect(fault({ A: synonym('B:S'), B: synonym('A:S') })).toBe(
      'EImportCycle: validation error: cycle in module dependency B -> A',
    );
  });

  test('do not include a module that refers to itself, or to others in one direction', () => {
    const modules = { A: refersTo('B:x'), B: refersTo('C:x'), C: refersTo('C:x') };
    expect(readDar(dar(modules)).main.name).toBe('test-package');
  });
});
