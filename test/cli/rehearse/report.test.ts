/** The reports of a rehearsal: lines, JUnit suites, and the summary of a pull request. */
import {
  breaks,
  MAX_SUMMARY_ROWS,
  rehearsalSuites,
  rehearsalSummary,
  rehearsalText,
  type Rehearsal,
  type Rehearsed,
} from '../../../src/cli/rehearse/report.js';

type Finding = Rehearsed['findings'][number];

const finding = (more: Partial<Finding> = {}): Finding => ({
  ...{ kind: 'error', call: 'GET /a', detail: 'd', count: 1, places: ['a.test.ts:1:1'] },
  ...more,
});

const rehearsal = (more: Partial<Rehearsed> = {}): Rehearsal => ({
  name: 'npx jest',
  current: ['Canton 3.5'],
  runs: [
    {
      ...{ release: 'Canton 3.6', status: 0, findings: [], moreFindings: 0, compared: 2 },
      ...{ notMade: 0, additional: 0, left: 0, brokenTests: [], ...more },
    },
  ],
});

const findings = (n: number) => Array.from({ length: n }, (_, i) => finding({ detail: `d${i}` }));

describe('the summary', () => {
  test('has at most 50 rows, and counts the others', () => {
    const rows = (n: number) => rehearsalSummary(rehearsal({ findings: findings(n) })).split('\n');
    const shown = (lines: string[]) => lines.filter((line) => line.startsWith('| other error'));
    expect(MAX_SUMMARY_ROWS).toBe(50);
    expect(shown(rows(50))).toHaveLength(50);
    expect(rows(50).filter((line) => line.includes('more row'))).toEqual([]);
    expect(shown(rows(51))).toEqual(shown(rows(50)));
    expect(rows(51)).toContain('1 more row.');
    expect(rows(52)).toContain('2 more rows.');
  });

  test('is Markdown, with the advice in the last column', () => {
    const brokenTests = [
      { file: 'a.test.ts', title: 'b', failed: true },
      { file: '', title: 'c', failed: true },
    ];
    const disabled = finding({
      ...{ kind: 'disabled', detail: 'x|y\n z', group: 'endpoints-35', instead: 'POST /b' },
    });
    const given = rehearsal({ findings: [disabled], brokenTests, status: 1, notMade: 1 });
    expect(rehearsalSummary({ ...given, name: 'a`b' }).split('\n')).toEqual([
      '## Canton 3.5 to Canton 3.6',
      '',
      'Canton 3.6 breaks 1 call in 1 way, and 2 tests. Rehearsed: `ab`, 2 calls.',
      '',
      '| effect | call | detail | calls | first place | to do |',
      '| --- | --- | --- | --- | --- | --- |',
      '| disabled | GET /a | x\\|y z | 1 | a.test.ts:1:1 | Use POST /b. enableDeprecatedEndpoints35 and --enable-deprecated-endpoints-35 enable it again. |',
      '',
      'Tests that fail only there:',
      '- a.test.ts, b',
      '- c',
      '',
      'The command ends with 1.',
      '',
      '1 call no longer made, mostly after a failure.',
      '',
    ]);
  });

  test('without findings has no table', () => {
    expect(rehearsalSummary(rehearsal())).toBe(
      '## Canton 3.5 to Canton 3.6\n\nCanton 3.6 breaks nothing here. Rehearsed: `npx jest`, 2 calls.\n',
    );
  });
});

test('the lines have each finding with its advice and places, each test, and each note', () => {
  const brokenTests = [
    { file: 'a.test.ts', title: 'b', failed: true, why: 'c' },
    { file: '', title: 'd', failed: true },
  ];
  const text = rehearsalText(
    rehearsal({
      ...{ brokenTests, status: 3, moreFindings: 1, notMade: 2, additional: 1, left: 2 },
      findings: [
        finding({ kind: 'removed', group: 'endpoints-35', instead: 'POST /b', count: 3 }),
        finding({ kind: 'disabled', detail: '' }),
        finding({ kind: 'added', places: [] }),
      ],
    }),
  );
  expect(text.split('\n')).toEqual([
    'npx jest, from Canton 3.5 to Canton 3.6: 2 calls compared',
    '  ✗ removed: GET /a (3 calls)',
    '      d',
    '      Use POST /b.',
    '      a.test.ts:1:1',
    '  ✗ disabled: GET /a (1 call)',
    '      a.test.ts:1:1',
    '  · new member: GET /a (1 call)',
    '      d',
    '  ✗ failed test: a.test.ts, b: c',
    '  ✗ failed test: d',
    '  The command ends with 3.',
    '  1 more finding.',
    '  2 calls no longer made, mostly after a failure.',
    '  1 additional call, not compared.',
    '  2 calls beyond the limits, not compared.',
    '  Canton 3.6 breaks 4 calls in 2 ways, and 2 tests.',
    '',
  ]);
});

test('the lines of a run that a signal ended say why, and have no exit status', () => {
  const given = rehearsal({ status: undefined, broken: 'It was stopped.' });
  expect(rehearsalText(given)).toBe(
    'npx jest, from Canton 3.5 to Canton 3.6: 2 calls compared\n  It was stopped.\n',
  );
  expect(rehearsalSuites(given)[0]!.cases).toEqual([
    {
      ...{ name: 'the whole run', classname: 'npx jest, Canton 3.6' },
      error: { message: 'it did not run to its end', text: 'It was stopped.' },
    },
  ]);
});

test('a suite of JUnit has a case for each finding and each test', () => {
  const brokenTests = [
    { file: 'a.test.ts', title: 'b', failed: true, why: 'c' },
    { file: '', title: 'd', failed: true },
  ];
  const given = rehearsal({ brokenTests, findings: [finding(), finding({ kind: 'added' })] });
  const classname = 'npx jest, Canton 3.6';
  expect(rehearsalSuites(given)).toEqual([
    {
      name: classname,
      cases: [
        {
          ...{ name: 'GET /a: other error: d', classname },
          failure: {
            message: 'other error: d',
            text: '  ✗ other error: GET /a (1 call)\n      d\n      a.test.ts:1:1',
          },
        },
        { name: 'GET /a: new member: d', classname },
        {
          ...{ name: 'b', classname },
          failure: { message: 'c', text: '  ✗ failed test: a.test.ts, b: c' },
        },
        {
          ...{ name: 'd', classname },
          failure: { message: 'it fails', text: '  ✗ failed test: d' },
        },
        { name: 'the whole run', classname },
      ],
    },
  ]);
});

test('a release breaks a run by a finding other than a new member, or by a test', () => {
  const [run] = rehearsal().runs;
  expect(breaks(run!)).toBe(false);
  expect(breaks({ ...run!, findings: [finding({ kind: 'added' })] })).toBe(false);
  expect(breaks({ ...run!, findings: [finding()] })).toBe(true);
  expect(breaks({ ...run!, brokenTests: [{ file: '', title: 'a', failed: true }] })).toBe(true);
});
