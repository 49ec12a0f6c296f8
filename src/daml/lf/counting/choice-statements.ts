/**
 * Finds the statement of a choice that had an effect, by the names in it, because archives have no positions in choices. It returns a
 * statement only if no other one can have caused the effect.
 */
import type { ChoiceSpan } from './choice-spans.js';

/** The effect, or the called function. */
export type Statement =
  | { readonly kind: 'create' | 'fetch' | 'lookup'; readonly entity: string }
  | { readonly kind: 'exercise'; readonly choice: string }
  | { readonly kind: 'call'; readonly name: string };

/** Lines and columns from 1. */
export interface StatementPlace {
  readonly line: number;
  readonly column: number;
}

/** Code by which a statement may run repeatedly: loops, and local functions of the choice. */
const REPEATED =
  /(?<![\w'])(?:for|map|fold|traverse|replicate|sequence|filter|where)\w*(?![\w'])|\\|<\$>|(?:^|(?<![\w'])let)\s*(?!let\s)[\p{Ll}_][\w']*(?:\s+[\p{Ll}_][\w']*)+\s*=/u;
const NAME = /^[\p{L}_][\p{L}\p{N}_']*$/u;

/**
 * @param index the number of equal effects before it in this run of the choice
 * @param count the total number of equal effects
 */
export function statementIn(
  span: ChoiceSpan,
  statement: Statement,
  index: number,
  count: number,
): StatementPlace | undefined {
  const places = span.lines.flatMap((line, at) =>
    // The first line of a choice contains its name.
    at === 0 && span.owner !== ''
      ? []
      : columnsOf(span, statement, at).map((column) => ({ line, column })),
  );
  if (places.length === 1) return places[0];
  // Each ran at most once, and all of them ran: their order is that of their lines.
  const isOnce = !span.code.slice(1).some((text) => REPEATED.test(text));
  return places.length === count && isOnce ? places[index] : undefined;
}

/** Whether the statement may be in that line. */
export const standsIn = (span: ChoiceSpan, statement: Statement, line: number): boolean =>
  columnsOf(span, statement, span.lines.indexOf(line)).length > 0;

/** Columns of all candidates for the statement. */
function columnsOf(span: ChoiceSpan, statement: Statement, at: number): readonly number[] {
  const text = span.code[at] ?? '';
  const columns = (pattern: RegExp, accept: (match: RegExpExecArray) => boolean = () => true) =>
    [...text.matchAll(pattern)].flatMap((match) => (accept(match) ? [match.index + 1] : []));
  switch (statement.kind) {
    case 'create':
      return columns(/(?<![\w'.])create(?![\w'])\s*(?:@\S+\s*)?(\S+)?/gu, ([, what]) =>
        mayCreate(span, statement.entity, what),
      );
    case 'exercise':
      return statement.choice === 'Archive'
        ? columns(/(?<![\w'])(?:archive|Archive)(?![\w'])/gu)
        : word(statement.choice);
    case 'fetch':
      return columns(/(?<![\w'])fetch(?!\w*ByKey)\w*/gu);
    case 'lookup':
      return columns(/(?<![\w'])\w*ByKey(?![\w'])/gu);
    case 'call':
      return word(statement.name);
  }

  function word(name: string): readonly number[] {
    return NAME.test(name) ? columns(new RegExp(`(?<![\\w'])${name}(?![\\w'])`, 'gu')) : [];
  }
}

/** `create T with`, `create this with`. The type of a variable is unknown. */
function mayCreate({ owner }: ChoiceSpan, entity: string, what: string | undefined): boolean {
  if (what === undefined) return true;
  if (what === 'this') return owner === entity || owner === '';
  const name = /^(?:\p{Lu}[\w']*\.)*(\p{Lu}[\w']*)/u.exec(what)?.[1];
  return name === undefined || name === entity;
}
