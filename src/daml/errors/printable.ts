/** Texts of others as people are shown them: nothing in them that a terminal or a page would obey. */

/** Controls, marks that turn the direction of what follows, and halves of characters. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const OBEYED_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** What is obeyed is written out, `\u202e`, as JSON does it: what was JSON stays JSON. */
export const spelledOut = (text: string): string => text.replace(OBEYED, spelled);

/** The same of a text of several lines: breaks of lines and tabs stay. */
export const printable = (text: string): string => text.replace(OBEYED_IN_LINES, spelled);

/** Those of the orders to a terminal that this engine gives itself: styles, and to clear the rest of a line. */
const OWN_ORDERS = /(\u001b\[(?:\d{1,2}m|K)|\r)/;

/** The same of a text that was painted, of which each part of others has been written out before. */
export const printablePainted = (text: string): string =>
  text
    .split(OWN_ORDERS)
    .map((part, place) => (place % 2 === 1 ? part : printable(part)))
    .join('');

function spelled(mark: string): string {
  let text = '';
  for (let i = 0; i < mark.length; i += 1)
    text += `\\u${mark.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}
