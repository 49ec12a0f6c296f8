/** Results in the JUnit format that CI systems read. */
export interface JUnitSuite {
  readonly name: string;
  readonly cases: readonly JUnitCase[];
}

export interface JUnitCase {
  readonly name: string;
  readonly classname: string;
  /** Absent if it was not measured. */
  readonly milliseconds?: number;
  readonly failure?: JUnitError;
  /** The reason why it could not run. */
  readonly error?: JUnitError;
}

interface JUnitError {
  readonly message: string;
  readonly text: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML cannot contain are left out. */
const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (each) => ESCAPES[each]!);

/** The attribute `time`, if all cases have a time. */
function timeOf(cases: readonly JUnitCase[]): string {
  if (cases.some(({ milliseconds }) => milliseconds === undefined)) return '';
  const sum = cases.reduce((all, { milliseconds = 0 }) => all + milliseconds, 0);
  return ` time="${(sum / 1000).toFixed(3)}"`;
}

const count = (cases: readonly JUnitCase[], kind: 'failure' | 'error'): number =>
  cases.filter((each) => each[kind] !== undefined).length;

export function junitText(suites: readonly JUnitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  const head = `<testsuites errors="${count(all, 'error')}" failures="${count(all, 'failure')}" tests="${all.length}"${timeOf(all)}>`;
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites.flatMap(suiteLines)];
  return `${[...lines, '</testsuites>'].join('\n')}\n`;
}

function suiteLines({ name, cases }: JUnitSuite): readonly string[] {
  const counts = `tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}"${timeOf(cases)}`;
  return [
    `  <testsuite name="${escaped(name)}" ${counts}>`,
    ...cases.flatMap(caseLines),
    '  </testsuite>',
  ];
}

function caseLines(each: JUnitCase): readonly string[] {
  const { name, classname, failure, error } = each;
  const head = `    <testcase name="${escaped(name)}" classname="${escaped(classname)}"${timeOf([each])}`;
  const problem = failure ?? error;
  if (problem === undefined) return [`${head}/>`];
  const tag = failure === undefined ? 'error' : 'failure';
  const element = `<${tag} message="${escaped(problem.message)}">${escaped(problem.text)}</${tag}>`;
  return [`${head}>`, `      ${element}`, '    </testcase>'];
}
