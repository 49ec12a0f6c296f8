/** Exercises and `try` that nest deep, by id, by key and through an interface (Canton bounds the size of a transaction, not its depth). */
import { e, u, type Code } from '../../support/daml/lf-code.js';
import {
  evaluateEach,
  lfLedger,
  OWNER,
  probeModule,
  type Question,
} from '../../support/daml/lf-probe.js';
import { encodePackage, type ModuleSpec } from '../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';

const STEP = t.con('Main:Step');
const KEYED = t.con('Main:Keyed');
const NESTED = t.con('Main:Nested');
const ERR = t.con('Main:Err');
const SINK = 'Main:Sink';
const UPDATE_INT = t.builtin(17, t.int64);
const value = (name: string) => e.value(`Main:${name}`);
const isZero = (name: string) => e.call(e.builtin('EQUAL', t.int64), e.var(name), e.int(0));
const less = (name: string) => e.call(e.builtin('SUB_INT64'), e.var(name), e.int(1));
const more = (one: Code) => e.call(e.builtin('ADD_INT64'), e.int(1), one);
const owners = (type: LfTypeSpec) => e.list(t.party, [e.field(type, 'owner', e.var('this'))]);

/** One more than what the next one gives; the last one gives what `end` does. */
const down = (next: Code, end: Code): Code =>
  e.if(
    isZero('arg'),
    end,
    u.block([['rest', t.int64, next]], u.pure(t.int64, more(e.var('rest')))),
  );
const ZERO = u.pure(t.int64, e.int(0));
const throwErr = (code: Code) => e.throw(UPDATE_INT, ERR, e.record(ERR, { code }));

const choice = (type: LfTypeSpec, update: Code) => ({
  consuming: false,
  argument: t.int64,
  returns: t.int64,
  controllers: owners(type),
  update,
});
const own = (name: string, count = less('arg')) =>
  u.exercise('Main:Step', name, e.var('self'), count);
const asSink = (id: Code) => e.call(e.builtin('COERCE_CONTRACT_ID', STEP, t.con(SINK)), id);

const sinking = (name: string, end: Code) => ({
  consuming: false,
  argument: t.int64,
  returns: t.int64,
  controllers: e.signatoryInterface(SINK, e.var('this')),
  update: down(u.exerciseInterface(SINK, name, e.var('self'), less('arg')), end),
});
const byKey = (name: string, key: Code, count: Code) =>
  u.exerciseByKey('Main:Keyed', name, key, count);
const keyedOwn = (name: string, count = less('arg')) =>
  byKey(name, e.field(KEYED, 'owner', e.var('this')), count);
const keyedDown = (name: string, end: Code) => choice(KEYED, down(keyedOwn(name), end));

const caught = (update: Code) =>
  u.tryCatch(t.int64, update, 'error', e.some(UPDATE_INT, u.pure(t.int64, e.int(99))));
/** Fails once `failing` has failed and was caught. */
const failingAgain = (failing: Code) =>
  u.block([['caught', t.int64, caught(failing)]], throwErr(e.int(4)));

/** Once the count is 0, the owner; else what the next one gives. */
const ownersDown = (count: Code, type: LfTypeSpec, next: Code): Code =>
  e.if(e.call(e.builtin('EQUAL', t.int64), count, e.int(0)), owners(type), next);
const nestedCount = (field: string) => e.field(NESTED, field, e.var('this'));
/** The nested contract, with one less in a field. */
const nextNested = (field: string) => {
  const count = (name: string) =>
    name === field
      ? e.call(e.builtin('SUB_INT64'), nestedCount(name), e.int(1))
      : nestedCount(name);
  const owner = e.field(NESTED, 'owner', e.var('this'));
  const fields = { owner, signing: count('signing'), observing: count('observing') };
  return e.toInterface(SINK, 'Main:Nested', e.record(NESTED, fields));
};

const heightOf = (step: Code) =>
  e.callInterface(SINK, 'height', e.toInterface(SINK, 'Main:Step', step));

const DEFINITIONS: ModuleSpec = {
  types: { View: { record: {} }, Err: { record: { code: t.int64 } } },
  exceptions: { Err: e.lambda({ x: ERR }, e.text('failed')) },
  values: {
    /** A tower of `try`, with an error at its bottom that none of them takes. */
    tower: {
      type: t.arrow(t.int64, UPDATE_INT),
      expression: e.lambda(
        { n: t.int64 },
        e.if(
          isZero('n'),
          throwErr(e.int(7)),
          u.tryCatch(t.int64, e.call(value('tower'), less('n')), 'error', e.none(UPDATE_INT)),
        ),
      ),
    },
    /** Nested calls that succeed: each adds one. */
    floors: {
      type: t.arrow(t.int64, UPDATE_INT),
      expression: e.lambda(
        { n: t.int64 },
        e.if(
          isZero('n'),
          ZERO,
          u.block(
            [
              [
                'rest',
                t.int64,
                u.tryCatch(
                  t.int64,
                  e.call(value('floors'), less('n')),
                  'error',
                  e.none(UPDATE_INT),
                ),
              ],
            ],
            u.pure(t.int64, more(e.var('rest'))),
          ),
        ),
      ),
    },
    /** Each handler throws within the next one. */
    handlers: {
      type: t.arrow(t.int64, UPDATE_INT),
      expression: e.lambda(
        { n: t.int64 },
        e.if(
          isZero('n'),
          u.pure(t.int64, e.int(11)),
          u.tryCatch(
            t.int64,
            throwErr(e.var('n')),
            'error',
            e.some(UPDATE_INT, e.call(value('handlers'), less('n'))),
          ),
        ),
      ),
    },
  },
  interfaces: {
    Sink: {
      view: t.con('Main:View'),
      methods: { height: t.arrow(t.int64, t.int64) },
      choices: {
        Sink: sinking('Sink', ZERO),
        Fall: sinking('Fall', throwErr(e.int(3))),
        Rise: sinking(
          'Rise',
          failingAgain(u.exerciseInterface(SINK, 'Fall', e.var('self'), e.int(0))),
        ),
      },
    },
  },
  templates: {
    Step: {
      fields: { owner: t.party },
      precondition: e.true,
      signatories: owners(STEP),
      implements: {
        [SINK]: {
          view: e.record(t.con('Main:View'), {}),
          methods: {
            height: e.lambda(
              { n: t.int64 },
              e.if(isZero('n'), e.int(0), more(e.call(heightOf(e.var('this')), less('n')))),
            ),
          },
        },
      },
      choices: {
        Height: choice(STEP, u.pure(t.int64, e.call(heightOf(e.var('this')), e.var('arg')))),
        Controlled: {
          ...choice(STEP, ZERO),
          controllers: ownersDown(
            e.var('arg'),
            STEP,
            e.choiceController('Main:Step', 'Controlled', e.var('this'), less('arg')),
          ),
        },
        Observed: {
          ...choice(STEP, ZERO),
          observers: ownersDown(
            e.var('arg'),
            STEP,
            e.choiceObserver('Main:Step', 'Observed', e.var('this'), less('arg')),
          ),
        },
        Down: choice(STEP, down(own('Down'), ZERO)),
        Fall: choice(STEP, down(own('Fall'), throwErr(e.int(3)))),
        RiseById: choice(STEP, down(own('RiseById'), failingAgain(own('Fall', e.int(0))))),
        RiseByInterface: choice(
          STEP,
          down(
            own('RiseByInterface'),
            failingAgain(u.exerciseInterface(SINK, 'Fall', asSink(e.var('self')), e.int(0))),
          ),
        ),
        /** Each exercise in a separate `try`. */
        Guarded: choice(
          STEP,
          down(u.tryCatch(t.int64, own('Guarded'), 'error', e.none(UPDATE_INT)), ZERO),
        ),
      },
    },
    /** Its parties are those of a contract with one less in the field. */
    Nested: {
      fields: { owner: t.party, signing: t.int64, observing: t.int64 },
      precondition: e.true,
      signatories: ownersDown(
        nestedCount('signing'),
        NESTED,
        e.signatoryInterface(SINK, nextNested('signing')),
      ),
      observers: ownersDown(
        nestedCount('observing'),
        NESTED,
        e.observerInterface(SINK, nextNested('observing')),
      ),
      implements: {
        [SINK]: {
          view: e.record(t.con('Main:View'), {}),
          methods: { height: e.lambda({ n: t.int64 }, e.var('n')) },
        },
      },
    },
    Keyed: {
      fields: { owner: t.party },
      precondition: e.true,
      signatories: owners(KEYED),
      key: {
        type: t.party,
        body: e.field(KEYED, 'owner', e.var('this')),
        maintainers: e.lambda({ key: t.party }, e.list(t.party, [e.var('key')])),
      },
      choices: {
        Down: keyedDown('Down', ZERO),
        Fall: keyedDown('Fall', throwErr(e.int(3))),
        Rise: keyedDown('Rise', failingAgain(keyedOwn('Fall', e.int(0)))),
      },
    },
  },
};

/** More than JavaScript's stack holds. */
const DEEP = 3_000;
const step = u.create('Main:Step', e.record(STEP, { owner: OWNER }));
const cid = e.var('cid');

const on = (act: Code) => ({
  type: t.int64,
  update: u.block([['cid', t.contractId(STEP), step]], act),
});
const exercised = (name: string, count = DEEP) =>
  on(u.exercise('Main:Step', name, cid, e.int(count)));
const throughInterface = (name: string) =>
  u.exerciseInterface(SINK, name, asSink(cid), e.int(DEEP));
const keyed = (name: string, count: number) => ({
  type: t.int64,
  update: u.block(
    [['made', t.contractId(KEYED), u.create('Main:Keyed', e.record(KEYED, { owner: OWNER }))]],
    byKey(name, OWNER, e.int(count)),
  ),
});
const called = (name: string, count: number) => ({
  type: t.int64,
  update: e.call(value(name), e.int(count)),
});

const evaluateAll = (questions: Readonly<Record<string, Question>>) =>
  evaluateEach(questions, DEFINITIONS, { lf: '3' });

/** The explanations of refusals, by question. */
function explanations(questions: Readonly<Record<string, Question>>) {
  const main = encodePackage({ lf: '3', modules: { Main: probeModule(questions, DEFINITIONS) } });
  const { explain } = lfLedger(main);
  return Object.fromEntries(Object.keys(questions).map((name) => [name, explain(name)]));
}

test('exercises may nest up to the size limit of a transaction', () => {
  const answers = evaluateAll({
    ById: exercised('Down'),
    ThroughInterface: on(throughInterface('Sink')),
    Guarded: exercised('Guarded'),
    Caught: on(caught(u.exercise('Main:Step', 'Fall', cid, e.int(DEEP)))),
    CaughtThroughInterface: on(caught(throughInterface('Fall'))),
  });
  expect(answers).toEqual({
    ById: String(DEEP),
    ThroughInterface: String(DEEP),
    Guarded: String(DEEP),
    Caught: '99',
    CaughtThroughInterface: '99',
  });
});

test('exercises by key may nest to the same depth', () => {
  expect(evaluateAll({ ByKey: keyed('Down', DEEP) })).toEqual({ ByKey: String(DEEP) });
});

test('exception handlers may nest to the same depth, for any handler', () => {
  expect(
    evaluateAll({
      Floors: called('floors', 10_000),
      Handlers: called('handlers', 10_000),
      Tower: called('tower', 10_000),
      TowerCaught: { type: t.int64, update: caught(e.call(value('tower'), e.int(10_000))) },
    }),
  ).toMatchObject({
    Floors: '10000',
    Handlers: '11',
    Tower: {
      refused: 'DAML_FAILURE',
      cause:
        'Interpretation error: Error: User failure: UNHANDLED_EXCEPTION/Main:Err (error category 9): failed',
    },
    TowerCaught: '99',
  });
});

test('the trace of an error contains its nested choices', () => {
  expect(evaluateAll({ Fall: exercised('Fall', 1_000) })).toMatchObject({
    Fall: {
      refused: 'DAML_FAILURE',
      context: {
        exercise_trace: expect.stringMatching(
          /^(?: {4}in choice \w{8}:Main:Step:Fall on contract 00\w{8} \(#\d+\)\n){10} {4}\.\.\.\n/,
        ) as string,
      },
    },
  });
});

test('the trace of an error after a caught error contains its own choice', () => {
  const traceOf = (choice: string) => ({
    context: {
      exercise_trace: expect.stringMatching(
        new RegExp(
          `^ {4}in choice \\w{8}:Main:${choice} on contract 00\\w{8} \\(#${DEEP + 2}\\)\n`,
        ),
      ) as string,
    },
  });
  expect(
    evaluateAll({
      ById: exercised('RiseById'),
      ThroughInterface: exercised('RiseByInterface'),
      AllThroughInterface: on(throughInterface('Rise')),
      ByKey: keyed('Rise', DEEP),
    }),
  ).toMatchObject({
    ById: traceOf('Step:RiseById'),
    ThroughInterface: traceOf('Step:RiseByInterface'),
    AllThroughInterface: traceOf('Sink:Rise'),
    ByKey: traceOf('Keyed:Rise'),
  });
});

test('interface methods may call each other as deep as functions', () => {
  expect(evaluateAll({ Height: exercised('Height', 100_000) })).toEqual({ Height: '100000' });
});

test('code that computes parties fails with an estimated-stack limit, not with a JavaScript error', () => {
  const nested = (signing: number, observing: number) => ({
    type: t.int64,
    update: u.block(
      [
        [
          'made',
          t.contractId(NESTED),
          u.create(
            'Main:Nested',
            e.record(NESTED, {
              owner: OWNER,
              signing: e.int(signing),
              observing: e.int(observing),
            }),
          ),
        ],
      ],
      ZERO,
    ),
  });
  const questionsOf = (count: number) => ({
    Controlled: exercised('Controlled', count),
    Observed: exercised('Observed', count),
    Signing: nested(count, 0),
    Observing: nested(0, count),
  });
  const all = <T>(value: T) => ({
    Controlled: value,
    Observed: value,
    Signing: value,
    Observing: value,
  });
  expect(evaluateAll(questionsOf(300))).toEqual(all('0'));
  expect(explanations(questionsOf(1_000))).toEqual(
    all('The Daml code made more than 50000000 calls, or nested more than 2500000 of them.'),
  );
});
