/** The report of a mutation run as one HTML file: survivors first, then the source of each module with its mutants. */
import { STATUSES, type Status } from '../running/verdict.js';
import type { MutationReport, ReportedMutant } from './mutation-report.js';
import { count, placeText, scoreText } from './report-text.js';
import type { SourceLines } from './source-lines.js';

const STYLE = `
body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;width:100%}td{padding:0 .5rem;vertical-align:top}
code,pre{font:12px/1.6 ui-monospace,monospace}.n{color:#888;text-align:right;width:3rem;user-select:none}
.source td:nth-child(2){white-space:pre;width:60%}.m{white-space:normal}
.survived{color:#b00020}.undecided{color:#8a5a00}.timeout,.killed{color:#1b7a34}.reached{color:#666}
tr.survived td{background:#fdecee}tr.undecided td{background:#fff6e0}
details{margin:.5rem 0}summary{cursor:pointer;font-weight:600}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#181818}tr.survived td{background:#401a20}tr.undecided td{background:#3a2e10}.survived{color:#ff8a95}.undecided{color:#e8b45a}.timeout,.killed{color:#7fce93}}
`;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (each) => `&#${each.codePointAt(0)};`);
/** A class name for a status. */
const classOf = (status: Status): string => (status === 'not reached' ? 'reached' : status);

export function reportHtml(report: MutationReport, lines: SourceLines): string {
  const { packages, mutants, counts } = report;
  const title = packages.map(({ name, version }) => `${name} ${version}`).join(', ');
  const summary = (Object.keys(STATUSES) as Status[])
    .map(
      (status) =>
        `<li class="${classOf(status)}">${counts[status]} ${status}: ${STATUSES[status]}</li>`,
    )
    .join('');
  const survivors = mutants.filter(({ status }) => status === 'survived');
  const parts = [
    `<h1>Mutants of ${escaped(title)}</h1><p>${escaped(scoreText(report))}</p><ul>${summary}</ul>`,
    `<h2>${count(survivors.length, 'survivor')}</h2>${list(survivors)}`,
    ...modulesOf(report).map((module) => moduleHtml(module, lines)),
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mutants of ${escaped(title)}</title><style>${STYLE}</style></head><body>${parts.join('\n')}</body></html>\n`;
}

interface Module {
  readonly id: string;
  readonly name: string;
  readonly mutants: readonly ReportedMutant[];
}

function modulesOf({ packages, mutants }: MutationReport): readonly Module[] {
  const found = new Map<string, ReportedMutant[]>();
  for (const each of mutants) {
    const key = `${each.package} ${each.module}`;
    found.set(key, [...(found.get(key) ?? []), each]);
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => {
      const [name = '', module = ''] = key.split(' ');
      return {
        id: packages.find((each) => each.name === name)?.id ?? '',
        name: module,
        mutants: own,
      };
    });
}

function moduleHtml({ id, name, mutants }: Module, lines: SourceLines): string {
  const text = lines.textOf(id, name);
  const open = mutants.filter(({ status }) => status === 'survived').length;
  const head = `<summary>${escaped(name)}: ${count(mutants.length, 'mutant')}, ${open} survived</summary>`;
  const placed = mutants.filter(({ line }) => text !== undefined && line !== undefined);
  const others = mutants.filter((each) => !placed.includes(each));
  const rows = (text ?? []).map((line, index) => {
    const here = placed.filter((each) => each.line === index + 1);
    const worst = here[0];
    const style = worst === undefined ? '' : ` class="${classOf(worst.status)}"`;
    return `<tr${style}><td class="n">${index + 1}</td><td><code>${escaped(line)}</code></td><td class="m">${here.map(changeHtml).join('<br>')}</td></tr>`;
  });
  const table = rows.length === 0 ? '' : `<table class="source">${rows.join('\n')}</table>`;
  return `<details${open > 0 ? ' open' : ''}>${head}${list(others)}${table}</details>`;
}

const list = (mutants: readonly ReportedMutant[]): string =>
  mutants.length === 0
    ? ''
    : `<ul>${mutants.map((each) => `<li>${escaped(placeText(each))}${each.line === undefined ? '' : `, line ${each.line}`}: ${changeHtml(each)}</li>`).join('\n')}</ul>`;

function changeHtml({
  status,
  before,
  after,
  operator,
  by,
  reason,
  tests,
}: ReportedMutant): string {
  const why =
    by === undefined ? count(tests.length, 'test') : `${by}${reason ? `: ${reason}` : ''}`;
  const title = escaped(`${operator}; ${why}`);
  return `<span class="${classOf(status)}" title="${title}">${status}: <code>${escaped(before)} → ${escaped(after)}</code></span>`;
}
