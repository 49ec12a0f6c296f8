/** The report of a mutation run as lines: survivors first, by template and line. */
import { STATUSES, type Status } from '../running/verdict.js';
import type { MutationReport, ReportedMutant } from './mutation-report.js';

/** Statuses whose mutants are listed. The others only have their number. */
const LISTED: readonly Status[] = ['survived', 'undecided'];
const HEADS: Readonly<Record<Status, string>> = {
  survived: 'Survived',
  undecided: 'Undecided',
  'not reached': 'Not reached',
  timeout: 'Timed out',
  killed: 'Killed',
};

/** @param lists which statuses have a list of their mutants */
export function reportText(report: MutationReport, lists = LISTED): string {
  const { packages, mutants, tests, counts } = report;
  const names = packages.map(({ name, version }) => `${name} ${version}`).join(', ');
  const failing = tests.filter(({ failure }) => failure !== undefined);
  const lines = [`${names}: ${count(mutants.length, 'mutant')}, ${count(tests.length, 'test')}`];
  for (const { name, failure } of failing)
    lines.push(`Left out, because it fails without mutants: ${name}: ${failure}`);
  for (const status of Object.keys(STATUSES) as Status[]) {
    if (counts[status] === 0) continue;
    lines.push('', `${HEADS[status]}: ${counts[status]} (${STATUSES[status]})`);
    if (lists.includes(status)) lines.push(...listed(mutants, status));
  }
  lines.push('', scoreText(report));
  return `${lines.join('\n')}\n`;
}

export const count = (number: number, what: string): string =>
  `${number} ${what}${number === 1 ? '' : 's'}`;

export function scoreText({ score, counts }: MutationReport): string {
  const noticed = counts.killed + counts.timeout;
  const reached = noticed + counts.survived + counts.undecided;
  return `Score: ${percent(score)} (tests noticed ${noticed} of the ${reached} mutants that they reach)`;
}

const percent = (share: number): string => `${share.toFixed(1)} %`;

function listed(mutants: readonly ReportedMutant[], status: Status): readonly string[] {
  const lines: string[] = [];
  let head = '';
  for (const each of mutants.filter((one) => one.status === status)) {
    const next = placeText(each);
    if (next !== head) lines.push(`  ${next}`);
    head = next;
    const line = each.line === undefined ? '' : `${each.line}: `;
    lines.push(
      `    ${line}${each.before} → ${each.after} (${each.operator}, ${count(each.tests.length, 'test')})`,
    );
  }
  return lines;
}

/** `Main: Iou Transfer`. */
export const placeText = ({ module, template, definition }: ReportedMutant): string =>
  `${module}: ${[template, definition].filter(Boolean).join(' ')}`;
