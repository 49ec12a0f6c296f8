/** Choice coverage as a picture: a row for each template, a box for each choice, grey where it was never exercised. */
import { label, picture, rectangle, title, widthOf } from '../../daml/tracing/svg.js';
import {
  totalsOf,
  type CoverageReport,
  type PackageCoverage,
  type TemplateCoverage,
} from './coverage-report.js';

const WIDTH = 1_000;
const [MARGIN, ROW, BOX, PADDING] = [12, 28, 22, 8];
const [USED, UNUSED] = ['#9c6', '#ddd'];
/** The most templates in a picture; the number of others is printed below. */
const MAX_DRAWN = 500;

/** As SVG; the same report gives the same bytes. */
export function coveragePicture({ packages }: CoverageReport): string {
  const parts: string[] = [];
  let y = ROW;
  let drawn = 0;
  for (const each of packages) {
    parts.push(label(MARGIN, y, headingOf(each), 'font-weight="bold"'));
    y += BOX;
    for (const template of each.templates.slice(0, MAX_DRAWN - drawn)) {
      const rows = boxesOf(template, y);
      parts.push(...rows.parts);
      y = rows.below;
      drawn += 1;
    }
    y += BOX;
  }
  const all = packages.reduce((sum, { templates }) => sum + templates.length, 0);
  if (all > drawn) parts.push(label(MARGIN, y, `… ${all - drawn} more templates`));
  return picture(WIDTH, y + ROW, parts);
}

function headingOf(covered: PackageCoverage): string {
  const { created, templates, exercised, choices } = totalsOf([covered]);
  return `${covered.name} ${covered.version}: ${created} of ${templates} templates, ${exercised} of ${choices} choices`;
}

function boxesOf(
  { name, created, choices }: TemplateCoverage,
  top: number,
): { readonly parts: readonly string[]; readonly below: number } {
  const parts: string[] = [];
  let [x, y] = [MARGIN, top];
  const box = (text: string, count: number, what: string): void => {
    const words = `${text} ${count}`;
    const width = widthOf(words) + 2 * PADDING;
    if (x > MARGIN && x + width > WIDTH - MARGIN) [x, y] = [3 * MARGIN, y + ROW];
    const shape = rectangle(x, y, width, BOX, count > 0 ? USED : UNUSED);
    const inside = label(x + PADDING, y + BOX - 7, words);
    parts.push(`<g>${title(`${what}: ${count}`)}${shape}${inside}</g>`);
    x += width + PADDING;
  };
  box(name, created, `${name} created`);
  for (const { name: choice, interface: through, exercised } of choices) {
    const whole = through === undefined ? choice : `${through}.${choice}`;
    box(whole, exercised, `${name} ${whole} exercised`);
  }
  return { parts, below: y + ROW };
}
