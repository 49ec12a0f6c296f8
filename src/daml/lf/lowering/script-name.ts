/**
 * The name of a compiled script, which contains its definition and the Daml positions of its lines, in hexadecimal digits:
 * `daml:<module>:<entity>:<line>-<line>-<column>_…`. So a JavaScript stack can be translated to Daml, at no cost for running code.
 */
import type { SourceLocation } from '../../errors/source-location.js';

/** The number of lines that `new Function` adds before the source. */
export const LINES_BEFORE = 2;
const NAME = /^daml:([0-9a-f]*):([0-9a-f]*):([0-9a-f_-]*)$/;

/** The definition that a script was compiled from. */
export interface CodeName {
  readonly module: string;
  /** Such as `transfer` or `Iou Transfer update`. */
  readonly entity: string;
}

/** @param places by line of the source, from 0; places of other modules are left out */
export function scriptName(
  { module, entity }: CodeName,
  places: readonly (SourceLocation | undefined)[],
): string {
  const entries = places.flatMap((place, line) =>
    place === undefined || place.module !== module
      ? []
      : [[line, place.line, place.column].map((each) => each.toString(16)).join('-')],
  );
  return `daml:${hex(module)}:${hex(entity)}:${entries.join('_')}`;
}

const hex = (text: string): string => Buffer.from(text).toString('hex');
const fromHex = (digits: string): string => Buffer.from(digits, 'hex').toString('utf8');

interface NamedUnits {
  /** First lines, ascending. */
  readonly starts: readonly number[];
  readonly nameOf: (index: number) => string;
}

const scriptsOfUnits = new Map<string, NamedUnits>();

/** Registers a script that contains several units, with the first line and the name of each. */
export function nameUnits(
  file: string,
  starts: readonly number[],
  nameOf: (index: number) => string,
): void {
  scriptsOfUnits.set(file, { starts, nameOf });
}

/** The name of the unit that contains the line, and the line in it. */
function unitAt({ starts, nameOf }: NamedUnits, line: number): readonly [string, number] {
  let [from, to] = [0, starts.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (starts[middle]! <= line) from = middle;
    else to = middle;
  }
  return [nameOf(from), line - starts[from]! + 1];
}

/** The Daml position of a script's line. Undefined if the line has none; `noScript` if the file is not a compiled script. */
export function placeInScript(file: string, line: number): SourceLocation | undefined | 'noScript' {
  const units = scriptsOfUnits.get(file);
  if (units !== undefined) return placeInScript(...unitAt(units, line));
  const match = NAME.exec(file);
  if (match === null) return 'noScript';
  const module = fromHex(match[1]!);
  for (const entry of match[3]!.split('_')) {
    const [at, ...place] = entry.split('-').map((digits) => parseInt(digits, 16));
    if (at === line - LINES_BEFORE - 1) return { module, line: place[0]!, column: place[1]! };
  }
  return undefined;
}

/** The definition at a script's line; undefined if it is not Daml code. */
export function codeInScript(file: string, line: number): CodeName | undefined {
  const units = scriptsOfUnits.get(file);
  if (units !== undefined) return codeInScript(...unitAt(units, line));
  const [, module, entity] = NAME.exec(file) ?? [];
  if (module === undefined || entity === undefined) return undefined;
  return { module: fromHex(module), entity: fromHex(entity) };
}

/** The readable name: names in archives have escapes such as `$u0027`, and each `$` twice. */
export function codeText({ module, entity }: CodeName): string {
  const name = entity
    .replace(/ update$/, '')
    // The interface, in the code of its implementation.
    .replace(/ [0-9a-f]{64}:/, ' ');
  return `${module}:${unescaped(name)}`;
}

/** A name of an archive without its escapes. */
export const unescaped = (name: string): string =>
  name.replace(/\$(?:\$|u([0-9a-f]{4})|U([0-9a-f]{8}))/g, (_, short, long) => {
    const digits: unknown = short ?? long;
    return typeof digits === 'string' ? String.fromCodePoint(parseInt(digits, 16)) : '$';
  });
