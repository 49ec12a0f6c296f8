/** The limits of code: work counts by the size of its data, and time is limited. */
import { createCanticle, LedgerError } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { evaluateEach, OWNER, probeModule } from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';

const value = (name: string) => e.value(`Main:${name}`);
const less = e.call(e.builtin('SUB_INT64'), e.var('n'), e.int(1));
const isZero = e.call(e.builtin('EQUAL', t.int64), e.var('n'), e.int(0));
const join = (a: Code, b: Code) => e.call(e.builtin('APPEND_TEXT'), a, b);
const INTS = t.list(t.int64);
const TURNS = 20_000;

/** Does the work `n` times, with two calls each time. */
const loop = (name: string, work: Code) => ({
  type: t.arrow(t.int64, t.arrow(t.text, t.arrow(INTS, t.int64))),
  expression: e.lambda(
    { n: t.int64, text: t.text, list: INTS },
    e.if(
      isZero,
      e.int(0),
      e.match(
        work,
        [p.true, e.call(value(name), less, e.var('text'), e.var('list'))],
        [p.false, e.call(value(name), less, e.var('text'), e.var('list'))],
      ),
    ),
  ),
});
const sameText = (text: Code) => e.call(e.builtin('EQUAL', t.text), text, e.var('text'));
const ofText = (builtin: string) => sameText(e.call(e.builtin(builtin), e.var('text')));

const WORK: Readonly<Record<string, Code>> = {
  equal: sameText(e.var('text')),
  ordered: e.call(e.builtin('LESS', t.text), e.var('text'), e.var('text')),
  hashed: ofText('SHA256_TEXT'),
  joined: sameText(join(e.var('text'), e.text('x'))),
  lists: e.call(e.builtin('EQUAL', INTS), e.var('list'), e.var('list')),
  folded: e.call(
    e.builtin('EQUAL', t.int64),
    e.int(0),
    e.call(e.builtin('FOLDL', t.int64, t.int64), e.builtin('ADD_INT64'), e.int(0), e.var('list')),
  ),
};

const values = {
  /** Of 2^n characters. */
  long: {
    type: t.arrow(t.int64, t.text),
    expression: e.lambda(
      { n: t.int64 },
      e.if(
        isZero,
        e.text('x'),
        e.let([['half', t.text, e.call(value('long'), less)]], join(e.var('half'), e.var('half'))),
      ),
    ),
  },
  upTo: {
    type: t.arrow(t.int64, t.arrow(INTS, INTS)),
    expression: e.lambda(
      { n: t.int64, xs: INTS },
      e.if(
        isZero,
        e.var('xs'),
        e.call(value('upTo'), less, e.cons(t.int64, [e.var('n')], e.var('xs'))),
      ),
    ),
  },
  forever: {
    type: t.arrow(t.int64, t.int64),
    expression: e.lambda({ n: t.int64 }, e.call(value('forever'), e.var('n'))),
  },
  ...Object.fromEntries(Object.entries(WORK).map(([name, work]) => [name, loop(name, work)])),
};

const NOTE = 'Main:Note';
/** Contracts with a text. */
const Note = {
  fields: { owner: t.party, text: t.text },
  signatories: e.list(t.party, [e.field(t.con(NOTE), 'owner', e.var('this'))]),
  precondition: e.true,
  choices: {},
};
const note = u.create(NOTE, e.record(t.con(NOTE), { owner: OWNER, text: e.var('text') }));

const question = (name: string, textBits: number, items: number) => ({
  type: t.int64,
  value: e.call(
    value(name),
    e.int(TURNS),
    e.call(value('long'), e.int(textBits)),
    e.call(value('upTo'), e.int(items), e.nil(t.int64)),
  ),
});

test('builtins count work by the size of their operands', () => {
  const questions = Object.fromEntries(
    Object.keys(WORK).flatMap((name) => [
      [`Small${name}`, question(name, 3, 8)],
      [`Large${name}`, question(name, 18, 10_000)],
    ]),
  );
  const answers = evaluateEach(questions, { values });
  for (const name of Object.keys(WORK)) {
    expect([name, answers[`Small${name}`]]).toEqual([name, '0']);
    expect([name, answers[`Large${name}`]]).toMatchObject([
      name,
      { refused: 'INTERPRETATION_TIME_EXCEEDED' },
    ]);
  }
});

test.each(['Loop', 'Notes'])(
  'stops code at its time limit, with INTERPRETATION_TIME_EXCEEDED: %s',
  (choice) => {
    const main = encodePackage({
      name: 'main',
      modules: {
        Main: probeModule(
          {
            Loop: { type: t.int64, value: e.call(value('forever'), e.int(1)) },
            // Few steps, of which each takes long: what a contract holds is hashed when it is created.
            Notes: {
              type: t.unit,
              update: e.let(
                [['text', t.text, e.call(value('long'), e.int(19))]],
                u.block(
                  [1, 2, 3].map(() => [undefined, t.contractId(t.con(NOTE)), note] as const),
                  u.pure(t.unit, e.unit),
                ),
              ),
            },
          },
          { values, templates: { Note } },
        ),
      },
    });
    const canticle = createCanticle({ seed: 1, interpretationTimeout: 1, dars: [buildDar(main)] });
    const { participant } = canticle;
    const owner = participant.allocateParty('alice');
    const probe = participant.create(`#main:Main:Probe`, { owner }, { actAs: [owner] });
    let refusal: unknown;
    try {
      participant.exercise(`#main:Main:Probe`, probe, choice, {}, { actAs: [owner] });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(LedgerError);
    expect(refusal).toMatchObject({
      code: 'INTERPRETATION_TIME_EXCEEDED',
      details: { explanation: expect.stringContaining('interpretationTimeout') },
    });
  },
);
