/**
 * Why a text is no date or timestamp, in the words of the JVM's parser, which Canton passes on to its clients (B-ERR-019).
 * Only for texts that time.ts has refused.
 */

type Element = readonly [pattern: RegExp, required: boolean];

const required = (pattern: RegExp): Element => [pattern, true];
const optional = (pattern: RegExp): Element => [pattern, false];

const DATE: readonly Element[] = [/[+-]?\d{4,9}/y, /-/y, /\d\d/y, /-/y, /\d\d/y].map(required);
const ZONED: readonly Element[] = [
  ...[...DATE.map(([pattern]) => pattern), /[Tt]/y, /\d\d/y, /:/y, /\d\d/y].map(required),
  optional(/:\d\d(?:\.\d{0,9})?/y),
  optional(/[Zz]|[+-]\d\d:\d\d(?::\d\d)?/y),
  optional(/\[[A-Za-z][A-Za-z0-9~/._+-]+\]/y),
];

export function dateFault(text: string): string {
  return fault(text, DATE) ?? `Text '${text}' could not be parsed: Invalid date`;
}

export function timestampFault(text: string): string {
  const broken = fault(text, ZONED);
  if (broken !== undefined) return broken;
  return /(?:[Zz]|[+-]\d\d:\d\d(?::\d\d)?)(?:\[.*\])?$/.test(text.slice(text.search(/[Tt]/)))
    ? `Text '${text}' could not be parsed: Invalid date or time`
    : `Text '${text}' could not be parsed: Unable to obtain ZonedDateTime from TemporalAccessor`;
}

/** Where the text leaves its form; undefined where it keeps it, so that its values must be wrong. */
function fault(text: string, elements: readonly Element[]): string | undefined {
  let position = 0;
  for (const [pattern, isRequired] of elements) {
    pattern.lastIndex = position;
    const found = pattern.exec(text);
    if (found !== null) position = pattern.lastIndex;
    else if (isRequired) return `Text '${text}' could not be parsed at index ${position}`;
  }
  return position === text.length
    ? undefined
    : `Text '${text}' could not be parsed, unparsed text found at index ${position}`;
}
