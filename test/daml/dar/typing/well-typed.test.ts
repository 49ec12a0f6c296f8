/** Each form of expression and update has the type that the specification gives it (Daml-LF 2, "Type system"). */
import { readDar } from '../../../../src/daml/dar/dar-file.js';
import { builtinFunctionType } from '../../../../src/daml/typing/builtin-types.js';
import { Types } from '../../../../src/daml/typing/type.js';
import { BUILTIN_TABLE } from '../../../../src/daml/archive/builtin-table.js';
import { p } from '../../../support/daml/lf-code.js';
import {
  abstracted,
  abstractedType,
  ANY_EXCEPTION,
  COLOR,
  darOf,
  e,
  E,
  I,
  PARTIES,
  R,
  SUB_I,
  t,
  T,
  TI,
  TREE,
  TYPE_REP,
  u,
  updateOf,
  type Code,
  type LfTypeSpec,
  type Variables,
} from './model.js';

type Row = readonly [
  form: string,
  types: readonly string[],
  variables: Variables,
  body: Code,
  type: LfTypeSpec,
];
const [a, b, c] = [t.var('a'), t.var('b'), t.var('c')];
const v = e.var;
const [ID, ANSWER] = [t.contractId, t.numeric(10)];
const EXPRESSIONS: readonly Row[] = [
  ['a variable', ['a', 'b'], { x: b, y: a }, v('y'), a],
  ['an application', ['a', 'b'], { f: t.arrow(a, b), x: a }, e.call(v('f'), v('x')), b],
  ['a type application', ['a'], { f: t.forall('b', t.list(b)) }, e.at(v('f'), a), t.list(a)],
  [
    'a lambda',
    ['a', 'b'],
    { f: t.arrow(a, b) },
    e.lambda({ x: a }, e.call(v('f'), v('x'))),
    t.arrow(a, b),
  ],
  ['a type lambda', ['a'], { x: a }, e.forType('f:*->*', v('x')), t.forall('f:*->*', a)],
  [
    'a let',
    ['a', 'b'],
    { x: a, f: t.arrow(a, b) },
    e.let([['y', a, v('x')]], e.call(v('f'), v('y'))),
    b,
  ],
  ['unit', [], {}, e.unit, t.unit],
  ['booleans', [], {}, e.list(t.bool, [e.true, e.false]), t.list(t.bool)],
  ['an empty list', ['a'], {}, e.nil(a), t.list(a)],
  ['a list', ['a'], { x: a, l: t.list(a) }, e.cons(a, [v('x'), v('x')], v('l')), t.list(a)],
  ['none', ['a'], {}, e.none(a), t.optional(a)],
  ['some', ['a'], { x: a }, e.some(a, v('x')), t.optional(a)],
  ['an Int64', [], {}, e.int(42), t.int64],
  ['a Numeric has the scale of its digits', [], {}, e.numeric('3.1415926536'), t.numeric(10)],
  ['a Text', [], {}, e.text('text'), t.text],
  ['a Date', [], {}, e.date(-33_166), t.date],
  ['a Timestamp', [], {}, e.timestamp(-14_182_980_000_000n), t.timestamp],
  ['a failure category', [], {}, e.failureCategory(1), t.builtin(18)],
  ['a value', [], {}, e.value('Mod:f'), t.arrow(t.int64, t.bool)],
  [
    'a record',
    ['a'],
    { x: t.int64, l: t.list(a) },
    e.record(R(a), { f1: v('x'), f2: v('l') }),
    R(a),
  ],
  ['a field', ['a'], { r: R(a) }, e.field(R(a), 'f2', v('r')), t.list(a)],
  [
    'an update of a record field',
    ['a'],
    { r: R(a), l: t.list(a) },
    e.with(R(a), 'f2', v('r'), v('l')),
    R(a),
  ],
  ['a variant', ['a'], { x: a }, e.variant(TREE(a), 'Leaf', v('x')), TREE(a)],
  ['an enum', [], {}, e.enum('Mod:Color', 'Blue'), COLOR],
  [
    'a struct with its fields in any order',
    ['a', 'b'],
    { x: a, y: b },
    e.struct({ g: v('y'), f: v('x') }),
    t.struct({ f: a, g: b }),
  ],
  ['a member', ['a', 'b'], { s: t.struct({ f: a, g: b }) }, e.member('g', v('s')), b],
  [
    'an update of a struct member',
    ['a', 'b'],
    { s: t.struct({ f: a, g: b }), y: b },
    e.withMember('g', v('s'), v('y')),
    t.struct({ f: a, g: b }),
  ],
  [
    'a case of a variant',
    ['a'],
    { x: TREE(a) },
    e.match(
      v('x'),
      [p.variant('Mod:Tree', 'Node', 'n'), e.member('left', v('n'))],
      [p.variant('Mod:Tree', 'Leaf', 'l'), v('x')],
    ),
    TREE(a),
  ],
  [
    'a case of an enum',
    [],
    { x: COLOR },
    e.match(
      v('x'),
      ...['Red', 'Green', 'Blue'].map((name) => [p.enum('Mod:Color', name), e.true] as const),
    ),
    t.bool,
  ],
  [
    'a case of a list',
    ['a', 'b'],
    { x: t.list(a), y: b, f: t.arrow(a, t.arrow(t.list(a), b)) },
    e.match(v('x'), [p.nil, v('y')], [p.cons('h', 'tl'), e.call(v('f'), v('h'), v('tl'))]),
    b,
  ],
  [
    'a case of an optional',
    ['a'],
    { x: t.optional(a), y: a },
    e.match(v('x'), [p.some('z'), v('z')], [p.none, v('y')]),
    a,
  ],
  [
    'a case of a boolean',
    ['a'],
    { x: t.bool, y: a },
    e.match(v('x'), [p.true, v('y')], [p.false, v('y')]),
    a,
  ],
  ['a case of unit', ['a'], { x: t.unit, y: a }, e.match(v('x'), [p.unit, v('y')]), a],
  ['a default case', ['a', 'b'], { x: a, y: b }, e.match(v('x'), [p.default, v('y')]), b],
  [
    'a case with a default for the missing constructors',
    ['a'],
    { x: TREE(a) },
    e.match(v('x'), [p.variant('Mod:Tree', 'Leaf', 'l'), e.unit], [p.default, e.unit]),
    t.unit,
  ],
  ['an Any', [], { x: T }, e.toAny(T, v('x')), t.any],
  ['from_any', [], { x: t.any }, e.fromAny(T, v('x')), t.optional(T)],
  ['the representation of a type', [], {}, e.typeRep(T), TYPE_REP],
  ['a throw', ['a'], { x: E }, e.throw(a, E, v('x')), a],
  ['an AnyException', [], { x: E }, e.toAnyException(E, v('x')), ANY_EXCEPTION],
  ['from_any_exception', [], { x: ANY_EXCEPTION }, e.fromAnyException(E, v('x')), t.optional(E)],
  [
    'an inner forall that shadows an outer one',
    [],
    {},
    e.at(e.forType('a', e.forType('a', e.lambda({ x: a }, e.int(0)))), t.int64, t.text),
    t.arrow(t.text, t.int64),
  ],
  ['to_interface', [], { x: TI }, e.toInterface('Mod:I', 'Mod:Ti', v('x')), I],
  ['from_interface', [], { x: I }, e.fromInterface('Mod:I', 'Mod:Ti', v('x')), t.optional(TI)],
  [
    'to_required_interface',
    [],
    { x: SUB_I },
    e.toRequiredInterface('Mod:I', 'Mod:SubI', v('x')),
    I,
  ],
  [
    'from_required_interface',
    [],
    { x: I },
    e.fromRequiredInterface('Mod:I', 'Mod:SubI', v('x')),
    t.optional(SUB_I),
  ],
  [
    'unsafe_from_required_interface',
    [],
    { x: I, id: ID(I) },
    e.unsafeFromRequiredInterface('Mod:I', 'Mod:SubI', v('id'), v('x')),
    SUB_I,
  ],
  ['a method', [], { x: I }, e.callInterface('Mod:I', 'getParties', v('x')), PARTIES],
  [
    'the template type behind an interface',
    [],
    { x: I },
    e.interfaceTypeRep('Mod:I', v('x')),
    TYPE_REP,
  ],
  ['signatories by interface', [], { x: I }, e.signatoryInterface('Mod:I', v('x')), PARTIES],
  ['observers by interface', [], { x: I }, e.observerInterface('Mod:I', v('x')), PARTIES],
  ['a view', [], { x: I }, e.viewInterface('Mod:I', v('x')), t.con('Mod:MyUnit')],
  [
    'controllers of a choice',
    [],
    { x: T },
    e.choiceController('Mod:T', 'Ch', v('x'), e.int(1)),
    PARTIES,
  ],
  [
    'observers of an interface choice',
    [],
    { x: I },
    e.choiceObserver('Mod:I', 'ChIface', v('x'), e.int(1)),
    PARTIES,
  ],
];

const UPDATES: readonly Row[] = [
  ['pure', ['a'], { x: a }, u.pure(a, v('x')), updateOf(a)],
  [
    'a block',
    ['a', 'b', 'c'],
    { x: updateOf(a), y: updateOf(b), f: t.arrow(a, t.arrow(b, updateOf(c))) },
    u.block(
      [
        ['m', a, v('x')],
        ['n', b, v('y')],
      ],
      e.call(v('f'), v('m'), v('n')),
    ),
    updateOf(c),
  ],
  ['create', [], { x: T }, u.create('Mod:T', v('x')), updateOf(ID(T))],
  ['create by interface', [], { x: I }, u.createInterface('Mod:I', v('x')), updateOf(ID(I))],
  ['exercise', [], { id: ID(T) }, u.exercise('Mod:T', 'Ch', v('id'), e.int(1)), updateOf(ANSWER)],
  [
    'exercise by interface',
    [],
    { id: ID(I) },
    u.exerciseInterface('Mod:I', 'ChIface', v('id'), e.int(1)),
    updateOf(ANSWER),
  ],
  ['fetch', [], { id: ID(T) }, u.fetch('Mod:T', v('id')), updateOf(T)],
  ['fetch by interface', [], { id: ID(I) }, u.fetchInterface('Mod:I', v('id')), updateOf(I)],
  ['get time', [], {}, u.getTime, updateOf(t.timestamp)],
  ['compare time', [], { x: t.timestamp }, u.ledgerTimeLt(v('x')), updateOf(t.bool)],
  ['embed', ['a'], { x: updateOf(a) }, u.embed(a, v('x')), updateOf(a)],
  [
    'try and catch',
    ['a'],
    { x: updateOf(a), f: t.arrow(ANY_EXCEPTION, t.optional(updateOf(a))) },
    u.tryCatch(a, v('x'), 'y', e.call(v('f'), v('y'))),
    updateOf(a),
  ],
];

const syn = (name: string, ...args: LfTypeSpec[]): LfTypeSpec => t.syn(`Mod:${name}`, ...args);
/** A lambda of a synonym, with the type that the synonym expands to. */
const SYNONYMS: readonly (readonly [LfTypeSpec, LfTypeSpec])[] = [
  [syn('SynInt'), t.int64],
  [syn('SynSynInt'), t.int64],
  [syn('SynIdentity', syn('SynIdentity', t.int64)), t.int64],
  [syn('SynList', t.date), t.list(t.date)],
  [syn('SynSelfFunc', t.text), t.arrow(t.text, t.text)],
  [syn('SynFunc', t.text, t.date), t.arrow(t.text, t.date)],
  [syn('SynPair', t.text, t.date), t.struct({ two: t.date, one: t.text })],
  [syn('SynIdentity', t.forall('a', a)), t.forall('b', b)],
  [t.forall('a', syn('SynIdentity', a)), t.forall('c', c)],
  [syn('SynForall'), t.forall('b', t.arrow(b, b))],
];
const SCOPES: readonly Row[] = [
  [
    'the variable of the inner of two lambdas',
    ['a', 'b'],
    {},
    e.lambda({ x: a }, e.lambda({ x: b }, v('x'))),
    t.arrow(a, t.arrow(b, b)),
  ],
  [
    'a let within a lambda',
    ['a', 'b'],
    { y: b },
    e.lambda({ x: a }, e.let([['x', b, v('y')]], v('x'))),
    t.arrow(a, b),
  ],
  [
    'a lambda within a let',
    ['a', 'b'],
    { y: b },
    e.let([['x', b, v('y')]], e.lambda({ x: a }, v('x'))),
    t.arrow(a, a),
  ],
  [
    'the second binding of a let',
    ['a', 'b'],
    { y: a, f: t.arrow(a, b) },
    e.let(
      [
        ['x', a, v('y')],
        ['x', b, e.call(v('f'), v('x'))],
      ],
      v('x'),
    ),
    b,
  ],
  [
    'a pattern variable within a lambda',
    ['a', 'b'],
    { l: t.list(b) },
    e.lambda({ x: a, y: b }, e.match(v('l'), [p.cons('x', 'tl'), v('x')], [p.nil, v('y')])),
    t.arrow(a, t.arrow(b, b)),
  ],
  [
    'a variable after the pattern that shadowed it',
    ['a', 'b'],
    { x: a, o: t.optional(b) },
    e.let([['y', t.unit, e.match(v('o'), [p.some('x'), e.unit], [p.none, e.unit])]], v('x')),
    a,
  ],
  [
    'a block within a lambda',
    ['a', 'b'],
    { m: updateOf(b) },
    e.lambda({ x: a }, u.block([['x', b, v('m')]], u.pure(b, v('x')))),
    t.arrow(a, updateOf(b)),
  ],
  [
    'substitution avoids capture',
    ['a'],
    { f: t.forall('c', t.forall('b', t.arrow(c, b))) },
    e.forType('b', e.at(v('f'), b)),
    t.forall('b', t.forall('c', t.arrow(b, c))),
  ],
  ['a synonym of an update', ['a'], { x: syn('SynUpdate', a) }, u.block([], v('x')), updateOf(a)],
  [
    'a synonym of a function that is applied',
    ['a'],
    { f: syn('SynSelfFunc', a), x: a },
    e.call(v('f'), v('x')),
    a,
  ],
  [
    'a synonym of a forall that is applied to types',
    ['a'],
    { f: syn('SynForall') },
    e.at(v('f'), a),
    t.arrow(a, a),
  ],
  [
    'a member of a synonym of a struct',
    ['a', 'b'],
    { x: syn('SynPair', a, b) },
    e.member('one', v('x')),
    a,
  ],
];
const DEV: readonly Row[] = [
  ['an Any of any type', [], { x: R(t.text) }, e.toAny(R(t.text), v('x')), t.any],
  ['the representation of any type', [], {}, e.typeRep(t.arrow(ID(T), COLOR)), TYPE_REP],
  [
    'exercise by interface with a guard',
    [],
    { id: ID(I), g: t.arrow(I, t.bool) },
    u.exerciseInterface('Mod:I', 'ChIface', v('id'), e.int(1), v('g')),
    updateOf(ANSWER),
  ],
  ['a rounding mode', [], {}, e.roundingMode(0), t.builtin(1003)],
];
const FIRST: readonly Row[] = [
  [
    'unsafe_from_interface',
    [],
    { x: I, id: ID(I) },
    e.unsafeFromInterface('Mod:I', 'Mod:Ti', v('id'), v('x')),
    TI,
  ],
];
const synonymRows = SYNONYMS.map(([synonym, type], n): Row => [
  `synonym ${n}`,
  [],
  {},
  e.lambda({ x: synonym }, e.unit),
  t.arrow(type, t.unit),
]);

const valueOf = ([, types, variables, body, type]: Row) => ({
  type: abstractedType(types, variables, type),
  expression: abstracted(types, variables, body),
});
const valuesOf = (rows: readonly Row[]) =>
  Object.fromEntries(rows.map((row, index) => [`v${index}`, valueOf(row)]));

describe.each(['1', '2', '3', 'dev'] as const)('Daml-LF 2.%s', (lf) => {
  test.each([
    ['expressions', EXPRESSIONS],
    ['updates', UPDATES],
    ['synonyms', synonymRows],
    ['scopes', SCOPES],
    ...(lf === '1' ? [['2.1 alone', FIRST] as const] : []),
    ...(lf === 'dev' ? [['2.dev alone', DEV] as const] : []),
  ] as const)('accepts the %s', (_, rows) => {
    expect(readDar(darOf(valuesOf(rows), lf)).main.languageVersion).toBe(`2.${lf}`);
  });
});

test.each([...EXPRESSIONS, ...UPDATES])('rejects another type for %s', (...row) => {
  const value = valueOf(row);
  const wrong = { ...value, type: t.optional(value.type) };
  expect(() => readDar(darOf({ x: wrong }))).toThrow(
    expect.objectContaining({ code: 'DAR_VALIDATION_ERROR' }) as Error,
  );
});

test('each builtin function has a type', () => {
  const types = new Types();
  for (const row of BUILTIN_TABLE.values()) builtinFunctionType(types, row);
});
