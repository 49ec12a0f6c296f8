/** The statement of a choice that caused an action: the only possible one, or none. */
import { choiceSpans, functionSpans } from '../../../src/daml/lf/counting/choice-spans.js';
import { statementIn, type Statement } from '../../../src/daml/lf/counting/choice-statements.js';

const CREATE: Statement = { kind: 'create', entity: 'Iou' };

const choice = (...body: readonly string[]) =>
  choiceSpans(
    ['template Iou', '  with', '  where', '    choice Go : ()', '      controller a', ...body].join(
      '\n',
    ),
  )[0]!;
const line = (statement: Statement, body: readonly string[], index = 0, count = 1) =>
  statementIn(choice(...body), statement, index, count)?.line;

it.each<[string, Statement, readonly string[], number | undefined]>([
  ['the only creation', CREATE, ['      do', '        create Iou with ..'], 7],
  [
    'of this contract',
    CREATE,
    ['      do', '        create Bond with ..', '        create this'],
    8,
  ],
  [
    'of a variable, beside one of another template',
    CREATE,
    ['      do create Bond', '         create it'],
    7,
  ],
  [
    'none, where two may have',
    CREATE,
    ['      do create it', '         create Iou with ..'],
    undefined,
  ],
  [
    'not in comments and texts',
    CREATE,
    ['      do -- create Iou', '         debug "create Iou"', '         create Iou'],
    8,
  ],
  [
    'not in a longer name',
    CREATE,
    ["      do create' Iou", '         recreate Iou', '         M.create Iou'],
    undefined,
  ],
  [
    'a choice by its name',
    { kind: 'exercise', choice: 'Go_On' },
    ['      do exercise x Go_On_Result', '         exercise x', '           Go_On with ..'],
    8,
  ],
  ['an archival', { kind: 'exercise', choice: 'Archive' }, ['      do archive x'], 6],
  [
    'a fetch, of whatever name',
    { kind: 'fetch', entity: 'Iou' },
    ['      do fetchByKey @Iou k', '         fetchFrom x'],
    7,
  ],
  ['a look-up', { kind: 'lookup', entity: 'Iou' }, ['      do lookupByKey @Iou k'], 6],
  [
    'a call',
    { kind: 'call', name: 'pay' },
    ["      do pay' x", '         prepay x', '         pay x'],
    8,
  ],
  [
    'nothing of a name that is an operator',
    { kind: 'call', name: '+++' },
    ['      do a +++ b'],
    undefined,
  ],
])('%s', (_, statement, body, expected) => {
  expect(line(statement, body)).toBe(expected);
});

const BOTH = ['      do', '        create Iou with a', '        create Iou with b'];

it('of several that all ran, each in its order, unless one may have run more than once', () => {
  expect([line(CREATE, BOTH, 0, 2), line(CREATE, BOTH, 1, 2)]).toEqual([7, 8]);
  expect(line(CREATE, BOTH, 0, 1)).toBeUndefined();
  for (const repeated of [
    '        forA_ xs pay',
    '        let go x = pay x',
    '        mapA (\\x -> x) y',
  ])
    expect(line(CREATE, [...BOTH, repeated], 0, 2)).toBeUndefined();
  expect(line(CREATE, [...BOTH, '        let x = case y of z -> z'], 1, 2)).toBe(8);
});

it('reads the functions of a file with their types, except those in templates', () => {
  const text =
    'module M where\n\npay : Iou -> Update ()\npay this = do\n\n    create this\ntemplate Iou\n  with a : Int\nother = 1\n';
  const [pay, other] = functionSpans(text);
  expect(pay).toMatchObject({ owner: '', name: 'pay', line: 3, lines: [3, 4, 6] });
  expect(other).toMatchObject({ name: 'other', lines: [9] });
  expect(statementIn(pay!, CREATE, 0, 0)).toEqual({ line: 6, column: 5 });
});
