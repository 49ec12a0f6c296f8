/**
 * One line at the end of a test run about calls that use what the next release disables or removes, instead of a line for each file. With
 * vitest, set `globalSetup: 'canticle/deprecations'`. With node:test, run `node --require canticle/deprecations --test`. Jest prints
 * one line without it. @module
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromEnvironment, setForChildren } from '../options/environment.js';
import { takeCounts } from './runner/count-files.js';
import { isQuiet, printLine } from './runner/upcoming-line.js';

let folder: string | undefined;

/** The processes of test files, which inherit the variable, load this module, too. */
if (!isQuiet() && !fromEnvironment('CANTICLE_DEPRECATIONS')) {
  folder = mkdtempSync(join(tmpdir(), 'canticle-deprecations-'));
  setForChildren('CANTICLE_DEPRECATIONS', folder);
  process.once('exit', print);
}

/** Prints the line, once. */
function print(): void {
  if (folder === undefined) return;
  const counts = takeCounts(folder);
  folder = undefined;
  printLine(counts, process);
}

/** Called by vitest before a run. @returns a function that vitest calls after the run */
export default function collectDeprecations(): () => void {
  return print;
}
