/**
 * The mutants of a source: one small change each, as a place in its text and what comes there instead. Types and
 * the product's own assertions are left alone. Also makes the source with marks, which report the functions that a
 * test reaches.
 */
const ts = require('typescript');

const SWAPPED = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
};
const METHODS = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  min: 'max',
  max: 'min',
};
const LITERALS = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword];
const LEAVES = [
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.ThrowStatement,
  ts.SyntaxKind.ContinueStatement,
  ts.SyntaxKind.BreakStatement,
];

const parse = (text, file) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
const isCallOf = (node, names) =>
  ts.isCallExpression(node) && names.includes(node.expression.getText());
const isFunction = (node) => ts.isFunctionLike(node) && node.body !== undefined;

/** `if` without `else` that only leaves: a guard. */
function isGuard({ thenStatement, elseStatement }) {
  const [only, ...more] = ts.isBlock(thenStatement) ? thenStatement.statements : [thenStatement];
  return elseStatement === undefined && more.length === 0 && only && LEAVES.includes(only.kind);
}

/** Only if the change differs from its operator's own change. */
function negated(condition) {
  const operator = ts.isBinaryExpression(condition) && condition.operatorToken.getText();
  const isOwn = ts.isPrefixUnaryExpression(condition) || ['===', '!=='].includes(operator);
  return isOwn ? [] : [[condition, `!(${condition.getText()})`]];
}

/** @returns pairs of a node and the text for its place */
function changesOf(node) {
  if (ts.isBinaryExpression(node)) {
    const swapped = SWAPPED[node.operatorToken.getText()];
    return swapped === undefined ? [] : [[node.operatorToken, swapped]];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [[node, node.operand.getText()]];
  if (ts.isIfStatement(node) && isGuard(node)) return [[node.expression, 'false']];
  if (ts.isIfStatement(node)) return negated(node.expression);
  if (ts.isConditionalExpression(node)) return negated(node.condition);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, 'false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[node, 'true']];
  if (ts.isBigIntLiteral(node)) return [[node, `(${node.getText()} + 1n)`]];
  if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent))
    return [[node, `(${node.getText()} + 1)`]];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    const isOwn = expression.kind === ts.SyntaxKind.ThisKeyword;
    if (Object.hasOwn(METHODS, name.text) && !isOwn) return [[name, METHODS[name.text]]];
    if (name.text === 'filter') return [[node, expression.getText()]];
  }
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return [[node, ';']];
  return [];
}

/** Code without behaviour: types, imports, and assertions that fail only on a bug. */
const isLeftAlone = (node) =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  isCallOf(node, ['super', 'invariant', 'assert']);

/**
 * @returns in text order. Each has `start`, `end`, `replacement` and `line`. `reached` is the index of its
 * innermost function (-1: none); `before` and `after` are the texts for a reader
 */
function mutantsOf(text, file) {
  const source = parse(text, file);
  return changesIn(source)
    .map(({ node, place, replacement, within }) => ({
      file,
      start: place.getStart(),
      end: place.getEnd(),
      replacement,
      reached: within,
      ...shown(source, node, place, replacement),
    }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

/** @returns each change: of which node, at which place, what comes there, and `within` which function */
function changesIn(source) {
  const found = [];
  let functions = 0;
  const visit = (node, within) => {
    if (isLeftAlone(node)) return;
    if (ts.isExpressionStatement(node) && isLeftAlone(node.expression)) return;
    for (const [place, replacement] of changesOf(node))
      found.push({ node, place, replacement, within });
    const own = isFunction(node) ? functions++ : within;
    ts.forEachChild(node, (child) =>
      visit(child, isFunction(node) && child === node.body ? own : within),
    );
  };
  visit(source, -1);
  return found;
}

/** The whole of the expression or statement that is changed, before and after, each in one line. */
function shown(source, changed, place, replacement) {
  // A literal alone says nothing.
  const node =
    ts.isLiteralExpression(place) || LITERALS.includes(place.kind) ? changed.parent : changed;
  const text = node.getText();
  const [from, to] = [place.getStart() - node.getStart(), place.getEnd() - node.getStart()];
  const oneLine = (code) => code.replace(/\s+/g, ' ').trim();
  return {
    line: source.getLineAndCharacterOfPosition(place.getStart()).line + 1,
    before: oneLine(ts.isIfStatement(node) ? `if (${node.expression.getText()})` : text),
    after: oneLine(
      ts.isIfStatement(node)
        ? `if (${replacement})`
        : text.slice(0, from) + replacement + text.slice(to),
    ),
  };
}

/** The source that tells `globalThis.reachedByTests` the file and the place of each function as it is entered. */
function withMarks(text, file) {
  const insertions = [];
  let functions = 0;
  const visit = (node) => {
    if (isLeftAlone(node)) return;
    if (ts.isExpressionStatement(node) && isLeftAlone(node.expression)) return;
    if (isFunction(node)) {
      const mark = `globalThis.reachedByTests?.(${JSON.stringify(file)}, ${functions++})`;
      const { body } = node;
      if (ts.isBlock(body)) insertions.push([body.getStart() + 1, `${mark};`]);
      else insertions.push([body.getStart(), `(${mark}, (`], [body.getEnd(), '))']);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(text, file));
  let marked = text;
  // From the end, so that places stay; of two at one place the one that came first stays in front.
  const ordered = insertions.map((each, order) => [...each, order]);
  for (const [at, code] of ordered.sort((a, b) => b[0] - a[0] || b[2] - a[2]))
    marked = marked.slice(0, at) + code + marked.slice(at);
  return marked;
}

module.exports = { changesIn, mutantsOf, parse, withMarks };
