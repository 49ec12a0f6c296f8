// Which suites reach which sources: the first run of a rule notes it, `npm run tests-of` reads it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { root } from '../steps.mjs';

const NOTES = '.cache/mutate/reached.json';

/** Relative to the root of the repository; absolute for files outside. */
export function pathOf(file) {
  const path = relative(root, file);
  return path.startsWith('..') ? file : path.split(sep).join('/');
}

/** The hash of a text, to recognize notes of another text. */
export const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** By source, then by suite: `reached` of how many `functions`, in the text of that `hash`. */
export function readNotes(path = NOTES) {
  try {
    return JSON.parse(readFileSync(resolve(root, path), 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Adds the results of a run to the notes. Those of other suites stay; those of a source or a suite that is no longer there do not.
 * @param run by source the text that was run and how many functions it has, and by suite how many of them it reached
 */
export function addNotes(run, path = NOTES) {
  const isThere = ([name]) => existsSync(resolve(root, name));
  const notes = readNotes(path);
  for (const [source, { text, functions, suites }] of run) {
    const hash = hashOf(text);
    const now = [...suites].map(([suite, reached]) => [suite, { reached, functions, hash }]);
    notes[source] = { ...notes[source], ...Object.fromEntries(now) };
  }
  const remaining = Object.entries(notes)
    .filter(isThere)
    .map(([source, suites]) => [
      source,
      Object.fromEntries(Object.entries(suites).filter(isThere).sort()),
    ]);
  const file = resolve(root, path);
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.part`;
  writeFileSync(unfinished, JSON.stringify(Object.fromEntries(remaining.sort()), undefined, 1));
  renameSync(unfinished, file);
}
