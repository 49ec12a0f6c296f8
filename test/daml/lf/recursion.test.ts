/** Deep recursion, long loops and code that never ends (Daml-LF specification, "Evaluation order": no bound on depth). */
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import { evaluateEach, OWNER } from '../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';

const INTS = t.list(t.int64);
const add = e.builtin('ADD_INT64');
const sub = e.builtin('SUB_INT64');
const value = (name: string) => e.value(`Main:${name}`);
const isZero = (name: string) => e.call(e.builtin('EQUAL', t.int64), e.var(name), e.int(0));
const less = (name: string) => e.call(sub, e.var(name), e.int(1));

const values = {
  /** Builds from the back, so it is a loop. */
  upTo: {
    type: t.arrow(t.int64, t.arrow(INTS, INTS)),
    expression: e.lambda(
      { n: t.int64, xs: INTS },
      e.if(
        isZero('n'),
        e.var('xs'),
        e.call(value('upTo'), less('n'), e.cons(t.int64, [e.var('n')], e.var('xs'))),
      ),
    ),
  },
  sum: {
    type: t.arrow(INTS, t.int64),
    expression: e.lambda(
      { xs: INTS },
      e.match(
        e.var('xs'),
        [p.nil, e.int(0)],
        [p.cons('y', 'ys'), e.call(add, e.var('y'), e.call(value('sum'), e.var('ys')))],
      ),
    ),
  },
  /** Through a function that is passed: neither names the other. */
  map: {
    type: t.arrow(t.arrow(t.int64, t.int64), t.arrow(INTS, INTS)),
    expression: e.lambda(
      { f: t.arrow(t.int64, t.int64), xs: INTS },
      e.match(
        e.var('xs'),
        [p.nil, e.nil(t.int64)],
        [
          p.cons('y', 'ys'),
          e.cons(
            t.int64,
            [e.call(e.var('f'), e.var('y'))],
            e.call(value('map'), e.var('f'), e.var('ys')),
          ),
        ],
      ),
    ),
  },
  even: {
    type: t.arrow(t.int64, t.bool),
    expression: e.lambda(
      { n: t.int64 },
      e.if(isZero('n'), e.true, e.call(value('odd'), less('n'))),
    ),
  },
  odd: {
    type: t.arrow(t.int64, t.bool),
    expression: e.lambda(
      { n: t.int64 },
      e.if(isZero('n'), e.false, e.call(value('even'), less('n'))),
    ),
  },
  forever: {
    type: t.arrow(t.int64, t.int64),
    expression: e.lambda({ n: t.int64 }, e.call(value('forever'), e.var('n'))),
  },
  deeper: {
    type: t.arrow(t.int64, t.int64),
    expression: e.lambda(
      { n: t.int64 },
      e.call(add, e.int(1), e.call(value('deeper'), e.call(add, e.var('n'), e.int(1)))),
    ),
  },
  /** A list that is built once. */
  million: {
    type: INTS,
    expression: e.call(value('upTo'), e.int(1_000_000), e.nil(t.int64)),
  },
  itself: { type: t.int64, expression: value('itself') },
  countdown: {
    type: t.arrow(t.int64, t.builtin(17, t.int64)),
    expression: e.lambda(
      { n: t.int64 },
      e.if(
        isZero('n'),
        u.pure(t.int64, e.int(7)),
        u.block([['time', t.timestamp, u.getTime]], e.call(value('countdown'), less('n'))),
      ),
    ),
  },
};

/** Far deeper than any stack, where a million is shown by others. */
const DEEP = 200_000;
const oneTo = (count: number) => e.call(value('upTo'), e.int(count), e.nil(t.int64));
const oneToMillion = value('million');

test('recursion with a million levels returns its result', () => {
  const increment = e.lambda({ x: t.int64 }, e.call(add, e.var('x'), e.int(1)));
  expect(
    evaluateEach(
      {
        Sum: { type: t.int64, value: e.call(value('sum'), oneToMillion) },
        Mapped: {
          type: t.int64,
          value: e.call(value('sum'), e.call(value('map'), increment, oneTo(DEEP))),
        },
        Mutual: { type: t.bool, value: e.call(value('even'), e.int(DEEP)) },
        FoldLeft: {
          type: t.int64,
          value: e.call(e.builtin('FOLDL', t.int64, t.int64), add, e.int(0), oneToMillion),
        },
        FoldRight: {
          type: t.int64,
          value: e.call(e.builtin('FOLDR', t.int64, t.int64), add, e.int(0), oneToMillion),
        },
        Update: { type: t.int64, update: e.call(value('countdown'), e.int(100_000)) },
      },
      { values },
    ),
  ).toEqual({
    Sum: '500000500000',
    Mapped: String((DEEP * (DEEP + 3)) / 2),
    Mutual: true,
    FoldLeft: '500000500000',
    FoldRight: '500000500000',
    Update: '7',
  });
});

// Upstream's LargeTransactionTest, of which each case comes in three sizes.
test('accepts long lists in contracts and arguments, and many contracts in a transaction', () => {
  const [box, boxes] = [t.con('Main:Box'), t.con('Main:Boxes')];
  const id = t.contractId(box);
  const ids = t.list(id);
  const owned = (type: LfTypeSpec) => e.list(t.party, [e.field(type, 'owner', e.var('this'))]);
  const boxOf = (number: Code, owner = e.var('owner')) =>
    u.create('Main:Box', e.record(box, { owner, number }));
  const boxEach = {
    type: t.arrow(t.party, t.arrow(INTS, t.builtin(17, ids))),
    expression: e.lambda(
      { owner: t.party, xs: INTS },
      e.match(
        e.var('xs'),
        [p.nil, u.pure(ids, e.nil(id))],
        [
          p.cons('y', 'ys'),
          u.block(
            [
              ['first', id, boxOf(e.var('y'))],
              ['rest', ids, e.call(value('boxEach'), e.var('owner'), e.var('ys'))],
            ],
            u.pure(ids, e.cons(id, [e.var('first')], e.var('rest'))),
          ),
        ],
      ),
    ),
  };
  const createBoxes = (count: number) =>
    u.create('Main:Boxes', e.record(boxes, { owner: OWNER, numbers: oneTo(count) }));
  const answers = evaluateEach(
    {
      List: {
        type: INTS,
        update: u.block(
          [
            ['boxes', t.contractId(boxes), createBoxes(50_000)],
            ['made', boxes, u.fetch('Main:Boxes', e.var('boxes'))],
          ],
          u.pure(INTS, e.field(boxes, 'numbers', e.var('made'))),
        ),
      },
      Contracts: { type: ids, update: e.call(value('boxEach'), OWNER, oneTo(5_000)) },
      Argument: {
        type: t.int64,
        update: u.block(
          [['boxes', t.contractId(boxes), createBoxes(0)]],
          u.exercise('Main:Boxes', 'Sum', e.var('boxes'), oneTo(50_000)),
        ),
      },
    },
    {
      values: { ...values, boxEach },
      templates: {
        Box: { fields: { owner: t.party, number: t.int64 }, signatories: owned(box) },
        Boxes: {
          fields: { owner: t.party, numbers: INTS },
          signatories: owned(boxes),
          choices: {
            Sum: {
              argument: INTS,
              returns: t.int64,
              controllers: owned(boxes),
              update: u.pure(t.int64, e.call(value('sum'), e.var('arg'))),
            },
          },
        },
      },
    },
  );
  expect(answers['List']).toEqual(Array.from({ length: 50_000 }, (_, index) => String(index + 1)));
  expect(new Set(answers['Contracts'] as string[]).size).toBe(5_000);
  expect(answers['Argument']).toBe('1250025000');
});

test('stops code that never ends, and the ledger continues', () => {
  const answers = evaluateEach(
    {
      Loop: { type: t.int64, value: e.call(value('forever'), e.int(1)) },
      Nesting: { type: t.int64, value: e.call(value('deeper'), e.int(1)) },
      Constant: { type: t.int64, value: value('itself') },
      After: { type: t.int64, value: e.call(value('sum'), e.list(t.int64, [e.int(1), e.int(2)])) },
    },
    { values },
  );
  for (const name of ['Loop', 'Nesting', 'Constant'])
    expect(answers[name]).toMatchObject({
      refused: 'INTERPRETATION_TIME_EXCEEDED',
      cause: expect.stringMatching(
        new RegExp(
          '^Time exceeds limit of Ledger Effective Time \\(\\S+Z\\) \\+ tolerance \\(1m\\)\\. Interpretation aborted\n' +
            `    in choice \\w{8}:Main:Probe:${name} on contract 00\\w{8} \\(#0\\)\n` +
            `    in exercise command \\w{8}:Main:Probe:${name} on contract 00\\w{8}\\.\n\\.$`,
        ),
      ) as string,
    });
  expect(answers['After']).toBe('3');
});
