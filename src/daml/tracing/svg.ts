/** Builds SVG pictures. They load and run nothing, even if texts contain markup. */
import { shortened } from './shown-text.js';

const FONT = 'font-family="sans-serif" font-size="12"';
/** The maximum number of characters of a label. */
const MAX_LABEL = 60;
const MAX_TITLE = 200;
/** The approximate maximum width of a letter, in pixels. */
const LETTER = 7;

const escaped = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[mark]!,
  );

/** @param more further attributes, from the picture's code */
export const label = (x: number, y: number, text: string, more = ''): string =>
  `<text x="${x}" y="${y}" ${FONT} ${more}>${escaped(shortened(text, MAX_LABEL))}</text>`;

/** The tooltip of an element. */
export const title = (text: string): string =>
  `<title>${escaped(shortened(text, MAX_TITLE))}</title>`;

/** The width of a label, in pixels. */
export const widthOf = (text: string): number => LETTER * Math.min(text.length, MAX_LABEL + 1);

export const rectangle = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" stroke="#fff" stroke-width="0.5"/>`;

/** The complete picture on white. */
export const picture = (width: number, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${rectangle(0, 0, width, height, '#fff')}\n${parts.join('\n')}\n</svg>\n`;
