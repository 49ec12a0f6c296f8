/** Invariants in Daml: functions and scripts by their names, in the start state and after each step. */
import { damlInvariants, InvalidInvariant } from '../../../src/fuzzing/invariants/index.js';
import { library, s, steps } from '../../script/script-package.js';
import type { EncodedPackage, ModuleSpec } from '../../support/daml/lf-encoder.js';
import { CheckedLedger } from '../checked-ledger.js';
import { e, error, fieldOf, isLess, t, typeOf, zooPackage, type Code } from '../zoo/notation.js';

const ALICE = 'Alice';
const COIN = typeOf('Coin');
const amount = (name: string): Code => fieldOf('Coin', 'amount', name);
const libraries = [library.main, ...library.parts];

const coins = (values: ModuleSpec['values'], version = '1.0.0'): EncodedPackage =>
  zooPackage({
    version,
    imports: [library.main.id],
    more: { values },
    templates: {
      Coin: { fields: { owner: t.party, amount: t.int64 }, signatories: ['owner'] },
      Bar: { fields: { owner: t.party }, signatories: ['owner'] },
    },
  });

/** The invariants of the package, on a ledger with this package. */
function ledgerOf(values: ModuleSpec['values']) {
  const ledger = new CheckedLedger(
    coins(values),
    (packages, main) => damlInvariants(packages, [main]),
    { dependencies: libraries },
  );
  const coin = (value: bigint) => ledger.create([ALICE], 'Coin', { owner: ALICE, amount: value });
  return { checks: ledger.checks, ledger, coin };
}

const each = (body: Code, argument = COIN) => ({
  type: t.arrow(argument, t.bool),
  expression: e.lambda({ coin: argument }, body),
});
const all = (body: Code, list = t.list(COIN)) => ({
  type: t.arrow(list, t.bool),
  expression: e.lambda({ coins: list }, body),
});
const script = (type: typeof t.bool, code: Code) => ({ type: s.of(type), expression: code });
const small = isLess(amount('coin'), e.int(10));

it('checks a function of one template on each of its contracts', () => {
  const { ledger, coin } = ledgerOf({ invariant_small: each(small) });
  coin(9n);
  expect(ledger.findings).toEqual([]);
  const id = coin(10n);
  coin(11n);
  expect(ledger.findings).toEqual([
    {
      check: 'Main:invariant_small',
      place: 'Main:invariant_small',
      message: `Main:Coin ${id}: It returned False.`,
    },
  ]);
});

it('checks a function of a list on all active contracts of the template', () => {
  const total = e.call(
    e.builtin('FOLDL', COIN, t.int64),
    e.lambda(
      { sum: t.int64, coin: COIN },
      e.call(e.builtin('ADD_INT64'), e.var('sum'), amount('coin')),
    ),
    e.int(0),
    e.var('coins'),
  );
  const { ledger, coin } = ledgerOf({ invariant_total: all(isLess(total, e.int(10))) });
  ledger.create([ALICE], 'Bar', { owner: ALICE });
  const first = coin(6n);
  ledger.submit([ALICE], ledger.use('Coin', first, 'Archive'));
  coin(7n);
  expect(ledger.findings).toEqual([]);
  coin(3n);
  expect(ledger.findings).toMatchObject([{ message: 'It returned False.' }]);
});

it('reports the error of a function that fails', () => {
  const failing = e.if(small, e.true, error(t.bool, 'too big'));
  const { ledger, coin } = ledgerOf({ invariant_fails: each(failing) });
  const id = coin(10n);
  expect(ledger.findings[0]!.message).toContain('too big');
  expect(ledger.findings[0]!.message).toContain(id);
});

it('reports a division by zero in a function', () => {
  const quotient = e.call(e.builtin('DIV_INT64'), e.int(10), amount('coin'));
  const { ledger, coin } = ledgerOf({ invariant_divides: each(isLess(e.int(0), quotient)) });
  coin(0n);
  expect(ledger.findings[0]!.message).toContain(
    'ArithmeticError while evaluating (DIV_INT64 10 0)',
  );
});

const now = s.ask('GetTime', 1, [], t.timestamp);
const early = e.call(e.builtin('LESS', t.timestamp), e.var('now'), e.timestamp(10n));

it('runs scripts, which hold unless they fail or return False', () => {
  const { checks, ledger } = ledgerOf({
    invariant_early: script(
      t.bool,
      steps([['now', t.timestamp, now]], [t.bool, s.finish(t.bool, early)]),
    ),
    invariant_fails: script(
      t.unit,
      steps(
        [['now', t.timestamp, now]],
        [t.unit, e.if(early, s.finish(t.unit, e.unit), error(s.of(t.unit), 'too late'))],
      ),
    ),
  });
  expect(checks.map(({ name }) => name)).toEqual(['Main:invariant_early', 'Main:invariant_fails']);
  ledger.step({ kind: 'advance', micros: 9n });
  expect(ledger.findings).toEqual([]);
  ledger.step({ kind: 'advance', micros: 1n });
  ledger.step({ kind: 'advance', micros: 1n });
  expect(ledger.findings).toMatchObject([
    {
      check: 'Main:invariant_early',
      message: 'It returned False.',
      assertion: { kind: 'script', name: 'Main:invariant_early' },
    },
    { check: 'Main:invariant_fails', message: 'too late' },
  ]);
});

it('reports once what does not hold in the start state', () => {
  const { ledger, coin } = ledgerOf({ invariant_no: all(e.false) });
  coin(1n);
  coin(2n);
  expect(ledger.findings).toHaveLength(1);
});

it('checks nothing after a rejected submission', () => {
  const { ledger } = ledgerOf({
    invariant_early: script(
      t.bool,
      steps([['now', t.timestamp, now]], [t.bool, s.finish(t.bool, early)]),
    ),
  });
  ledger.submit(['Bob'], ledger.creation('Coin', { owner: ALICE, amount: 1n }));
  expect(ledger.findings).toEqual([]);
});

it('does not take definitions with other names', () => {
  expect(ledgerOf({ invariants: all(e.false), small: each(e.false) }).checks).toEqual([]);
});

it.each([
  ['a value', { type: t.bool, expression: e.true }],
  ['a function of a number', each(e.true, t.int64)],
  ['a function of a list of numbers', all(e.true, t.list(t.int64))],
  [
    'a function to a number',
    { type: t.arrow(COIN, t.int64), expression: e.lambda({ c: COIN }, e.int(1)) },
  ],
  [
    'a script with an argument',
    {
      type: t.arrow(t.int64, s.of(t.unit)),
      expression: e.lambda({ n: t.int64 }, s.finish(t.unit, e.unit)),
    },
  ],
])('refuses %s', (_, value) => {
  const open = () => ledgerOf({ invariant_wrong: value });
  expect(open).toThrow(InvalidInvariant);
  expect(open).toThrow(
    'Main:invariant_wrong is not an invariant: expected a script without an argument, or a function of a template, or of a list of them, to Bool.',
  );
});
