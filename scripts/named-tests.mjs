// The tests of a file by their full titles: `describe > test`, with `%s` for the values of a table. Cases of the conformance suites have
// their ids as titles. The content of a test includes the strings and names of its body, of the values that it uses, and of its tables.
// It also includes the tables of the enclosing blocks with the code that builds them, within the file and its folder. No test runs.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './steps.mjs';
import { ts } from './typescript.mjs';

const TESTS = new Set(['it', 'test', 'reproduce']);
const BLOCKS = new Set(['describe']);

const sources = new Map();
const tests = new Map();

/** The titles and contents of tests. @param file from the root of the repository */
export function testsIn(file) {
  let found = tests.get(file);
  if (found === undefined) tests.set(file, (found = readTests(sourceOf(file))));
  return found;
}

function readTests(source) {
  const found = new Map();
  const visit = (node, titles, tables) => {
    const call = blockOrTest(node);
    if (call === undefined) return ts.forEachChild(node, (child) => visit(child, titles, tables));
    const inside = [...titles, call.title];
    const around = [...tables, ...call.table];
    if (call.isBlock) for (const each of call.rest) visit(each, inside, around);
    else {
      const title = inside.join(' > ');
      const said = found.get(title) ?? new Set();
      found.set(title, said);
      gather(said, source, around, (declaration) => declaration !== undefined);
      gather(said, source, call.rest, (declaration) => !isFunction(declaration));
    }
  };
  if (source !== undefined) visit(source.node, [], []);
  return found;
}

/** Parses `test('title', …)`, `describe.each(table)('title', …)` and similar calls. */
function blockOrTest(node) {
  if (!ts.isCallExpression(node)) return undefined;
  const [title, ...rest] = node.arguments;
  if (title === undefined || !ts.isStringLiteralLike(title)) return undefined;
  const isTable = ts.isCallExpression(node.expression);
  let callee = isTable ? node.expression.expression : node.expression;
  while (ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  if (!ts.isIdentifier(callee)) return undefined;
  const isBlock = BLOCKS.has(callee.text);
  if (!isBlock && !TESTS.has(callee.text)) return undefined;
  return { isBlock, title: title.text, rest, table: isTable ? node.expression.arguments : [] };
}

const isFunction = (node) =>
  ts.isFunctionDeclaration(node) ||
  (node.initializer !== undefined &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)));

/** Adds the strings and names of the nodes, and of the declarations to which they refer, if these must be followed. */
function gather(texts, source, nodes, isFollowed) {
  const seen = new Set();
  const visit = (within, node) => {
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    if (ts.isIdentifier(node)) {
      texts.add(node.text);
      follow(within, node);
    }
    ts.forEachChild(node, (child) => visit(within, child));
  };
  const follow = (within, { text, pos }) => {
    const from = within.imported.get(text);
    const there = from === undefined ? within : sourceOf(from);
    for (const { declaration, scope } of there?.declared.get(text) ?? []) {
      const isMeant = from !== undefined || (scope.pos <= pos && pos < scope.end);
      if (!isMeant || seen.has(declaration) || !isFollowed(declaration)) continue;
      seen.add(declaration);
      visit(there, declaration);
    }
  };
  for (const node of nodes) visit(source, node);
}

function sourceOf(file) {
  if (sources.has(file)) return sources.get(file);
  const path = join(root, file);
  const source = existsSync(path) ? read(file, readFileSync(path, 'utf8')) : undefined;
  sources.set(file, source);
  return source;
}

function read(file, text) {
  const node = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const declared = new Map();
  const imported = new Map();
  const visit = (each, scope) => {
    if ((ts.isVariableDeclaration(each) || ts.isFunctionDeclaration(each)) && each.name)
      for (const name of namesIn(each.name))
        declared.set(name, [...(declared.get(name) ?? []), { declaration: each, scope }]);
    // Ignores imports from parent folders, which many tests share.
    if (ts.isImportDeclaration(each) && each.moduleSpecifier.text.startsWith('./')) {
      const from = join(dirname(file), each.moduleSpecifier.text.replace(/\.js$/, '.ts'));
      for (const { name } of each.importClause?.namedBindings?.elements ?? [])
        imported.set(name.text, from);
    }
    const inside = ts.isBlock(each) || ts.isFunctionLike(each) ? each : scope;
    ts.forEachChild(each, (child) => visit(child, inside));
  };
  visit(node, node);
  return { node, declared, imported };
}

function namesIn(name) {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((each) => (ts.isBindingElement(each) ? namesIn(each.name) : []));
}
