// The prose of a source file: comments, and where asked the titles of tests and the texts that a person reads.
import { parseSync } from 'oxc-parser';

const DIRECTIVE =
  /^\s*(?:oxlint|eslint|@ts-|@jest-environment|<reference|#|prettier|c8|v8|istanbul)/;

/**
 * @param wants `{ titles, strings }`: whether titles of tests and string literals count
 * @returns passages { kind, line, text }
 */
export function readCode(file, source, wants) {
  const { comments, program } = parsed(file, source);
  const lineAt = linesOf(source);
  const passages = commentPassages(source, comments, lineAt);
  if (wants.titles) passages.push(...titlesOf(source, lineAt));
  if (wants.strings) passages.push(...stringsOf(program(), lineAt));
  return passages;
}

function parsed(file, source) {
  const result = parseSync(file, source);
  return { comments: result.comments, program: () => result.program };
}

function linesOf(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1))
    starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function commentPassages(source, comments, lineAt) {
  const passages = [];
  let open;
  for (const { type, value, start, end } of comments) {
    const line = lineAt(start);
    if (type === 'Line') {
      const isAlone = source.slice(source.lastIndexOf('\n', start) + 1, start).trim() === '';
      if (isAlone && open?.next === line) {
        open.lines.push(value);
        open.next = line + 1;
        continue;
      }
      open = { line, lines: [value], next: isAlone ? line + 1 : -1 };
      passages.push(open);
    } else {
      const lines = value
        .split('\n')
        .map((text, index) => (index === 0 ? text.replace(/^\*/, '') : text.replace(/^\s*\*/, '')));
      open = undefined;
      passages.push({ line, lines, end: lineAt(end) });
    }
  }
  return passages.flatMap(({ line, lines }) => paragraphsOf(line, lines));
}

/** Paragraphs, list items and JSDoc tags of a comment. */
function paragraphsOf(line, lines) {
  const found = [];
  let open;
  let isCode = false;
  lines.forEach((raw, index) => {
    const text = raw.trim();
    if (text.startsWith('```')) isCode = !isCode;
    // Four spaces more than usual are a drawing or code.
    if (
      isCode ||
      text.startsWith('```') ||
      text === '' ||
      /^ {4,}/.test(raw) ||
      (index === 0 && DIRECTIVE.test(raw))
    ) {
      open = undefined;
      return;
    }
    for (const part of text.split(
      /(?=@(?:param|returns?|throws|see|example|default|deprecated|internal)\b)/,
    )) {
      const item = /^(?:[-*|]|\d+\.)\s+(.*)$/.exec(part);
      const tag = /^@(\w+)\s*(?:\{[^}]*\}\s*)?(.*)$/.exec(part);
      if (item || tag || open === undefined) {
        let words = item?.[1] ?? part;
        if (tag)
          words = tag[1] === 'param' ? tag[2].replace(/^[\w.[\]=]+\s*(?:-\s*)?/, '') : tag[2];
        open = { kind: 'comment', line: line + index, text: words, isTag: tag !== null };
        // The text of these tags is code.
        if (!/^type(?:def)?$/.test(tag?.[1] ?? '')) found.push(open);
      } else open.text += `\n${part}`;
    }
  });
  return found
    .map((passage) => ({ ...passage, text: passage.text.replace(/\{@link\s+([^}]*)\}/g, '`$1`') }))
    .map(({ isTag, ...passage }) => (isTag ? { ...passage, kind: 'tag' } : passage));
}

/** Titles of tests: the first argument of `it`, `test` and `describe`, where it is a literal. */
function titlesOf(source, lineAt) {
  const pattern =
    /(?<![\w.])(?:it|test|describe)(?:\.\w+)?(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
  return [...source.matchAll(pattern)].map((match) => ({
    kind: 'title',
    line: lineAt(match.index),
    text: unescaped(match[2]),
  }));
}

const unescaped = (text) =>
  text
    .replace(/\$\{[^}]*\}/g, 'X')
    .replace(/\\(['"`])/g, '$1')
    .replace(/\\n/g, '\n');

/** Literals that hold at least three words, and the text of JSX elements. */
function stringsOf(program, lineAt) {
  const found = [];
  const add = (text, start) => {
    const isProse = text.trim().split(/\s+/).length >= 3 && /[a-z]{2,} [a-z]/.test(text);
    if (isProse && !text.startsWith('data:'))
      found.push({ kind: 'string', line: lineAt(start), text: text.trim() });
  };
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
    if (node.type === 'ImportDeclaration') return;
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.value, node.start);
    else if (node.type === 'JSXText') add(node.value, node.start);
    else if (
      node.type === 'BinaryExpression' &&
      node.operator === '+' &&
      textOf(node) !== undefined
    )
      return add(textOf(node), node.start);
    else if (node.type === 'TemplateLiteral') add(textOf(node), node.start);
    for (const [key, value] of Object.entries(node)) if (key !== 'parent') visit(value);
  };
  visit(program);
  return found;
}

/** The text of a literal, a template or a sum of those; a value inside is "X". */
function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral')
    return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('X');
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? 'X'}${right ?? 'X'}`;
}
