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
  ['finds the only creation', CREATE, ['      do', '        create Iou with ..'], 7],
  [
    'finds the creation of this contract',
    CREATE,
    ['      do', '        create Bond with ..', '        create this'],
    8,
  ],
  [
    'finds the creation from a variable, next to one of another template',
    CREATE,
    ['      do create Bond', '         create it'],
    7,
  ],
  [
    'finds none if two statements match',
    CREATE,
    ['      do create it', '         create Iou with ..'],
    undefined,
  ],
  [
    'ignores comments and texts',
    CREATE,
    ['      do -- create Iou', '         debug "create Iou"', '         create Iou'],
    8,
  ],
  [
    'ignores a longer name',
    CREATE,
    ["      do create' Iou", '         recreate Iou', '         M.create Iou'],
    undefined,
  ],
  [
    'finds an exercise by the name of its choice',
    { kind: 'exercise', choice: 'Go_On' },
    ['      do exercise x Go_On_Result', '         exercise x', '           Go_On with ..'],
    8,
  ],
  ['finds an archival', { kind: 'exercise', choice: 'Archive' }, ['      do archive x'], 6],
  [
    'finds a fetch, by any function name',
    { kind: 'fetch', entity: 'Iou' },
    ['      do fetchByKey @Iou k', '         fetchFrom x'],
    7,
  ],
  ['finds a look-up', { kind: 'lookup', entity: 'Iou' }, ['      do lookupByKey @Iou k'], 6],
  [
    'finds a call',
    { kind: 'call', name: 'pay' },
    ["      do pay' x", '         prepay x', '         pay x'],
    8,
  ],
  ['ignores operators', { kind: 'call', name: '+++' }, ['      do a +++ b'], undefined],
])('%s', (_, statement, body, expected) => {
  expect(line(statement, body)).toBe(expected);
});

const BOTH = ['      do', '        create Iou with a', '        create Iou with b'];

it('returns the lines of several statements in their order, unless one may run more than once', () => {
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

it('reads the functions of a file with their types, except functions in templates', () => {
  const text =
    'module M where\n\npay : Iou -> Update ()\npay this = do\n\n    create this\ntemplate Iou\n  with a : Int\nother = 1\n';
  const [pay, other] = functionSpans(text);
  expect(pay).toMatchObject({ owner: '', name: 'pay', line: 3, lines: [3, 4, 6] });
  expect(other).toMatchObject({ name: 'other', lines: [9] });
  expect(statementIn(pay!, CREATE, 0, 0)).toEqual({ line: 6, column: 5 });
});
