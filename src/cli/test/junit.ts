/** The results of scripts in JUnit's form: a suite for each DAR, a case for each script, as `daml test --junit` has them. */
import { basename } from 'node:path';
import { failureLines } from './test-report.js';
import type { TestedDar, TimedScript } from './tested-dar.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** What XML cannot hold at all is left out. */
const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (each) => ESCAPES[each]!);

const seconds = (scripts: readonly TimedScript[]): string =>
  (scripts.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000).toFixed(3);

const failuresOf = (scripts: readonly TimedScript[]): number =>
  scripts.filter(({ failure }) => failure !== undefined).length;

export function junitText(dars: readonly TestedDar[]): string {
  const all = dars.flatMap(({ scripts }) => scripts);
  const head = `<testsuites errors="0" failures="${failuresOf(all)}" tests="${all.length}" time="${seconds(all)}">`;
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, ...dars.flatMap(suiteLines)];
  return `${[...lines, '</testsuites>'].join('\n')}\n`;
}

function suiteLines({ file, scripts }: TestedDar): readonly string[] {
  const counts = `tests="${scripts.length}" failures="${failuresOf(scripts)}" time="${seconds(scripts)}"`;
  const cases = scripts.flatMap(caseLines);
  return [`  <testsuite name="${escaped(basename(file))}" ${counts}>`, ...cases, '  </testsuite>'];
}

function caseLines(tested: TimedScript): readonly string[] {
  const { script, failure } = tested;
  const name = escaped(tested.name);
  const head = `    <testcase name="${name}" classname="${escaped(script.module)}" time="${seconds([tested])}"`;
  if (failure === undefined) return [`${head}/>`];
  const message = escaped(failure.message.split('\n')[0]!);
  const text = escaped(failureLines(failure).join('\n'));
  return [`${head}>`, `      <failure message="${message}">${text}</failure>`, '    </testcase>'];
}
