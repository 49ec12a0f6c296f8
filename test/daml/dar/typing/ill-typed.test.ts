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
  ['a variable from nowhere', [], {}, v('x'), 'EUnknownExprVar: unknown expr variable: x'],
  [
    'an application of no function',
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
    'an argument that is no function',
    ['a', 'b', 'c'],
    { g: t.arrow(t.arrow(a, b), c), x: a },
    e.call(v('g'), v('x')),
    mismatch('a → b', 'a'),
  ],
  [
    'an argument too many',
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
    'a type lambda of a bad kind',
    ['a'],
    { x: a },
    e.forType('f:*->nat', v('x')),
    'ENatKindRightOfArrow: invalid kind *->nat',
  ],
  [
    'a forall of a bad kind',
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
    'a type application of no forall',
    ['a', 'b'],
    { x: b },
    e.at(v('x'), a),
    'EExpectedUniversalType: expected universal type, but found: b',
  ],
  ['a lambda over a type of another kind', [], {}, e.lambda({ x: LIST }, e.unit), kinds('*', KIND)],
  ['a type variable from nowhere', [], {}, e.none(a), 'EUnknownTypeVar: unknown type variable: a'],
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
    'a let is checked before its body',
    ['a'],
    { x: a },
    e.let([['y', a, e.call(v('x'), v('x'))]], v('unbound')),
    'EExpectedFunctionType: expected function type, but found: a',
  ],
  [
    'a binding does not see itself',
    ['a'],
    {},
    e.let([['y', a, v('y')]], v('y')),
    'EUnknownExprVar: unknown expr variable: y',
  ],
  [
    'a variable is gone after its let',
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
    'a tail that is no list',
    ['a', 'b'],
    { x: a, l: b },
    e.cons(a, [v('x')], v('l')),
    mismatch('List a', 'b'),
  ],
  ['some of another type', ['a', 'b'], { x: b }, e.some(a, v('x')), mismatch('a', 'b')],
  [
    'a value that is not there',
    [],
    {},
    e.value('Mod:g'),
    unknown('definition #:Mod:g', 'value #:Mod:g'),
  ],
  ['a type as a value', [], {}, e.value('Mod:R'), unknown('value #:Mod:R')],
  [
    'a module that is not there',
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
    'a record that is given constants under other names',
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
    'a record whose field is given at a place in the source',
    ['a'],
    { x: t.int64 },
    e.record(R(a), { f1: e.located('Mod', 3, v('x')), f3: v('x') }),
    'EFieldMismatch: field mismatch: * expected: TypeConApp(#:Mod:R,ImmArray(TVar(a))) * record expression: ImmArray((f1,…),(f3,EVar(x)))',
  ],
  [
    'a record without a field',
    ['a'],
    { x: t.int64 },
    e.record(R(a), { f1: v('x') }),
    'EFieldMismatch: field mismatch: * expected: TypeConApp(#:Mod:R,ImmArray(TVar(a))) * record expression: ImmArray((f1,EVar(x)))',
  ],
  [
    'a record of a type that is not there',
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
    'a record with a type too many',
    ['a'],
    { x: a },
    e.record(t.con('Mod:R', a, a), { f1: v('x') }),
    'ETypeConAppWrongArity: wrong arity in typecon application: Mod:R a a',
  ],
  [
    'a field that is not there',
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
    'an update of a field that is not there',
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
    'a constructor that is not there',
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
    'an enum constructor that is not there',
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
    'a member that is not there',
    ['a', 'b'],
    { s: t.struct({ g: a, h: b }) },
    e.member('i', v('s')),
    unknownField('i', 'TStruct(Struct((g,TVar(a)),(h,TVar(b))))'),
  ],
  [
    'a member of no struct',
    ['a'],
    { s: a },
    e.member('i', v('s')),
    'EExpectedStructType: expected struct type, but found: a',
  ],
  [
    'an update of a member that is not there',
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
    'a variant pattern for something else',
    ['a'],
    { x: a },
    e.match(v('x'), [p.variant('Mod:Tree', 'Node', 'n'), e.unit], [p.default, e.unit]),
    pattern('CPVariant(#:Mod:Tree,Node,n)', 'a'),
  ],
  [
    'a variant that is left out',
    ['a'],
    { x: TREE(a) },
    e.match(v('x'), [p.variant('Mod:Tree', 'Node', 'n'), e.unit]),
    missing('CPVariant(#:Mod:Tree,Leaf,_)', 'Mod:Tree a'),
  ],
  [
    'a variant pattern that is not there',
    ['a'],
    { x: TREE(a) },
    e.match(v('x'), [p.variant('Mod:Tree', 'Root', 'n'), e.unit]),
    'EUnknownVariantCon: unknown variant constructor: Root',
  ],
  [
    'an enum pattern for something else',
    ['a'],
    { x: a },
    e.match(v('x'), [p.enum('Mod:Color', 'Red'), e.unit]),
    pattern('CPEnum(#:Mod:Color,Red)', 'a'),
  ],
  [
    'enums that are left out',
    [],
    { x: COLOR },
    e.match(v('x'), [p.enum('Mod:Color', 'Green'), e.unit]),
    missing('CPEnum(#:Mod:Color,Red), CPEnum(#:Mod:Color,Blue)', 'Mod:Color'),
  ],
  [
    'an enum pattern that is not there',
    [],
    { x: COLOR },
    e.match(v('x'), [p.enum('Mod:Color', 'Mauve'), e.unit]),
    'EUnknownEnumCon: unknown enum constructor: Mauve',
  ],
  [
    'nil for something else',
    ['a'],
    { x: a },
    e.match(v('x'), [p.nil, e.unit]),
    pattern('CPNil', 'a'),
  ],
  [
    'cons for something else',
    ['a'],
    { x: a },
    e.match(v('x'), [p.cons('h', 'tl'), e.unit]),
    pattern('CPCons(h,tl)', 'a'),
  ],
  [
    'cons is left out',
    ['a'],
    { x: t.list(a) },
    e.match(v('x'), [p.nil, e.unit]),
    missing('CPCons(_,_)', 'List a'),
  ],
  [
    'nil is left out',
    ['a'],
    { x: t.list(a) },
    e.match(v('x'), [p.cons('h', 'tl'), e.unit]),
    missing('CPNil', 'List a'),
  ],
  [
    'a variable twice in a pattern',
    ['a'],
    { x: t.list(a) },
    e.match(v('x'), [p.cons('h', 'h'), e.unit], [p.default, e.unit]),
    'EClashingPatternVariables: h is used more than one in pattern',
  ],
  [
    'none for something else',
    ['a'],
    { x: a },
    e.match(v('x'), [p.none, e.unit]),
    pattern('CPNone', 'a'),
  ],
  [
    'some is left out',
    ['a'],
    { x: t.optional(a) },
    e.match(v('x'), [p.none, e.unit]),
    missing('CPSome(_)', 'Optional a'),
  ],
  [
    'true for something else',
    ['a'],
    { x: a },
    e.match(v('x'), [p.true, e.unit]),
    pattern('CPBuiltinCon(BCTrue)', 'a'),
  ],
  [
    'unit for a boolean',
    [],
    { x: t.bool },
    e.match(v('x'), [p.unit, e.unit]),
    pattern('CPBuiltinCon(BCUnit)', 'Bool'),
  ],
  // The real checker names the case that is present.
  [
    'false is left out',
    [],
    { x: t.bool },
    e.match(v('x'), [p.true, e.unit]),
    missing('CPBuiltinCon(BCTrue)', 'Bool'),
  ],
  [
    'a record has no patterns',
    ['a'],
    { x: R(a) },
    e.match(v('x'), [p.variant('Mod:R', 'f1', 'y'), e.unit]),
    pattern('CPVariant(#:Mod:R,f1,y)', 'Mod:R a'),
  ],
  ['no alternatives', ['a'], { x: a }, e.match(v('x')), 'EEmptyCase: empty case'],
  [
    'alternatives of two types',
    ['a', 'b'],
    { x: a, y: b },
    e.match(e.unit, [p.unit, v('x')], [p.default, v('y')]),
    mismatch('a', 'b'),
  ],
  [
    'a pattern is checked before what others lead to',
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
    'an Any of more than a constructor',
    [],
    { x: R(t.text) },
    e.toAny(R(t.text), v('x')),
    anyType('Mod:R Text'),
  ],
  ['an Any of a synonym', [], { x: syn('S') }, e.toAny(syn('S'), v('x')), anyType('Mod:S ')],
  ['an Any of something else', [], {}, e.toAny(T, e.nil(T)), mismatch('Mod:T', 'List Mod:T')],
  ['what no Any holds', [], { x: T }, e.fromAny(T, v('x')), mismatch('Any', 'Mod:T')],
  ['from an Any of a builtin', [], { x: t.any }, e.fromAny(t.text, v('x')), anyType('Text')],
  [
    'the representation of a type that is not there',
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
    'an exception that is none',
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
    'from an exception of a synonym',
    [],
    { x: ANY_EXCEPTION },
    e.fromAnyException(syn('S'), v('x')),
    exceptionType('Mod:S '),
  ],
  [
    'from what is no AnyException',
    [],
    { x: t.any },
    e.fromAnyException(E, v('x')),
    mismatch('AnyException', 'Any'),
  ],
  ['a throw of another kind', [], {}, e.throw(t.con('Mod:R'), E, v('nothing')), kinds('*', KIND)],
  ['a throw of no exception', ['a'], { x: U }, e.throw(a, U, v('x')), unknown('exception #:Mod:U')],
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
    'a binding that is no update',
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
    'a block that is no update',
    ['a', 'b'],
    { x: updateOf(a), y: b },
    u.block([['z', a, v('x')]], v('y')),
    'EExpectedUpdateType: expected update type, but found: b',
  ],
  ['create of no template', [], { x: U }, u.create('Mod:U', v('x')), unknown('template #:Mod:U')],
  ['create of another type', ['a'], { x: a }, u.create('Mod:T', v('x')), mismatch('Mod:T', 'a')],
  [
    'create by no interface',
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
    'exercise of no template',
    [],
    { x: ID(U) },
    u.exercise('Mod:U', 'Ch', v('x'), e.int(1)),
    unknown('template #:Mod:U', 'choice Ch in template #:Mod:U'),
  ],
  [
    'exercise of no choice',
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
    'a template choice by interface',
    [],
    { x: ID(I) },
    u.exercise('Mod:I', 'ChTmpl', v('x'), e.int(1)),
    unknown('template #:Mod:I', 'choice ChTmpl in template #:Mod:I'),
  ],
  [
    'exercise by no interface',
    [],
    { x: ID(U) },
    u.exerciseInterface('Mod:U', 'ChIface', v('x'), e.int(1)),
    unknown('interface #:Mod:U', 'choice ChIface in interface #:Mod:U'),
  ],
  [
    'exercise of no interface choice',
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
    'an interface choice by template',
    [],
    { x: ID(TI) },
    u.exerciseInterface('Mod:Ti', 'ChIface', v('x'), e.int(1)),
    unknown('interface #:Mod:Ti', 'choice ChIface in interface #:Mod:Ti'),
  ],
  ['fetch of no template', [], { x: ID(U) }, u.fetch('Mod:U', v('x')), unknown('template #:Mod:U')],
  [
    'fetch of no contract',
    ['a'],
    { x: a },
    u.fetch('Mod:T', v('x')),
    mismatch('ContractId Mod:T', 'a'),
  ],
  [
    'fetch by no interface',
    [],
    { x: ID(U) },
    u.fetchInterface('Mod:U', v('x')),
    unknown('interface #:Mod:U'),
  ],
  [
    'fetch by interface of no contract',
    ['a'],
    { x: a },
    u.fetchInterface('Mod:I', v('x')),
    mismatch('ContractId Mod:I', 'a'),
  ],
  ['a time that is none', ['a'], { x: a }, u.ledgerTimeLt(v('x')), mismatch('Timestamp', 'a')],
  ['embed of no update', ['a', 'b'], { x: b }, u.embed(a, v('x')), mismatch('Update a', 'b')],
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
    'what is caught is an AnyException',
    ['a'],
    { x: updateOf(a) },
    u.tryCatch(a, v('x'), 'y', v('y')),
    mismatch('Optional (Update a)', 'AnyException'),
  ],
];

const INTERFACES: readonly Row[] = [
  [
    'to no interface',
    [],
    { x: TI },
    e.toInterface('Mod:T', 'Mod:Ti', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'to an interface that is not implemented',
    [],
    { x: TI },
    e.toInterface('Mod:I', 'Mod:T', v('x')),
    unknown('interface instance #:Mod:I for #:Mod:T'),
  ],
  [
    'to an interface of another type',
    [],
    { x: T },
    e.toInterface('Mod:I', 'Mod:Ti', v('x')),
    mismatch('Mod:Ti', 'Mod:T'),
  ],
  [
    'from an interface to no template',
    [],
    { x: I },
    e.fromInterface('Mod:I', 'Mod:I', v('x')),
    unknown('template #:Mod:I', 'interface instance #:Mod:I for #:Mod:I'),
  ],
  [
    'from another interface',
    [],
    { x: J },
    e.fromInterface('Mod:I', 'Mod:Ti', v('x')),
    mismatch('Mod:I', 'Mod:J'),
  ],
  [
    'to an interface that is not required',
    [],
    { x: I },
    e.toRequiredInterface('Mod:J', 'Mod:I', v('x')),
    'EWrongInterfaceRequirement: Interface #:Mod:I does not require #:Mod:J',
  ],
  [
    'from an interface that is not required',
    [],
    { x: J },
    e.fromRequiredInterface('Mod:J', 'Mod:SubI', v('x')),
    'EWrongInterfaceRequirement: Interface #:Mod:SubI does not require #:Mod:J',
  ],
  [
    'a method of no interface',
    [],
    { x: U },
    e.callInterface('Mod:U', 'getParties', v('x')),
    unknown('interface #:Mod:U', 'method getParties in interface #:Mod:U'),
  ],
  [
    'a method that is not there',
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
    'the template behind no interface',
    [],
    { x: T },
    e.interfaceTypeRep('Mod:T', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'signatories by no interface',
    [],
    { x: T },
    e.signatoryInterface('Mod:T', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'observers by no interface',
    [],
    { x: T },
    e.observerInterface('Mod:T', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'a view by no interface',
    [],
    { x: T },
    e.viewInterface('Mod:T', v('x')),
    unknown('interface #:Mod:T'),
  ],
  [
    'controllers of no choice',
    [],
    { x: T },
    e.choiceController('Mod:T', 'Fake', v('x'), e.int(1)),
    unknown('choice Fake in template #:Mod:T'),
  ],
  [
    'observers of no interface choice',
    [],
    { x: I },
    e.choiceObserver('Mod:I', 'Fake', v('x'), e.int(1)),
    unknown('choice Fake in interface #:Mod:I'),
  ],
  [
    'controllers of a choice of nothing',
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

test('unsafely from an interface, which 2.1 has, takes its contract', () => {
  const body = e.unsafeFromInterface('Mod:I', 'Mod:Ti', v('id'), v('x'));
  const row: Row = ['', [], { x: I, id: ID(T) }, body, ''];
  expect(fault(row, '1')).toBe(mismatch('ContractId Mod:I', 'ContractId Mod:T'));
});

test('2.dev refuses an Any of a type that is not fixed, at any depth', () => {
  const hidden = t.list(t.optional(t.forall('a', t.int64)));
  const row: Row = ['', [], { x: hidden }, e.toAny(hidden, v('x')), ''];
  expect(fault(row, 'dev')).toBe(anyType('∀a. Int64'));
});

test('a guard is a function of the interface', () => {
  const guard = t.arrow(T, t.bool);
  const body = u.exerciseInterface('Mod:I', 'ChIface', v('x'), e.int(1), v('g'));
  const row: Row = ['', [], { x: ID(I), g: guard }, body, ''];
  expect(fault(row, 'dev')).toBe(mismatch('Mod:I → Bool', 'Mod:T → Bool'));
});

test('without a location, the definition is where the fault is', () => {
  const text = validationFault(darOf({ bad: { type: t.list(c), expression: e.unit } }));
  expect(text).toMatch(
    /^EUnknownTypeVar: validation error in value [0-9a-f]{64}:X:bad: unknown type variable: c$/,
  );
});
