/** The report of `canticle verify`: as lines, and as a JUnit suite with a case for each operation. */
import type { Difference } from '../../recording/compare.js';
import type { Verification, VerifiedExchange, VerifiedOperation } from '../../recording/report.js';
import type { JUnitCase, JUnitSuite } from '../junit.js';

/** The names of the two sides: recorded and current, or Canticle and the live participant. */
export interface Sides {
  readonly recorded: string;
  readonly now: string;
}

const RECORDED: Sides = { recorded: 'recorded', now: 'now' };

export function verificationText(
  file: string,
  verification: Verification,
  sides: Sides = RECORDED,
): string {
  const { exchanges, equal, different, notComparable, operations } = verification;
  const lines = operations.flatMap((each) => [
    `  ${each.different > 0 ? '✗' : each.equal > 0 ? '✓' : '·'} ${each.operation}: ${countsOf(each)}`,
    ...detailsOf(each, sides).map((line) => `      ${line}`),
  ]);
  const sum = `${exchanges} exchanges: ${countsOf({ equal, different, notComparable })}`;
  return `${[file, ...lines, sum].join('\n')}\n`;
}

type Counts = Pick<Verification, 'equal' | 'different' | 'notComparable'>;

function countsOf({ equal, different, notComparable }: Counts): string {
  const parts = [
    ...(equal > 0 ? [`${equal} equal`] : []),
    ...(different > 0 ? [`${different} different`] : []),
    ...(notComparable > 0 ? [`${notComparable} not comparable`] : []),
  ];
  return parts.join(', ') || 'nothing';
}

function detailsOf({ exchanges, unfitting }: VerifiedOperation, sides: Sides): string[] {
  return [
    ...exchanges.flatMap((each) => exchangeLines(each, sides)),
    ...unfitting.map(
      ({ exchange, fault, now }) =>
        `exchange ${exchange}: the ${now ? 'live' : 'recorded'} response does not match the schema: ${fault}`,
    ),
  ];
}

function exchangeLines(
  { exchange, request, differences, why }: VerifiedExchange,
  sides: Sides,
): string[] {
  const head = `exchange ${exchange}, ${request}`;
  if (differences === undefined) return [`${head}: not comparable: ${why}`];
  return differences.map((each) => `${head}: ${differenceText(each, sides)}`);
}

function differenceText({ at, recorded, now, why }: Difference, sides: Sides): string {
  const values = [
    ...(recorded === undefined ? [] : [`${sides.recorded} ${recorded}`]),
    ...(now === undefined ? [] : [`${sides.now} ${now}`]),
  ].join(', ');
  return `${at || 'the whole'}: ${values}${why === undefined ? '' : ` (${why})`}`;
}

export function suiteOf(
  file: string,
  { operations, stopped }: Verification,
  sides: Sides = RECORDED,
): JUnitSuite {
  const cases = operations.map((each): JUnitCase => {
    const { operation, different } = each;
    const text = detailsOf(each, sides).join('\n');
    return {
      name: operation,
      classname: file,
      ...(different > 0 && { failure: { message: countsOf(each), text } }),
    };
  });
  if (stopped === undefined) return { name: file, cases };
  const error = { message: 'it was not read to its end', text: stopped };
  return { name: file, cases: [...cases, { name: 'to its end', classname: file, error }] };
}
