/** Archives that mean harm: their names and texts never become code, and their sizes stop at named limits. */
import { createCanticle } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { answer, evaluateEach, type Question, type Refusal } from '../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';
import { int, message } from '../../support/daml/protobuf-bytes.js';

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'arguments',
  'eval',
  'this',
  'await',
  'hasOwnProperty',
  'process',
  'M',
  'S',
  'd',
  'K',
];
const TEXTS = [
  '`${globalThis.reached = 1}`',
  '"); globalThis.reached = 1; ("',
  "'; globalThis.reached = 1; '",
  '*/ globalThis.reached = 1; /*',
  '\\u0022); globalThis.reached = 1; (\\u0022',
  '\u2028globalThis.reached = 1\u2029',
  '</script>',
];

/** `wrap` around itself, encoded from the inside out: every level is one interned entry. */
function repeated(levels: number, start: Code, wrap: (inner: Code) => Code): Code {
  return (into) => {
    let reference = start(into);
    for (let level = 0; level < levels; level += 1) {
      const inner = reference;
      reference = wrap(() => inner)(into);
    }
    return reference;
  };
}

test('accepts Daml names with a special meaning in JavaScript', () => {
  const questions = Object.fromEntries(
    NAMES.map((name, index): [string, Question] => [
      `Ask${index}`,
      {
        type: t.text,
        value: e.let(
          [
            [name, t.text, e.text('variable')],
            [
              'record',
              t.con(`Main:R${index}`),
              e.record(t.con(`Main:R${index}`), { [name]: e.text(name), other: e.var(name) }),
            ],
            [
              'struct',
              t.struct(
                Object.fromEntries([
                  [name, t.text],
                  ['other', t.text],
                ]),
              ),
              e.struct({ [name]: e.text('member'), other: e.text('x') }),
            ],
          ],
          e.call(
            e.builtin('IMPLODE_TEXT'),
            e.list(t.text, [
              e.field(t.con(`Main:R${index}`), name, e.var('record')),
              e.member(name, e.var('struct')),
              e.field(t.con(`Main:R${index}`), 'other', e.var('record')),
              e.match(e.variant(t.con(`Main:V${index}`), name, e.text('argument')), [
                p.variant(`Main:V${index}`, name, name),
                e.var(name),
              ]),
            ]),
          ),
        ),
      },
    ]),
  );
  const types = Object.fromEntries(
    NAMES.flatMap((name, index) => [
      [`R${index}`, { record: [[name, t.text] as const, ['other', t.text] as const] }],
      [`V${index}`, { variant: Object.fromEntries([[name, t.text]]) }],
    ]),
  );
  const answers = evaluateEach(questions, { types });
  NAMES.forEach((name, index) =>
    expect(answers[`Ask${index}`]).toBe(`${name}membervariableargument`),
  );
  expect(Object.prototype).not.toHaveProperty('other');
});

test('does not run texts that look like JavaScript', () => {
  const questions = Object.fromEntries(
    TEXTS.map((text, index): [string, Question] => [
      `Ask${index}`,
      { type: t.text, value: e.text(text) },
    ]),
  );
  expect(Object.values(evaluateEach(questions))).toEqual(TEXTS);
  expect(globalThis).not.toHaveProperty('reached');
});

test('rejects expressions that are too deep or expand too far, and the ledger continues', () => {
  const minus = (inner: Code) => e.call(e.builtin('SUB_INT64'), e.int(0), inner);
  const chain = repeated(5_000, e.int(0), minus);
  const doubling = repeated(40, e.text('x'), (half) =>
    e.call(e.builtin('APPEND_TEXT'), half, half),
  );
  const { participant } = createCanticle({ seed: 1 });
  const upload = (type: LfTypeSpec, expression: Code) => {
    const modules = { M: { values: { x: { type, expression } } } };
    return answer(() => participant.uploadDar(buildDar(encodePackage({ lf: '2', modules }))));
  };
  const refused = (reason: string) => ({ refused: 'DAR_PARSE_ERROR', context: { reason } });
  expect(upload(t.int64, chain)).toMatchObject(
    refused('An expression nests deeper than 600 levels'),
  );
  expect(upload(t.text, doubling)).toMatchObject(
    refused('An expression has more than 1000000 parts'),
  );
  expect((upload(t.int64, e.int(1)) as Partial<Refusal> | undefined)?.refused).toBeUndefined();
});

test('rejects an entry of the expression table that refers to itself', () => {
  const circle: Code = (into) => {
    const index = into.expressions.length;
    into.expressions.push(new Uint8Array());
    const reference = message(int(44, index));
    const minus = e.call(e.builtin('SUB_INT64'), e.int(1), () => reference);
    into.expressions[index] = into.inPlace(minus(into));
    return reference;
  };
  const values = { circle: { type: t.int64, expression: circle } };
  const { participant } = createCanticle({ seed: 1 });
  const dar = buildDar(encodePackage({ lf: '2', modules: { Main: { values } } }));
  expect(answer(() => participant.uploadDar(dar))).toMatchObject({
    refused: 'DAR_PARSE_ERROR',
    context: { reason: expect.stringContaining('not monotonic') as string },
  });
});

test('rejects a reference beyond the expression table', () => {
  const values = { nowhere: { type: t.int64, expression: message(int(44, 99)) } };
  const { participant } = createCanticle({ seed: 1 });
  const dar = buildDar(encodePackage({ lf: '2', modules: { Main: { values } } }));
  expect(answer(() => participant.uploadDar(dar))).toMatchObject({
    refused: 'DAR_PARSE_ERROR',
    context: { reason: 'invalid internedExprs table index 99' },
  });
});

test('a reference to the expression table does not count as a level of nesting', () => {
  const minus = (inner: Code) => e.call(e.builtin('SUB_INT64'), e.int(1), inner);
  const value = repeated(500, e.int(0), minus);
  expect(evaluateEach({ Deep: { type: t.int64, value } }, {}, { lf: '2' })).toEqual({ Deep: '0' });
});

test('stops a text that doubles without end at its limit', () => {
  const grow = e.value('Main:grow');
  const values = {
    grow: {
      type: t.arrow(t.text, t.text),
      expression: e.lambda(
        { x: t.text },
        e.call(grow, e.call(e.builtin('APPEND_TEXT'), e.var('x'), e.var('x'))),
      ),
    },
  };
  const answers = evaluateEach(
    { Grow: { type: t.text, update: u.pure(t.text, e.call(grow, e.text('x'))) } },
    { values },
  );
  expect((answers['Grow'] as Refusal).refused).toBe('DAML_INTERPRETATION_ERROR');
});
