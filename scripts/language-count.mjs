// `node scripts/language-count.mjs`: how many cases of the language's own suites (community/daml-lf in digital-asset/canton) a
// test of ours shows, do not apply, or are missing. Reads test/daml/lf/language-cases.json, where each group of a suite's cases
// names tests of ours, a reason or what is left. Ends with status 1 where a group says none of these or more than one, or
// where a test that it names is not there. Left out are the suites on the JVM implementation's own collections, serialization,
// text parser, decoder of Daml-LF 1 and tools.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './steps.mjs';

const KINDS = { shownBy: 'reproduced', notApplicable: 'not applicable', missing: 'missing' };

const titles = new Map();

/** What stands in a test file as a text or as a name: of tests, and of rows of their tables. */
function titlesIn(file) {
  let found = titles.get(file);
  if (found !== undefined) return found;
  titles.set(file, (found = new Set()));
  const path = join(root, file);
  if (!existsSync(path)) return found;
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest));
  return found;
}

function faultsOf(suite, group) {
  const name = `${suite}, ${group.of}`;
  const kinds = Object.keys(KINDS).filter((kind) => group[kind] !== undefined);
  if (kinds.length !== 1) return [`${name}: is none or more than one of ${Object.keys(KINDS)}`];
  if (!Number.isInteger(group.cases) || group.cases < 1) return [`${name}: has no cases`];
  if (kinds[0] !== 'shownBy') return group[kinds[0]] === '' ? [`${name}: says no reason`] : [];
  return Object.entries(group.shownBy).flatMap(([file, named]) =>
    named
      .filter((title) => !titlesIn(file).has(title))
      .map((title) => `${name}: ${file} has no '${title}'`),
  );
}

const file = process.argv[2] ?? join(root, 'test/daml/lf/language-cases.json');
const suites = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
const sum = (groups, kind) =>
  groups.reduce((total, each) => total + (each[kind] === undefined ? 0 : each.cases), 0);
const rows = [...suites, ['all', suites.flatMap(([, groups]) => groups)]];
const wide = Math.max(...rows.map(([name]) => name.length));
console.log(`${'suite'.padEnd(wide)}  ${Object.values(KINDS).join('  ')}`);
for (const [name, groups] of rows) {
  const figures = Object.entries(KINDS).map(([kind, title]) =>
    String(sum(groups, kind)).padStart(title.length),
  );
  console.log(`${name.padEnd(wide)}  ${figures.join('  ')}`);
}
const faults = suites.flatMap(([suite, groups]) => groups.flatMap((each) => faultsOf(suite, each)));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
