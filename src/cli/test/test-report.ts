/** What `canticle test` tells, as lines and as JSON. */
import { basename } from 'node:path';
import type { DamlPackage } from '../../daml/model/package.js';
import { placeText } from '../../script/free.js';
import { contractTables, tableText } from '../../script/ide/ledger-table.js';
import type { ScriptPackages } from '../../script/packages.js';
import type { ScriptFailure } from '../../script/failures.js';
import type { TestedDar, TimedScript } from './tested-dar.js';

export function headText(
  file: string,
  { name, version }: DamlPackage,
  count: number,
  isNarrowed: boolean,
): string {
  const head = `${basename(file)} (${name} ${version})\n`;
  if (count > 0) return head;
  const why = isNarrowed
    ? 'It has no script that these flags select.'
    : 'It has no script without arguments.';
  return `${head}  ${why}\n`;
}

export function scriptText(packages: ScriptPackages, tested: TimedScript): string {
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
  const failed = scripts.filter(({ failure }) => failure !== undefined).length;
  const all = `${scripts.length} ${scripts.length === 1 ? 'script' : 'scripts'}`;
  const rest = broken === 0 ? '' : ` ${broken} ${broken === 1 ? 'DAR' : 'DARs'} could not be read.`;
  return `${all}: ${scripts.length - failed} pass, ${failed} fail.${rest}\n`;
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

const indented = (lines: readonly string[], by: number): readonly string[] =>
  lines.flatMap((line) => line.split('\n')).map((line) => `${' '.repeat(by)}${line}`.trimEnd());

/** Message, places and explanation. */
export function failureLines({ message, places, explanation }: ScriptFailure): readonly string[] {
  const why = explanation === undefined ? [] : explanation.body().split('\n');
  const where = places.map((place) => `  in ${placeText(place)}`);
  return [...message.split('\n'), ...where, ...indented(why, 2)];
}

export function darJson({ file, main, packages, scripts }: TestedDar): object {
  const { name, version, id } = main;
  return {
    file,
    package: { name, version, id },
    scripts: scripts.map((tested) => {
      const { failure, traces, ledger, milliseconds } = tested;
      const told = failure && {
        message: failure.message,
        places: failure.places,
        ...(failure.explanation && { explanation: failure.explanation.toJSON() }),
        ledger: contractTables(packages, ledger.contracts),
      };
      return {
        name: tested.name,
        status: failure === undefined ? 'passed' : 'failed',
        milliseconds,
        ...ledger.counts,
        traces,
        ...(told && { failure: told }),
      };
    }),
  };
}
