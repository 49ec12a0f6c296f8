/** What `canticle verify` tells: as lines, and as a suite of JUnit's with a case for each operation. */
import type { Difference } from '../../recording/compare.js';
import type { Verification, VerifiedExchange, VerifiedOperation } from '../../recording/report.js';
import type { JUnitCase, JUnitSuite } from '../junit.js';

export function verificationText(file: string, verification: Verification): string {
  const { exchanges, equal, different, notComparable, operations } = verification;
  const lines = operations.flatMap((each) => [
    `  ${each.different > 0 ? '✗' : each.equal > 0 ? '✓' : '·'} ${each.operation}: ${countsOf(each)}`,
    ...detailsOf(each).map((line) => `      ${line}`),
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

function detailsOf({ exchanges, unfitting }: VerifiedOperation): string[] {
  return [
    ...exchanges.flatMap(exchangeLines),
    ...unfitting.map(
      ({ exchange, fault }) => `exchange ${exchange}: the recorded answer does not fit: ${fault}`,
    ),
  ];
}

function exchangeLines({ exchange, request, differences, why }: VerifiedExchange): string[] {
  const head = `exchange ${exchange}, ${request}`;
  if (differences === undefined) return [`${head}: not comparable: ${why}`];
  return differences.map((each) => `${head}: ${differenceText(each)}`);
}

function differenceText({ at, recorded, now, why }: Difference): string {
  const values = [
    ...(recorded === undefined ? [] : [`recorded ${recorded}`]),
    ...(now === undefined ? [] : [`now ${now}`]),
  ].join(', ');
  return `${at || 'the whole'}: ${values}${why === undefined ? '' : ` (${why})`}`;
}

export function suiteOf(file: string, { operations }: Verification): JUnitSuite {
  const cases = operations.map((each): JUnitCase => {
    const { operation, different } = each;
    const text = detailsOf(each).join('\n');
    return {
      name: operation,
      classname: file,
      ...(different > 0 && { failure: { message: countsOf(each), text } }),
    };
  });
  return { name: file, cases };
}
