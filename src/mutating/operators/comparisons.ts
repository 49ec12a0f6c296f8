/** Comparisons with another operator, and checks of times that are off by one microsecond. */
import {
  BUILTIN_TABLE,
  type BuiltinName,
  type BuiltinRow,
} from '../../daml/archive/builtin-table.js';
import { apply, withArguments, type Expression } from '../../daml/lf/lowering/expression.js';
import { allArguments, methodOf, type Called } from './called.js';
import { negated, type Change, type Place } from './place.js';

type Sign = '==' | '/=' | '<' | '<=' | '>' | '>=';

const SIGNS: Readonly<Partial<Record<BuiltinName, Sign>>> = {
  EQUAL: '==',
  LESS: '<',
  LESS_EQ: '<=',
  GREATER: '>',
  GREATER_EQ: '>=',
};
const OTHER: Readonly<Record<Sign, Sign>> = {
  '==': '/=',
  '/=': '==',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};

/** Types whose values are compared at once. */
const QUICK = new Set(['Int64', 'Numeric', 'Party', 'Date', 'Timestamp']);

const rows = new Map<string, BuiltinRow>([...BUILTIN_TABLE.values()].map((row) => [row.name, row]));
export const builtin = (name: BuiltinName): Expression => ({
  kind: 'builtin',
  row: rows.get(name)!,
  type: undefined,
});
const named = (sign: Sign): BuiltinRow =>
  rows.get(Object.entries(SIGNS).find(([, each]) => each === sign)![0])!;

/** A time that is this number of microseconds later. */
export const later = (time: Expression, micros: 1 | -1): Expression =>
  apply(builtin('ADD_INT64'), [time, { kind: 'constant', value: micros }]);

export function comparison(place: Place, called: Called): Expression | undefined {
  const { head, typed, args, shown, lowered } = called;
  const sign = head.form.kind === 'builtin' ? SIGNS[head.form.row.name] : methodOf(head);
  if (sign === undefined || !(sign in OTHER)) return undefined;
  const [left, right] = args.slice(-2);
  if (shown.length !== 2 || args.length < 2 || lowered.args.length > 2) return undefined;
  const fun = place.by.lowerPlain(typed);
  const text = (with_: string) => place.reader.text.binary(left!, with_, right!);
  const before = text(sign);
  const own = sign as Sign;
  return withArguments(lowered.args, (atoms) => {
    const all = allArguments(place, called, atoms);
    const [a, b] = all.slice(-2);
    const again = (other: readonly Expression[]) => apply(fun, [...all.slice(0, -2), ...other]);
    const isTime = fun.kind === 'builtin' && fun.type === 'Timestamp' && own !== '==';
    const other = OTHER[own];
    const changed =
      own === '==' || own === '/='
        ? negated(again([a!, b!]))
        : fun.kind === 'builtin'
          ? apply({ ...fun, row: named(other) }, [a!, b!])
          : // A method of an instance: `a < b` becomes `not (b < a)`.
            negated(again([b!, a!]));
    const changes: Change[] = [
      { operator: isTime ? 'time' : 'comparison', before, after: text(other), expression: changed },
    ];
    if (isTime) changes.push(shifted(own));
    const isQuick = fun.kind === 'builtin' && fun.type !== undefined && QUICK.has(fun.type);
    return place.switched(apply(lowered.fun, atoms, lowered.at), changes, isQuick);

    /** `a < b` already means one microsecond more as `a <= b`; this is the other direction. */
    function shifted(of: Sign): Change {
      const micros = of === '<' || of === '>=' ? -1 : 1;
      const after = `${before} ${micros < 0 ? '-' : '+'} 1µs`;
      return { operator: 'time', before, after, expression: again([a!, later(b!, micros)]) };
    }
  });
}
