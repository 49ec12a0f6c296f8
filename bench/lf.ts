/** Compiled Daml-LF against the same functions written by hand in JavaScript, with Daml's integers and persistent lists. */
import { addInt, modInt, mulInt, subInt, type Int64 } from '../src/daml/lf/runtime/int64.js';
import { compare } from '../src/daml/lf/runtime/ordering.js';
import { Cons, NIL } from '../src/daml/lf/runtime/runtime-values.js';
import { SortedMap } from '../src/daml/lf/runtime/sorted-map.js';
import { e, p, type Code } from '../test/support/daml/lf-code.js';
import { encodePackage } from '../test/support/daml/lf-encoder.js';
import { lfLedger, probeModule, type Question } from '../test/support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../test/support/daml/lf-types.js';
import { figure, machine, median, ratio } from './measure/report.js';

const LONG = 1_000_000;
const SHORT = 10_000;
const INTS = t.list(t.int64);
const MAP = t.genMap(t.int64, t.int64);
const HALVES = t.struct({ l: INTS, r: INTS });

const own = (name: string) => e.value(`Main:${name}`);
const v = (name: string) => e.var(name);
const call = (name: string, ...args: Code[]) => e.call(e.builtin(name), ...args);
/** Of a builtin that is the same for types of any kind, here of integers. */
const ofInts = (name: string, ...args: Code[]) =>
  e.call(e.builtin(name, t.int64, t.int64), ...args);
const isZero = (name: string) => e.call(e.builtin('EQUAL', t.int64), v(name), e.int(0));
const less = (name: string) => call('SUB_INT64', v(name), e.int(1));
const cons = (head: Code, tail: Code) => e.cons(t.int64, [head], tail);
const next = (seed: Code) =>
  call(
    'MOD_INT64',
    call('ADD_INT64', call('MUL_INT64', seed, e.int(1103515245)), e.int(12345)),
    e.int(2147483648),
  );
type Params = Readonly<Record<string, LfTypeSpec>>;
const lambda = (params: Params, result: LfTypeSpec, body: Code) => ({
  type: Object.values(params).reduceRight((to, from) => t.arrow(from, to), result),
  expression: e.lambda(params, body),
});
const loop = (params: Params, result: LfTypeSpec, done: Code, step: Code) =>
  lambda({ n: t.int64, ...params }, result, e.if(isZero('n'), done, step));

const values = {
  upTo: loop({ xs: INTS }, INTS, v('xs'), e.call(own('upTo'), less('n'), cons(v('n'), v('xs')))),
  random: loop(
    { s: t.int64, xs: INTS },
    INTS,
    v('xs'),
    e.call(own('random'), less('n'), next(v('s')), cons(v('s'), v('xs'))),
  ),
  inserts: loop(
    { m: MAP },
    MAP,
    v('m'),
    e.call(
      own('inserts'),
      less('n'),
      ofInts(
        'GENMAP_INSERT',
        call('MOD_INT64', call('MUL_INT64', v('n'), e.int(7919)), e.int(10007)),
        v('n'),
        v('m'),
      ),
    ),
  ),
  texts: loop(
    { s: t.text },
    t.text,
    v('s'),
    e.call(own('texts'), less('n'), call('APPEND_TEXT', v('s'), call('INT64_TO_TEXT', v('n')))),
  ),
  sum: lambda(
    { xs: INTS },
    t.int64,
    e.match(
      v('xs'),
      [p.nil, e.int(0)],
      [p.cons('y', 'ys'), call('ADD_INT64', v('y'), e.call(own('sum'), v('ys')))],
    ),
  ),
  merge: lambda(
    { xs: INTS, ys: INTS },
    INTS,
    e.match(
      v('xs'),
      [p.nil, v('ys')],
      [
        p.cons('x', 'xt'),
        e.match(
          v('ys'),
          [p.nil, v('xs')],
          [
            p.cons('y', 'yt'),
            e.if(
              e.call(e.builtin('LESS_EQ', t.int64), v('x'), v('y')),
              cons(v('x'), e.call(own('merge'), v('xt'), v('ys'))),
              cons(v('y'), e.call(own('merge'), v('xs'), v('yt'))),
            ),
          ],
        ),
      ],
    ),
  ),
  split: lambda(
    { xs: INTS, a: INTS, b: INTS },
    HALVES,
    e.match(
      v('xs'),
      [p.nil, e.struct({ l: v('a'), r: v('b') })],
      [p.cons('x', 'xt'), e.call(own('split'), v('xt'), v('b'), cons(v('x'), v('a')))],
    ),
  ),
  sort: lambda(
    { xs: INTS },
    INTS,
    e.match(
      v('xs'),
      [p.nil, v('xs')],
      [
        p.cons('x', 'xt'),
        e.match(
          v('xt'),
          [p.nil, v('xs')],
          [
            p.default,
            e.let(
              [['h', HALVES, e.call(own('split'), v('xs'), e.nil(t.int64), e.nil(t.int64))]],
              e.call(
                own('merge'),
                e.call(own('sort'), e.member('l', v('h'))),
                e.call(own('sort'), e.member('r', v('h'))),
              ),
            ),
          ],
        ),
      ],
    ),
  ),
};

const head = (list: Code) => e.match(list, [p.nil, e.int(0)], [p.cons('a', 'b'), v('a')]);
const million = e.call(own('upTo'), e.int(LONG), e.nil(t.int64));
const plus = e.lambda({ a: t.int64, b: t.int64 }, call('ADD_INT64', v('a'), v('b')));

const COMPILED: Readonly<Record<string, Code>> = {
  Fold: ofInts('FOLDL', plus, e.int(0), million),
  Recursion: e.call(own('sum'), million),
  Sort: head(e.call(own('sort'), e.call(own('random'), e.int(SHORT), e.int(42), e.nil(t.int64)))),
  Map: ofInts(
    'GENMAP_SIZE',
    e.call(own('inserts'), e.int(SHORT), e.builtin('GENMAP_EMPTY', t.int64, t.int64)),
  ),
  Text: head(call('TEXT_TO_CODE_POINTS', e.call(own('texts'), e.int(SHORT), e.text('')))),
};

function upTo(count: Int64): Cons {
  let list = NIL;
  for (let n = count; n !== 0; n = subInt(n, 1)) list = new Cons(n, list);
  return list;
}

function merge(left: Cons, right: Cons): Cons {
  const items: unknown[] = [];
  let [a, b] = [left, right];
  while (a !== NIL && b !== NIL)
    if ((a.h as number) <= (b.h as number)) [a] = [(items.push(a.h), a.t)];
    else [b] = [(items.push(b.h), b.t)];
  let list = a === NIL ? b : a;
  for (let index = items.length - 1; index >= 0; index -= 1) list = new Cons(items[index], list);
  return list;
}

function sort(list: Cons): Cons {
  if (list === NIL || list.t === NIL) return list;
  let [left, right] = [NIL, NIL];
  for (let rest = list; rest !== NIL; rest = rest.t)
    [left, right] = [right, new Cons(rest.h, left)];
  return merge(sort(left), sort(right));
}

const add = (a: unknown, b: unknown) => addInt(a as Int64, b as Int64);
const total = (list: Cons): Int64 => {
  let sum: Int64 = 0;
  for (let rest = list; rest !== NIL; rest = rest.t) sum = add(sum, rest.h);
  return sum;
};

const BY_HAND: Readonly<Record<string, () => unknown>> = {
  Fold: () => total(upTo(LONG)),
  Sort: () => {
    let [list, seed]: [Cons, Int64] = [NIL, 42];
    for (let n: Int64 = SHORT; n !== 0; n = subInt(n, 1)) {
      list = new Cons(seed, list);
      seed = modInt(addInt(mulInt(seed, 1103515245), 12345), 2147483648);
    }
    return sort(list).h;
  },
  Map: () => {
    let map = SortedMap.empty(compare);
    for (let n: Int64 = SHORT; n !== 0; n = subInt(n, 1))
      map = map.insert(modInt(mulInt(n, 7919), 10007), n);
    return map.size;
  },
  Text: () => {
    let text = '';
    for (let n: Int64 = SHORT; n !== 0; n = subInt(n, 1)) text += String(n);
    return Array.from(text, (character) => character.codePointAt(0))[0];
  },
};

machine();
const questions = Object.fromEntries(
  Object.entries(COMPILED).map(([name, value]): [string, Question] => [
    name,
    { type: t.int64, value },
  ]),
);
const ledger = lfLedger(encodePackage({ modules: { Main: probeModule(questions, { values }) } }));
for (const name of Object.keys(COMPILED)) {
  const compiled = await median(11, () => ledger.evaluate(name));
  figure(`${name}, compiled`, compiled, 'ms');
  // No function of JavaScript recurses a million deep.
  if (BY_HAND[name] === undefined) continue;
  const byHand = await median(11, BY_HAND[name]);
  figure(`${name}, by hand`, byHand, 'ms');
  ratio(`${name}, compiled to by hand`, compiled / byHand, { max: 5 });
}
