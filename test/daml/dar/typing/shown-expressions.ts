/** Each form of expression, and the text of the object that the real decoder makes of it; every `#` is the package id. */
import { p } from '../../../support/daml/lf-code.js';
import { COLOR, e, E, I, R, t, T, TI, TREE, u, U, updateOf, type Code } from './model.js';

export type Shown = readonly [text: string, code: Code, lf?: '1' | '3' | 'dev'];

const [x, y] = [e.var('x'), e.var('y')];
const INT = 'TBuiltin(BTInt64)';
const [UNIT, A_VAR] = ['EBuiltinCon(BCUnit)', 'TVar(a)'];
const [R_INT, TREE_INT] = ['R', 'Tree'].map((name) => `TypeConApp(#:Mod:${name},ImmArray(${INT}))`);

const TERMS: readonly Shown[] = [
  ['EVar(x)', x],
  ['EVal(#:Mod:f)', e.value('Mod:f')],
  ['EBuiltinCon(BCUnit)', e.unit],
  ['EBuiltinCon(BCFalse)', e.false],
  ['EBuiltinCon(BCTrue)', e.true],
  [`ERecCon(${R_INT},ImmArray((f1,EVar(x)),(f2,EVar(y))))`, e.record(R(t.int64), { f1: x, f2: y })],
  ['ERecCon(TypeConApp(#:Mod:U,ImmArray()),ImmArray())', e.record(U, {})],
  [`ERecProj(${R_INT},f1,EVar(x))`, e.field(R(t.int64), 'f1', x)],
  [`ERecUpd(${R_INT},f1,EVar(x),EVar(y))`, e.with(R(t.int64), 'f1', x, y)],
  [`EVariantCon(${TREE_INT},Leaf,EVar(x))`, e.variant(TREE(t.int64), 'Leaf', x)],
  ['EEnumCon(#:Mod:Color,Red)', e.enum('Mod:Color', 'Red')],
  // As written: the fields of its type are sorted, those of the expression are not.
  ['EStructCon(ImmArray((b,EVar(x)),(a,EVar(y))))', e.struct({ b: x, a: y })],
  ['EStructProj(a,EVar(x))', e.member('a', x)],
  ['EStructUpd(a,EVar(x),EVar(y))', e.withMember('a', x, y)],
  ['EApp(EApp(EVar(x),EVar(y)),EBuiltinCon(BCUnit))', e.call(x, y, e.unit)],
  ['EApp(EVar(x),EApp(EVar(y),EVar(x)))', e.call(x, e.call(y, x))],
  [`ETyApp(ETyApp(EVar(x),${INT}),TBuiltin(BTText))`, e.at(x, t.int64, t.text)],
  [`ETyApp(ETyApp(EVar(x),${INT}),TBuiltin(BTText))`, e.at(x, t.int64, t.text), '1'],
  [`EAbs((x,${INT}),EAbs((y,${A_VAR}),EVar(x)))`, e.lambda({ x: t.int64, y: t.var('a') }, x)],
  [`EAbs((x,${INT}),EAbs((y,${A_VAR}),EVar(x)))`, e.lambda({ x: t.int64, y: t.var('a') }, x), '1'],
  ['ETyAbs((f,KArrow(KStar,KNat)),EVar(x))', e.forType('f:*->nat', x)],
  [
    `ELet(Binding(Some(x),${INT},EVar(y)),ELet(Binding(Some(y),TBuiltin(BTUnit),${UNIT}),EVar(x)))`,
    e.let(
      [
        ['x', t.int64, y],
        ['y', t.unit, e.unit],
      ],
      x,
    ),
  ],
  [`ENil(${INT})`, e.nil(t.int64)],
  [`ECons(${INT},ImmArray(EVar(x),EVar(y)),ENil(${INT}))`, e.list(t.int64, [x, y])],
  [`ENone(${INT})`, e.none(t.int64)],
  [`ESome(${INT},EVar(x))`, e.some(t.int64, x)],
  ['EToAny(TTyCon(#:Mod:T),EVar(x))', e.toAny(T, x)],
  ['EFromAny(TTyCon(#:Mod:T),EVar(x))', e.fromAny(T, x)],
  ['ETypeRep(TTyCon(#:Mod:T))', e.typeRep(T)],
  [`EThrow(${INT},TTyCon(#:Mod:E),EVar(x))`, e.throw(t.int64, E, x)],
  ['EToAnyException(TTyCon(#:Mod:E),EVar(x))', e.toAnyException(E, x)],
  ['EFromAnyException(TTyCon(#:Mod:E),EVar(x))', e.fromAnyException(E, x)],
  [
    `EExperimental(RESOLVE_VIRTUAL_CREATE,${INT})`,
    e.experimental('RESOLVE_VIRTUAL_CREATE', t.int64),
    'dev',
  ],
  // Lines and columns from 0; what has a place has it where it is referred to.
  ['ELocation(Location(#,X,bad,(6,0),(0,0)),EVar(x))', e.located('X', 7, x)],
  [
    'ELocation(Location(#,Mod,bad,(1,0),(0,0)),EApp(EVar(x),EVar(y)))',
    e.located('Mod', 2, e.call(x, y)),
    '1',
  ],
];

const LITERALS: readonly Shown[] = [
  ['BLInt64(-9223372036854775808)', e.int(-(2n ** 63n))],
  ['BLText(a "quoted", text)', e.text('a "quoted", text')],
  ['BLText()', e.text('')],
  ['BLTimestamp(1970-01-01T00:00:01.500Z)', e.timestamp(1_500_000n)],
  ['BLTimestamp(0001-01-01T00:00:00Z)', e.timestamp(-62_135_596_800_000_000n)],
  ['BLTimestamp(9999-12-31T23:59:59.999999Z)', e.timestamp(253_402_300_799_999_999n)],
  ['BLDate(1969-12-31)', e.date(-1)],
  ['BLNumeric(1.50)', e.numeric('1.50')],
  ['BLNumeric(-12)', e.numeric('-12.')],
  ['BLNumeric(0.000001)', e.numeric('0.000001')],
  // As Java prints decimals.
  ['BLNumeric(1.0E-9)', e.numeric('0.0000000010')],
  ['BLNumeric(-1.23E-8)', e.numeric('-0.0000000123')],
  ['BLNumeric(0E-10)', e.numeric('0.0000000000')],
  ['BLNumeric(0.00)', e.numeric('-0.00')],
  ['BLRoundingMode(HALF_EVEN)', e.roundingMode(6), 'dev'],
  ['BLFailureCategory(InvalidIndependentOfSystemState)', e.failureCategory(0)],
  ['BLFailureCategory(InvalidGivenCurrentSystemStateOther)', e.failureCategory(1)],
].map(([text, ...rest]) => [`EBuiltinLit(${text as string})`, ...rest] as unknown as Shown);

const pattern = (
  text: string,
  ...[alternative]: readonly [Parameters<typeof e.match>[1][0]]
): Shown => [`ECase(EVar(x),ImmArray(CaseAlt(${text},EVar(y))))`, e.match(x, [alternative, y])];
const CASES: readonly Shown[] = [
  pattern('CPDefault', p.default),
  pattern('CPVariant(#:Mod:Tree,Leaf,v)', p.variant('Mod:Tree', 'Leaf', 'v')),
  pattern('CPEnum(#:Mod:Color,Red)', p.enum('Mod:Color', 'Red')),
  pattern('CPBuiltinCon(BCUnit)', p.unit),
  pattern('CPBuiltinCon(BCTrue)', p.true),
  pattern('CPBuiltinCon(BCFalse)', p.false),
  pattern('CPNil', p.nil),
  pattern('CPCons(h,r)', p.cons('h', 'r')),
  pattern('CPNone', p.none),
  pattern('CPSome(v)', p.some('v')),
  ['ECase(EVar(x),ImmArray())', e.match(x)],
  [
    'ECase(EVar(x),ImmArray(CaseAlt(CPNone,EVar(y)),CaseAlt(CPDefault,EVar(x))))',
    e.match(x, [p.none, y], [p.default, x]),
  ],
];

const UPDATES: readonly Shown[] = [
  [`UpdatePure(${INT},EVar(x))`, u.pure(t.int64, x)],
  [
    `UpdateBlock(ImmArray(Binding(Some(x),${INT},EVar(y)),Binding(Some(_),TBuiltin(BTUnit),EVar(x))),EVar(y))`,
    u.block(
      [
        ['x', t.int64, y],
        [undefined, t.unit, x],
      ],
      y,
    ),
  ],
  ['UpdateCreate(#:Mod:T,EVar(x))', u.create('Mod:T', x)],
  ['UpdateCreateInterface(#:Mod:I,EVar(x))', u.createInterface('Mod:I', x)],
  ['UpdateFetchTemplate(#:Mod:T,EVar(x))', u.fetch('Mod:T', x)],
  ['UpdateFetchInterface(#:Mod:I,EVar(x))', u.fetchInterface('Mod:I', x)],
  ['UpdateExercise(#:Mod:T,Ch,EVar(x),EVar(y))', u.exercise('Mod:T', 'Ch', x, y)],
  [
    'UpdateExerciseInterface(#:Mod:I,ChIface,EVar(x),EVar(y),None)',
    u.exerciseInterface('Mod:I', 'ChIface', x, y),
  ],
  [
    `UpdateExerciseInterface(#:Mod:I,ChIface,EVar(x),EVar(y),Some(${UNIT}))`,
    u.exerciseInterface('Mod:I', 'ChIface', x, y, e.unit),
    'dev',
  ],
  ['UpdateExerciseByKey(#:Mod:T,Ch,EVar(x),EVar(y))', u.exerciseByKey('Mod:T', 'Ch', x, y)],
  ['UpdateGetTime', u.getTime],
  ['UpdateLedgerTimeLT(EVar(x))', u.ledgerTimeLt(x)],
  ['UpdateFetchByKey(#:Mod:T)', u.fetchByKey('Mod:T')],
  ['UpdateLookupByKey(#:Mod:T)', u.lookupByKey('Mod:T'), 'dev'],
  ['UpdateQueryNByKey(#:Mod:T)', u.queryNByKey('Mod:T')],
  [`UpdateEmbedExpr(${INT},EVar(x))`, u.embed(t.int64, x)],
  [`UpdateTryCatchV1(${INT},EVar(x),v,EVar(y))`, u.tryCatch(t.int64, x, 'v', y)],
].map(([text, ...rest]) => [`EUpdate(${text as string})`, ...rest] as unknown as Shown);

const INTERFACES: readonly Shown[] = [
  ['EToInterface(#:Mod:I,#:Mod:Ti,EVar(x))', e.toInterface('Mod:I', 'Mod:Ti', x)],
  ['EFromInterface(#:Mod:I,#:Mod:Ti,EVar(x))', e.fromInterface('Mod:I', 'Mod:Ti', x)],
  [
    'EUnsafeFromInterface(#:Mod:I,#:Mod:Ti,EVar(x),EVar(y))',
    e.unsafeFromInterface('Mod:I', 'Mod:Ti', x, y),
    '1',
  ],
  [
    'EToRequiredInterface(#:Mod:I,#:Mod:SubI,EVar(x))',
    e.toRequiredInterface('Mod:I', 'Mod:SubI', x),
  ],
  [
    'EFromRequiredInterface(#:Mod:I,#:Mod:SubI,EVar(x))',
    e.fromRequiredInterface('Mod:I', 'Mod:SubI', x),
  ],
  [
    'EUnsafeFromRequiredInterface(#:Mod:I,#:Mod:SubI,EVar(x),EVar(y))',
    e.unsafeFromRequiredInterface('Mod:I', 'Mod:SubI', x, y),
  ],
  ['ECallInterface(#:Mod:I,getParties,EVar(x))', e.callInterface('Mod:I', 'getParties', x)],
  ['EInterfaceTemplateTypeRep(#:Mod:I,EVar(x))', e.interfaceTypeRep('Mod:I', x)],
  ['ESignatoryInterface(#:Mod:I,EVar(x))', e.signatoryInterface('Mod:I', x)],
  ['EObserverInterface(#:Mod:I,EVar(x))', e.observerInterface('Mod:I', x)],
  ['EViewInterface(#:Mod:I,EVar(x))', e.viewInterface('Mod:I', x)],
  ['EChoiceController(#:Mod:T,Ch,EVar(x),EVar(y))', e.choiceController('Mod:T', 'Ch', x, y)],
  ['EChoiceObserver(#:Mod:T,Ch,EVar(x),EVar(y))', e.choiceObserver('Mod:T', 'Ch', x, y)],
];

const type = (text: string, spec: Parameters<typeof e.nil>[0]): Shown => [
  `ENil(${text})`,
  e.nil(spec),
];
const TYPES: readonly Shown[] = [
  type('TApp(TApp(TBuiltin(BTArrow),TTyCon(#:Mod:Ti)),TTyCon(#:Mod:I))', t.arrow(TI, I)),
  type('TApp(TBuiltin(BTNumeric),TNat(10))', t.numeric(10)),
  type('TApp(TBuiltin(BTUpdate),TTyCon(#:Mod:Color))', updateOf(COLOR)),
  type(`TSynApp(#:Mod:SynList,ImmArray(${INT}))`, t.syn('Mod:SynList', t.int64)),
  type(`TForall((a,KStar),${A_VAR})`, t.forall('a', t.var('a'))),
  type(`TStruct(Struct((a,${INT}),(b,TBuiltin(BTUnit))))`, t.struct({ b: t.unit, a: t.int64 })),
];

/** Of the builtin functions, one of each way to write a word, and all that 2.dev has. */
const FUNCTIONS: readonly Shown[] = Object.entries({
  TRACE: 'BTrace',
  EXP_INT64: 'BExpInt64',
  LESS_EQ: 'BLessEq',
  EQUAL_LIST: 'BEqualList',
  FOLDL: 'BFoldl',
  TEXTMAP_TO_LIST: 'BTextMapToList',
  GENMAP_KEYS: 'BGenMapKeys',
  CODE_POINTS_TO_TEXT: 'BCodePointsToText',
  UNIX_MICROSECONDS_TO_TIMESTAMP: 'BUnixMicrosecondsToTimestamp',
  COERCE_CONTRACT_ID: 'BCoerceContractId',
  SHA256_HEX: 'BSHA256Hex',
  KECCAK256_TEXT: 'BKECCAK256Text',
  SECP256K1_WITH_ECDSA_BOOL: 'BSECP256K1WithEcdsaBool',
  HEX_TO_TEXT: 'BDecodeHex',
  TEXT_TO_HEX: 'BEncodeHex',
  BIGNUMERIC_TO_NUMERIC: 'BBigNumericToNumeric',
  SHIFT_RIGHT_BIGNUMERIC: 'BShiftRightBigNumeric',
  TYPE_REP_TYCON_NAME: 'BTypeRepTyConName',
  FAIL_WITH_STATUS: 'BFailWithStatus',
}).map(([name, text]) => [`EBuiltinFun(${text})`, e.builtin(name), 'dev']);

export const SHOWN: readonly Shown[] = [
  ...TERMS,
  ...LITERALS,
  ...CASES,
  ...UPDATES,
  ...INTERFACES,
  ...TYPES,
  ...FUNCTIONS,
];
