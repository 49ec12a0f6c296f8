/**
 * The fenced blocks of a Markdown page, each with its tag and the heading above it. Only three backticks at the start
 * of a line fence a block: one form is enough for our pages, and anything else is seen as unfenced text.
 */
export interface Snippet {
  readonly section: string;
  readonly tag: string;
  readonly text: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
}

export function snippetsOf(page: string): Snippet[] {
  const found: Snippet[] = [];
  let section = '';
  let open: { tag: string; line: number; lines: string[] } | undefined;
  page.split('\n').forEach((text, index) => {
    if (open) {
      if (text === '```') {
        found.push({ section, tag: open.tag, text: open.lines.join('\n'), line: open.line });
        open = undefined;
      } else open.lines.push(text);
    } else if (text.startsWith('```')) {
      open = { tag: text.slice(3), line: index + 1, lines: [] };
    } else if (text.startsWith('#')) {
      section = text.replace(/^#+ /, '');
    }
  });
  if (open) throw new Error(`The block that opens in line ${open.line} is never closed.`);
  return found;
}
