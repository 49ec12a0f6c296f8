/**
 * Where package code was when something happened, read off JavaScript's stack while a submission is run again: of TypeScript
 * the files, of Daml the places that its compiled code carries in the name of its script. Nothing of it costs the code
 * that runs otherwise.
 */
import { codeInScript, codeText, placeInScript } from '../lf/lowering/script-name.js';
import type { Place, ScriptLocation } from '../errors/explanation.js';

const FRAME = /^\s*at (?:.*\()?(?:file:\/\/)?([^()]+):(\d+):(\d+)\)?$/;
/** Frames that are kept of a stack: a recursion as deep as may be, and who began it. */
const MAX_FRAMES = 10_000;
/** Frames among which the innermost place is looked for: that is done for every action. */
const NEAR_FRAMES = 400;

type Site = NodeJS.CallSite;

/** The frames of an error whose stack nobody has read yet. */
function sitesOf(error: Error): readonly Site[] {
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (_error, sites) => sites;
  try {
    const sites: unknown = error.stack;
    return Array.isArray(sites) ? (sites as Site[]) : [];
  } finally {
    Error.prepareStackTrace = before;
  }
}

/** Undefined for frames of the engine itself. */
const fileOf = (site: Site): string | undefined =>
  (site.getScriptNameOrSourceURL() as string | null)?.replace(/^file:\/\//, '');

/** The place in the source, where a runner has transformed it, by the runner's own means. */
function scriptLocation(error: Error, site: Site): ScriptLocation[] {
  const text: unknown = Error.prepareStackTrace?.(error, [site]) ?? `at ${String(site)}`;
  const lines = String(text).split('\n').reverse();
  for (const line of lines) {
    const match = FRAME.exec(line);
    if (match !== null)
      return [{ file: match[1]!, line: Number(match[2]), column: Number(match[3]) }];
  }
  return [];
}

/** The folder that holds all of Canticle, be it sources or a bundle in chunks. */
const own = fileOf(sitesOf(new Error())[0]!) ?? '';
const ownFolder = own.replace(/(daml[\\/]explanation[\\/]|chunks[\\/])?[^\\/]*$/, '');
const isForeign = (file: string): boolean =>
  !file.startsWith(ownFolder) && !file.startsWith('node:');

/** Frames below the run: those of whoever asked for it. */
let bottom = 0;

/** Runs `code` so that errors made in it tell where they come from, down to here. */
export function withPlaces<T>(code: () => T): T {
  const { stackTraceLimit } = Error;
  const before = bottom;
  Error.stackTraceLimit = MAX_FRAMES;
  bottom = sitesOf(new Error()).length;
  try {
    return code();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    bottom = before;
  }
}

/** Places in package code that led here, or to the error, innermost first. */
export function codePlaces(error: Error): Generator<Place> {
  return placesAmong(error, MAX_FRAMES);
}

function* placesAmong(error: Error, limit: number): Generator<Place> {
  const sites = sitesOf(error);
  const run = sites.length < limit ? sites.slice(0, sites.length - bottom) : sites;
  for (const site of run) {
    const file = fileOf(site);
    if (file === undefined) continue;
    const daml = placeInScript(file, site.getLineNumber() ?? 0);
    if (daml === 'noScript') {
      if (isForeign(file)) yield* scriptLocation(error, site);
    } else if (daml !== undefined) yield daml;
  }
}

/** The innermost of them. */
export function codePlace(): Place | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = NEAR_FRAMES;
  const here = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  for (const place of placesAmong(here, NEAR_FRAMES)) return place;
  return undefined;
}

/** Frames of a stack that are told apart. */
const MAX_FUNCTION_FRAMES = 1_000;

/** The functions of Daml that run, outermost first; one that calls itself stands there once. */
export function damlFunctions(): readonly string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_FUNCTION_FRAMES;
  const sites = sitesOf(new Error());
  Error.stackTraceLimit = stackTraceLimit;
  const names: string[] = [];
  for (const site of sites) {
    const file = fileOf(site);
    const code = file === undefined ? undefined : codeInScript(file, site.getLineNumber() ?? 0);
    if (code === undefined) continue;
    const name = codeText(code);
    if (names.at(-1) !== name) names.push(name);
  }
  return names.reverse();
}
