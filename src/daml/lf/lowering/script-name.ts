/**
 * The name of a compiled script, which carries the places of its lines in Daml's source: `daml:<module>:<line>-<line>-<column>_…`
 * in hexadecimal digits alone. So a stack of JavaScript is one of Daml, and running code pays nothing for it.
 */
import type { SourceLocation } from '../../errors/source-location.js';

/** Lines that `new Function` puts before the source. */
export const LINES_BEFORE = 2;
const NAME = /^daml:([0-9a-f]*):([0-9a-f_-]*)$/;

/** @param places by line of the source, from 0; a place of another module than `module` is left out */
export function scriptName(
  module: string,
  places: readonly (SourceLocation | undefined)[],
): string {
  const entries = places.flatMap((place, line) =>
    place === undefined || place.module !== module
      ? []
      : [[line, place.line, place.column].map((each) => each.toString(16)).join('-')],
  );
  return `daml:${Buffer.from(module).toString('hex')}:${entries.join('_')}`;
}

interface NamedUnits {
  /** First lines, ascending. */
  readonly starts: readonly number[];
  readonly nameOf: (index: number) => string;
}

const scriptsOfUnits = new Map<string, NamedUnits>();

/** Says of a script that holds several, one below the other, where each begins and what its name would be. */
export function nameUnits(
  file: string,
  starts: readonly number[],
  nameOf: (index: number) => string,
): void {
  scriptsOfUnits.set(file, { starts, nameOf });
}

/** The name of the unit in which the line is, and the line in it. */
function unitAt({ starts, nameOf }: NamedUnits, line: number): readonly [string, number] {
  let [from, to] = [0, starts.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (starts[middle]! <= line) from = middle;
    else to = middle;
  }
  return [nameOf(from), line - starts[from]! + 1];
}

/** The place in Daml of a line of a script. Undefined where the line has none; `noScript` for a file that is none. */
export function placeInScript(file: string, line: number): SourceLocation | undefined | 'noScript' {
  const units = scriptsOfUnits.get(file);
  if (units !== undefined) return placeInScript(...unitAt(units, line));
  const match = NAME.exec(file);
  if (match === null) return 'noScript';
  const module = Buffer.from(match[1]!, 'hex').toString('utf8');
  for (const entry of match[2]!.split('_')) {
    const [at, ...place] = entry.split('-').map((digits) => parseInt(digits, 16));
    if (at === line - LINES_BEFORE - 1) return { module, line: place[0]!, column: place[1]! };
  }
  return undefined;
}
