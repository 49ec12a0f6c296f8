/** Limits of reported differences. */
import { compareJson } from '../../src/recording/compare.js';
import { Identities } from '../../src/recording/identities.js';
import { VerificationReport } from '../../src/recording/report.js';

const MAX_REPORTED_EXCHANGES = 100;
const SHOWN = 120;

const different = (recorded: unknown, now: unknown) => compareJson(recorded, now, new Identities());

it('a report shows the first 120 characters of a value', () => {
  const text = (length: number) => JSON.stringify('a'.repeat(length - 2));
  const shown = (length: number) => different(JSON.parse(text(length)), 1)[0]!.recorded;
  expect(shown(SHOWN)).toBe(text(SHOWN));
  expect(shown(SHOWN + 1)).toBe(`${text(SHOWN + 1).slice(0, SHOWN)}…`);
});

it.each([
  [MAX_REPORTED_EXCHANGES, MAX_REPORTED_EXCHANGES],
  [MAX_REPORTED_EXCHANGES + 1, MAX_REPORTED_EXCHANGES],
])('of %i exchanges of an operation, reports %i and counts all', (count, reported) => {
  const report = (fault?: string, live?: string) => {
    const all = new VerificationReport();
    for (let i = 0; i < count; i += 1)
      all.add(
        'ledger getV2Version',
        'GET /v2/version',
        { kind: 'notComparable', why: 'it is' },
        fault,
        live,
      );
    return all.whole;
  };
  for (const { operations, notComparable } of [report('is none'), report(undefined, 'is none')]) {
    expect(notComparable).toBe(count);
    expect(operations[0]!.exchanges).toHaveLength(reported);
    expect(operations[0]!.exchanges.at(-1)!.exchange).toBe(reported);
    expect(operations[0]!.unfitting).toHaveLength(reported);
  }
});
