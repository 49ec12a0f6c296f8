/** Cron expressions of schedules: which moments they mean, and which of them are none (B-GRPC-007). */
import { nextAfter, readCron, type Cron } from '../../src/network/administration/cron.js';

const micros = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;

/** The next moments, in order; without its end where there are no more. */
function moments(text: string, from: string, count = 1): string[] {
  const times: string[] = [];
  let time: bigint | undefined = micros(from);
  while (times.length < count) {
    time = nextAfter(readCron(text) as Cron, time);
    if (time === undefined) break;
    expect(time % 1_000_000n).toBe(0n);
    times.push(`${new Date(Number(time / 1000n)).toISOString().slice(0, 19)}Z`);
  }
  return times;
}

it('returns moments after the given time', () => {
  const daily = '0 0 8 * * ?';
  const next = (from: string) => moments(daily, from)[0];
  expect(next('2026-03-01T07:59:58Z')).toBe('2026-03-01T08:00:00Z');
  expect(next('2026-03-01T07:59:59Z')).toBe('2026-03-01T08:00:00Z');
  expect(next('2026-03-01T07:59:59.999Z')).toBe('2026-03-01T08:00:00Z');
  expect(next('2026-03-01T08:00:00Z')).toBe('2026-03-02T08:00:00Z');
  expect(moments('59 59 23 * * ?', '2026-12-31T23:59:58Z', 2)).toEqual([
    '2026-12-31T23:59:59Z',
    '2027-01-01T23:59:59Z',
  ]);
  expect(moments('* * * * * ?', '2026-12-31T23:59:59Z')).toEqual(['2027-01-01T00:00:00Z']);
});

it.each<[string, readonly string[]]>([
  ['10 0 0 * * ?', ['2026-03-02T00:00:10Z', '2026-03-03T00:00:10Z']],
  ['10/20 0 0 * * ?', ['2026-03-02T00:00:10Z', '2026-03-02T00:00:30Z', '2026-03-02T00:00:50Z']],
  ['0,,30 0 0 * * ?', ['2026-03-02T00:00:00Z', '2026-03-02T00:00:30Z', '2026-03-03T00:00:00Z']],
  ['0 */25 0 * * ?', ['2026-03-02T00:00:00Z', '2026-03-02T00:25:00Z', '2026-03-02T00:50:00Z']],
  ['0 0 9-13/2 * * ?', ['2026-03-01T09:00:00Z', '2026-03-01T11:00:00Z', '2026-03-01T13:00:00Z']],
  ['0 0 23-1 * * ?', ['2026-03-01T23:00:00Z', '2026-03-02T00:00:00Z', '2026-03-02T01:00:00Z']],
  ['0 0 22,10 * * ?', ['2026-03-01T10:00:00Z', '2026-03-01T22:00:00Z', '2026-03-02T10:00:00Z']],
  ['0 0 0 ? * SAT', ['2026-03-07T00:00:00Z', '2026-03-14T00:00:00Z']],
  ['0 0 0 ? * 1', ['2026-03-08T00:00:00Z', '2026-03-15T00:00:00Z']],
  ['0 0 0 ? * fri-sun', ['2026-03-06T00:00:00Z', '2026-03-07T00:00:00Z', '2026-03-08T00:00:00Z']],
  ['0 0 0 31 * ?', ['2026-03-31T00:00:00Z', '2026-05-31T00:00:00Z', '2026-07-31T00:00:00Z']],
  ['0 0 0 1 jan,DEC ?', ['2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z', '2027-12-01T00:00:00Z']],
  ['0 0 0 1 1 ? 2030-2031', ['2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z']],
])('%s', (text, expected) => {
  expect(moments(text, '2026-03-01T08:00:00Z', expected.length)).toEqual(expected);
});

it('may have gaps of eight years, or an end', () => {
  expect(moments('0 0 0 29 2 ?', '2096-02-29T00:00:00Z')).toEqual(['2104-02-29T00:00:00Z']);
  expect(moments('0 0 0 31 2 ?', '2026-03-01T08:00:00Z')).toEqual([]);
  expect(moments('0 0 0 1 1 ? 2027', '2026-03-01T08:00:00Z', 3)).toEqual(['2027-01-01T00:00:00Z']);
});

const between = (name: string, low: number, high: number) =>
  `${name} values must be between ${low} and ${high}`;

it.each<[string, string]>([
  ['60 0 0 * * ?', between('Second', 0, 59)],
  ['0 60 0 * * ?', between('Minute', 0, 59)],
  ['0 0 24 * * ?', between('Hour', 0, 23)],
  ['0 0 0 0 * ?', between('Day-of-month', 1, 31)],
  ['0 0 0 32 * ?', between('Day-of-month', 1, 31)],
  ['0 0 0 * 0 ?', between('Month', 1, 12)],
  ['0 0 0 * 13 ?', between('Month', 1, 12)],
  ['0 0 0 ? * 0', between('Day-of-week', 1, 7)],
  ['0 0 0 ? * 8', between('Day-of-week', 1, 7)],
  ['0 0 0 * * ? 1969', between('Year', 1970, 2199)],
  ['0 0 0 * * ? 2200', between('Year', 1970, 2199)],
  ['0 0 0 * NIL ?', between('Month', 1, 12)],
  ['0 0-60 0 * * ?', between('Minute', 0, 59)],
  ['0/0 0 0 * * ?', between('Second', 0, 59)],
  ['0/1.5 0 0 * * ?', between('Second', 0, 59)],
  ['0/x 0 0 * * ?', between('Second', 0, 59)],
  ['? 0 0 * * ?', between('Second', 0, 59)],
  ['-1 0 0 * * ?', 'Unexpected character: -'],
  ['0 0 8am 1 1 ?', between('Hour', 0, 23)],
  ['0 0 noon 1 1 ?', "Illegal characters for this position: 'NOO'"],
  ['0 0 0 1 1', 'Unexpected end of expression.'],
  [
    '0 0 0 1 1 1',
    'Support for specifying both a day-of-week AND a day-of-month parameter is not implemented.',
  ],
  [
    '0 0 0 ? 1 ?',
    'Support for specifying both a day-of-week AND a day-of-month parameter is not implemented.',
  ],
])('rejects %s', (text, why) => {
  expect(readCron(text)).toBe(why);
});

it.each(['0 0 0 1 1 ?', '59 59 23 31 12 ? 2199', '0 0 0 ? * 7 1970', '\t0  0 0 ? * 1 '])(
  'accepts %j',
  (text) => {
    expect(typeof readCron(text)).toBe('object');
  },
);

it('has at most 300 characters', () => {
  const padded = (length: number) => '0 0 0 1 1 ?'.padEnd(length);
  expect(typeof readCron(padded(300))).toBe('object');
  expect(readCron(padded(301))).toMatch(/maximum length of 300 but a string of length 301/);
});
