/**
 * Refusals of code that is not well-typed, with the real checker's error and text for each rule. Rebuilds the cases of the real
 * tests (TypingSpec), and adds cases that they omit. The source location shows the place of the fault.
 */
import { p } from '../../../support/daml/lf-code.js';
import { validationFault } from '../refused.js';
import {
  abstracted,
  ANY_EXCEPTION,
  COLOR,
  darOf,
  e,
  E,
  I,
  J,
  R,
  t,
  T,
  TI,
  TREE,
  u,
  U,
  updateOf,
  type Code,
  type LfTypeSpec,
  type Variables,
} from './model.js';

/** The body has its own location; every `#` of the text is the package id. */
type Row = readonly [
  fault: string,
  types: readonly string[],
  variables: Variables,
  body: Code,
  text: string,
];
const [a, b, c] = [t.var('a'), t.var('b'), t.var('c')];
const v = e.var;
const ID = t.contractId;
const syn = (name: string, ...args: LfTypeSpec[]): LfTypeSpec => t.syn(`Mod:${name}`, ...args);
const LIST = t.builtin(10);
const [KIND, TO] = ['*->*', ['f:*->*']] as const;
const f = t.var('f');

const mismatch = (expected: string, found: string): string =>
  `ETypeMismatch: type mismatch:\n * expected type: ${expected}\n * found type: ${found}`;
const kinds = (expected: string, found: string): string =>
  `EKindMismatch: kind mismatch:\n * expected kind: ${expected}\n * found Kind: ${found}`;
const unknown = (what: string, wanted = what): string =>
  `EUnknownDefinition: unknown ${what}${wanted === what ? '' : ` while looking for ${wanted}`}`;
const pattern = (found: string, type: string): string =>
  `EPatternTypeMismatch: pattern type mismatch:\n * pattern: ${found}\n * scrutinee type: ${type}`;
const missing = (patterns: string, type: string): string =>
  `ENonExhaustivePatterns: non-exhaustive pattern match:\n * missing patterns: ${patterns}\n * scrutinee type: ${type}`;
const anyType = (type: string): string =>
  `EExpectedAnyType: expected a any type but found: ${type}`;
const exceptionType = (type: string): string =>
  `EExpectedExceptionType: expected an exception type, but found: ${type}`;
const unknownField = (field: string, type: string): string =>
  `EUnknownField: Tried to access nonexistent field ${field} on value of type ${type}`;

const FUNCTIONS: readonly Row[] = [
  ['an unbound variable', [], {}, v('x'), 'EUnknownExprVar: unknown expr variable: x'],
  [
    'an application of a value that is not a function',
    ['a', 'b'],
    { x: b, y: a },
    e.call(v('x'), v('y')),
    'EExpectedFunctionType: expected function type, but found: b',
  ],
  [
    'an argument of another type',
    ['a', 'b', 'c'],
    { g: t.arrow(b, c), x: a },
    e.call(v('g'), v('x')),
    mismatch('b', 'a'),
  ],
  [
    'a function argument that is not a function',
    ['a', 'b', 'c'],
    { g: t.arrow(t.arrow(a, b), c), x: a },
    e.call(v('g'), v('x')),
    mismatch('a → b', 'a'),
  ],
  [
    'an extra argument',
    ['a', 'b'],
    { g: t.arrow(a, b), x: a },
    e.call(v('g'), v('x'), v('x')),
    'EExpectedFunctionType: expected function type, but found: b',
  ],
  [
    'a field as an argument of another type',
    ['a', 'b'],
    { g: t.arrow(t.bool, b), r: R(a) },
    e.call(v('g'), e.field(R(a), 'f1', v('r'))),
    'EFieldTypeMismatch: Tried to use field f1 with type Int64 on value of type Mod:R a, but that field has type Bool',
  ],
  [
    'a type lambda with a bad kind',
    ['a'],
    { x: a },
    e.forType('f:*->nat', v('x')),
    'ENatKindRightOfArrow: invalid kind *->nat',
  ],
  [
    'a forall with a bad kind',
    ['a'],
    { x: a },
    e.lambda({ y: t.forall('f:*->*->nat', t.unit) }, v('x')),
    'ENatKindRightOfArrow: invalid kind *->nat',
  ],
  [
    'a type of another kind',
    ['f:*->*', 'g:*->*'],
    { x: t.forall('a', a) },
    e.at(v('x'), f),
    kinds('*', KIND),
  ],
  [
    'a type application of a value that is not a forall',
    ['a', 'b'],
    { x: b },
    e.at(v('x'), a),
    'EExpectedUniversalType: expected universal type, but found: b',
  ],
  ['a lambda over a type of another kind', [], {}, e.lambda({ x: LIST }, e.unit), kinds('*', KIND)],
  ['an unbound type variable', [], {}, e.none(a), 'EUnknownTypeVar: unknown type variable: a'],
  [
    'a let of another type',
    ['a', 'b', 'c'],
    { x: a, y: c },
    e.let([['z', b, v('x')]], v('y')),
    mismatch('b', 'a'),
  ],
  [
    'a let of another kind',
    [...TO, 'a'],
    { x: a },
    e.let([['z', f, v('nothing')]], v('x')),
    kinds('*', KIND),
  ],
  [
    'an ill-typed let before its ill-typed body',
    ['a'],
    { x: a },
    e.let([['y', a, e.call(v('x'), v('x'))]], v('unbound')),
    'EExpectedFunctionType: expected function type, but found: a',
  ],
  [
    'a binding that uses its own variable',
    ['a'],
    {},
    e.let([['y', a, v('y')]], v('y')),
    'EUnknownExprVar: unknown expr variable: y',
  ],
  [
    'a variable outside its let',
    ['a'],
    { x: a },
    e.call(e.let([['y', a, v('x')]], e.lambda({ z: a }, v('z'))), v('y')),
    'EUnknownExprVar: unknown expr variable: y',
  ],
];

const DATA: readonly Row[] = [
  ['an empty list of another kind', TO, {}, e.nil(f), kinds('*', KIND)],
  [
    'an element of another type',
    ['a', 'b'],
    { x: b, l: t.list(a) },
    e.cons(a, [v('x')], v('l')),
    mismatch('a', 'b'),
  ],
  [
    'a tail of another type',
    ['a', 'b'],
    { x: a, l: t.list(b) },
    e.cons(a, [v('x')], v('l')),
    mismatch('List a', 'List b'),
  ],
  [
    'a tail that is not a list',
    ['a', 'b'],
    { x: a, l: b },
    e.cons(a, [v('x')], v('l')),
    mismatch('List a', 'b'),
  ],
  ['some of another type', ['a', 'b'], { x: b }, e.some(a, v('x')), mismatch('a', 'b')],
  ['an unknown value', [], {}, e.value('Mod:g'), unknown('definition #:Mod:g', 'value #:Mod:g')],
  ['a type in place of a value', [], {}, e.value('Mod:R'), unknown('value #:Mod:R')],
  [
    'a value of an unknown module',
    [],
    {},
    e.value('Gone:g'),
    unknown('module #:Gone', 'value #:Gone:g'),
  ],
  [
    'a record with a field of another type',
    ['a'],
    { x: t.bool, l: t.list(a) },
    e.record(R(a), { f1: v('x'), f2: v('l') }),
    mismatch('Int64', 'Bool'),
  ],
  [
    'a record of another kind',
    TO,
    { x: t.int64 },
    e.record(R(f), { f1: v('x'), f2: v('nothing') }),
    kinds('*', KIND),
  ],
  [
    'a record with another field',
    ['a'],
    { x: t.int64, l: t.list(a) },
    e.record(R(a), { f1: v('x'), f3: v('l') }),
    'EFieldMismatch: field mismatch: * expected: TypeConApp(#:Mod:R,ImmArray(TVar(a))) * record expression: ImmArray((f1,EVar(x)),(f3,EVar(l)))',
  ],
  [
    'a record whose constants have other field names',
    ['a'],
    { x: t.int64 },
    e.record(R(a), {
      i: e.int(1),
      t: e.text('one'),
      u: e.unit,
      s: e.some(t.int64, v('x')),
      n: e.none(t.text),
      l: e.nil(t.text),
      f: e.call(v('x'), e.text('')),
    }),
    'EFieldMismatch: field mismatch: * expected: TypeConApp(#:Mod:R,ImmArray(TVar(a))) * record expression: ' +
      'ImmArray((i,EBuiltinLit(BLInt64(1))),(t,EBuiltinLit(BLText(one))),(u,EBuiltinCon(BCUnit)),' +
      '(s,ESome(TBuiltin(BTInt64),EVar(x))),(n,ENone(TBuiltin(BTText))),(l,ENil(TBuiltin(BTText))),' +
      '(f,EApp(EVar(x),EBuiltinLit(BLText()))))',
  ],
  [
    'a record whose field has a source location',
    ['a'],
    { x: t.int64 },
    e.record(R(a), { f1: e.located('Mod', 3, v('x')), f3: v('x') }),
    'EFieldMismatch: field mismatch: * expected: TypeConApp(#:Mod:R,ImmArray(TVar(a))) * record expression: ImmArray((f1,…),(f3,EVar(x)))',
  ],
  [
    'a record with a missing field',
    ['a'],
    { x: t.int64 },
    e.record(R(a), { f1: v('x') }),
    'EFieldMismatch: field mismatch: * expected: TypeConApp(#:Mod:R,ImmArray(TVar(a))) * record expression: ImmArray((f1,EVar(x)))',
  ],
  [
    'a record of an unknown type',
    ['a'],
    { x: a },
    e.record(t.con('Mod:g', a), { f1: v('x') }),
    unknown('definition #:Mod:g', 'data type #:Mod:g'),
  ],
  [
    'a record of a synonym',
    ['a'],
    { x: a },
    e.record(t.con('Mod:S', a), { f1: v('x') }),
    unknown('data type #:Mod:S'),
  ],
  [
    'a record of a variant',
    ['a'],
    { x: a },
    e.record(TREE(a), { Leaf: v('x') }),
    'EExpectedRecordType: expected record type: * found: Mod:Tree a',
  ],
  [
    'a record with an extra type argument',
    ['a'],
    { x: a },
    e.record(t.con('Mod:R', a, a), { f1: v('x') }),
    'ETypeConAppWrongArity: wrong arity in typecon application: Mod:R a a',
  ],
  [
    'an unknown field',
    ['a'],
    { r: R(a) },
    e.field(R(a), 'f3', v('r')),
    unknownField('f3', 'TApp(TTyCon(#:Mod:R),TVar(a))'),
  ],
  [
    'a field of another record',
    ['a', 'b'],
    { r: R(a) },
    e.field(R(b), 'f1', v('r')),
    mismatch('Mod:R b', 'Mod:R a'),
  ],
  [
    'an update of an unknown field',
    ['a'],
    { r: R(a), l: t.list(a) },
    e.with(R(a), 'f3', v('r'), v('l')),
    unknownField('f3', 'TApp(TTyCon(#:Mod:R),TVar(a))'),
  ],
  [
    'an update of another type',
    ['a'],
    { r: R(a), x: t.bool },
    e.with(R(a), 'f2', v('r'), v('x')),
    mismatch('List a', 'Bool'),
  ],
  [
    'an update of another record',
    ['a', 'b'],
    { r: R(a), l: t.list(b) },
    e.with(R(b), 'f2', v('r'), v('l')),
    mismatch('Mod:R b', 'Mod:R a'),
  ],
  [
    'a variant of another type',
    ['a', 'b'],
    { x: b },
    e.variant(TREE(a), 'Leaf', v('x')),
    mismatch('a', 'b'),
  ],
  [
    'an unknown constructor',
    ['a'],
    { x: a },
    e.variant(TREE(a), 'Root', v('x')),
    'EUnknownVariantCon: unknown variant constructor: Root',
  ],
  [
    'a variant of a record',
    ['a'],
    { x: a },
    e.variant(R(a), 'Leaf', v('x')),
    'EExpectedVariantType: expected variant type: Mod:R',
  ],
  [
    'an unknown enum constructor',
    [],
    {},
    e.enum('Mod:Color', 'Mauve'),
    'EUnknownEnumCon: unknown enum constructor: Mauve',
  ],
  [
    'an enum of a record',
    [],
    {},
    e.enum('Mod:U', 'person'),
    'EExpectedEnumType: expected enum type: Mod:U',
  ],
  [
    'an unknown member',
    ['a', 'b'],
    { s: t.struct({ g: a, h: b }) },
    e.member('i', v('s')),
    unknownField('i', 'TStruct(Struct((g,TVar(a)),(h,TVar(b))))'),
  ],
  [
    'a member of a value that is not a struct',
    ['a'],
    { s: a },
    e.member('i', v('s')),
    'EExpectedStructType: expected struct type, but found: a',
  ],
  [
    'an update of an unknown member',
    ['a'],
    { s: t.struct({ g: a }), x: a },
    e.withMember('i', v('s'), v('x')),
    unknownField('i', 'TStruct(Struct((g,TVar(a))))'),
  ],
  [
    'a member of another type',
    ['a', 'b'],
    { s: t.struct({ g: a }), x: b },
    e.withMember('g', v('s'), v('x')),
    mismatch('a', 'b'),
  ],
];

const CASES: readonly Row[] = [
  [
    'a variant pattern for a value of another type',
    ['a'],
    { x: a },
    e.match(v('x'), [p.variant('Mod:Tree', 'Node', 'n'), e.unit], [p.default, e.unit]),
    pattern('CPVariant(#:Mod:Tree,Node,n)', 'a'),
  ],
  [
    'a missing variant pattern',
    ['a'],
    { x: TREE(a) },
    e.match(v('x'), [p.variant('Mod:Tree', 'Node', 'n'), e.unit]),
    missing('CPVariant(#:Mod:Tree,Leaf,_)', 'Mod:Tree a'),
  ],
  [
    'a pattern of an unknown variant constructor',
    ['a'],
    { x: TREE(a) },
    e.match(v('x'), [p.variant('Mod:Tree', 'Root', 'n'), e.unit]),
    'EUnknownVariantCon: unknown variant constructor: Root',
  ],
  [
    'an enum pattern for a value of another type',
    ['a'],
    { x: a },
    e.match(v('x'), [p.enum('Mod:Color', 'Red'), e.unit]),
    pattern('CPEnum(#:Mod:Color,Red)', 'a'),
  ],
  [
    'missing enum patterns',
    [],
    { x: COLOR },
    e.match(v('x'), [p.enum('Mod:Color', 'Green'), e.unit]),
    missing('CPEnum(#:Mod:Color,Red), CPEnum(#:Mod:Color,Blue)', 'Mod:Color'),
  ],
  [
    'a pattern of an unknown enum constructor',
    [],
    { x: COLOR },
    e.match(v('x'), [p.enum('Mod:Color', 'Mauve'), e.unit]),
    'EUnknownEnumCon: unknown enum constructor: Mauve',
  ],
  [
    'a nil pattern for a value of another type',
    ['a'],
    { x: a },
    e.match(v('x'), [p.nil, e.unit]),
    pattern('CPNil', 'a'),
  ],
  [
    'a cons pattern for a value of another type',
    ['a'],
    { x: a },
    e.match(v('x'), [p.cons('h', 'tl'), e.unit]),
    pattern('CPCons(h,tl)', 'a'),
  ],
  [
    'a missing cons pattern',
    ['a'],
    { x: t.list(a) },
    e.match(v('x'), [p.nil, e.unit]),
    missing('CPCons(_,_)', 'List a'),
  ],
  [
    'a missing nil pattern',
    ['a'],
    { x: t.list(a) },
    e.match(v('x'), [p.cons('h', 'tl'), e.unit]),
    missing('CPNil', 'List a'),
  ],
  [
    'a variable that occurs twice in a pattern',
    ['a'],
    { x: t.list(a) },
    e.match(v('x'), [p.cons('h', 'h'), e.unit], [p.default, e.unit]),
    'EClashingPatternVariables: h is used more than one in pattern',
  ],
  [
    'a none pattern for a value of another type',
    ['a'],
    { x: a },
    e.match(v('x'), [p.none, e.unit]),
    pattern('CPNone', 'a'),
  ],
  [
    'a missing some pattern',
    ['a'],
    { x: t.optional(a) },
    e.match(v('x'), [p.none, e.unit]),
    missing('CPSome(_)', 'Optional a'),
  ],
  [
    'a true pattern for a value of another type',
    ['a'],
    { x: a },
    e.match(v('x'), [p.true, e.unit]),
    pattern('CPBuiltinCon(BCTrue)', 'a'),
  ],
  [
    'a unit pattern for a boolean',
    [],
    { x: t.bool },
    e.match(v('x'), [p.unit, e.unit]),
    pattern('CPBuiltinCon(BCUnit)', 'Bool'),
  ],
  // The real checker names the case that is present.
  [
    'a missing false pattern',
    [],
    { x: t.bool },
    e.match(v('x'), [p.true, e.unit]),
    missing('CPBuiltinCon(BCTrue)', 'Bool'),
  ],
  [
    'a pattern for a record',
    ['a'],
    { x: R(a) },
    e.match(v('x'), [p.variant('Mod:R', 'f1', 'y'), e.unit]),
    pattern('CPVariant(#:Mod:R,f1,y)', 'Mod:R a'),
  ],
  ['no alternatives', ['a'], { x: a }, e.match(v('x')), 'EEmptyCase: empty case'],
  [
    'alternatives of different types',
    ['a', 'b'],
    { x: a, y: b },
    e.match(e.unit, [p.unit, v('x')], [p.default, v('y')]),
    mismatch('a', 'b'),
  ],
  [
    'an ill-typed pattern before ill-typed alternatives',
    ['a'],
    { x: a },
    e.match(v('x'), [p.default, v('unbound')], [p.nil, e.unit]),
    pattern('CPNil', 'a'),
  ],
];

const ANYS: readonly Row[] = [
  ['an Any of another kind', [], {}, e.toAny(t.con('Mod:R'), v('nothing')), kinds('*', KIND)],
  ['an Any of a variable', ['a'], { x: a }, e.toAny(a, v('x')), anyType('a')],
  [
    'an Any of a type that is not a constructor',
    [],
    { x: R(t.text) },
    e.toAny(R(t.text), v('x')),
    anyType('Mod:R Text'),
  ],
  ['an Any of a synonym', [], { x: syn('S') }, e.toAny(syn('S'), v('x')), anyType('Mod:S ')],
  [
    'an Any of a value of another type',
    [],
    {},
    e.toAny(T, e.nil(T)),
    mismatch('Mod:T', 'List Mod:T'),
  ],
  [
    'from_any of a value that is not an Any',
    [],
    { x: T },
    e.fromAny(T, v('x')),
    mismatch('Any', 'Mod:T'),
  ],
  ['from_any to a builtin type', [], { x: t.any }, e.fromAny(t.text, v('x')), anyType('Text')],
  [
    'the representation of an unknown type',
    [],
    {},
    e.typeRep(t.con('Mod:Gone')),
    unknown('definition #:Mod:Gone', 'data type #:Mod:Gone'),
  ],
  [
    'the representation of a forall',
    [],
    {},
    e.typeRep(t.forall('a', t.int64)),
    anyType('∀a. Int64'),
  ],
  [
    'a type that is not an exception',
    [],
    { x: T },
    e.toAnyException(T, v('x')),
    unknown('exception #:Mod:T'),
  ],
  [
    'an exception of a builtin',
    [],
    { x: t.bool },
    e.toAnyException(t.bool, v('x')),
    exceptionType('Bool'),
  ],
  [
    'an exception of another type',
    [],
    { x: T },
    e.toAnyException(E, v('x')),
    mismatch('Mod:E', 'Mod:T'),
  ],
  [
    'from_any_exception to a synonym',
    [],
    { x: ANY_EXCEPTION },
    e.fromAnyException(syn('S'), v('x')),
    exceptionType('Mod:S '),
  ],
  [
    'from_any_exception of a value that is not an AnyException',
    [],
    { x: t.any },
    e.fromAnyException(E, v('x')),
    mismatch('AnyException', 'Any'),
  ],
  ['a throw of another kind', [], {}, e.throw(t.con('Mod:R'), E, v('nothing')), kinds('*', KIND)],
  [
    'a throw of a value that is not an exception',
    ['a'],
    { x: U },
    e.throw(a, U, v('x')),
    unknown('exception #:Mod:U'),
  ],
  ['a throw of another type', ['a', 'b'], { x: b }, e.throw(a, E, v('x')), mismatch('Mod:E', 'b')],
];

const UPDATES: readonly Row[] = [
  ['pure of another kind', TO, {}, u.pure(f, v('nothing')), kinds('*', KIND)],
  ['pure of another type', ['a', 'b'], { x: a }, u.pure(b, v('x')), mismatch('b', 'a')],
  [
    'a binding of another kind',
    [...TO, 'a'],
    { x: updateOf(a) },
    u.block([['y', f, v('nothing')]], v('x')),
    kinds('*', KIND),
  ],
  [
    'a binding that is not an update',
    ['a', 'b'],
    { x: a, y: updateOf(b) },
    u.block([['z', a, v('x')]], v('y')),
    mismatch('Update a', 'a'),
  ],
  [
    'a binding of another type',
    ['a', 'b', 'c'],
    { x: updateOf(a), y: updateOf(b) },
    u.block([['z', c, v('x')]], v('y')),
    mismatch('Update c', 'Update a'),
  ],
  [
    'a block that is not an update',
    ['a', 'b'],
    { x: updateOf(a), y: b },
    u.block([['z', a, v('x')]], v('y')),
    'EExpectedUpdateType: expected update type, but found: b',
  ],
  [
    'create with a type that is not a template',
    [],
    { x: U },
    u.create('Mod:U', v('x')),
    unknown('template #:Mod:U'),
  ],
  ['create of another type', ['a'], { x: a }, u.create('Mod:T', v('x')), mismatch('Mod:T', 'a')],
  [
    'create by a type that is not an interface',
    [],
    { x: U },
    u.createInterface('Mod:U', v('x')),
    unknown('interface #:Mod:U'),
  ],
  [
    'create by an interface of another type',
    ['a'],
    { x: a },
    u.createInterface('Mod:I', v('x')),
    mismatch('Mod:I', 'a'),
  ],
  [
    'exercise of a type that is not a template',
    [],
    { x: ID(U) },
    u.exercise('Mod:U', 'Ch', v('x'), e.int(1)),
    unknown('template #:Mod:U', 'choice Ch in template #:Mod:U'),
  ],
  [
    'exercise of an unknown choice',
    [],
    { x: ID(T) },
    u.exercise('Mod:T', 'ChTmpl', v('x'), e.int(1)),
    unknown('choice ChTmpl in template #:Mod:T'),
  ],
  [
    'exercise of another contract',
    ['a'],
    { x: ID(a) },
    u.exercise('Mod:T', 'Ch', v('x'), e.int(1)),
    mismatch('ContractId Mod:T', 'ContractId a'),
  ],
  [
    'exercise with another argument',
    ['a'],
    { x: ID(T), y: a },
    u.exercise('Mod:T', 'Ch', v('x'), v('y')),
    mismatch('Int64', 'a'),
  ],
  [
    'a template choice exercised by interface',
    [],
    { x: ID(I) },
    u.exercise('Mod:I', 'ChTmpl', v('x'), e.int(1)),
    unknown('template #:Mod:I', 'choice ChTmpl in template #:Mod:I'),
  ],
  [
    'exercise by a type that is not an interface',
    [],
    { x: ID(U) },
    u.exerciseInterface('Mod:U', 'ChIface', v('x'), e.int(1)),
    unknown('interface #:Mod:U', 'choice ChIface in interface #:Mod:U'),
  ],
  [
    'exercise of an unknown interface choice',
    [],
    { x: ID(I) },
    u.exerciseInterface('Mod:I', 'Not', v('x'), e.int(1)),
    unknown('choice Not in interface #:Mod:I'),
  ],
  [
    'exercise by interface with another argument',
    ['a'],
    { x: ID(I), y: a },
    u.exerciseInterface('Mod:I', 'ChIface', v('x'), v('y')),
    mismatch('Int64', 'a'),
  ],
  [
    'an interface choice exercised by template',
    [],
    { x: ID(TI) },
    u.exerciseInterface('Mod:Ti', 'ChIface', v('x'), e.int(1)),
    unknown('interface #:Mod:Ti', 'choice ChIface in interface #:Mod:Ti'),
  ],
  [
    'fetch of a type that is not a template',
    [],
    { x: ID(U) },
    u.fetch('Mod:U', v('x')),
    unknown('template #:Mod:U'),
  ],
  [
    'fetch of a value that is not a contract id',
    ['a'],
    { x: a },
    u.fetch('Mod:T', v('x')),
    mismatch('ContractId Mod:T', 'a'),
  ],
  [
    'fetch by a type that is not an interface',
    [],
    { x: ID(U) },
    u.fetchInterface('Mod:U', v('x')),
    unknown('interface #:Mod:U'),
  ],
  [
    'fetch by interface of a value that is not a contract id',
    ['a'],
    { x: a },
    u.fetchInterface('Mod:I', v('x')),
    mismatch('ContractId Mod:I', 'a'),
  ],
  [
    'a time that is not a Timestamp',
    ['a'],
    { x: a },
    u.ledgerTimeLt(v('x')),
    mismatch('Timestamp', 'a'),
  ],
  [
    'embed of a value that is not an update',
    ['a', 'b'],
    { x: b },
    u.embed(a, v('x')),
    mismatch('Update a', 'b'),
  ],
  [
    'try of another type',
    ['a', 'b'],
    { x: updateOf(b) },
    u.tryCatch(a, v('x'), 'y', e.none(updateOf(a))),
    mismatch('Update a', 'Update b'),
  ],
  [
    'catch of another type',
    ['a'],
    { x: updateOf(a) },
    u.tryCatch(a, v('x'), 'y', e.none(a)),
    mismatch('Optional (Update a)', 'Optional a'),
  ],
  [
    'a handler that does not accept an AnyException',
    ['a'],
    { x: updateOf(a) },
    u.tryCatch(a, v('x'), 'y', v('y')),
    mismatch('Optional (Update a)', 'AnyException'),
  ],
];

const INTERFACES: readonly Row[] = [
  [
    'to_interface with a type that is not an interface',
    [],
    { x: TI },
    e.toInterface('Mod:T', 'Mod:Ti', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'to_interface of a template that does not implement it',
    [],
    { x: TI },
    e.toInterface('Mod:I', 'Mod:T', v('x')),
    unknown('interface instance #:Mod:I for #:Mod:T'),
  ],
  [
    'to_interface of a value of another type',
    [],
    { x: T },
    e.toInterface('Mod:I', 'Mod:Ti', v('x')),
    mismatch('Mod:Ti', 'Mod:T'),
  ],
  [
    'from_interface to a type that is not a template',
    [],
    { x: I },
    e.fromInterface('Mod:I', 'Mod:I', v('x')),
    unknown('template #:Mod:I', 'interface instance #:Mod:I for #:Mod:I'),
  ],
  [
    'from_interface with another interface',
    [],
    { x: J },
    e.fromInterface('Mod:I', 'Mod:Ti', v('x')),
    mismatch('Mod:I', 'Mod:J'),
  ],
  [
    'to_required_interface with an interface that is not required',
    [],
    { x: I },
    e.toRequiredInterface('Mod:J', 'Mod:I', v('x')),
    'EWrongInterfaceRequirement: Interface #:Mod:I does not require #:Mod:J',
  ],
  [
    'from_required_interface with an interface that is not required',
    [],
    { x: J },
    e.fromRequiredInterface('Mod:J', 'Mod:SubI', v('x')),
    'EWrongInterfaceRequirement: Interface #:Mod:SubI does not require #:Mod:J',
  ],
  [
    'a method of a type that is not an interface',
    [],
    { x: U },
    e.callInterface('Mod:U', 'getParties', v('x')),
    unknown('interface #:Mod:U', 'method getParties in interface #:Mod:U'),
  ],
  [
    'an unknown method',
    [],
    { x: I },
    e.callInterface('Mod:I', 'getParty', v('x')),
    unknown('method getParty in interface #:Mod:I'),
  ],
  [
    'a method of another type',
    ['a'],
    { x: a },
    e.callInterface('Mod:I', 'getParties', v('x')),
    mismatch('Mod:I', 'a'),
  ],
  [
    'the template type of a type that is not an interface',
    [],
    { x: T },
    e.interfaceTypeRep('Mod:T', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'signatories by a type that is not an interface',
    [],
    { x: T },
    e.signatoryInterface('Mod:T', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'observers by a type that is not an interface',
    [],
    { x: T },
    e.observerInterface('Mod:T', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'a view by a type that is not an interface',
    [],
    { x: T },
    e.viewInterface('Mod:T', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'controllers of an unknown choice',
    [],
    { x: T },
    e.choiceController('Mod:T', 'Fake', v('x'), e.int(1)),
    unknown('choice Fake in template #:Mod:T'),
  ],
  [
    'observers of an unknown interface choice',
    [],
    { x: I },
    e.choiceObserver('Mod:I', 'Fake', v('x'), e.int(1)),
    unknown('choice Fake in interface #:Mod:I'),
  ],
  [
    'controllers of a choice of a type that is not a template',
    [],
    { x: U },
    e.choiceController('Mod:U', 'Fake', v('x'), e.int(1)),
    unknown('template or interface #:Mod:U'),
  ],
];

const arity = (text: string): string =>
  `ETypeSynAppWrongArity: wrong arity in type synonym application: ${text}`;
const SYNONYMS: readonly Row[] = [
  [syn('Missing'), unknown('definition #:Mod:Missing', 'type synonym #:Mod:Missing')],
  [syn('R'), unknown('type synonym #:Mod:R')],
  [syn('SynInt', t.text), arity('Mod:SynInt Text')],
  [syn('SynIdentity'), arity('Mod:SynIdentity ')],
  [syn('SynPair', t.text, t.text, t.text), arity('Mod:SynPair Text Text Text')],
  [syn('SynIdentity', LIST), kinds('*', KIND)],
].map(([type, text], n): Row => [
  `synonym ${n}`,
  [],
  {},
  e.lambda({ x: type as LfTypeSpec }, e.unit),
  text as string,
]);

/** At line 7 of the module, whose lines and columns the real text counts from 0. */
function fault([, types, variables, body]: Row, lf?: '1' | '3' | 'dev'): string {
  const expression = abstracted(types, variables, e.located('X', 7, body));
  const text = validationFault(darOf({ bad: { type: t.unit, expression } }, lf));
  const place =
    /: validation error in definition [0-9a-f]{64}:X:bad \(start: \(6,0\), end: \(0,0\)\)/;
  expect(text).toMatch(place);
  return text.replace(place, '').replaceAll(/[0-9a-f]{64}/g, '#');
}

describe.each(Object.entries({ FUNCTIONS, DATA, CASES, ANYS, UPDATES, INTERFACES, SYNONYMS }))(
  '%s',
  (_, rows) => {
    test.each(rows)('%s', (...row) => {
      expect(fault(row)).toBe(row[4]);
    });
  },
);

test('unsafe_from_interface, which 2.1 has, requires the contract id of the interface', () => {
  const body = e.unsafeFromInterface('Mod:I', 'Mod:Ti', v('id'), v('x'));
  const row: Row = ['', [], { x: I, id: ID(T) }, body, ''];
  expect(fault(row, '1')).toBe(mismatch('ContractId Mod:I', 'ContractId Mod:T'));
});

test('2.dev rejects an Any of a type with a forall, at any depth', () => {
  const hidden = t.list(t.optional(t.forall('a', t.int64)));
  const row: Row = ['', [], { x: hidden }, e.toAny(hidden, v('x')), ''];
  expect(fault(row, 'dev')).toBe(anyType('∀a. Int64'));
});

test('a guard must be a function of the interface', () => {
  const guard = t.arrow(T, t.bool);
  const body = u.exerciseInterface('Mod:I', 'ChIface', v('x'), e.int(1), v('g'));
  const row: Row = ['', [], { x: ID(I), g: guard }, body, ''];
  expect(fault(row, 'dev')).toBe(mismatch('Mod:I → Bool', 'Mod:T → Bool'));
});

test('without a location, the error names the definition', () => {
  const text = validationFault(darOf({ bad: { type: t.list(c), expression: e.unit } }));
  expect(text).toMatch(
    /^EUnknownTypeVar: validation error in value [0-9a-f]{64}:X:bad: unknown type variable: c$/,
  );
});
