/**
 * Compiled code as a debugger, a profile or a count of lines shall see it: scripts have the name of the definition that they were
 * compiled from, functions and variables those of Daml, and a source map leads from each line to the Daml file.
 */
import type { PackageId } from '../model/types.js';
import { identifier } from './emitting/emitter-text.js';
import type { SourceLocation } from '../errors/source-location.js';
import { LINES_BEFORE, nameUnits } from './lowering/script-name.js';

/** Where the sources of packages are; whoever keeps files knows. */
export interface DamlSources {
  /** Takes what a DAR carries of its main package. @param dar its bytes */
  add(main: PackageId, packageName: string, dar: Uint8Array): void;
  /** The URL of a module's file, such as `file:///…/Main.daml`; undefined where the sources were not given. */
  urlOf(id: PackageId, module: string): string | undefined;
  /** What is in that file. */
  textOf(id: PackageId, module: string): string | undefined;
  /** Where a choice begins. @param choice with its template or interface: `Iou Transfer` */
  choiceAt(id: PackageId, module: string, choice: string): SourceLocation | undefined;
}

/** What of a script is not in its code. */
export interface ScriptOrigin {
  /** Of the Daml file. */
  readonly url: string;
  /** What is in it: not every debugger may read files. */
  readonly text: string | undefined;
  readonly packageName: string;
  readonly module: string;
  /** What was compiled, such as `transfer`, or `Iou choice Transfer`. */
  readonly entity: string;
  /** Where all of it stands, as far as it does not say more: code of choices says nothing. */
  readonly home?: SourceLocation | undefined;
}

/** What a function of that definition is called: a name of Daml as far as JavaScript has such names. */
export const functionName = ({ module, entity }: ScriptOrigin): string =>
  `${identifier(module)}$${identifier(entity)}`;

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** One number of a source map: base 64, least significant first, the sign in the lowest bit. */
function quantity(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += BASE64[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}

/** @param places by line of the script, from 0; a line without a place goes on with the one before */
function mappings(places: readonly (SourceLocation | undefined)[], module: string): string {
  let [line, column] = [0, 0];
  const lines = places.map((place) => {
    if (place === undefined || place.module !== module) return '';
    const deltas = [0, 0, place.line - 1 - line, place.column - 1 - column];
    [line, column] = [place.line - 1, place.column - 1];
    return deltas.map(quantity).join('');
  });
  return ';'.repeat(LINES_BEFORE) + lines.join(';');
}

/**
 * What stands at the end of a script.
 * @param name that the script has where nobody debugs, by which a stack is read
 */
export function debuggingTrailer(
  origin: ScriptOrigin,
  form: string,
  name: string,
  places: readonly (SourceLocation | undefined)[],
): string {
  const { url, text, packageName, module, entity } = origin;
  const script = `canticle:///${[packageName, module, entity].map(encodeURIComponent).join('/')}.${form}.js`;
  nameUnits(script, [1], () => name);
  const map = {
    version: 3,
    sources: [url],
    sourcesContent: [text],
    names: [],
    mappings: mappings(places, module),
  };
  const data = Buffer.from(JSON.stringify(map)).toString('base64');
  return `//# sourceURL=${script}\n//# sourceMappingURL=data:application/json;base64,${data}`;
}
