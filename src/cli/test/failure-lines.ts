/** The failure of a script, as lines. */
import { placeText } from '../../script/free.js';
import type { ScriptFailure } from '../../script/failures.js';

/** Message, places and explanation. */
export function failureLines({ message, places, explanation }: ScriptFailure): readonly string[] {
  const why = explanation === undefined ? [] : explanation.body().split('\n');
  const where = places.map((place) => `  in ${placeText(place)}`);
  return [...message.split('\n'), ...where, ...indented(why, 2)];
}

export const indented = (lines: readonly string[], by: number): readonly string[] =>
  lines.flatMap((line) => line.split('\n')).map((line) => `${' '.repeat(by)}${line}`.trimEnd());
