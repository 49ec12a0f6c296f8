/** Signatories, observers and controllers that are left out, added, or replaced by another party of the contract. */
import type { LfExpression } from '../../daml/archive/code/expression.js';
import type { Binding, Expression, Lambda } from '../../daml/lf/lowering/expression.js';
import { withArguments } from '../../daml/lf/lowering/expression.js';
import { Cons, listFrom, listToArray } from '../../daml/lf/runtime/runtime-values.js';
import { Some } from '../../daml/model/values.js';
import type { OperatorName } from './mutant.js';
import { partyPaths, pathText, type Path } from './party-paths.js';
import { TRUE, type Change, type Place } from './place.js';
import type { TemplatePart } from './template-parts.js';

const WORDS = {
  signatories: 'signatory',
  observers: 'observer',
  controllers: 'controller',
  'choice observers': 'observer',
} as const;
/** The changes of each part: one party left out, replaced, and one more. */
const CHANGES: Readonly<
  Record<keyof typeof WORDS, { drop: OperatorName; swap?: OperatorName; add?: OperatorName }>
> = {
  signatories: { drop: 'drop-signatory', swap: 'swap-signatory' },
  observers: { drop: 'drop-observer', add: 'add-observer' },
  controllers: { drop: 'drop-controller', swap: 'swap-controller' },
  'choice observers': { drop: 'drop-observer' },
};

/** Changes the result of a part of a template. @param params the variables of the contract and the argument */
export function parties(place: Place, part: TemplatePart, whole: Lambda): Lambda {
  const { params, body } = whole;
  const { kind } = part;
  if (kind === 'ensure') return { ...whole, body: ensure(place, part, body) };
  const { definition } = place.reader;
  const referred = partyPaths(definition, part.expression, part.roots);
  const isSigning = (path: Path) => kind === 'observers' && isIn(part.signing, path);
  const others = part.parties.filter((each) => !isIn(referred, each) && !isSigning(each));
  const used = referred.filter((each) => !isSigning(each));
  const changes = CHANGES[kind];
  const variants = (list: Expression): Change[] => {
    const text = (paths: readonly Path[]) =>
      paths.length === 0 ? '(none)' : `${WORDS[kind]} ${paths.map(pathText).join(', ')}`;
    const before = text(used);
    const made: Change[] = [];
    const needsOne = kind === 'signatories' || kind === 'controllers';
    for (const path of used) {
      const rest = used.filter((each) => each !== path);
      const dropped = without(list, valueOf(path));
      if (rest.length > 0 || !needsOne)
        made.push({ operator: changes.drop, before, after: text(rest), expression: dropped });
      const [other] = others;
      if (changes.swap === undefined || other === undefined) continue;
      const after = text(used.map((each) => (each === path ? other : each)));
      const expression = plus(dropped, valueOf(other));
      made.push({ operator: changes.swap, before, after, expression });
    }
    const [other] = others;
    if (changes.add !== undefined && other !== undefined) {
      const expression = plus(list, valueOf(other));
      const after = text([...used, other]);
      made.push({ operator: changes.add, before, after, expression });
    }
    return made;
  };
  const changed = withArguments([body], ([list]) => place.switched(list!, variants(list!)));
  return { ...whole, body: changed };

  function valueOf({ root, fields }: Path): Expression {
    const binding: Binding = params[part.roots.indexOf(root)]!;
    return fields.reduce<Expression>(
      (record, { record: id, name }) => ({
        kind: 'project',
        index: place.by.context.fieldIndex(id, name),
        record,
      }),
      { kind: 'variable', binding },
    );
  }
}

function ensure(place: Place, { expression }: TemplatePart, body: Expression): Expression {
  const written = ensured(place, expression);
  if (written.form.kind === 'constant') return body;
  const before = `ensure ${place.text(written)}`;
  const after = '(removed)';
  const always = (original: Expression) =>
    place.switched(original, [{ operator: 'drop-ensure', before, after, expression: TRUE }], true);
  // The case throws the exception, and the original has to end for a comparison.
  return body.kind === 'case' && expression.form.kind === 'case'
    ? { ...body, scrutinee: always(body.scrutinee) }
    : always(body);
}

/** The expression of `ensure`, which the compiler puts into a method and a case. */
function ensured({ reader }: Place, expression: LfExpression): LfExpression {
  const { form } = expression;
  const called = form.kind === 'case' ? reader.text.applied(form.scrutinee).head.form : form;
  const method = called.kind === 'value' ? reader.text.partOf(called.id) : undefined;
  return method?.form.kind === 'lambda' ? method.form.body : expression;
}

const isIn = (paths: readonly Path[], wanted: Path): boolean =>
  paths.some((each) => each.root === wanted.root && pathText(each) === pathText(wanted));

const without = (list: Expression, value: Expression): Expression => ({
  kind: 'native',
  run: (all: Cons, left: unknown): Cons => {
    const dropped = partiesIn(left);
    return listFrom(listToArray(all).filter((each) => !dropped.includes(each)));
  },
  args: [list, value],
});

const plus = (list: Expression, value: Expression): Expression => ({
  kind: 'native',
  run: (all: Cons, more: unknown): Cons => listFrom([...listToArray(all), ...partiesIn(more)]),
  args: [list, value],
});

/** The parties of a party, a list or an optional. */
function partiesIn(value: unknown): readonly unknown[] {
  if (value === null) return [];
  if (value instanceof Cons) return listToArray(value);
  return value instanceof Some ? [value.value] : [value];
}
