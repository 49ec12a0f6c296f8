/**
 * Finds positions in package code from JavaScript stacks while a submission is run again. For TypeScript they are in files; for Daml they
 * are in the names of compiled scripts. It adds no cost to normal runs.
 */
import { codeInScript, codeText, placeInScript } from '../lf/lowering/script-name.js';
import type { CodeCall, Place, ScriptLocation } from '../errors/explanation.js';

const FRAME = /^\s*at (?:.*\()?(?:file:\/\/)?([^()]+):(\d+):(\d+)\)?$/;
/** The maximum number of frames of a stack: enough for the deepest recursion and its caller. */
const MAX_FRAMES = 10_000;
/** The number of frames for finding the innermost position, which happens at every action. */
const NEAR_FRAMES = 400;

type Site = NodeJS.CallSite;

/** The frames of an error whose stack was not read before. */
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

/** Undefined for frames of the JavaScript engine. */
const fileOf = (site: Site): string | undefined =>
  (site.getScriptNameOrSourceURL() as string | null)?.replace(/^file:\/\//, '');

/** The position in the source, mapped by the test runner if it transformed the file. */
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

/** Canticle's folder, for sources and for a bundle in chunks. Only V8 has frames. */
const [own = ''] = sitesOf(new Error()).map(fileOf);
const ownFolder = own
  .slice(0, Math.max(own.lastIndexOf('/'), own.lastIndexOf('\\')) + 1)
  .replace(/(?:daml[\\/]tracing|chunks)[\\/]$/, '');
const isForeign = (file: string): boolean =>
  !file.startsWith(ownFolder) && !file.startsWith('node:');

/** The number of frames below the run, which belong to its caller. */
let bottom = 0;

/** Runs `code` so that its errors have positions down to this frame. */
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

/** Runs the code of a choice. The frame separates it from the code that exercised it. */
export function withinChoice<T>(code: () => T): T {
  return code();
}

/** Positions in package code that led here or to the error, innermost first. */
export function codePlaces(error: Error): Generator<Place> {
  return placesAmong(error, MAX_FRAMES);
}

function* placesAmong(error: Error, limit: number): Generator<Place> {
  for (const { site, file, line } of framesOf(error, limit)) {
    const daml = placeInScript(file, line);
    if (daml === 'noScript') {
      if (isForeign(file)) yield* scriptLocation(error, site);
    } else if (daml !== undefined) yield daml;
  }
}

interface SiteInFile {
  readonly site: Site;
  readonly file: string;
  readonly line: number;
}

/** The frames of the run. */
function* framesOf(error: Error, limit: number): Generator<SiteInFile> {
  const sites = sitesOf(error);
  for (const site of sites.length < limit ? sites.slice(0, sites.length - bottom) : sites) {
    const file = fileOf(site);
    if (file !== undefined) yield { site, file, line: site.getLineNumber() ?? 0 };
  }
}

/** Modules of the standard library, whose code is in no DAR. */
const LIBRARY = /^(?:(?:DA|GHC)\..*|Prelude|LibraryModules|Data\.String|Control\.Exception\.Base)$/;
/** Functions that the Daml compiler lifted out of a definition: `$$$$sc_transfer_2`. */
const LIFTED = /^\$\$\$\$sc_(.*)_\d+$/;
const CHOICE = / update$/;

/** The maximum number of functions in the calls of an action; of a recursion, the last ones. */
const MAX_CALLS = 8;

/**
 * The call stack in the running choice, innermost first: functions of packages, without the standard library. For TypeScript, only
 * positions.
 */
export function codeCalls(): readonly CodeCall[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = NEAR_FRAMES;
  const here = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const calls: CodeCall[] = [];
  for (const { site, file, line } of framesOf(here, NEAR_FRAMES)) {
    if (site.getFunctionName() === withinChoice.name) break;
    const at = placeInScript(file, line);
    if (at === 'noScript') {
      const script = isForeign(file) ? scriptLocation(here, site) : [];
      if (script.length > 0) return [...calls, { at: script[0]! }];
      continue;
    }
    const code = codeInScript(file, line)!;
    if (LIBRARY.test(code.module)) continue;
    const isChoice = CHOICE.test(code.entity);
    const entity = LIFTED.exec(code.entity)?.[1] ?? code.entity;
    // Lifted functions and class instances are useful only with a position.
    if (at === undefined && !isChoice && (entity !== code.entity || entity.startsWith('$$')))
      continue;
    const name = codeText({ ...code, entity });
    const before = calls.at(-1);
    if (before?.function !== name) {
      if (calls.length < MAX_CALLS || isChoice) calls.push({ function: name, ...(at && { at }) });
    } else if (before.at === undefined && at !== undefined)
      calls[calls.length - 1] = { ...before, at };
    if (isChoice) break;
  }
  return calls;
}

/** The maximum number of frames that are distinguished. */
const MAX_FUNCTION_FRAMES = 1_000;

/** The running Daml functions, outermost first. A recursive function appears once. */
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
