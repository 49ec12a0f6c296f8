/** Expressions of archives as Daml, for reports. */
import { LfCode } from '../../../src/daml/archive/code/expression.js';
import { readArchive, type LfArchive } from '../../../src/daml/archive/lf-archive.js';
import { LfPackage } from '../../../src/daml/archive/lf-package.js';
import { CodeText, entityOf } from '../../../src/daml/lf/probing/code-text.js';
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';

const DEAL = t.con('Main:Deal');
const int = (name: string, left: Code, right: Code) => e.call(e.builtin(name), left, right);
const plus = (left: Code, right: Code) => int('ADD_INT64', left, right);
const less = (left: Code, right: Code) => e.call(e.builtin('LESS', t.int64), left, right);
const [x, y] = [e.var('x'), e.var('y')];
const isSmall = less(x, e.int(5));

interface Values {
  readonly [name: string]: { readonly type: LfTypeSpec; readonly expression: Code };
}

/** The text of an expression in a package with further values. */
function textOf(code: Code, more: Values = {}): string {
  const main = encodePackage({
    name: 'texts',
    modules: {
      Main: {
        types: {
          Deal: { record: { owner: t.party, amount: t.int64 } },
          Empty: { record: {} },
          State: { variant: { Paid: t.int64, Open: t.unit } },
          Color: { enum: ['Red', 'Green'] },
        },
        values: { shown: { type: t.int64, expression: code }, ...more },
      },
    },
  });
  const lf = new LfPackage(readArchive(main.dalf) as LfArchive);
  const bytes = lf.modules.get('Main')!.values.get('shown')!.expression;
  return new CodeText(lf).of(new LfCode(lf).expression(bytes));
}

describe.each<readonly [string, Code]>([
  ['x', x],
  ['5', e.int(5)],
  ['"a \\"b\\""', e.text('a "b"')],
  ['1.5', e.numeric('1.5000000000')],
  ['1.0', e.numeric('1.0000000000')],
  ['1970-01-02', e.date(1)],
  ['1970-01-01T00:00:01Z', e.timestamp(1_000_000n)],
  ['()', e.unit],
  ['True', e.true],
  ['None', e.none(t.int64)],
  ['Some 5', e.some(t.int64, e.int(5))],
  ['Some (x + y)', e.some(t.int64, plus(x, y))],
  ['[]', e.nil(t.int64)],
  ['[x, 5]', e.list(t.int64, [x, e.int(5)])],
  ['x :: y', e.cons(t.int64, [x], y)],
  ['Green', e.enum('Main:Color', 'Green')],
  ['Paid 5', e.variant(t.con('Main:State'), 'Paid', e.int(5))],
  ['Empty', e.record(t.con('Main:Empty'), {})],
  ['Deal with owner; amount', e.record(DEAL, { owner: x, amount: y })],
  ['x with amount = 5', e.with(DEAL, 'amount', x, e.int(5))],
])('%s', (text, code) => {
  it('is an expression', () => expect(textOf(code)).toBe(text));
});

describe.each<readonly [string, Code]>([
  ['x + y', plus(x, y)],
  ['(x + y) + 5', plus(plus(x, y), e.int(5))],
  ['x < 5', isSmall],
  ['(x +)', e.call(e.builtin('ADD_INT64'), x)],
  ['(+)', e.builtin('ADD_INT64')],
  ['TEXT_TO_PARTY x', e.call(e.builtin('TEXT_TO_PARTY'), x)],
  ['total x (x + y)', e.call(e.value('Main:total'), x, plus(x, y))],
  ['amount', e.field(DEAL, 'amount', e.var('this'))],
  ['amount', e.field(DEAL, 'amount', e.var('arg'))],
  ['x.amount', e.field(DEAL, 'amount', x)],
  ['(total x).amount', e.field(DEAL, 'amount', e.call(e.value('Main:total'), x))],
  ['\\x -> x + y', e.lambda({ x: t.int64 }, plus(x, y))],
  ['x + y', e.let([['z', t.int64, x]], plus(x, y))],
  ['(x < 5) && y', e.match(isSmall, [p.true, y], [p.false, e.false])],
  ['(x < 5) || y', e.match(isSmall, [p.true, e.true], [p.default, y])],
  ['if x < 5 then x else y', e.if(isSmall, x, y)],
  ['case x of …', e.match(x, [p.none, y], [p.some('z'), e.var('z')])],
  ['pure 5', u.pure(t.int64, e.int(5))],
  ['getTime', u.getTime],
])('%s', (text, code) => {
  it('has operators, calls and forms of Daml', () => {
    const total = {
      type: t.arrow(t.int64, t.arrow(t.int64, t.int64)),
      expression: e.lambda({ a: t.int64, b: t.int64 }, e.var('a')),
    };
    expect(textOf(code, { total })).toBe(text);
  });
});

describe('a lifted definition', () => {
  const lifted = (expression: Code): Values => ({
    $$$$sc_shown_1: { type: t.arrow(t.int64, t.int64), expression },
  });

  it('is shown in place of its name, with the arguments of both', () => {
    const call = e.call(e.value('Main:$$$$sc_shown_1'), y);
    expect(textOf(call, lifted(e.call(e.builtin('ADD_INT64'), e.int(7))))).toBe('7 + y');
  });

  it('keeps its name if it is not a call', () => {
    const call = e.call(e.value('Main:$$$$sc_shown_1'), y);
    expect(textOf(call, lifted(e.lambda({ z: t.int64 }, e.var('z'))))).toBe('$$sc_shown_1 y');
  });
});

describe('limits', () => {
  it('cut a text after 100 characters', () => {
    expect(textOf(e.text('a'.repeat(98)))).toBe(`"${'a'.repeat(98)}"`);
    expect(textOf(e.text('a'.repeat(99)))).toBe(`"${'a'.repeat(98)}…`);
  });

  it('leave out the parts below twelve levels', () => {
    const nested = (levels: number): Code =>
      levels === 0 ? x : e.some(t.int64, nested(levels - 1));
    const text = (levels: number, inner: string): string =>
      levels === 1 ? `Some ${inner}` : `Some (${text(levels - 1, inner)})`;
    expect(textOf(nested(12))).toBe(text(12, 'x'));
    expect(textOf(nested(13))).toBe(text(13, '…'));
    const branches = (levels: number): Code =>
      levels === 0 ? x : e.if(x, branches(levels - 1), y);
    expect(textOf(branches(2))).toBe('if x then if x then x else y else y');
  });
});

it('a method has neither a prefix nor a number', () => {
  const entity = (name: string) => entityOf(`package:Main:${name}`);
  expect(entity('total')).toBe('total');
  expect(entity('$$cshow12')).toBe('show');
  expect(entity('$$dmshow')).toBe('show');
  expect(entity('Deal.owner')).toBe('owner');
});
