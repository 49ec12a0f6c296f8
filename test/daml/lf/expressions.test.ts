/** Expressions of Daml-LF (specification, "Operational semantics"), one row each, in the nested and the interned form. */
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import type { ModuleSpec } from '../../support/daml/lf-encoder.js';
import {
  evaluateEach,
  deepened,
  type Question,
  type Refusal,
} from '../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';

const POINT = t.con('Main:Point');
const SHAPE = t.con('Main:Shape');
const add = e.builtin('ADD_INT64');
const minus = e.builtin('SUB_INT64');
const point = (x: number, y: number) => e.record(POINT, { x: e.int(x), y: e.int(y) });
const fail = (message: string, type = t.int64) => e.call(e.builtin('ERROR', type), e.text(message));
const TYPE_REP = t.builtin(15);
const BOX_OF_INT = t.con('Main:Box', t.int64);
const BOX_OF_TEXT = t.con('Main:Box', t.text);
const BINARY = t.arrow(t.int64, t.arrow(t.int64, t.int64));

const definitions: ModuleSpec = {
  types: {
    Point: { record: { x: t.int64, y: t.int64 } },
    Shape: { variant: { Dot: t.unit, Circle: t.int64, Box: t.con('Main:Point') } },
    Color: { enum: ['Red', 'Green', 'Blue'] },
    Box: { params: ['a'], record: { content: t.var('a') }, serializable: false },
    Err: { record: { code: t.int64 } },
  },
  exceptions: { Err: e.lambda({ x: t.con('Main:Err') }, e.text('an error')) },
  values: {
    subtract: {
      type: BINARY,
      expression: e.lambda({ a: t.int64, b: t.int64 }, e.call(minus, e.var('a'), e.var('b'))),
    },
    constantFunction: { type: BINARY, expression: e.value('Main:subtract') },
    identity: {
      type: t.forall('a', t.arrow(t.var('a'), t.var('a'))),
      expression: e.forType('a', e.lambda({ x: t.var('a') }, e.var('x'))),
    },
    ten: { type: t.int64, expression: e.call(add, e.int(4), e.int(6)) },
    broken: { type: t.int64, expression: fail('broken') },
  },
};

const subtract = e.value('Main:subtract');
const circle = e.variant(SHAPE, 'Circle', e.int(3));
const area = (shape: Code) =>
  e.match(
    shape,
    [p.variant('Main:Shape', 'Dot', '_u'), e.int(0)],
    [p.variant('Main:Shape', 'Circle', 'r'), e.var('r')],
    [p.default, e.int(99)],
  );
const pair = e.struct({ second: e.int(2), first: e.int(1) });
const some = (value: Code) => e.some(t.int64, value);

type Row = readonly [type: LfTypeSpec, value: Code, expected: unknown];

const ROWS: Readonly<Record<string, Row>> = {
  RecordField: [t.int64, e.field(POINT, 'y', point(1, 2)), '2'],
  RecordUpdate: [POINT, e.with(POINT, 'x', point(1, 2), e.int(7)), { x: '7', y: '2' }],
  UpdateOfEachField: [
    POINT,
    e.with(POINT, 'y', e.with(POINT, 'x', point(1, 2), e.int(7)), e.int(8)),
    { x: '7', y: '8' },
  ],
  UpdateOfWhatIsComputed: [
    POINT,
    e.with(
      POINT,
      'y',
      e.with(POINT, 'x', point(0, 0), e.call(e.builtin('MUL_INT64'), e.int(2), e.int(3))),
      e.call(e.builtin('MUL_INT64'), e.int(2), e.int(4)),
    ),
    { x: '6', y: '8' },
  ],
  UpdateWithLocations: [
    POINT,
    e.located(
      'Main',
      1,
      e.with(
        POINT,
        'y',
        e.located('Main', 2, e.with(POINT, 'x', e.located('Main', 3, point(0, 0)), e.int(3))),
        e.int(4),
      ),
    ),
    { x: '3', y: '4' },
  ],
  UpdateOfOneFieldTwice: [
    POINT,
    e.with(
      POINT,
      'x',
      e.with(POINT, 'y', e.with(POINT, 'x', point(1, 2), e.int(7)), e.int(8)),
      e.int(9),
    ),
    { x: '9', y: '8' },
  ],
  UpdateLeavesTheOriginal: [
    t.list(t.con('Main:Point')),
    e.let(
      [['old', POINT, point(1, 2)]],
      e.list(POINT, [e.with(POINT, 'x', e.var('old'), e.int(7)), e.var('old')]),
    ),
    [
      { x: '7', y: '2' },
      { x: '1', y: '2' },
    ],
  ],
  Variant: [SHAPE, e.variant(SHAPE, 'Box', point(1, 2)), { tag: 'Box', value: { x: '1', y: '2' } }],
  CaseVariant: [t.int64, area(circle), '3'],
  CaseDefault: [t.int64, area(e.variant(SHAPE, 'Box', point(1, 2))), '99'],
  Enum: [t.con('Main:Color'), e.enum('Main:Color', 'Green'), 'Green'],
  CaseEnum: [
    t.text,
    e.match(
      e.enum('Main:Color', 'Blue'),
      [p.enum('Main:Color', 'Red'), e.text('r')],
      [p.enum('Main:Color', 'Green'), e.text('g')],
      [p.enum('Main:Color', 'Blue'), e.text('b')],
    ),
    'b',
  ],
  CaseOptional: [
    t.list(t.int64),
    e.list(
      t.int64,
      [some(e.int(5)), e.none(t.int64)].map((value) =>
        e.match(value, [p.none, e.int(0)], [p.some('x'), e.var('x')]),
      ),
    ),
    ['5', '0'],
  ],
  NestedOptional: [
    t.bool,
    e.match(
      e.some(t.optional(t.int64), e.none(t.int64)),
      [p.none, e.false],
      [p.some('inner'), e.match(e.var('inner'), [p.none, e.true], [p.some('x'), e.false])],
    ),
    true,
  ],
  CaseBool: [
    t.list(t.int64),
    e.list(
      t.int64,
      [e.true, e.false].map((value) => e.match(value, [p.true, e.int(3)], [p.false, e.int(5)])),
    ),
    ['3', '5'],
  ],
  CaseUnit: [t.int64, e.match(e.unit, [p.unit, e.int(1)]), '1'],
  FirstAlternativeThatMatches: [
    t.int64,
    e.match(e.true, [p.default, e.int(1)], [p.true, e.int(2)]),
    '1',
  ],
  StructMember: [t.int64, e.member('first', pair), '1'],
  StructUpdate: [t.int64, e.member('second', e.withMember('second', pair, e.int(9))), '9'],
  StructsCompareInTheOrderOfTheirNames: [
    t.bool,
    e.call(
      e.builtin('LESS', t.struct({ a: t.int64, b: t.int64 })),
      e.struct({ b: e.int(9), a: e.int(1) }),
      e.struct({ a: e.int(2), b: e.int(0) }),
    ),
    true,
  ],
  Let: [
    t.int64,
    e.let(
      [
        ['x', t.int64, e.int(1)],
        ['x', t.int64, e.call(add, e.var('x'), e.int(1))],
      ],
      e.var('x'),
    ),
    '2',
  ],
  Shadowing: [
    t.int64,
    e.call(
      e.lambda({ x: t.int64 }, e.call(e.lambda({ x: t.int64 }, e.var('x')), e.int(2))),
      e.int(1),
    ),
    '2',
  ],
  PartialApplication: [
    t.int64,
    e.let(
      [['from10', t.arrow(t.int64, t.int64), e.call(subtract, e.int(10))]],
      e.call(e.var('from10'), e.int(3)),
    ),
    '7',
  ],
  PartialBuiltin: [
    t.int64,
    e.let(
      [['from10', t.arrow(t.int64, t.int64), e.call(minus, e.int(10))]],
      e.call(e.var('from10'), e.int(3)),
    ),
    '7',
  ],
  OverApplication: [
    t.int64,
    e.call(e.at(e.value('Main:identity'), BINARY), subtract, e.int(10), e.int(3)),
    '7',
  ],
  FunctionBehindAConstant: [
    t.int64,
    e.call(e.value('Main:constantFunction'), e.int(10), e.int(3)),
    '7',
  ],
  ClosureCaptures: [
    t.int64,
    e.let(
      [
        ['a', t.int64, e.int(100)],
        [
          'f',
          t.arrow(t.int64, t.arrow(t.int64, t.int64)),
          e.lambda(
            { b: t.int64 },
            e.lambda(
              { c: t.int64 },
              e.call(minus, e.call(minus, e.var('a'), e.var('b')), e.var('c')),
            ),
          ),
        ],
        ['g', t.arrow(t.int64, t.int64), e.call(e.var('f'), e.int(10))],
      ],
      e.call(e.var('g'), e.int(1)),
    ),
    '89',
  ],
  PolymorphicIdentity: [t.text, e.call(e.at(e.value('Main:identity'), t.text), e.text('x')), 'x'],
  ConstantOfAModule: [t.int64, e.call(add, e.value('Main:ten'), e.value('Main:ten')), '20'],
  UnusedConstantIsNotComputed: [t.int64, e.if(e.true, e.int(1), e.value('Main:broken')), '1'],
  ConsMany: [
    t.list(t.int64),
    e.cons(t.int64, [e.int(1), e.int(2)], e.list(t.int64, [e.int(3)])),
    ['1', '2', '3'],
  ],
  CaseListTail: [
    t.list(t.int64),
    e.match(
      e.list(t.int64, [e.int(7), e.int(11), e.int(13)]),
      [p.nil, e.nil(t.int64)],
      [p.cons('h', 'tl'), e.var('tl')],
    ),
    ['11', '13'],
  ],
  CaseNil: [
    t.int64,
    e.match(e.nil(t.int64), [p.nil, e.int(0)], [p.cons('h', 'tl'), e.var('h')]),
    '0',
  ],
  CaseList: [
    t.int64,
    e.match(
      e.list(t.int64, [e.int(8), e.int(9)]),
      [p.nil, e.int(0)],
      [p.cons('h', 'tl'), e.var('h')],
    ),
    '8',
  ],
  AnyOfTheType: [
    t.optional(POINT),
    e.fromAny(POINT, e.toAny(POINT, point(1, 2))),
    { x: '1', y: '2' },
  ],
  AnyOfAnotherType: [t.optional(SHAPE), e.fromAny(SHAPE, e.toAny(POINT, point(1, 2))), null],
  TypeReps: [
    t.list(t.bool),
    e.list(t.bool, [
      e.call(e.builtin('EQUAL', TYPE_REP), e.typeRep(POINT), e.typeRep(POINT)),
      e.call(e.builtin('EQUAL', TYPE_REP), e.typeRep(POINT), e.typeRep(SHAPE)),
      e.call(e.builtin('LESS', TYPE_REP), e.typeRep(POINT), e.typeRep(SHAPE)),
    ]),
    [true, false, true],
  ],
  ExceptionAsValue: [
    t.text,
    e.call(
      e.builtin('ANY_EXCEPTION_MESSAGE'),
      e.toAnyException(t.con('Main:Err'), e.record(t.con('Main:Err'), { code: e.int(1) })),
    ),
    'an error',
  ],
  FromAnyException: [
    t.optional(t.con('Main:Err')),
    e.fromAnyException(
      t.con('Main:Err'),
      e.toAnyException(t.con('Main:Err'), e.record(t.con('Main:Err'), { code: e.int(1) })),
    ),
    { code: '1' },
  ],
};

/** 2.dev has an Any, and a representation, of every type. */
const DEV_ROWS: typeof ROWS = {
  AnyOfABuiltin: [t.optional(t.int64), e.fromAny(t.int64, e.toAny(t.int64, e.int(5))), '5'],
  AnyOfAnotherBuiltin: [t.optional(t.text), e.fromAny(t.text, e.toAny(t.int64, e.int(5))), null],
  AnyOfARecordWithParameters: [
    t.optional(t.int64),
    e.match(
      e.fromAny(BOX_OF_INT, e.toAny(BOX_OF_INT, e.record(BOX_OF_INT, { content: e.int(5) }))),
      [p.none, e.none(t.int64)],
      [p.some('box'), e.some(t.int64, e.field(BOX_OF_INT, 'content', e.var('box')))],
    ),
    '5',
  ],
  AnyOfARecordWithOtherParameters: [
    t.bool,
    e.match(
      e.fromAny(BOX_OF_TEXT, e.toAny(BOX_OF_INT, e.record(BOX_OF_INT, { content: e.int(5) }))),
      [p.none, e.true],
      [p.some('box'), e.false],
    ),
    true,
  ],
  AnyOfAGenericType: [
    t.bool,
    e.match(
      e.fromAny(t.list(t.text), e.toAny(t.list(t.int64), e.nil(t.int64))),
      [p.none, e.true],
      [p.some('x'), e.false],
    ),
    true,
  ],
  TypeRepsOfBuiltins: [
    t.list(t.bool),
    e.list(t.bool, [
      e.call(e.builtin('EQUAL', TYPE_REP), e.typeRep(t.list(t.int64)), e.typeRep(t.list(t.text))),
      e.call(e.builtin('LESS', TYPE_REP), e.typeRep(t.int64), e.typeRep(POINT)),
    ]),
    [false, true],
  ],
};

describe.each([['1'], ['2'], ['3'], ['dev']] as const)('Daml-LF 2.%s', (lf) => {
  test('each expression has its expected value, also in deep recursion', () => {
    const rows = Object.entries({ ...ROWS, ...(lf === 'dev' && DEV_ROWS) });
    const questions = Object.fromEntries(
      rows.map(([name, [type, value]]): [string, Question] => [name, { type, value }]),
    );
    const expected = Object.fromEntries(rows.map(([name, row]) => [name, row[2]]));
    expect(evaluateEach(questions, definitions, { lf })).toEqual(expected);
    expect(evaluateEach(...deepened(questions, definitions), { lf })).toEqual(expected);
  });
});

describe('the order of evaluation', () => {
  const order = (value: Code, type: LfTypeSpec = t.int64): string =>
    (evaluateEach({ Order: { type, value } }, definitions)['Order'] as Refusal).cause;

  test('evaluates arguments from the last to the first, and then the function', () => {
    expect(order(e.call(subtract, fail('first'), fail('second')))).toContain('User abort: second');
    expect(order(e.call(fail('function', t.arrow(t.int64, t.int64)), fail('argument')))).toContain(
      'User abort: argument',
    );
    expect(order(e.record(POINT, { x: fail('first'), y: fail('second') }), POINT)).toContain(
      'second',
    );
    const ints = t.list(t.int64);
    const inner = e.with(POINT, 'x', fail('record', POINT), fail('first'));
    expect(order(e.with(POINT, 'y', inner, fail('second')), POINT)).toContain('second');
    expect(order(inner, POINT)).toContain('first');
    expect(order(e.cons(t.int64, [fail('head')], fail('tail', ints)), ints)).toContain('tail');
  });

  test('evaluates an unused argument, but not the other branch of a condition', () => {
    const ignore = e.lambda({ x: t.int64 }, e.int(1));
    expect(order(e.call(ignore, fail('argument')))).toContain('User abort: argument');
    expect(order(e.let([['x', t.int64, fail('bound')]], e.int(1)))).toContain('User abort: bound');
    expect(
      evaluateEach({
        Branch: { type: t.int64, value: e.if(e.false, fail('not taken'), e.int(1)) },
      }),
    ).toEqual({
      Branch: '1',
    });
  });

  test('evaluates the first action of a block with the block, and the others as it runs', () => {
    const failing = e.call(
      e.lambda({ x: t.unit }, fail('evaluated', t.builtin(17, t.unit))),
      e.unit,
    );
    const answers = evaluateEach({
      First: {
        type: t.int64,
        update: e.let(
          [
            [
              'never',
              t.builtin(17, t.unit),
              u.block([[undefined, t.unit, failing]], u.pure(t.unit, e.unit)),
            ],
          ],
          u.pure(t.int64, e.int(1)),
        ),
      },
      Second: {
        type: t.int64,
        update: e.let(
          [
            [
              'never',
              t.builtin(17, t.unit),
              u.block(
                [
                  [undefined, t.timestamp, u.getTime],
                  [undefined, t.unit, failing],
                ],
                u.pure(t.unit, e.unit),
              ),
            ],
          ],
          u.pure(t.int64, e.int(1)),
        ),
      },
      Embedded: {
        type: t.int64,
        update: e.let(
          [['never', t.builtin(17, t.unit), u.embed(t.unit, failing)]],
          u.pure(t.int64, e.int(1)),
        ),
      },
    });
    expect((answers['First'] as Refusal).refused).toBe('INTERPRETATION_USER_ERROR');
    expect([answers['Second'], answers['Embedded']]).toEqual(['1', '1']);
  });
});
