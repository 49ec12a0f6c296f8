/**
 * Finds the lines of mutants. Archives have positions of functions and of most parts of templates, but none in choices. There it searches
 * the lines of the choice for the words of the mutant, and falls back to the line of the choice.
 */
import {
  choiceSpans,
  functionSpans,
  type ChoiceSpan,
} from '../../daml/lf/counting/choice-spans.js';
import type { SourceDefinition } from '../../daml/lf/probing/definition-names.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Mutant } from '../operators/mutant.js';

interface ModuleText {
  readonly lines: readonly string[];
  readonly choices: readonly ChoiceSpan[];
  readonly functions: readonly ChoiceSpan[];
}

/** The keyword of a part of a template or a choice. */
const KEYWORDS: Readonly<Record<string, RegExp>> = {
  signatories: /^\s*signatory\b/,
  observers: /^\s*observer\b/,
  precondition: /^\s*ensure\b/,
  controllers: /^\s*controller\b/,
};

export class SourceLines {
  private readonly modules = new Map<string, ModuleText>();

  /** @param texts of the modules of packages, as far as they are known */
  constructor(texts: Iterable<readonly [id: PackageId, module: string, text: string]>) {
    for (const [id, module, text] of texts)
      this.modules.set(`${id}:${module}`, {
        lines: text.split('\n'),
        choices: choiceSpans(text),
        functions: functionSpans(text),
      });
  }

  textOf(id: PackageId, module: string): readonly string[] | undefined {
    return this.modules.get(`${id}:${module}`)?.lines;
  }

  /** From 1; undefined if it is unknown. */
  lineOf({ at, before, definition }: Mutant, source: SourceDefinition): number | undefined {
    const { module, owner, name } = source;
    if (at !== undefined && at.module === module) return at.line;
    const text = this.modules.get(`${definition.lf.id}:${module}`);
    if (text === undefined) return undefined;
    if (owner === '')
      return lineIn(
        text.functions.find((each) => each.name === name),
        before,
      );
    const [choice = '', part = ''] = name.split(' ');
    const span = text.choices.find((each) => each.owner === owner && each.name === choice);
    if (span === undefined) return keywordLine(text.lines, owner, KEYWORDS[choice]);
    const keyword = KEYWORDS[part];
    if (part === '') return lineIn(span, before);
    const index = keyword === undefined ? -1 : span.code.findIndex((each) => keyword.test(each));
    return index < 0 ? span.line : span.lines[index];
  }
}

/** The only line of a definition that has all words of the code, otherwise its first line. */
function lineIn(span: ChoiceSpan | undefined, code: string): number | undefined {
  if (span === undefined) return undefined;
  const words = code.match(/[\p{L}_][\p{L}\p{N}_']*|\d+(?:\.\d+)?|[<>=/]=|[-+*/<>]/gu) ?? [];
  const wanted = words.filter((word) => word !== 'if');
  const found = span.lines.filter(
    (_, at) => at > 0 && wanted.every((each) => has(span.code[at]!, each)),
  );
  return found.length === 1 ? found[0] : span.line;
}

const has = (line: string, word: string): boolean => ` ${line} `.includes(word);

function keywordLine(
  lines: readonly string[],
  template: string,
  keyword: RegExp | undefined,
): number | undefined {
  const start = lines.findIndex((each) => new RegExp(`^template\\s+${template}\\b`).test(each));
  if (start < 0) return undefined;
  if (keyword === undefined) return start + 1;
  for (let at = start + 1; at < lines.length && !/^\S/.test(lines[at]!); at += 1)
    if (keyword.test(lines[at]!)) return at + 1;
  return start + 1;
}
