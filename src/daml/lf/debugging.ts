/**
 * Compiled code for debuggers, profilers and line counts. Scripts have the names of their definitions, functions and variables have their
 * Daml names, and a source map leads from each line to the Daml file.
 */
import type { PackageId } from '../model/types.js';
import { identifier } from './emitting/emitter-text.js';
import type { SourceLocation } from '../errors/source-location.js';
import { LINES_BEFORE, nameUnits } from './lowering/script-name.js';

/** The sources of packages, which the caller stores as files. */
export interface DamlSources {
  /**
   * Adds the sources of a DAR's main package.
   * @param dar its bytes
   */
  add(main: PackageId, packageName: string, dar: Uint8Array): void;
  /** The URL of a module's file, such as `file:///…/Main.daml`; undefined without sources. */
  urlOf(id: PackageId, module: string): string | undefined;
  /** The text of that file. */
  textOf(id: PackageId, module: string): string | undefined;
  /**
   * The start of a choice.
   * @param choice with its template or interface: `Iou Transfer`
   */
  choiceAt(id: PackageId, module: string, choice: string): SourceLocation | undefined;
}

/** Data of a script in addition to its code. */
export interface ScriptOrigin {
  /** The URL of the Daml file. */
  readonly url: string;
  /** Its text, because not every debugger can read files. */
  readonly text: string | undefined;
  readonly packageName: string;
  readonly module: string;
  /** The compiled definition, such as `transfer` or `Iou choice Transfer`. */
  readonly entity: string;
  /** A position for all code without its own, which is the case in choices. */
  readonly home?: SourceLocation | undefined;
}

/** The name of a definition's function: its Daml name with valid characters of JavaScript. */
export const functionName = ({ module, entity }: ScriptOrigin): string =>
  `${identifier(module)}$${identifier(entity)}`;

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** One number of a source map: base 64, least significant digit first, the sign in the lowest bit. */
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

/** @param places by line of the script, from 0; a line without a place continues the one before */
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
 * The last lines of a script.
 * @param name the script's name without a debugger, from which stack traces are translated
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
