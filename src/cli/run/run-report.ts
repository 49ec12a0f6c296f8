/** The report of `canticle run`: as lines, as JSON, and as a JUnit suite with a case for each expectation. */
import { printable } from '../../daml/errors/printable.js';
import type { TextOptions } from '../../daml/errors/explanation.js';
import type { ScenarioError } from '../../wallet/scenario-error.js';
import type { ExpectationReport, ScenarioReport } from '../../scenario/run.js';
import { explanationLines } from '../explanations.js';
import type { JUnitCase, JUnitSuite } from '../junit.js';

/** A scenario file and its result. */
export interface RanFile {
  readonly file: string;
  readonly report?: ScenarioReport;
  /** Why there is no report: the file could not be read, or is not a scenario. */
  readonly error?: string;
}

export const isBroken = ({ report }: RanFile): boolean =>
  report === undefined || report.broken !== undefined;

export function reportText(report: ScenarioReport, colors: boolean): string {
  const { document, expectations, steps, humanize } = report;
  const name = document.head.name === undefined ? '' : `: ${document.head.name}`;
  return [
    `${document.file}${name} (${count(steps, 'step')})`,
    ...expectations.flatMap((each) => linesOf(each, { humanize, colors })),
    ...(expectations.length === 0 && report.broken === undefined
      ? ['  It has no expectations.']
      : []),
    '',
  ].join('\n');
}

function linesOf(
  { place, label, held, failure }: ExpectationReport,
  options: TextOptions,
): readonly string[] {
  const where = `line ${place.line}`;
  if (failure === undefined)
    return [`  ✓ ${where}  ${label}${held === 1 ? '' : ` (${held} times)`}`];
  return [
    `  ✗ ${where}  ${label}`,
    ...failure.lines.map((line) => `      ${printable(line)}`),
    ...explanationLines(failure, '        ', options),
  ];
}

export const brokenText = (broken: ScenarioError, options: TextOptions): string =>
  [printable(broken.message), ...explanationLines(broken, '    ', options)].join('\n');

export function summaryText(ran: readonly RanFile[]): string {
  const all = ran.flatMap(({ report }) => report?.expectations ?? []);
  const failed = all.filter(({ failure }) => failure !== undefined).length;
  const held = all.length - failed;
  const broken = ran.filter(isBroken).length;
  const brokenPart = broken === 0 ? '' : `, ${broken} could not be carried out`;
  return `${count(ran.length, 'scenario')}${brokenPart}: ${count(held, 'expectation')} ${held === 1 ? 'holds' : 'hold'}, ${failed} ${failed === 1 ? 'fails' : 'fail'}.\n`;
}

export function ranJson({ file, report, error }: RanFile): object {
  if (report === undefined) return { file, status: 'broken', reason: error };
  const { document, expectations, steps, broken, humanize } = report;
  const isFailed = expectations.some(({ failure }) => failure !== undefined);
  const { name } = document.head;
  return {
    file,
    ...(name !== undefined && { name }),
    status: broken !== undefined ? 'broken' : isFailed ? 'failed' : 'passed',
    steps,
    expectations: expectations.map(({ place, label, held, failure }) => ({
      line: place.line,
      column: place.column,
      label,
      status: failure === undefined ? 'passed' : 'failed',
      held,
      ...(failure && { failure: [...failure.lines], ...explained(failure, humanize) }),
    })),
    ...(broken && {
      reason: broken.message,
      ...(broken.step !== undefined && { step: broken.step }),
      ...(broken.place && { line: broken.place.line, column: broken.place.column }),
      ...explained(broken, humanize),
    }),
  };
}

function explained(error: ScenarioError, humanize: ScenarioReport['humanize']): object {
  const lines = explanationLines(error, '', { humanize });
  return lines.length === 0 ? {} : { explanation: lines };
}

export function suiteOf({ file, report, error: problem = '' }: RanFile): JUnitSuite {
  const classname = report?.document.head.name ?? file;
  const whole = { name: file, classname };
  if (report === undefined)
    return { name: file, cases: [{ ...whole, error: { message: problem, text: problem } }] };
  const { broken, humanize } = report;
  const cases = report.expectations.map(({ place, label, failure }): JUnitCase => {
    const lines = failure && [...failure.lines, ...explanationLines(failure, '', { humanize })];
    const reported = lines && { message: lines[0] ?? label, text: lines.join('\n') };
    return {
      name: `line ${place.line}: ${label}`,
      classname,
      ...(reported && { failure: reported }),
    };
  });
  const error = broken && {
    message: broken.message.split('\n')[0]!,
    text: brokenText(broken, { humanize }),
  };
  const step = broken?.step === undefined ? file : `step ${broken.step}`;
  return { name: file, cases: [...cases, ...(error ? [{ name: step, classname, error }] : [])] };
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
