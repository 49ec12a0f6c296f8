/** The report of `canticle rehearse`: as lines, as JUnit suites, and as the summary of a pull request. */
import { isBreaking, type Comparison, type Finding } from '../../recording/rehearsal/findings.js';
import type { Kind } from '../../recording/rehearsal/compare-calls.js';
import type { RunTest } from '../../recording/rehearsal/calls.js';
import type { JUnitCase, JUnitSuite } from '../junit.js';

/** The rehearsal of one release. */
export interface Rehearsed extends Comparison {
  /** Such as `Canton 3.6`. */
  readonly release: string;
  /** The exit status of the command; undefined if a signal ended it. */
  readonly status: number | undefined;
  /** Why there is no complete run, as a sentence. */
  readonly broken?: string;
}

export interface Rehearsal {
  /** The command, or the files. */
  readonly name: string;
  /** The present releases, such as `Canton 3.5`. */
  readonly current: readonly string[];
  readonly runs: readonly Rehearsed[];
}

export const breaks = ({ findings, brokenTests }: Comparison): boolean =>
  findings.some(isBreaking) || brokenTests.length > 0;

const EFFECTS: Readonly<Record<Kind, string>> = {
  disabled: 'disabled',
  removed: 'removed',
  rejected: 'rejected',
  accepted: 'accepted',
  error: 'other error',
  missing: 'missing member',
  shape: 'other type',
  text: 'other text',
  value: 'other value',
  added: 'new member',
};

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

export function rehearsalText({ name, current, runs }: Rehearsal): string {
  const lines = runs.flatMap((run) => [
    `${name}, from ${current.join(' and ')} to ${run.release}: ${count(run.compared, 'call')} compared`,
    ...run.findings.flatMap(findingLines),
    ...run.brokenTests.map(testLine),
    ...notes(run).map((note) => `  ${note}`),
    `  ${outcomeText(run)}`,
  ]);
  return `${lines.join('\n')}\n`;
}

function findingLines(finding: Finding): readonly string[] {
  const { kind, call, detail, count: calls } = finding;
  return [
    `  ${isBreaking(finding) ? '✗' : '·'} ${EFFECTS[kind]}: ${call} (${count(calls, 'call')})`,
    ...[detail, adviceText(finding), ...finding.places]
      .filter((each) => each !== '')
      .map((each) => `      ${each}`),
  ];
}

const testLine = ({ file, title, why }: RunTest): string =>
  `  ✗ failed test: ${[file, title].filter(Boolean).join(', ')}${why === undefined ? '' : `: ${why}`}`;

/** The replacement, and how to enable the old part again for a while. */
function adviceText({ kind, instead, group }: Finding): string {
  const replaced = instead === undefined ? [] : [`Use ${instead}.`];
  const enabled =
    kind !== 'disabled' || group === undefined
      ? []
      : [`${optionOf(group)} and --enable-deprecated-${group} enable it again.`];
  return [...replaced, ...enabled].join(' ');
}

/** Such as `enableDeprecatedEndpoints34`. */
const optionOf = (group: string): string =>
  `enable-deprecated-${group}`
    .replace(/-(\d)/g, '$1')
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function notes(run: Rehearsed): readonly string[] {
  const { status, broken, moreFindings, notMade, additional, left } = run;
  return [
    ...(status === 0 || broken !== undefined
      ? []
      : [`The command ends ${status === undefined ? 'by a signal' : `with ${status}`}.`]),
    ...(moreFindings === 0 ? [] : [`${count(moreFindings, 'more finding')}.`]),
    ...(notMade === 0 ? [] : [`${count(notMade, 'call')} no longer made, mostly after a failure.`]),
    ...(additional === 0 ? [] : [`${count(additional, 'additional call')}, not compared.`]),
    ...(left === 0 ? [] : [`${count(left, 'call')} beyond the limits, not compared.`]),
  ];
}

function outcomeText(run: Rehearsed): string {
  const { release, findings, brokenTests, broken } = run;
  if (broken !== undefined) return broken;
  if (!breaks(run)) return `${release} breaks nothing here.`;
  const breaking = findings.filter(isBreaking);
  const calls = breaking.reduce((sum, each) => sum + each.count, 0);
  return `${release} breaks ${count(calls, 'call')} in ${count(breaking.length, 'way')}, and ${count(brokenTests.length, 'test')}.`;
}

/** One suite for each release. */
export const rehearsalSuites = ({ name, runs }: Rehearsal): readonly JUnitSuite[] =>
  runs.map((run) => {
    const title = `${name}, ${run.release}`;
    const cases = [
      ...run.findings.map((each) => findingCase(each, title)),
      ...testCases(run, title),
    ];
    const error = run.broken && { message: 'it did not run to its end', text: run.broken };
    const whole = { name: 'the whole run', classname: title, ...(error && { error }) };
    return { name: title, cases: [...cases, whole] };
  });

function findingCase(finding: Finding, classname: string): JUnitCase {
  const { kind, call, detail } = finding;
  const message = `${EFFECTS[kind]}: ${detail}`;
  const text = findingLines(finding).join('\n');
  return {
    name: `${call}: ${message}`,
    classname,
    ...(isBreaking(finding) && { failure: { message, text } }),
  };
}

const testCases = ({ brokenTests }: Rehearsed, classname: string): readonly JUnitCase[] =>
  brokenTests.map((test) => ({
    name: test.title,
    classname,
    failure: { message: test.why ?? 'it fails', text: testLine(test) },
  }));

/** The rows of a table in the summary of a pull request. */
export const MAX_SUMMARY_ROWS = 50;

/** Markdown. */
export function rehearsalSummary({ name, current, runs }: Rehearsal): string {
  const parts = runs.flatMap((run) => [
    `## ${current.join(' and ')} to ${run.release}`,
    `${outcomeText(run)} Rehearsed: \`${name.replaceAll('`', '')}\`, ${count(run.compared, 'call')}.`,
    ...summaryTable(run.findings),
    ...(run.brokenTests.length === 0
      ? []
      : [['Tests that fail only there:', ...run.brokenTests.map(testItem)].join('\n')]),
    ...notes(run),
  ]);
  return `${parts.join('\n\n')}\n`;
}

function summaryTable(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return [];
  const rows = findings
    .slice(0, MAX_SUMMARY_ROWS)
    .map((each) =>
      row([
        EFFECTS[each.kind],
        each.call,
        each.detail,
        String(each.count),
        each.places[0]!,
        adviceText(each),
      ]),
    );
  const more = findings.length - rows.length;
  const head = row(['effect', 'call', 'detail', 'calls', 'first place', 'to do']);
  return [
    [head, '| --- | --- | --- | --- | --- | --- |', ...rows].join('\n'),
    ...(more === 0 ? [] : [`${count(more, 'more row')}.`]),
  ];
}

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const cell = (text: string): string =>
  text.replace(/[\\|<>`*_[\]]/g, (each) => `\\${each}`).replace(/\s+/g, ' ');

const testItem = ({ file, title }: RunTest): string =>
  `- ${cell([file, title].filter(Boolean).join(', '))}`;
