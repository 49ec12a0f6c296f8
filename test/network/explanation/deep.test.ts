/** Explained refusals of what is deep, and of what no line of code throws. */
import { createCanticle } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { refusalOf, explanationOf } from './explained.js';

const UPDATE = t.builtin(17, t.unit);
const EX = t.con('Main:Ex');
const at = (line: number, code: Code): Code => e.located('Main', line, code);
const fails = at(99, e.throw(UPDATE, EX, e.record(EX, {})));
const minusOne = e.call(e.builtin('SUB_INT64'), e.var('n'), e.int(1));
const isZero = e.call(e.builtin('EQUAL', t.int64), e.var('n'), e.int(0));
const owned = (name: string) =>
  e.list(t.party, [e.field(t.con(`Main:${name}`), 'owner', e.var('this'))]);
const DEPTH = 120;

const main = encodePackage({
  lf: '3',
  modules: {
    Main: {
      types: { Ex: { record: {} } },
      exceptions: ['Ex'],
      values: {
        /** Exercises, and functions between them. */
        down: {
          type: t.arrow(t.int64, t.arrow(t.contractId(t.con('Main:Deep')), UPDATE)),
          expression: e.lambda(
            { n: t.int64, id: t.contractId(t.con('Main:Deep')) },
            e.if(isZero, fails, at(8, u.exercise('Main:Deep', 'Down', e.var('id'), minusOne))),
          ),
        },
      },
      templates: {
        Deep: {
          fields: { owner: t.party },
          precondition: e.true,
          signatories: owned('Deep'),
          choices: {
            Down: {
              consuming: false,
              argument: t.int64,
              returns: t.unit,
              controllers: owned('Deep'),
              update: at(6, e.call(e.value('Main:down'), e.var('arg'), e.var('self'))),
            },
          },
        },
        /** Its `ensure` has a location. */
        Ensured: {
          fields: { owner: t.party },
          line: 20,
          precondition: at(21, e.match(e.unit, [p.default, e.false])),
          signatories: owned('Ensured'),
        },
        /** Only the template does. */
        Placed: {
          fields: { owner: t.party },
          line: 30,
          precondition: e.false,
          signatories: owned('Placed'),
        },
        /** Nothing does. */
        Bare: { fields: { owner: t.party }, precondition: e.false, signatories: owned('Bare') },
      },
    },
  },
});
const { participant } = createCanticle({ seed: 1 });
participant.uploadDar(buildDar(main));
const owner = participant.allocateParty('alice');
const create = (template: string) =>
  participant.create(`${main.id}:Main:${template}`, { owner }, { actAs: owner });

test('shortens a recursion of exercises to its start, its end and a count', () => {
  const exercise = () =>
    participant.exercise(`${main.id}:Main:Deep`, create('Deep'), 'Down', String(DEPTH), {
      actAs: owner,
    });
  const lines = explanationOf(exercise).split('\n');
  const levels = lines.filter((line) => line.includes('exercise Main:Deep Down'));
  expect(levels).toHaveLength(40);
  expect(levels[0]).toMatch(/^✗ exercise/);
  expect(lines).toContainEqual(expect.stringMatching(/… 81 levels of exercises$/));
  expect(lines.join('\n')).toContain('failed: UNHANDLED_EXCEPTION/Main:Ex');
  const stack = lines.slice(lines.findIndex((line) => line.startsWith('failed at')));
  expect(stack.slice(0, 3)).toEqual([
    'failed at   Main:99:1',
    'called from Main:6:1',
    'called from Main:8:1',
  ]);
  expect(stack).toContainEqual(expect.stringMatching(/^called from … \d+ more$/));
  expect(stack).toHaveLength(41);
  expect(refusalOf(exercise).explanation!.toJSON().stack.length).toBeGreaterThan(DEPTH);
});

test.each([
  ['Ensured', '\nfailed at   Main:21:1'],
  ['Placed', '\nfailed at   Main:30:1'],
])('shows the location of a failed precondition: %s', (template, place) => {
  const text = explanationOf(() => create(template));
  expect(text).toContain('the precondition (ensure) does not hold');
  expect(text).toContain(place);
});

test('shows no location if a failed precondition has none', () => {
  expect(explanationOf(() => create('Bare'))).not.toContain('failed at');
});
