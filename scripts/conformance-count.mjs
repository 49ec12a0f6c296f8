// `node scripts/conformance-count.mjs`: counts the cases of the official conformance suites. The groups: reproduced by
// our tests, different answer in a test, not applicable, missing. Reads the
// calls in
// test/conformance, runs nothing. Exits with status 1 if a case has two tests, or if a test names an unknown case.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.mjs';
import { ts } from './typescript.mjs';

/** The names of a table's columns, by kind. */
const KINDS = {
  reproduced: 'reproduced',
  otherAnswer: 'another answer',
  notApplicable: 'not applicable',
  missing: 'missing',
};
/** The kind of a case, by its verb. */
const VERBS = { reproduce: 'reproduced', answerOtherwise: 'otherAnswer' };

/** Reads the calls of `conformanceSuite` in a file: `{ suite, caseId, kind }` for each named case. */
function namedCases(path) {
  const named = [];
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const functions = new Map(
    source.statements.filter(ts.isFunctionDeclaration).map((each) => [each.name.text, each.body]),
  );
  const visit = (node, suite) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const called = node.expression.text;
      if (called === 'conformanceSuite') {
        const [name, leftOut, cases] = node.arguments;
        for (const { kind, caseId } of leftOutCases(leftOut))
          named.push({ suite: name.text, caseId, kind });
        if (cases !== undefined) visit(cases, name.text);
        return;
      }
      if (called in VERBS && suite !== undefined)
        for (const caseId of literals(node.arguments[0], path))
          named.push({ suite, caseId, kind: VERBS[called] });
      // Shared cases of suites are in a function with a verb as its parameter.
      if (suite !== undefined && node.arguments.some((each) => each.text in VERBS))
        visit(functions.get(called), suite);
    }
    ts.forEachChild(node, (child) => visit(child, suite));
  };
  visit(source, undefined);
  return named;
}

function leftOutCases(object) {
  return object.properties.flatMap(({ name, initializer }) =>
    initializer.properties.map((each) => ({ kind: name.text, caseId: each.name.text })),
  );
}

function literals(node, path) {
  const nodes = ts.isArrayLiteralExpression(node) ? node.elements : [node];
  return nodes.map((each) => {
    if (ts.isStringLiteralLike(each)) return each.text;
    throw new Error(`${path}: case ids are written out.`);
  });
}

/** Rows by suite, and what is wrong with the names. */
function count(folder) {
  const groups = JSON.parse(readFileSync(join(root, 'test/conformance/cases.json'), 'utf8'));
  const suites = new Map(Object.values(groups).flatMap(Object.entries));
  const files = readdirSync(folder, { recursive: true }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const named = files.sort().flatMap((name) => namedCases(join(folder, name)));
  const faults = [];
  const found = new Map();
  for (const { suite, caseId, kind } of named) {
    const key = `${suite}:${caseId}`;
    if (!suites.get(suite)?.includes(caseId)) faults.push(`${key} is no case of the tool`);
    else if (found.has(key)) faults.push(`${key} is named twice`);
    else found.set(key, kind);
  }
  const begun = new Set(named.map(({ suite }) => suite));
  const rows = [...suites].map(([suite, cases]) => {
    const kinds = cases.map((caseId) => found.get(`${suite}:${caseId}`));
    if (begun.has(suite))
      cases
        .filter((_, at) => kinds[at] === undefined)
        .forEach((caseId) => faults.push(`${suite}:${caseId} is not named`));
    const counts = Object.keys(KINDS).map((kind) => [
      kind,
      kinds.filter((each = 'missing') => each === kind).length,
    ]);
    return { suite, ...Object.fromEntries(counts) };
  });
  return { rows, faults };
}

const { rows, faults } = count(process.argv[2] ?? join(root, 'test/conformance'));
const total = { suite: 'all' };
for (const kind of Object.keys(KINDS)) total[kind] = rows.reduce((sum, row) => sum + row[kind], 0);
const wide = Math.max(...rows.map(({ suite }) => suite.length));
const print = (suite, counts) =>
  console.log(
    [
      suite.padEnd(wide),
      ...Object.entries(KINDS).map(([kind, name]) => String(counts[kind]).padStart(name.length)),
    ].join('  '),
  );
print('suite', KINDS);
for (const row of [...rows, total]) print(row.suite, row);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
