/** Edge cases of Daml-LF: exceptions whose message fails, failing code around a choice, and features of 2.dev only. */
import { e, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec } from '../../support/daml/lf-encoder.js';
import {
  answer,
  evaluateEach,
  lfLedger,
  OWNER,
  probeModule,
  type Question,
  type Refusal,
} from '../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';

const UPDATE = 17;
const parties = (...items: Code[]) => e.list(t.party, items);
const failure = (text: string, type: LfTypeSpec) => e.call(e.builtin('ERROR', type), e.text(text));

describe('exceptions', () => {
  const MUTE = t.con('Main:Mute');
  const LOUD = t.con('Main:Loud');
  const raise = (type: typeof MUTE) => e.throw(t.int64, type, e.record(type, { code: e.int(1) }));
  const definitions: ModuleSpec = {
    types: { Mute: { record: { code: t.int64 } }, Loud: { record: { code: t.int64 } } },
    exceptions: {
      Mute: e.lambda({ x: MUTE }, e.throw(t.text, LOUD, e.record(LOUD, { code: e.int(2) }))),
      Loud: e.lambda({ x: LOUD }, e.text('loud')),
    },
  };

  test('one whose message fails is reported with its own name', () => {
    const answers = evaluateEach({ Raise: { type: t.int64, value: raise(MUTE) } }, definitions);
    expect(answers['Raise']).toMatchObject({
      refused: 'DAML_FAILURE',
      cause: expect.stringContaining(
        'UNHANDLED_EXCEPTION/Main:Mute (error category 9): <Failed to calculate message as Main:Loud was thrown during conversion>',
      ) as string,
    });
  });

  test('a pure expression may throw one, and an update may catch it', () => {
    const caught = u.tryCatch(
      t.int64,
      u.pure(t.int64, raise(LOUD)),
      'x',
      e.some(t.builtin(UPDATE, t.int64), u.pure(t.int64, e.int(8))),
    );
    expect(evaluateEach({ Catch: { type: t.int64, update: caught } }, definitions)['Catch']).toBe(
      '8',
    );
  });

  // Upstream's machine has left the exercises inside of a handler by the time that this one throws on.
  test('one that a handler does not catch is reported with the location of the handler', () => {
    const inner = u.exercise('Main:Probe', 'Inner', e.var('self'), e.unit);
    const none = e.none(t.builtin(UPDATE, t.int64));
    const answers = evaluateEach(
      {
        Inner: { type: t.int64, update: u.pure(t.int64, raise(LOUD)) },
        Outer: { type: t.int64, update: inner },
        Handled: { type: t.int64, update: u.tryCatch(t.int64, inner, 'x', none) },
      },
      definitions,
    );
    const choices = (name: string) =>
      [
        ...(answers[name] as Refusal).context['exercise_trace']!.matchAll(
          /in choice \w+:Main:Probe:(\w+)/g,
        ),
      ].map(([, choice]) => choice);
    expect(choices('Outer')).toEqual(['Inner', 'Outer']);
    expect(choices('Handled')).toEqual(['Handled']);
  });

  test('one that a handler throws reaches the next outer handler', () => {
    const handler = (body: Code, then: Code) =>
      u.tryCatch(t.int64, body, 'x', e.some(t.builtin(UPDATE, t.int64), then));
    const inner = handler(u.pure(t.int64, raise(LOUD)), u.pure(t.int64, raise(MUTE)));
    const outer = handler(inner, u.pure(t.int64, e.int(9)));
    expect(evaluateEach({ Catch: { type: t.int64, update: outer } }, definitions)['Catch']).toBe(
      '9',
    );
  });
});

describe('controllers, observers and signatories', () => {
  const BAD = t.con('Main:Bad');
  const owner = e.field(BAD, 'owner', e.var('this'));
  const template = (more: { signatories?: Code; controllers?: Code }) => ({
    Bad: {
      fields: { owner: t.party },
      precondition: e.true,
      signatories: more.signatories ?? parties(owner),
      choices: {
        Go: {
          consuming: false,
          argument: t.unit,
          returns: t.unit,
          controllers: more.controllers ?? parties(owner),
          update: u.pure(t.unit, e.unit),
        },
      },
    },
  });
  const create = u.create('Main:Bad', e.record(BAD, { owner: OWNER }));
  const go: Question = {
    type: t.unit,
    update: u.block(
      [['cid', t.contractId(BAD), create]],
      u.exercise('Main:Bad', 'Go', e.var('cid'), e.unit),
    ),
  };
  const refusal = (more: { signatories?: Code; controllers?: Code }) =>
    evaluateEach({ Go: go }, { templates: template(more) })['Go'] as Refusal;

  test('may fail, and must not be empty', () => {
    expect(refusal({ signatories: failure('no signatories', t.list(t.party)) }).cause).toContain(
      'User abort: no signatories',
    );
    expect(refusal({ controllers: failure('no controllers', t.list(t.party)) }).cause).toContain(
      'User abort: no controllers',
    );
    expect(refusal({ signatories: e.nil(t.party) }).cause).toContain('has no signatories');
    expect(refusal({ controllers: e.nil(t.party) }).cause).toContain('has no controllers');
  });
});

describe('texts and values that a ledger cannot store', () => {
  test('code may compute a text with a NUL, but not store or return it', () => {
    const nul = e.call(e.builtin('CODE_POINTS_TO_TEXT'), e.list(t.int64, [e.int(0)]));
    const named = e.call(
      e.builtin('TEXTMAP_INSERT', t.unit),
      nul,
      e.unit,
      e.builtin('TEXTMAP_EMPTY', t.unit),
    );
    const answers = evaluateEach({
      Inside: { type: t.bool, value: e.call(e.builtin('EQUAL', t.text), nul, e.text('')) },
      Outside: { type: t.text, value: nul },
      Key: { type: t.textMap(t.unit), value: named },
    });
    expect(answers['Inside']).toBe(false);
    for (const name of ['Outside', 'Key'])
      expect((answers[name] as Refusal).refused).toBe('MALFORMED_TEXT');
  });

  test('a value may have up to 100 levels', () => {
    const NEST = t.con('Main:Nest');
    const nest = e.value('Main:nest');
    const keyed = (levels: number) =>
      e.call(
        e.builtin('GENMAP_INSERT', NEST, t.unit),
        e.call(nest, e.int(levels)),
        e.unit,
        e.builtin('GENMAP_EMPTY', NEST, t.unit),
      );
    const definitions: ModuleSpec = {
      types: { Nest: { variant: { End: t.unit, Inner: NEST } } },
      values: {
        nest: {
          type: t.arrow(t.int64, NEST),
          expression: e.lambda(
            { n: t.int64 },
            e.if(
              e.call(e.builtin('EQUAL', t.int64), e.var('n'), e.int(0)),
              e.variant(NEST, 'End', e.unit),
              e.variant(
                NEST,
                'Inner',
                e.call(nest, e.call(e.builtin('SUB_INT64'), e.var('n'), e.int(1))),
              ),
            ),
          ),
        },
      },
    };
    const answers = evaluateEach(
      {
        // The last constructor holds a unit, one level further in.
        Fits: { type: NEST, value: e.call(nest, e.int(99)) },
        ExceedsByOne: { type: NEST, value: e.call(nest, e.int(100)) },
        KeyFits: { type: t.genMap(NEST, t.unit), value: keyed(98) },
        KeyExceedsByOne: { type: t.genMap(NEST, t.unit), value: keyed(99) },
        Exceeds: { type: NEST, value: e.call(nest, e.int(5_000)) },
      },
      definitions,
    );
    expect(answers['Fits']).toMatchObject({ tag: 'Inner' });
    expect(answers['KeyFits']).toMatchObject([[{ tag: 'Inner' }, {}]]);
    for (const name of ['Exceeds', 'ExceedsByOne', 'KeyExceedsByOne'])
      expect(answers[name]).toMatchObject({
        refused: 'VALUE_NESTING',
        cause: 'Interpretation error: Error: Value exceeds maximum nesting value of 100',
      });
  });
});

describe('2.dev', () => {
  const DEAL = t.con('Main:Deal');
  const ERR = t.con('Main:Err');
  const deal = e.record(DEAL, { one: OWNER, other: OWNER });
  const asDealt = e.toInterface('Main:Dealt', 'Main:Deal', deal);
  const field = (name: string) => e.field(DEAL, name, e.var('this'));
  const main = encodePackage({
    lf: 'dev',
    modules: {
      Main: probeModule(
        {
          Name: {
            type: t.list(t.optional(t.text)),
            value: e.list(t.optional(t.text), [
              e.call(e.builtin('TYPE_REP_TYCON_NAME'), e.typeRep(DEAL)),
              e.call(e.builtin('TYPE_REP_TYCON_NAME'), e.typeRep(t.list(DEAL))),
            ]),
          },
          Controllers: {
            type: t.list(t.party),
            value: e.choiceController('Main:Deal', 'Close', deal, e.unit),
          },
          Observers: {
            type: t.list(t.party),
            value: e.choiceObserver('Main:Deal', 'Close', deal, e.unit),
          },
          Answer: {
            type: t.int64,
            value: e.call(e.experimental('ANSWER', t.arrow(t.unit, t.int64)), e.unit),
          },
          Unknown: {
            type: t.int64,
            value: e.call(e.experimental('FLY', t.arrow(t.unit, t.int64)), e.unit),
          },
          Outside: {
            type: t.text,
            update: e.call(
              e.builtin('EXTERNAL_CALL'),
              e.text('x'),
              e.text('f'),
              e.text('0a'),
              e.text(''),
            ),
          },
          OutsideNoHex: {
            type: t.text,
            update: e.call(
              e.builtin('EXTERNAL_CALL'),
              e.text('x'),
              e.text('f'),
              e.text('0A'),
              e.text(''),
            ),
          },
          InterfaceControllers: {
            type: t.list(t.party),
            value: e.choiceController('Main:Dealt', 'Look', asDealt, e.unit),
          },
          ThrowingControllers: {
            type: t.list(t.party),
            update: u.tryCatch(
              t.list(t.party),
              u.pure(t.list(t.party), e.choiceController('Main:Deal', 'Throw', deal, e.unit)),
              'x',
              e.some(t.builtin(UPDATE, t.list(t.party)), u.pure(t.list(t.party), e.nil(t.party))),
            ),
          },
        },
        {
          types: {
            Err: { record: { code: t.int64 } },
            DealtView: { record: {} },
          },
          exceptions: { Err: e.lambda({ x: ERR }, e.text('an error')) },
          interfaces: {
            Dealt: {
              view: t.con('Main:DealtView'),
              choices: {
                Look: {
                  consuming: false,
                  argument: t.unit,
                  returns: t.unit,
                  controllers: e.signatoryInterface('Main:Dealt', e.var('this')),
                  update: u.pure(t.unit, e.unit),
                },
              },
            },
          },
          templates: {
            Deal: {
              fields: { one: t.party, other: t.party },
              precondition: e.true,
              signatories: parties(field('one'), field('other')),
              implements: {
                'Main:Dealt': { view: e.record(t.con('Main:DealtView'), {}), methods: {} },
              },
              choices: {
                Throw: {
                  consuming: false,
                  argument: t.unit,
                  returns: t.unit,
                  controllers: e.throw(t.list(t.party), ERR, e.record(ERR, { code: e.int(1) })),
                  update: u.pure(t.unit, e.unit),
                },
                /** The body has the authority of one alone, although both signed. */
                Close: {
                  consuming: false,
                  argument: t.unit,
                  returns: t.contractId(DEAL),
                  controllers: parties(field('one')),
                  observers: e.nil(t.party),
                  authorizers: parties(field('one')),
                  update: u.create('Main:Deal', e.var('this')),
                },
              },
            },
          },
        },
      ),
    },
  });
  const ledger = lfLedger(main);

  test('supports names of type constructors, choice controllers and observers, and external calls', () => {
    expect(ledger.evaluate('Name')).toEqual([`${main.id}:Main:Deal`, null]);
    expect([ledger.evaluate('Controllers'), ledger.evaluate('Observers')]).toEqual([
      [ledger.alice],
      [],
    ]);
    expect(ledger.evaluate('InterfaceControllers')).toEqual([ledger.alice, ledger.alice]);
    expect(ledger.evaluate('Answer')).toBe('42');
    expect((ledger.evaluate('Unknown') as Refusal).cause).toContain(
      'experimental FLY not supported.',
    );
  });

  // As of a participant that has no extension services (upstream RejectionGeneratorsExternalCallSpec).
  test.each([
    ['Outside', 'EXECUTION_FAILED', 'execution', 'call failed: ', 'External calls not supported'],
    [
      'OutsideNoHex',
      'PREPARATION_FAILED',
      'preparation',
      '',
      'Invalid external call config or input: expected canonical lowercase hex',
    ],
  ])('an external call of %s fails: %s', (name, code, step, why, reason) => {
    expect(ledger.evaluate(name)).toMatchObject({
      refused: `INTERPRETATION_EXTERNAL_CALL_ERROR_${code}`,
      cause: `Interpretation error: Error: External call ${step} failed (extensionId=x, functionId=f): ${why}${reason}`,
      resources: [
        ['EXTERNAL_CALL_EXTENSION_ID', 'x'],
        ['EXTERNAL_CALL_FUNCTION_ID', 'f'],
        ['EXCEPTION_TEXT', reason],
      ],
    });
  });

  test('a handler does not catch exceptions of the controllers of a choice', () => {
    expect(ledger.evaluate('ThrowingControllers')).toMatchObject({
      refused: 'DAML_FAILURE',
      context: { error_id: 'UNHANDLED_EXCEPTION/Main:Err' },
    });
  });

  test('a choice may declare the authority of its body', () => {
    const { canticle, alice, bob } = ledger;
    const id = `${main.id}:Main:Deal`;
    const submit = { actAs: [alice, bob] };
    const deal = canticle.participant.create(id, { one: alice, other: bob }, submit);
    expect(
      answer(() => canticle.participant.exercise(id, deal, 'Close', {}, submit)),
    ).toMatchObject({
      refused: 'DAML_AUTHORIZATION_ERROR',
      cause: expect.stringContaining(`but only ${alice} were given`) as string,
    });
  });
});

test('a location does not change a result', () => {
  const located = e.located(
    'Main',
    7,
    e.call(e.builtin('ADD_INT64'), e.located('Main', 8, e.int(1)), e.int(2)),
  );
  for (const lf of ['1', '2'] as const)
    expect(evaluateEach({ Ask: { type: t.int64, value: located } }, {}, { lf })).toEqual({
      Ask: '3',
    });
});
