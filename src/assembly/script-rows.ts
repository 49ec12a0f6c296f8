/**
 * Rows of arguments for a script that takes one: a file of JSON or YAML that holds a list, or of CSV whose first line names the
 * fields of the argument.
 */
import { yaml } from '../spec/loading/yaml.js';
import { boundBody, type PackageLookup } from '../daml/model/package.js';
import type { DamlType } from '../daml/model/types.js';
import { scriptArgument } from '../script/arguments.js';
import type { Script } from '../script/find-scripts.js';
import { scriptName } from '../script/find-scripts.js';
import { ScriptError } from '../script/failures.js';
import { readNamedFile } from './dar-files.js';

export interface ScriptRow {
  /** `row 3` and what it holds, in a few words. */
  readonly label: string;
  /** A value of code. */
  readonly argument: unknown;
}

const MAX_ROWS = 10_000;
const MAX_LABEL = 60;

/** @throws ScriptError for a file that holds no rows, LedgerError for one that is no argument of the script */
export function readRows(
  packages: PackageLookup,
  script: Script,
  file: string,
): readonly ScriptRow[] {
  const { argument: type } = script;
  if (type === undefined)
    throw new ScriptError(`The script ${scriptName(script)} does not take arguments.`);
  const text = Buffer.from(readNamedFile(file)).toString('utf8');
  const rows = file.endsWith('.csv') ? csvRows(packages, type, text) : listedRows(file, text);
  if (rows.length > MAX_ROWS) throw new ScriptError(`${file} holds more than ${MAX_ROWS} rows.`);
  return rows.map((row, place) => {
    const label = `row ${place + 1}: ${JSON.stringify(row)}`;
    const cut = label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label;
    return { label: cut, argument: scriptArgument(packages, type, row) };
  });
}

function listedRows(file: string, text: string): readonly unknown[] {
  const rows: unknown = file.endsWith('.json') ? JSON.parse(text) : yaml().parse(text);
  if (!Array.isArray(rows)) throw new ScriptError(`${file} holds no list of arguments.`);
  return rows;
}

/** Cells of optional fields may be empty; lists and records are JSON. */
function csvRows(packages: PackageLookup, type: DamlType, text: string): readonly unknown[] {
  const [head = [], ...lines] = csvLines(text);
  const body = type.kind === 'con' ? boundBody(packages, type) : undefined;
  if (body?.kind !== 'record') return lines.map(([cell = '']) => cellOf(type, cell));
  const types = new Map(body.fields.map((field) => [field.name, field.type]));
  return lines.map((cells) =>
    Object.fromEntries(
      head.map((name, place) => {
        const of = types.get(name);
        if (of === undefined) throw new ScriptError(`The argument has no field ${name}.`);
        return [name, cellOf(of, cells[place] ?? '')];
      }),
    ),
  );
}

function cellOf(type: DamlType, cell: string): unknown {
  if (type.kind === 'optional' && cell === '') return null;
  const inner = type.kind === 'optional' ? type.of : type;
  if (inner.kind === 'bool') return cell === 'true';
  const isJson = ['list', 'textMap', 'genMap', 'unit'].includes(inner.kind) || /^[[{]/.test(cell);
  return isJson && inner.kind !== 'text' ? JSON.parse(cell) : cell;
}

/** Cells in quotes may hold commas, breaks and, doubled, quotes. */
function csvLines(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/gy;
  for (let found = cell.exec(text); found !== null; found = cell.exec(text)) {
    const [whole, content = '', end = ''] = found;
    line.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content);
    if (end !== ',') {
      if (line.length > 1 || line[0] !== '') lines.push(line);
      line = [];
    }
    if (whole === '' || cell.lastIndex >= text.length) break;
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
