/**
 * Where package code was when something happened, read off JavaScript's stack while a submission is run again: of TypeScript
 * the files, of Daml the places that its compiled code carries in the name of its script. Nothing of it costs the code
 * that runs otherwise.
 */
import { placeInScript } from '../lf/script-name.js';
import type { Place } from './trace.js';

const FRAME = /^\s*at (?:.*\()?(?:file:\/\/)?(.+?):(\d+):(\d+)\)?$/;
/** Frames that are kept of a stack. */
const MAX_FRAMES = 400;

interface StackFrame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

function framesOf(error: Error): StackFrame[] {
  return (error.stack ?? '').split('\n').flatMap((line) => {
    const match = FRAME.exec(line);
    if (match === null) return [];
    return [{ file: match[1]!, line: Number(match[2]), column: Number(match[3]) }];
  });
}

/** The folder that holds all of Canticle, be it sources or a bundle in chunks. */
const own = framesOf(new Error())[0]?.file ?? '';
const ownFolder = own.replace(/(daml[\\/]explanation[\\/]|chunks[\\/])?[^\\/]*$/, '');

/** Frames below the run: those of whoever asked for it. */
let bottom = 0;

/** Runs `code` so that errors made in it tell where they come from, down to here. */
export function withPlaces<T>(code: () => T): T {
  const { stackTraceLimit } = Error;
  const before = bottom;
  Error.stackTraceLimit = MAX_FRAMES;
  bottom = framesOf(new Error()).length;
  try {
    return code();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    bottom = before;
  }
}

/** Places in package code that led here, or to the error, innermost first. */
export function codePlaces(error: Error = new Error()): readonly Place[] {
  const frames = framesOf(error);
  const ownRun = frames.length < MAX_FRAMES ? frames.slice(0, -bottom || undefined) : frames;
  return ownRun.flatMap(({ file, line, column }): Place[] => {
    const daml = placeInScript(file, line);
    if (daml !== 'noScript') return daml === undefined ? [] : [daml];
    const isForeign = !file.startsWith(ownFolder) && !file.startsWith('node:');
    return isForeign ? [{ file, line, column }] : [];
  });
}
