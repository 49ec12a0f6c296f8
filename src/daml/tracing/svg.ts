/** Pieces of pictures as SVG: nothing in them is loaded from elsewhere or run, whatever the texts are. */
import { shortened } from './shown-text.js';

const FONT = 'font-family="sans-serif" font-size="12"';
/** Characters of a label. */
const MAX_LABEL = 60;
const MAX_TITLE = 200;
/** Pixels that a letter takes, at most as a rule. */
const LETTER = 7;

const escaped = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[mark]!,
  );

/** @param more attributes, of the picture's own */
export const label = (x: number, y: number, text: string, more = ''): string =>
  `<text x="${x}" y="${y}" ${FONT} ${more}>${escaped(shortened(text, MAX_LABEL))}</text>`;

/** What browsers show of an element that the mouse is on. */
export const title = (text: string): string =>
  `<title>${escaped(shortened(text, MAX_TITLE))}</title>`;

/** Pixels that a label takes. */
export const widthOf = (text: string): number => LETTER * Math.min(text.length, MAX_LABEL + 1);

export const rectangle = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" stroke="#fff" stroke-width="0.5"/>`;

/** The whole, on white. */
export const picture = (width: number, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${rectangle(0, 0, width, height, '#fff')}\n${parts.join('\n')}\n</svg>\n`;
