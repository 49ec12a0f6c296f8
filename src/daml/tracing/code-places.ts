/**
 * Where package code was when something happened, read off JavaScript's stack while a submission is run again: of TypeScript
 * the files, of Daml the places that its compiled code carries in the name of its script. Nothing of it costs the code
 * that runs otherwise.
 */
import { codeInScript, codeText, placeInScript } from '../lf/lowering/script-name.js';
import type { CodeCall, Place, ScriptLocation } from '../errors/explanation.js';

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
const ownFolder = own
  .slice(0, Math.max(own.lastIndexOf('/'), own.lastIndexOf('\\')) + 1)
  .replace(/(?:daml[\\/]tracing|chunks)[\\/]$/, '');
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

/** Runs the code of a choice: what it does stands in it, and nowhere in what exercised it. */
export function withinChoice<T>(code: () => T): T {
  return code();
}

/** Places in package code that led here, or to the error, innermost first. */
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

/** Those of the run. */
function* framesOf(error: Error, limit: number): Generator<SiteInFile> {
  const sites = sitesOf(error);
  for (const site of sites.length < limit ? sites.slice(0, sites.length - bottom) : sites) {
    const file = fileOf(site);
    if (file !== undefined) yield { site, file, line: site.getLineNumber() ?? 0 };
  }
}

/** Modules of the packages that come with the language: their code stands in no DAR. */
const LIBRARY = /^(?:(?:DA|GHC)\..*|Prelude|LibraryModules|Data\.String|Control\.Exception\.Base)$/;
/** What the compiler of Daml lifted out of a definition, `$$$$sc_transfer_2`. */
const LIFTED = /^\$\$\$\$sc_(.*)_\d+$/;
const CHOICE = / update$/;

/** Functions that are told of those that led to an action: of a recursion the last. */
const MAX_CALLS = 8;

/**
 * Who called whom in the choice that runs, innermost first, to its own code: functions of packages, past the library. Of TypeScript the place alone.
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
    // What was lifted, and instances of classes, say something only where they have a place.
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
