/**
 * The positions of choices in a Daml file. Archives have no positions of choices or of their code, so that this reads the file's layout,
 * without a parser. It also finds functions, for code that archives have no positions of.
 */

/** Lines from 1, columns from 0. */
export interface ChoiceSpan {
  /** The template or interface; empty for a function. */
  readonly owner: string;
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** Lines with code: the first one, and those from the controllers on. */
  readonly lines: readonly number[];
  /** The code of each of `lines`, with blanks in place of comments and text literals. */
  readonly code: readonly string[];
}

const OWNER = /^(?:template|interface)\s+(\p{Lu}[\w']*)/u;
const CHOICE = /^(\s+)(?:(?:pre|post|non)consuming\s+)?choice\s+(\p{Lu}[\w']*)/u;
const BODY = /^\s*(?:observer|authority|controller)\b/;

/** A definition outside of templates: its first line, which may be its type, and all lines up to the next definition. */
const DEFINED = /^([\p{Ll}_][\w']*)\s/u;
const NO_DEFINITION =
  /^(?:module|import|template|interface|data|type|newtype|class|instance|deriving|exception|infix[lr]?)\b/;

/** Top-level functions, as spans without an owner, in the order of the file. */
export function functionSpans(text: string): readonly ChoiceSpan[] {
  const spans: (ChoiceSpan & { readonly lines: number[]; readonly code: string[] })[] = [];
  let isOpen = false;
  withoutComments(text).forEach((line, index) => {
    if (line.trim() === '') return;
    if (/^\S/.test(line)) {
      const name = NO_DEFINITION.test(line) ? undefined : DEFINED.exec(line)?.[1];
      isOpen = name !== undefined;
      if (name !== undefined && spans.at(-1)?.name !== name)
        spans.push({ owner: '', name, line: index + 1, column: 0, lines: [], code: [] });
    }
    if (!isOpen) return;
    const { lines, code } = spans.at(-1)!;
    lines.push(index + 1);
    code.push(line);
  });
  return spans;
}

/** In the order of the file. */
export function choiceSpans(text: string): readonly ChoiceSpan[] {
  const lines = withoutComments(text);
  const spans: ChoiceSpan[] = [];
  let owner: string | undefined;
  lines.forEach((line, index) => {
    if (/^\S/.test(line)) owner = OWNER.exec(line)?.[1];
    const [, indent = '', name] = CHOICE.exec(line) ?? [];
    if (owner === undefined || name === undefined) return;
    const end = lines.findIndex((next, at) => at > index && indentOf(next) <= indent.length);
    const within = lines.slice(index + 1, end < 0 ? lines.length : end);
    const begin = within.findIndex((each) => BODY.test(each));
    const code = within.flatMap((each, at) =>
      begin >= 0 && at >= begin && each.trim() !== '' ? [index + 2 + at] : [],
    );
    const column = line.indexOf(name, line.indexOf('choice') + 'choice'.length);
    const own = [index + 1, ...code];
    const texts = own.map((each) => lines[each - 1]!);
    spans.push({ owner, name, line: index + 1, column, lines: own, code: texts });
  });
  return spans;
}

/** A line without code ends nothing. */
const indentOf = (line: string): number =>
  line.trim() === '' ? Number.MAX_SAFE_INTEGER : line.length - line.trimStart().length;

/** The lines, with blanks in place of comments and text literals. */
function withoutComments(text: string): readonly string[] {
  let depth = 0;
  return text.split('\n').map((line) => {
    let code = '';
    for (let at = 0; at < line.length;) {
      const two = line.slice(at, at + 2);
      if (two === '{-' || (depth > 0 && two === '-}')) {
        depth += two === '{-' ? 1 : -1;
        code += '  ';
        at += 2;
      } else if (depth > 0) {
        code += ' ';
        at += 1;
      } else if (/^--+(?![!#$%&*+./<=>?@\\^|~:])/.test(line.slice(at))) return code;
      else if (line[at] === '"') {
        const [whole] = /^"(?:[^"\\]|\\.)*"?/.exec(line.slice(at))!;
        code += `"${' '.repeat(Math.max(whole.length - 2, 0))}"`.slice(0, whole.length);
        at += whole.length;
      } else {
        code += line[at]!;
        at += 1;
      }
    }
    return code;
  });
}
