/**
 * Where the choices of a Daml file stand. Archives say it of no choice, and of nothing within one, so it is read off the file: by its
 * layout, as far as that takes no parser.
 */

/** Lines from 1, columns from 0. */
export interface ChoiceSpan {
  /** Of its template or interface. */
  readonly owner: string;
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** Lines with code: the first, and those from its controllers on. */
  readonly lines: readonly number[];
}

const OWNER = /^(?:template|interface)\s+(\p{Lu}[\w']*)/u;
const CHOICE = /^(\s+)(?:(?:pre|post|non)consuming\s+)?choice\s+(\p{Lu}[\w']*)/u;
const BODY = /^\s*(?:observer|authority|controller)\b/;

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
    spans.push({ owner, name, line: index + 1, column, lines: [index + 1, ...code] });
  });
  return spans;
}

/** Nothing ends at a line without code. */
const indentOf = (line: string): number =>
  line.trim() === '' ? Number.MAX_SAFE_INTEGER : line.length - line.trimStart().length;

/** Lines, with blanks where comments and the insides of texts were. */
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
