/** Updates of Daml-LF (specification, "Update interpretation"): the ledger's actions, exceptions and what they roll back. */
import { createCanticle, type Canticle } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec, type PackageSpec } from '../../support/daml/lf-encoder.js';
import {
  answer,
  evaluateEach,
  deepened,
  lfLedger,
  OWNER,
  probeModule,
  type Question,
  type Refusal,
} from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';

const IOU = t.con('Main:Iou');
const ERR = t.con('Main:Err');
const CID = t.contractId(IOU);
const UPDATE = 17;
const fieldOf = (name: string) => e.field(IOU, name, e.var('this'));
const parties = (...items: Code[]) => e.list(t.party, items);
const iou = (amount: number, owner: Code = OWNER) =>
  e.record(IOU, { issuer: OWNER, owner, amount: e.int(amount) });
const create = (amount: number) => u.create('Main:Iou', iou(amount));
const throwErr = (code: number) =>
  e.throw(t.builtin(UPDATE, t.unit), ERR, e.record(ERR, { code: e.int(code) }));

const definitions: ModuleSpec = {
  types: { Err: { record: { code: t.int64 } } },
  exceptions: {
    Err: e.lambda(
      { x: ERR },
      e.call(
        e.builtin('APPEND_TEXT'),
        e.text('error '),
        e.call(e.builtin('INT64_TO_TEXT'), e.field(ERR, 'code', e.var('x'))),
      ),
    ),
  },
  templates: {
    Iou: {
      fields: { issuer: t.party, owner: t.party, amount: t.int64 },
      precondition: e.call(e.builtin('GREATER', t.int64), fieldOf('amount'), e.int(0)),
      signatories: parties(fieldOf('issuer')),
      observers: parties(fieldOf('owner')),
      choices: {
        Archive: {
          argument: t.unit,
          returns: t.unit,
          controllers: parties(fieldOf('issuer')),
          update: u.pure(t.unit, e.unit),
        },
        Double: {
          argument: t.int64,
          returns: CID,
          controllers: parties(fieldOf('owner')),
          update: u.create(
            'Main:Iou',
            e.with(
              IOU,
              'amount',
              e.var('this'),
              e.call(e.builtin('MUL_INT64'), fieldOf('amount'), e.var('arg')),
            ),
          ),
        },
        Peek: {
          consuming: false,
          argument: t.unit,
          returns: t.int64,
          controllers: parties(fieldOf('owner')),
          update: u.pure(t.int64, fieldOf('amount')),
        },
        Fail: {
          consuming: false,
          argument: t.unit,
          returns: t.unit,
          controllers: parties(fieldOf('owner')),
          update: throwErr(7),
        },
      },
    },
  },
};

const later = (micros: number) =>
  e.call(
    e.builtin('UNIX_MICROSECONDS_TO_TIMESTAMP'),
    e.call(
      e.builtin('ADD_INT64'),
      e.call(e.builtin('TIMESTAMP_TO_UNIX_MICROSECONDS'), e.var('now')),
      e.int(micros),
    ),
  );

const questions: Readonly<Record<string, Question>> = {
  Time: { type: t.timestamp, update: u.getTime },
  Before: { type: t.bool, update: u.ledgerTimeLt(e.timestamp(0n)) },
  After: { type: t.bool, update: u.ledgerTimeLt(e.timestamp(4_000_000_000_000_000n)) },
  /** Of the time that is, of the next microsecond and of the one before. */
  AtTheTime: {
    type: t.list(t.bool),
    update: u.block(
      [
        ['now', t.timestamp, u.getTime],
        ['same', t.bool, u.ledgerTimeLt(e.var('now'))],
        ['next', t.bool, u.ledgerTimeLt(later(1))],
        ['last', t.bool, u.ledgerTimeLt(later(-1))],
      ],
      u.pure(t.list(t.bool), e.list(t.bool, ['same', 'next', 'last'].map(e.var))),
    ),
  },
  CreateAndFetch: {
    type: t.int64,
    update: u.block(
      [
        ['cid', CID, create(5)],
        ['iou', IOU, u.fetch('Main:Iou', e.var('cid'))],
      ],
      u.pure(t.int64, e.field(IOU, 'amount', e.var('iou'))),
    ),
  },
  Exercise: {
    type: t.int64,
    update: u.block(
      [
        ['cid', CID, create(5)],
        ['twice', CID, u.exercise('Main:Iou', 'Double', e.var('cid'), e.int(2))],
      ],
      u.exercise('Main:Iou', 'Peek', e.var('twice'), e.unit),
    ),
  },
  ExerciseConsumed: {
    type: t.int64,
    update: u.block(
      [
        ['cid', CID, create(5)],
        [undefined, CID, u.exercise('Main:Iou', 'Double', e.var('cid'), e.int(2))],
      ],
      u.exercise('Main:Iou', 'Peek', e.var('cid'), e.unit),
    ),
  },
  Ensure: { type: CID, update: create(0) },
  Uncaught: { type: t.unit, update: throwErr(3) },
  UncaughtInside: {
    type: t.unit,
    update: u.block(
      [['cid', CID, create(1)]],
      u.exercise('Main:Iou', 'Fail', e.var('cid'), e.unit),
    ),
  },
  DivisionByZero: {
    type: t.int64,
    update: u.pure(t.int64, e.call(e.builtin('DIV_INT64'), e.int(1), e.int(0))),
  },
  Status: {
    type: t.unit,
    update: e.call(
      e.builtin('FAIL_WITH_STATUS', t.builtin(UPDATE, t.unit)),
      e.text('my.error/id'),
      e.failureCategory(0),
      e.text('not today'),
      e.call(
        e.builtin('TEXTMAP_INSERT', t.text),
        e.text('key'),
        e.text('value'),
        e.builtin('TEXTMAP_EMPTY', t.text),
      ),
    ),
  },
};

const ANY_ERR = e.fromAnyException(ERR, e.var('x'));
/** Catches Err and answers its code; lets everything else go. */
const catching = (body: Code) =>
  u.tryCatch(
    t.int64,
    body,
    'x',
    e.match(
      ANY_ERR,
      [p.none, e.none(t.builtin(UPDATE, t.int64))],
      [
        p.some('err'),
        e.some(t.builtin(UPDATE, t.int64), u.pure(t.int64, e.field(ERR, 'code', e.var('err')))),
      ],
    ),
  );

const exceptions: Readonly<Record<string, Question>> = {
  Caught: {
    type: t.int64,
    update: catching(u.block([[undefined, t.unit, throwErr(4)]], u.pure(t.int64, e.int(0)))),
  },
  NothingThrown: { type: t.int64, update: catching(u.pure(t.int64, e.int(1))) },
  NotForThisHandler: {
    type: t.int64,
    update: catching(u.pure(t.int64, e.call(e.builtin('DIV_INT64'), e.int(1), e.int(0)))),
  },
  FromAnInnerExercise: {
    type: t.int64,
    update: u.block(
      [
        ['cid', CID, create(1)],
        [
          'code',
          t.int64,
          catching(
            u.block(
              [[undefined, t.unit, u.exercise('Main:Iou', 'Fail', e.var('cid'), e.unit)]],
              u.pure(t.int64, e.int(0)),
            ),
          ),
        ],
      ],
      u.pure(t.int64, e.var('code')),
    ),
  },
  CaughtBehindACreate: {
    type: t.int64,
    update: catching(
      u.block(
        [
          [undefined, CID, create(1)],
          [undefined, t.unit, throwErr(9)],
        ],
        u.pure(t.int64, e.int(0)),
      ),
    ),
  },
  UserErrorsAreNoExceptions: {
    type: t.int64,
    update: catching(e.call(e.builtin('ERROR', t.builtin(UPDATE, t.int64)), e.text('final'))),
  },
};

describe.each([
  ['at the top level', questions, definitions] as const,
  ['in deep recursion', ...deepened(questions, definitions)] as const,
])("the ledger's actions, %s", (_where, cases, module_) => {
  const answers = evaluateEach(cases, module_);
  const refusal = (name: string) => answers[name] as Refusal;

  test('getTime and comparisons use the ledger time', () => {
    expect(answers['Time']).toMatch(/^2026-01-01T00:00:00\.\d+Z$/);
    expect([answers['Before'], answers['After']]).toEqual([false, true]);
    expect(answers['AtTheTime']).toEqual([false, true, false]);
  });

  test('create, fetch and exercise', () => {
    expect([answers['CreateAndFetch'], answers['Exercise']]).toEqual(['5', '10']);
  });

  test('a consumed contract is not active', () => {
    expect(refusal('ExerciseConsumed').refused).toBe('CONTRACT_NOT_ACTIVE');
  });

  test('a failed precondition rejects the create', () => {
    expect(refusal('Ensure').refused).toBe('TEMPLATE_PRECONDITION_VIOLATED');
    expect(refusal('Ensure').cause).toContain('amount = 0');
  });

  test('an uncaught exception fails with its message and location', () => {
    expect(refusal('Uncaught')).toMatchObject({
      refused: 'DAML_FAILURE',
      cause:
        'Interpretation error: Error: User failure: UNHANDLED_EXCEPTION/Main:Err (error category 9): error 3',
      context: { error_id: 'UNHANDLED_EXCEPTION/Main:Err' },
    });
    expect(refusal('UncaughtInside').context['exercise_trace']).toMatch(
      /^ {4}in choice \w{8}:Main:Iou:Fail on contract 00\w{8} \(#2\)\n {4}in choice \w{8}:Main:Probe:UncaughtInside/,
    );
    expect(refusal('DivisionByZero')).toMatchObject({
      cause: expect.stringContaining('ArithmeticError while evaluating (DIV_INT64 1 0).'),
      context: { error_id: 'UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError' },
    });
  });

  test('FAIL_WITH_STATUS sets the id, category and context', () => {
    expect(refusal('Status')).toMatchObject({
      refused: 'DAML_FAILURE',
      cause: 'Interpretation error: Error: User failure: my.error/id (error category 8): not today',
      context: { error_id: 'my.error/id', key: 'value' },
    });
  });
});

describe.each([
  ['at the top level', exceptions, definitions] as const,
  ['in deep recursion', ...deepened(exceptions, definitions)] as const,
])('exceptions, %s', (_where, cases, module_) => {
  const packageSpec: PackageSpec = { modules: { Main: probeModule(cases, module_) } };
  const ledger = lfLedger(encodePackage(packageSpec));
  const evaluate = (name: string) => ledger.evaluate(name);

  test('a handler catches the errors that it accepts, and passes on the others', () => {
    expect([evaluate('Caught'), evaluate('NothingThrown')]).toEqual(['4', '1']);
    expect((evaluate('NotForThisHandler') as Refusal).context['error_id']).toContain(
      'ArithmeticError',
    );
    expect((evaluate('UserErrorsAreNoExceptions') as Refusal).refused).toBe(
      'INTERPRETATION_USER_ERROR',
    );
  });

  test('an exercise inside may fail, unless the block created or consumed a contract', () => {
    expect(evaluate('FromAnInnerExercise')).toBe('7');
    const before = ledger.canticle.participant.activeContracts().length;
    expect((evaluate('CaughtBehindACreate') as Refusal).refused).toBe(
      'DAML_EFFECTFUL_ROLLBACK_ERROR',
    );
    expect(ledger.canticle.participant.activeContracts()).toHaveLength(before);
  });
});

describe('authorization', () => {
  const world = (): { canticle: Canticle; alice: string; bob: string; id: string } => {
    const main = encodePackage({ modules: { Main: definitions } });
    const canticle = createCanticle({ seed: 1 });
    canticle.participant.uploadDar(buildDar(main));
    const [alice, bob] = ['alice', 'bob'].map((hint) =>
      canticle.participant.allocateParty(hint),
    ) as [string, string];
    return { canticle, alice, bob, id: `${main.id}:Main:Iou` };
  };

  test('a create requires its signatories, and an exercise its controllers', () => {
    const { canticle, alice, bob, id } = world();
    const { participant } = canticle;
    const payload = { issuer: alice, owner: bob, amount: '5' };
    expect(answer(() => participant.create(id, payload, { actAs: [bob] }))).toMatchObject({
      refused: 'DAML_AUTHORIZATION_ERROR',
      cause: expect.stringContaining(`requires authorizers ${alice}, but only ${bob} were given`),
    });
    const contract = participant.create(id, payload, { actAs: [alice] });
    expect(
      answer(() => participant.exercise(id, contract, 'Peek', {}, { actAs: [alice] })),
    ).toMatchObject({
      refused: 'DAML_AUTHORIZATION_ERROR',
    });
    const { result } = participant.exercise(id, contract, 'Double', '2', { actAs: [bob] });
    expect(participant.contract(result as string)?.payload).toMatchObject({ amount: '10' });
    expect(participant.contract(contract)).toBeUndefined();
  });
});
