// `npm run tests-of FILE…`: lists the suites that reach a source, as the first runs of `npm run mutate` noted them.
// Where none did yet, it
// says what to run.
//
//   npm run tests-of FILE… [-- --notes FILE]
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hashOf, pathOf, readNotes } from './mutate/reached.mjs';
import { RULES } from './mutate/rules.mjs';
import { root } from './steps.mjs';

const { testFoldersOf } = createRequire(import.meta.url)('./layers.cjs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { notes: { type: 'string' } },
});
const notes = readNotes(values.notes);

/** The commands that would record it: the rules with the file, or a separate run. */
function whatToRun(path) {
  const isIn = (of) => of === path || path.startsWith(`${of}/`);
  const rules = Object.keys(RULES).filter((name) => RULES[name].files.some(isIn));
  if (rules.length > 0) return `npm run mutate -- ${rules.map(quoted).join(' ')} --reach`;
  const folders = testFoldersOf(resolve(root, path)).map((each) => `test/${each}`);
  return `npm run mutate -- --files ${path} --tests ${folders.join(',') || 'SUITES'} --reach`;
}

const quoted = (name) => (/^\w+$/.test(name) ? name : `'${name}'`);

/** @returns the lines, and whether there are notes of the file */
function reportOn(path) {
  const suites = Object.entries(notes[path] ?? {});
  if (suites.length === 0)
    return [false, [`${path}: no run has noted which suites reach it. Run:`, whatToRun(path)]];
  const hash = hashOf(readFileSync(resolve(root, path), 'utf8'));
  const reaching = suites
    .filter(([, { reached }]) => reached > 0)
    .sort(([, one], [, other]) => other.reached - one.reached)
    .map(([suite, { reached, functions, hash: of }]) => {
      const earlier = of === hash ? '' : ', of an earlier text';
      return `${suite}  ${reached} of ${functions} functions${earlier}`;
    });
  const isOld = suites.some(([, { hash: of }]) => of !== hash);
  return [
    true,
    [
      `${path}: ${reaching.length} of the ${suites.length} suites that were run reach it`,
      ...reaching,
      ...(isOld ? [`It has changed since. To note it again: ${whatToRun(path)}`] : []),
    ],
  ];
}

const files = positionals.map((file) => pathOf(resolve(file)));
const missing = positionals.find((file) => !existsSync(resolve(file)));
if (files.length === 0 || missing !== undefined) {
  console.error(
    missing === undefined
      ? 'Say of which file: npm run tests-of FILE.'
      : `Failed to find tests: there is no ${missing}.`,
  );
  process.exit(2);
}
for (const path of files) {
  const [isKnown, [head, ...lines]] = reportOn(path);
  console.log([head, ...lines.map((line) => `  ${line}`)].join('\n'));
  if (!isKnown) process.exitCode = 1;
}
