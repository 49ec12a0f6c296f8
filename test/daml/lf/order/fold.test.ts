/** In which order FOLDL and FOLDR call their function, and with how many arguments at once (upstream EvaluationOrderTest). */
import { e, u } from '../../../support/daml/lf-code.js';
import { t } from '../../../support/daml/lf-types.js';
import { orderOf } from './model.js';

const TEXT_TO_TEXT = t.arrow(t.text, t.text);
const traced = (type: typeof t.text, name: string, value: Parameters<typeof e.call>[0]) =>
  e.call(e.builtin('TRACE', type), e.var(name), value);
const joined = e.call(e.builtin('APPEND_TEXT'), e.var('x'), e.var('y'));
/** Says its first argument when it has that, and its second when it has both. */
const step = e.lambda(
  { x: t.text },
  traced(TEXT_TO_TEXT, 'x', e.lambda({ y: t.text }, traced(t.text, 'y', joined))),
);
const items = e.list(t.text, ['1', '2', '3'].map(e.text));
const fold = (name: 'FOLDL' | 'FOLDR') =>
  e.call(e.builtin(name, t.text, t.text), step, e.text('0'), items);

test.each([
  ['FOLDL', '0, 1, 01, 2, 012, 3'],
  ['FOLDR', '3, 0, 2, 30, 1, 230'],
] as const)('%s', (name, log) => {
  const outcomeOf = orderOf(
    { Fold: { type: t.text, update: u.pure(t.text, fold(name)) } },
    { lf: '2', withKeys: false },
  );
  expect(outcomeOf('Fold')).toEqual({ end: 'done', log });
});
