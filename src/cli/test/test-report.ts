/** The report of `canticle test`, as lines and as JSON. */
import { basename } from 'node:path';
import { contractTables, tableText } from '../../script/ide/ledger-table.js';
import type { ScriptPackages } from '../../script/packages.js';
import { caseOf } from './junit.js';
import { failureLines, indented } from './failure-lines.js';
import type { TestedDar, TimedScript, ScriptReport } from './tested-dar.js';

export function headText(
  file: string,
  { name, version }: TestedDar['main'],
  count: number,
  isNarrowed: boolean,
): string {
  const head = `${basename(file)} (${name} ${version})\n`;
  if (count > 0) return head;
  const why = isNarrowed
    ? 'These flags select no script of this DAR.'
    : 'This DAR has no script without arguments.';
  return `${head}  ${why}\n`;
}

export const toldScript = (packages: ScriptPackages, tested: TimedScript): ScriptReport => ({
  isFailed: tested.failure !== undefined,
  text: scriptText(packages, tested),
  json: scriptJson(packages, tested),
  junit: caseOf(tested),
});

function scriptText(packages: ScriptPackages, tested: TimedScript): string {
  const { name, failure, traces, ledger, milliseconds } = tested;
  const said = indented(traces, 6);
  if (failure === undefined) {
    const { active, transactions } = ledger.counts;
    const state = `${active} active contracts, ${transactions} transactions, ${milliseconds} ms`;
    return textOf([`  ✓ ${name}: ${state}`, ...said]);
  }
  const table = tableText(contractTables(packages, ledger.contracts));
  const state = table.length === 0 ? [] : ['', '      The ledger:', ...indented(table, 8)];
  const lines = indented(failureLines(failure), 6);
  return textOf([`  ✗ ${name}: failed, ${milliseconds} ms`, ...said, ...lines, ...state, '']);
}

export function summaryText(dars: readonly TestedDar[], broken: number): string {
  const scripts = dars.flatMap((dar) => dar.scripts);
  const failed = scripts.filter(({ isFailed }) => isFailed).length;
  const all = `${scripts.length} ${scripts.length === 1 ? 'script' : 'scripts'}`;
  const rest = broken === 0 ? '' : ` ${broken} ${broken === 1 ? 'DAR' : 'DARs'} could not be read.`;
  return `${all}: ${scripts.length - failed} pass, ${failed} fail.${rest}\n`;
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

export const darJson = ({ file, main: { name, version, id }, scripts }: TestedDar): object => ({
  file,
  package: { name, version, id },
  scripts: scripts.map(({ json }) => json),
});

function scriptJson(packages: ScriptPackages, tested: TimedScript): object {
  const { name, failure, traces, ledger, milliseconds } = tested;
  const reported = failure && {
    message: failure.message,
    places: failure.places,
    ...(failure.explanation && { explanation: failure.explanation.toJSON() }),
    ledger: contractTables(packages, ledger.contracts),
  };
  return {
    name,
    status: failure === undefined ? 'passed' : 'failed',
    milliseconds,
    ...ledger.counts,
    traces,
    ...(reported && { failure: reported }),
  };
}
