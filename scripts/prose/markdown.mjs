// The prose of a Markdown page: paragraphs, list items, table cells and headings, and the comments in its code blocks.
import MarkdownIt from 'markdown-it';

const parser = new MarkdownIt();

/** The text of an inline token: code stays in backticks, links and emphasis give their text. */
function plain(children) {
  let text = '';
  for (const { type, content } of children ?? [])
    if (type === 'text') text += content;
    else if (type === 'code_inline') text += `\`${content.replaceAll('`', '')}\``;
    else if (type === 'softbreak' || type === 'hardbreak') text += ' ';
  return text;
}

const COMMENT = {
  sh: /(?:^|\s)#\s(.*)$/,
  console: /(?:^|\s)#\s(.*)$/,
  yaml: /(?:^|\s)#\s(.*)$/,
  python: /(?:^|\s)#\s(.*)$/,
  js: /(?:^|\s)\/\/\s(.*)$/,
  ts: /(?:^|\s)\/\/\s(.*)$/,
};

function commentsOf({ info, content, map }) {
  const pattern = COMMENT[info.trim()];
  if (pattern === undefined) return [];
  return content.split('\n').flatMap((text, index) => {
    const comment = pattern.exec(text)?.[1];
    return comment ? [{ kind: 'code comment', line: map[0] + 2 + index, text: comment }] : [];
  });
}

/** @returns passages { kind, line, text }, links { line, target } and anchors of headings */
export function readMarkdown(page) {
  const source = page.replace(/^---\n[^]*?\n---\n/, (front) =>
    '\n'.repeat(front.split('\n').length - 1),
  );
  const passages = [];
  const links = [];
  const anchors = [];
  let block = 'paragraph';
  let cellLine = 1;
  for (const token of parser.parse(source, {})) {
    if (token.type === 'heading_open') block = 'heading';
    else if (token.type === 'th_open') block = 'label';
    else if (token.type === 'td_open') block = 'cell';
    else if (token.type === 'paragraph_open') block = 'paragraph';
    else if (token.type === 'fence') passages.push(...commentsOf(token));
    if (token.type === 'tr_open') cellLine = token.map[0] + 1;
    if (token.type !== 'inline') continue;
    const line = token.map ? token.map[0] + 1 : cellLine;
    const text = plain(token.children);
    passages.push({ kind: block, line, text });
    if (block === 'heading') anchors.push(anchorOf(text, anchors));
    for (const child of token.children ?? [])
      if (child.type === 'link_open') links.push({ line, target: child.attrGet('href') });
  }
  return { passages, links, anchors };
}

/** The anchor that GitHub gives to a heading. */
function anchorOf(heading, taken) {
  const name = heading
    .replaceAll('`', '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  let anchor = name;
  for (let count = 1; taken.includes(anchor); count++) anchor = `${name}-${count}`;
  return anchor;
}
