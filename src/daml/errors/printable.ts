/** Makes foreign texts safe to show: they cannot control a terminal or a page. */

/** Control characters, direction marks, and halves of characters. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const OBEYED_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes such characters as `\u202e`, like JSON. JSON texts stay JSON. */
export const spelledOut = (text: string): string => text.replace(OBEYED, spelled);

/** Escapes a text of several lines, but keeps line breaks and tabs. */
export const printable = (text: string): string => text.replace(OBEYED_IN_LINES, spelled);

/** Terminal sequences that Canticle uses: styles, and clearing the rest of a line. */
const OWN_ORDERS = /(\u001b\[(?:\d{1,2}m|K)|\r)/;

/** Escapes a colored text whose foreign parts were escaped before. */
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
