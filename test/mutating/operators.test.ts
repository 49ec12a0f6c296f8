/** Each operator on a model with a known answer: what the original code does, and what each mutant does instead. */
import { CheckedPackages } from '../../src/daml/dar/checked-packages.js';
import { readDar } from '../../src/daml/dar/dar-file.js';
import type { DarPackage } from '../../src/daml/dar/dar-package.js';
import { LedgerError } from '../../src/daml/errors/ledger-error.js';
import { interpret } from '../../src/daml/interpreter/interpreter.js';
import type { DamlRecord, Party } from '../../src/daml/model/values.js';
import { encodeValue } from '../../src/daml/codec/json/codec.js';
import { OPERATORS, type OperatorName } from '../../src/mutating/operators/mutant.js';
import { Mutation, type MutationOptions } from '../../src/mutating/mutation.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { e, p, u, type Code } from '../support/daml/lf-code.js';
import { encodePackage, type ChoiceSpec } from '../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../support/daml/lf-types.js';

const DEAL = t.con('Main:Deal');
const UPDATE_UNIT = t.builtin(17, t.unit);
const field = (name: string) => e.field(DEAL, name, e.var('this'));
const parties = (...names: string[]) => e.list(t.party, names.map(field));
const int = (name: string, left: Code, right: Code) => e.call(e.builtin(name), left, right);
const compared = (name: string, type: LfTypeSpec, left: Code, right: Code) =>
  e.call(e.builtin(name, type), left, right);
const done = u.pure(t.unit, e.unit);
const AMOUNT = field('amount');

const choice = (returns: LfTypeSpec, update: Code, more: Partial<ChoiceSpec> = {}): ChoiceSpec => ({
  consuming: false,
  argument: t.unit,
  returns,
  controllers: parties('owner'),
  update,
  ...more,
});
const value = (type: LfTypeSpec, code: Code): ChoiceSpec => choice(type, u.pure(type, code));
const bool = (code: Code): ChoiceSpec => value(t.bool, code);
const check = (name: string, ...args: Code[]) => e.call(e.value(`Main:${name}`), ...args);
const DUE = field('due');
const positive = compared('GREATER', t.int64, AMOUNT, e.var('zero'));
const zero = (body: Code) => e.let([['zero', t.int64, int('SUB_INT64', AMOUNT, AMOUNT)]], body);
const isMine = compared('EQUAL', t.party, field('owner'), field('issuer'));

const choices: Readonly<Record<string, ChoiceSpec>> = {
  Over: bool(compared('GREATER', t.int64, AMOUNT, AMOUNT)),
  Same: bool(isMine),
  Sum: value(t.int64, int('ADD_INT64', AMOUNT, AMOUNT)),
  Product: value(t.int64, int('MUL_INT64', AMOUNT, AMOUNT)),
  Half: value(
    t.numeric(2),
    e.call(e.builtin('ADD_NUMERIC', t.nat(2)), e.numeric('0.50'), e.numeric('0.25')),
  ),
  Five: value(t.int64, e.int(5)),
  Day: value(t.date, e.date(0)),
  Instant: value(t.timestamp, e.timestamp(0n)),
  Renamed: value(t.text, e.field(DEAL, 'name', e.with(DEAL, 'name', e.var('this'), e.text('new')))),
  Branch: value(t.text, zero(e.if(positive, e.text('positive'), e.text('none')))),
  And: bool(e.match(isMine, [p.true, zero(positive)], [p.false, e.false])),
  Or: bool(e.match(isMine, [p.true, e.true], [p.false, zero(positive)])),
  Late: bool(compared('LESS_EQ', t.timestamp, DUE, DUE)),
  Assert: choice(t.unit, check('assertMsg', e.text('not mine'), isMine)),
  Deadline: choice(t.unit, check('assertWithinDeadline', e.text('due'), DUE)),
  Give: choice(t.unit, done, { consuming: true, controllers: parties('issuer', 'owner') }),
  Show: choice(t.unit, done, { observers: parties('broker') }),
};

const main = encodePackage({
  name: 'deals',
  modules: {
    Main: {
      templates: {
        Deal: {
          fields: {
            issuer: t.party,
            owner: t.party,
            broker: t.party,
            amount: t.int64,
            due: t.timestamp,
            name: t.text,
          },
          signatories: parties('issuer', 'owner'),
          observers: parties('broker'),
          precondition: compared('GREATER_EQ', t.int64, AMOUNT, AMOUNT),
          choices,
        },
        Open: {
          fields: { owner: t.party, friend: t.party },
          signatories: e.list(t.party, [e.field(t.con('Main:Open'), 'owner', e.var('this'))]),
          observers: e.nil(t.party),
          precondition: e.true,
        },
        Closed: {
          fields: { owner: t.party },
          signatories: e.list(t.party, [e.field(t.con('Main:Closed'), 'owner', e.var('this'))]),
          observers: e.nil(t.party),
          precondition: compared('LESS', t.int64, e.int(1), e.int(0)),
        },
      },
      values: {
        assertMsg: {
          type: t.arrow(t.text, t.arrow(t.bool, UPDATE_UNIT)),
          expression: e.lambda(
            { message: t.text, condition: t.bool },
            e.match(
              e.var('condition'),
              [p.true, done],
              [p.default, e.call(e.builtin('ERROR', UPDATE_UNIT), e.var('message'))],
            ),
          ),
        },
        assertWithinDeadline: {
          type: t.arrow(t.text, t.arrow(t.timestamp, UPDATE_UNIT)),
          expression: e.lambda(
            { name: t.text, time: t.timestamp },
            u.block(
              [['now', t.timestamp, u.getTime]],
              check(
                'assertMsg',
                e.var('name'),
                compared('LESS', t.timestamp, e.var('now'), e.var('time')),
              ),
            ),
          ),
        },
      },
    },
  },
});

function mutated(more: Partial<MutationOptions> = {}) {
  const mutation = new Mutation({ isMutated: () => true, ...more });
  const code = { of: () => undefined, instrumentation: mutation };
  const checked = new CheckedPackages(undefined, '', code);
  const of = readDar(buildDar(main), undefined, { checked }).main as DarPackage;
  return { mutation, of };
}

const { mutation, of } = mutated();
of.visitCode();

const PAYLOADS: Readonly<Record<string, DamlRecord>> = {
  Deal: { issuer: 'i', owner: 'o', broker: 'b', amount: 6n, due: 10n, name: 'old' },
  Open: { owner: 'o', friend: 'f' },
  Closed: { owner: 'o' },
};

/** The effect of a command, as text. Without a choice, it creates a contract. */
function effect(pkg: DarPackage, template: string, choiceName?: string): string {
  const payload = PAYLOADS[template]!;
  const templateId = `${pkg.id}:Main:${template}`;
  try {
    const { nodes } = interpret({
      commands: [
        choiceName === undefined
          ? { kind: 'create', templateId, payload }
          : { kind: 'createAndExercise', templateId, payload, choice: choiceName, argument: {} },
      ],
      actAs: ['i', 'o', 'b', 'f'] as Party[],
      ledgerTime: 10n,
      seed: '00'.repeat(32),
      packages: {
        package: (id) => (id === pkg.id ? pkg : undefined),
        packageIdForName: () => pkg.id,
      },
      contract: () => undefined,
    });
    const last = [...nodes.values()].at(-1)!;
    if (last.kind === 'create')
      return `signatories ${last.contract.signatories.join()}, observers ${last.contract.observers.join()}`;
    if (last.kind !== 'exercise') return last.kind;
    const { returnType } = pkg.templates.get(`Main:${template}`)!.choices.get(choiceName!)!;
    const result = JSON.stringify(
      encodeValue({ package: () => pkg, packageIdForName: () => pkg.id }, returnType, last.result),
    );
    const how = last.consuming ? 'consuming' : 'nonconsuming';
    const seen = last.choiceObservers.length > 0 ? ` seen by ${last.choiceObservers.join()}` : '';
    return `${how} by ${last.actingParties.join()}${seen}: ${result}`;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return error.code;
  }
}

/** The effects of all mutants that change the effect of a command. */
function effects(operator: OperatorName, template: string, choiceName?: string): readonly string[] {
  const original = effect(of, template, choiceName);
  const found = mutation.mutants
    .filter((each) => each.operator === operator)
    .flatMap(({ number, before, after }) => {
      mutation.selector.at = number;
      of.forgetConstants();
      const now = effect(of, template, choiceName);
      return now === original ? [] : [`${before} → ${after}: ${now}`];
    });
  mutation.selector.at = 0;
  return [`original: ${original}`, ...found];
}

type Row = readonly [
  OperatorName,
  template: string,
  choice: string | undefined,
  effects: readonly string[],
];

const ROWS: readonly Row[] = [
  [
    'drop-signatory',
    'Deal',
    undefined,
    [
      'signatories i,o, observers b',
      'signatory issuer, owner → signatory owner: signatories o, observers b',
      'signatory issuer, owner → signatory issuer: signatories i, observers b',
    ],
  ],
  [
    'swap-signatory',
    'Deal',
    undefined,
    [
      'signatories i,o, observers b',
      'signatory issuer, owner → signatory broker, owner: signatories b,o, observers ',
      'signatory issuer, owner → signatory issuer, broker: signatories b,i, observers ',
    ],
  ],
  [
    'drop-observer',
    'Deal',
    undefined,
    ['signatories i,o, observers b', 'observer broker → (none): signatories i,o, observers '],
  ],
  [
    'drop-observer',
    'Deal',
    'Show',
    ['nonconsuming by o seen by b: {}', 'observer broker → (none): nonconsuming by o: {}'],
  ],
  [
    'drop-controller',
    'Deal',
    'Give',
    [
      'consuming by i,o: {}',
      'controller issuer, owner → controller owner: consuming by o: {}',
      'controller issuer, owner → controller issuer: consuming by i: {}',
    ],
  ],
  [
    'swap-controller',
    'Deal',
    'Give',
    [
      'consuming by i,o: {}',
      'controller issuer, owner → controller broker, owner: consuming by b,o: {}',
      'controller issuer, owner → controller issuer, broker: consuming by b,i: {}',
    ],
  ],
  [
    'swap-controller',
    'Deal',
    'Show',
    [
      'nonconsuming by o seen by b: {}',
      'controller owner → controller issuer: nonconsuming by i seen by b: {}',
    ],
  ],
  [
    'consuming',
    'Deal',
    'Give',
    ['consuming by i,o: {}', 'choice Give → nonconsuming choice Give: nonconsuming by i,o: {}'],
  ],
  [
    'consuming',
    'Deal',
    'Show',
    [
      'nonconsuming by o seen by b: {}',
      'nonconsuming choice Show → choice Show: consuming by o seen by b: {}',
    ],
  ],
  [
    'comparison',
    'Deal',
    'Over',
    ['nonconsuming by o: false', 'amount > amount → amount >= amount: nonconsuming by o: true'],
  ],
  [
    'comparison',
    'Deal',
    'Same',
    ['nonconsuming by o: false', 'owner == issuer → owner /= issuer: nonconsuming by o: true'],
  ],
  [
    'arithmetic',
    'Deal',
    'Sum',
    ['nonconsuming by o: "12"', 'amount + amount → amount - amount: nonconsuming by o: "0"'],
  ],
  [
    'arithmetic',
    'Deal',
    'Product',
    ['nonconsuming by o: "36"', 'amount * amount → amount / amount: nonconsuming by o: "1"'],
  ],
  [
    'arithmetic',
    'Deal',
    'Half',
    ['nonconsuming by o: "0.75"', '0.5 + 0.25 → 0.5 - 0.25: nonconsuming by o: "0.25"'],
  ],
  ['constant', 'Deal', 'Five', ['nonconsuming by o: "5"', '5 → 6: nonconsuming by o: "6"']],
  [
    'constant',
    'Deal',
    'Half',
    [
      'nonconsuming by o: "0.75"',
      '0.5 → 1.5: nonconsuming by o: "1.75"',
      '0.25 → 1.25: nonconsuming by o: "1.75"',
    ],
  ],
  [
    'constant',
    'Deal',
    'Day',
    ['nonconsuming by o: "1970-01-01"', '1970-01-01 → 1970-01-02: nonconsuming by o: "1970-01-02"'],
  ],
  [
    'constant',
    'Deal',
    'Instant',
    [
      'nonconsuming by o: "1970-01-01T00:00:00Z"',
      '1970-01-01T00:00:00Z → 1970-01-01T00:00:00Z + 1µs: nonconsuming by o: "1970-01-01T00:00:00.000001Z"',
    ],
  ],
  [
    'drop-update',
    'Deal',
    'Renamed',
    ['nonconsuming by o: "new"', 'this with name = "new" → this: nonconsuming by o: "old"'],
  ],
  [
    'condition',
    'Deal',
    'Branch',
    ['nonconsuming by o: "positive"', 'if amount > zero → if False: nonconsuming by o: "none"'],
  ],
  [
    'condition',
    'Deal',
    'And',
    [
      'nonconsuming by o: false',
      '(owner == issuer) && (amount > zero) → amount > zero: nonconsuming by o: true',
    ],
  ],
  [
    'condition',
    'Deal',
    'Or',
    [
      'nonconsuming by o: true',
      '(owner == issuer) || (amount > zero) → owner == issuer: nonconsuming by o: false',
    ],
  ],
  [
    'time',
    'Deal',
    'Late',
    ['nonconsuming by o: true', 'due <= due → due < due: nonconsuming by o: false'],
  ],
  [
    'time',
    'Deal',
    'Deadline',
    [
      'INTERPRETATION_USER_ERROR',
      'now < time → now <= time: nonconsuming by o: {}',
      'assertWithinDeadline "due" due → assertWithinDeadline "due" due + 1µs: nonconsuming by o: {}',
    ],
  ],
  [
    'drop-assertion',
    'Deal',
    'Assert',
    [
      'INTERPRETATION_USER_ERROR',
      'assertMsg "not mine" (owner == issuer) → (removed): nonconsuming by o: {}',
    ],
  ],
  [
    'drop-assertion',
    'Deal',
    'Deadline',
    [
      'INTERPRETATION_USER_ERROR',
      'assertMsg name (now < time) → (removed): nonconsuming by o: {}',
      'assertWithinDeadline "due" due → (removed): nonconsuming by o: {}',
    ],
  ],
  [
    'condition',
    'Deal',
    'Assert',
    ['INTERPRETATION_USER_ERROR', 'if condition → if True: nonconsuming by o: {}'],
  ],
  [
    'add-observer',
    'Open',
    undefined,
    ['signatories o, observers ', '(none) → observer friend: signatories o, observers f'],
  ],
  [
    'drop-ensure',
    'Closed',
    undefined,
    ['TEMPLATE_PRECONDITION_VIOLATED', 'ensure 1 < 0 → (removed): signatories o, observers '],
  ],
];

test.each(ROWS)('%s on %s %s', (operator, template, choiceName, [original, ...expected]) => {
  expect(effects(operator, template, choiceName)).toEqual([`original: ${original}`, ...expected]);
});

test('each operator has a row', () => {
  const tested = new Set(ROWS.map(([operator]) => operator));
  expect([...tested].sort()).toEqual(Object.keys(OPERATORS).sort());
});

test('an observer that is also a signatory is neither left out nor added', () => {
  const after = mutation.mutants.filter(({ key }) => key.startsWith('Main:Open observers'));
  expect(after.map((each) => each.after)).toEqual(['observer friend']);
});

test('a template without ensure, and the choice Archive, have no such mutants', () => {
  const keys = mutation.mutants.map(({ key }) => key);
  expect(keys.filter((key) => / Archive |Open precondition/.test(key))).toEqual([]);
});

test('the selector 0 runs the original code, and -1 records the places that it reaches', () => {
  const { selector } = mutation;
  selector.at = -1;
  const result = effect(of, 'Deal', 'Branch');
  selector.at = 0;
  expect(effect(of, 'Deal', 'Branch')).toBe(result);
  const reached = mutation.mutants.filter(({ place }) => selector.reached[place]);
  const parts = new Set(reached.map(({ key }) => key.split('#')[0]));
  expect([...parts].sort()).toEqual([
    'Main:Deal Branch consuming',
    'Main:Deal Branch controllers',
    'Main:Deal Branch update',
    'Main:Deal observers',
    'Main:Deal precondition',
    'Main:Deal signatories',
  ]);
});

test('the same archive gives the same numbers, without a visit the same keys', () => {
  const again = mutated();
  again.of.visitCode();
  const facts = (each: Mutation) =>
    each.mutants.map(({ number, key, after }) => ({ number, key, after }));
  expect(facts(again.mutation)).toEqual(facts(mutation));
  const lazy = mutated();
  effect(lazy.of, 'Deal', 'Sum');
  const keys = new Set(mutation.mutants.map(({ key }) => key));
  expect(lazy.mutation.mutants.length).toBeGreaterThan(0);
  expect(lazy.mutation.mutants.filter(({ key }) => !keys.has(key))).toEqual([]);
});

test('only the mutant with the key is compiled', () => {
  const key = 'Main:Deal Sum update#0';
  const alone = mutated({ only: key });
  effect(alone.of, 'Deal', 'Sum');
  expect(effect(alone.of, 'Deal', 'Sum')).toBe('nonconsuming by o: "0"');
  const other = alone.mutation.mutants.find((each) => each.key === 'Main:Deal Sum controllers#0')!;
  alone.mutation.selector.at = other.number;
  expect(effect(alone.of, 'Deal', 'Sum')).toBe('nonconsuming by o: "12"');
});

test('operators and modules can be chosen', () => {
  const some = mutated({ operators: new Set<OperatorName>(['constant', 'consuming']) });
  some.of.visitCode();
  const operators = new Set(some.mutation.mutants.map(({ operator }) => operator));
  expect([...operators].sort()).toEqual(['constant', 'consuming']);
  const none = mutated({ isMutated: (_lf, module) => module !== 'Main' });
  none.of.visitCode();
  expect(none.mutation.mutants).toEqual([]);
});

describe('the mutants that can change a run', () => {
  const PARTS: readonly (readonly [template: string, choice: string | undefined])[] = [
    ...Object.keys(choices).map((name) => ['Deal', name] as const),
    ...['Deal', 'Open', 'Closed'].map((name) => [name, undefined] as const),
  ];
  /** Runs a command with the original code, and returns whether mutants can change it. */
  const recorded = (template: string, choiceName?: string) => {
    const { selector } = mutation;
    for (const marks of [selector.reached, selector.differs, selector.unfinished]) marks.length = 0;
    selector.at = -1;
    of.forgetConstants();
    const original = effect(of, template, choiceName);
    selector.at = 0;
    const may = mutation.mutants.filter((each) => mutation.mayChange(each));
    return { original, may };
  };

  it.each(PARTS)('include each that does: %s %s', (template, choiceName) => {
    const { original, may } = recorded(template, choiceName);
    const changing = mutation.mutants.filter(({ number }) => {
      mutation.selector.at = number;
      of.forgetConstants();
      return effect(of, template, choiceName) !== original;
    });
    mutation.selector.at = 0;
    expect(changing.filter((each) => !may.includes(each))).toEqual([]);
  });

  it('exclude those with the same value, and those that do not run', () => {
    const texts = (template: string, choiceName?: string) =>
      recorded(template, choiceName).may.map(({ before, after }) => `${before} → ${after}`);
    expect(texts('Closed')).not.toContain('1 < 0 → 1 <= 0');
    expect(texts('Closed')).toContain('ensure 1 < 0 → (removed)');
    expect(texts('Deal', 'Over')).toContain('amount > amount → amount >= amount');
    expect(texts('Deal', 'Over')).not.toContain('amount + amount → amount - amount');
    expect(texts('Deal', 'Same')).not.toContain('amount > amount → amount >= amount');
  });
});
