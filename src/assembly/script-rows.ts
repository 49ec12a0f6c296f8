/**
 * Rows of arguments for a script that takes one. The file is JSON or YAML with a list, or CSV with the names of the argument's fields in
 * its first line.
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
  /** `row 3` and the beginning of its value. */
  readonly label: string;
  /** A Daml value. */
  readonly argument: unknown;
}

const MAX_ROWS = 10_000;
const MAX_LABEL = 60;

/** @throws ScriptError for a file without rows, LedgerError for a row that is not a valid argument of the script */
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
  if (rows.length > MAX_ROWS)
    throw new ScriptError(`${file} has ${rows.length} rows, but may have at most ${MAX_ROWS}.`);
  return rows.map((row, place) => {
    const label = `row ${place + 1}: ${JSON.stringify(row)}`;
    const cut = label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label;
    return { label: cut, argument: scriptArgument(packages, type, row) };
  });
}

function listedRows(file: string, text: string): readonly unknown[] {
  const rows: unknown = file.endsWith('.json') ? JSON.parse(text) : yaml().parse(text);
  if (!Array.isArray(rows)) throw new ScriptError(`${file} is not a list of arguments.`);
  return rows;
}

/** Cells of optional fields may be empty. Lists and records are JSON. */
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

/** Quoted cells may contain commas, line breaks and doubled quotes. */
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
