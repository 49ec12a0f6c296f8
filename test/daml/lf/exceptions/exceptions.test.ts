/** Exceptions: who catches which, where they are thrown, what they say (upstream ExceptionTest; `exceptions` of EngineTest). */
import { e, p, u, type Code } from '../../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec } from '../../../support/daml/lf-encoder.js';
import {
  earlierLedger,
  lfLedger,
  OWNER,
  probeModule,
  type LfLedger,
  type Question,
  type Refusal,
} from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';
import { call } from '../expression-values.js';

const UPDATE = 17;
const update = (type: LfTypeSpec) => t.builtin(UPDATE, type);
const [MY, OTHER, SPLIT, STATUS] = ['My', 'Other', 'Split', 'Status'].map((name) =>
  t.con(`Main:${name}`),
) as [LfTypeSpec, LfTypeSpec, LfTypeSpec, LfTypeSpec];
const my = (message: string, payload = 0) =>
  e.record(MY, { message: e.text(message), payload: e.int(payload) });
const throwMy = (type: LfTypeSpec, message: string, payload = 0) =>
  e.throw(type, MY, my(message, payload));
const plus = (a: Code, b: Code) => call('ADD_INT64', a, b);
const pure = (value: Code) => u.pure(t.int64, value);
const catching = (body: Code, handler: Code) => u.tryCatch(t.int64, body, 'e', handler);
const some = (then: Code) => e.some(update(t.int64), then);
const none = e.none(update(t.int64));
const payloadOf = (handle: (payload: Code) => Code, otherwise: Code) =>
  e.match(
    e.fromAnyException(MY, e.var('e')),
    [p.none, otherwise],
    [p.some('my'), handle(e.field(MY, 'payload', e.var('my')))],
  );
const thrown = pure(throwMy(t.int64, 'oops', 1000));

/** A handler in a handler: the numbers say which way it went. */
const nested = (inner: Code, outer: Code) =>
  u.block(
    [
      [
        'x',
        t.int64,
        catching(
          u.block([['x', t.int64, catching(thrown, inner)]], pure(plus(e.int(200), e.var('x')))),
          outer,
        ),
      ],
    ],
    pure(plus(e.int(100), e.var('x'))),
  );
const addPayload = (number: number) =>
  payloadOf((payload) => some(pure(plus(e.int(number), payload))), none);
const isMy = (message: string) =>
  call('EQUAL', t.builtin(14), e.var('e'), e.toAnyException(MY, my(message)));
const flow = (number: number) => {
  const handled = (add: number) =>
    some(
      pure(
        plus(
          e.int(add),
          e.if(isMy('payload2'), e.int(2), e.if(isMy('payload3'), e.int(3), e.int(1_000_000))),
        ),
      ),
    );
  const body = number === 2 || number === 3 ? throwMy(t.int64, `payload${number}`) : e.int(number);
  return u.block(
    [
      [
        'x',
        t.int64,
        catching(
          u.block(
            [['x', t.int64, catching(pure(plus(e.int(4000), body)), handled(200))]],
            pure(plus(e.int(2000), e.var('x'))),
          ),
          handled(100),
        ),
      ],
    ],
    pure(plus(e.int(1000), e.var('x'))),
  );
};

const CAUGHT: Readonly<Record<string, readonly [Code, string]>> = {
  ThrowAndCatch: [catching(thrown, some(pure(e.int(77)))), '77'],
  Payload: [
    catching(
      thrown,
      payloadOf((x) => some(pure(x)), some(pure(e.int(999)))),
    ),
    '1000',
  ],
  InnerCatches: [nested(some(pure(e.int(77))), some(pure(e.int(88)))), '377'],
  OuterCatches: [nested(none, some(pure(e.int(88)))), '188'],
  InnerThrowsWhileItDecides: [
    nested(throwMy(t.optional(update(t.int64)), 'again'), some(pure(e.int(88)))),
    '188',
  ],
  InnerTakesThePayload: [nested(addPayload(77), addPayload(88)), '1377'],
  OuterTakesThePayload: [nested(none, addPayload(88)), '1188'],
  OuterTakesTheSecondPayload: [
    nested(throwMy(t.optional(update(t.int64)), 'again', 2000), addPayload(88)),
    '2188',
  ],
  NothingThrown: [flow(1), '7001'],
  ThrownTwo: [flow(2), '3202'],
  ThrownThree: [flow(3), '3203'],
  NothingThrownEither: [flow(4), '7004'],
  ThrowInHandler: [
    catching(catching(thrown, some(e.throw(update(t.int64), MY, my('in')))), addPayload(1)),
    '1',
  ],
  ThrowPureInHandler: [
    catching(catching(thrown, some(pure(throwMy(t.int64, 'in')))), addPayload(2)),
    '2',
  ],
  ThrowPureInHandlerPattern: [
    catching(
      catching(
        thrown,
        e.match(throwMy(t.bool, 'in'), [p.true, some(pure(e.int(0)))], [p.false, none]),
      ),
      addPayload(3),
    ),
    '3',
  ],
};

/** Handles what it knows, and says what it caught. */
const wrap = (body: Code): Code => {
  const said = (value: Code) => e.some(update(t.text), u.pure(t.text, value));
  return u.tryCatch(
    t.text,
    u.pure(t.text, call('APPEND_TEXT', e.text('RESULT: '), body)),
    'e',
    e.match(
      e.fromAnyException(MY, e.var('e')),
      [p.none, said(e.text('UNHANDLED'))],
      [
        p.some('my'),
        said(call('APPEND_TEXT', e.text('HANDLED: '), e.field(MY, 'message', e.var('my')))),
      ],
    ),
  );
};
const PLACES: Readonly<Record<string, readonly [Code, string]>> = {
  HappyPath: [e.text('Happy Path'), 'RESULT: Happy Path'],
  Handled: [throwMy(t.text, 'oops1'), 'HANDLED: oops1'],
  Unhandled: [e.throw(t.text, OTHER, e.record(OTHER, {})), 'UNHANDLED'],
  InBothArguments: [
    call('APPEND_TEXT', throwMy(t.text, 'left'), throwMy(t.text, 'right')),
    'HANDLED: right',
  ],
  InAThrow: [e.throw(t.text, MY, throwMy(MY, 'throw-in-throw')), 'HANDLED: throw-in-throw'],
};

const throwIt = (type: LfTypeSpec) => e.throw(t.int64, type, e.record(type, {}));
const UNHANDLED: Readonly<Record<string, readonly [Code, id: string, message: string]>> = {
  InAnArgument: [
    pure(plus(e.int(10), throwIt(OTHER))),
    'UNHANDLED_EXCEPTION/Main:Other',
    'an other',
  ],
  ByTheHandler: [
    catching(pure(plus(e.int(10), throwIt(OTHER))), none),
    'UNHANDLED_EXCEPTION/Main:Other',
    'an other',
  ],
  WithoutAHandler: [pure(throwIt(OTHER)), 'UNHANDLED_EXCEPTION/Main:Other', 'an other'],
  WhoseMessageThrows: [
    pure(throwIt(SPLIT)),
    'UNHANDLED_EXCEPTION/Main:Split',
    '<Failed to calculate message as Main:Other was thrown during conversion>',
  ],
  WhoseMessageFailsWithStatus: [pure(throwIt(STATUS)), 'a_status', 'something went wrong'],
  Division: [
    pure(call('DIV_INT64', e.int(1), e.int(0))),
    'UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError',
    'ArithmeticError while evaluating (DIV_INT64 1 0).',
  ],
};

const ITEM = t.con('Main:Item');
const CID = t.contractId(ITEM);
const owners = e.list(t.party, [e.field(ITEM, 'owner', e.var('this'))]);
const item = u.create('Main:Item', e.record(ITEM, { owner: OWNER }));
const archive = u.exercise('Main:Item', 'Archive', e.var('cid'), e.unit);
const then = (...steps: Code[]) =>
  u.block(
    steps.map((step) => [undefined, t.unit, step] as const),
    u.pure(t.unit, e.unit),
  );
const attempt = (...steps: Code[]) =>
  u.tryCatch(t.unit, then(...steps), 'e', e.some(update(t.unit), u.pure(t.unit, e.unit)));
const fail = throwMy(update(t.unit), 'oops');
const withItem = (...steps: Code[]) => u.block([['cid', CID, item]], then(...steps));
const ARCHIVED: Readonly<Record<string, Code>> = {
  ArchiveTransient: withItem(attempt(archive), archive),
  RollbackArchiveTransient: withItem(attempt(archive, fail), archive),
  CreatesInRollback: attempt(u.block([[undefined, CID, item]], u.pure(t.unit, e.unit)), fail),
};

const definitions: ModuleSpec = {
  types: {
    My: { record: { message: t.text, payload: t.int64 } },
    Other: { record: {} },
    Split: { record: {} },
    Status: { record: {} },
  },
  exceptions: {
    My: e.lambda({ x: MY }, e.field(MY, 'message', e.var('x'))),
    Other: e.lambda({ x: OTHER }, e.text('an other')),
    Split: e.lambda({ x: SPLIT }, e.throw(t.text, OTHER, e.record(OTHER, {}))),
    Status: e.lambda(
      { x: STATUS },
      call(
        'FAIL_WITH_STATUS',
        t.text,
        e.text('a_status'),
        e.failureCategory(1),
        e.text('something went wrong'),
        e.builtin('TEXTMAP_EMPTY', t.text),
      ),
    ),
  },
  templates: {
    Item: {
      fields: { owner: t.party },
      precondition: e.true,
      signatories: owners,
      choices: {
        Archive: {
          argument: t.unit,
          returns: t.unit,
          controllers: owners,
          update: u.pure(t.unit, e.unit),
        },
      },
    },
  },
};
const questions: Record<string, Question> = {};
for (const [name, [value]] of Object.entries({ ...CAUGHT, ...UNHANDLED }))
  questions[name] = { type: t.int64, update: value };
for (const [name, [body]] of Object.entries(PLACES))
  questions[name] = { type: t.text, update: wrap(body) };
for (const [name, value] of Object.entries(ARCHIVED))
  questions[name] = { type: t.unit, update: value };
const main = encodePackage({ modules: { Main: probeModule(questions, definitions) } });
const ledger = lfLedger(main);
const earlier = earlierLedger(main);

test.each(Object.entries(CAUGHT))('a handler catches an exception: %s', (name, [, expected]) => {
  expect(ledger.evaluate(name)).toBe(expected);
});

test.each(Object.entries(PLACES))('exceptions in various places: %s', (name, [, expected]) => {
  expect(ledger.evaluate(name)).toBe(expected);
});

test.each(Object.entries(UNHANDLED))(
  'an uncaught exception fails with DAML_FAILURE: %s',
  (name, [, id, message]) => {
    expect(ledger.evaluate(name)).toMatchObject({
      refused: 'DAML_FAILURE',
      cause: `Interpretation error: Error: User failure: ${id} (error category 9): ${message}`,
      context: { error_id: id },
    });
  },
);

describe('contracts that a try block consumes or creates', () => {
  const codeOf = (of: LfLedger, name: string) => (of.evaluate(name) as Partial<Refusal>).refused;

  test.each([
    ['ArchiveTransient', 'CONTRACT_NOT_ACTIVE', 'CONTRACT_NOT_ACTIVE'],
    ['RollbackArchiveTransient', 'DAML_EFFECTFUL_ROLLBACK_ERROR', undefined],
    ['CreatesInRollback', 'DAML_EFFECTFUL_ROLLBACK_ERROR', undefined],
  ])('%s', (name, now, upTo34) => {
    expect(codeOf(ledger, name)).toBe(now);
    expect(codeOf(earlier, name)).toBe(upTo34);
  });
});
