/**
 * Pictures of a trace for documents, as SVG: who does what to whom in its order, and where its steps go. The same trace gives the same
 * bytes; nothing in them is loaded from elsewhere or run.
 */
import { nameOf, partyName, titleOf } from './shown-text.js';
import { label, picture, rectangle, title, widthOf } from './svg.js';
import type { TraceNode, TransactionTrace } from './trace-types.js';

/** Of a picture so many nodes are drawn; how many more there are stands below. */
const MAX_DRAWN = 500;
const LANE = 180;
const ROW = 34;
const TOP = 40;
const WIDTH = 1_200;
const BAR = 20;

/** A lane for each party; of each node an arrow from who acts to who signs. */
export function sequenceDiagram({ nodes }: TransactionTrace): string {
  const drawn = nodes.filter(({ kind }) => kind !== 'rollback').slice(0, MAX_DRAWN);
  const lanes = [...new Set(drawn.flatMap(partiesOf))];
  const x = (party: string): number => LANE / 2 + lanes.indexOf(party) * LANE;
  const height = TOP + (drawn.length + 1) * ROW;
  const parts = lanes.flatMap((party) => [
    label(x(party), 20, partyName(party), 'text-anchor="middle" font-weight="bold"'),
    `<line x1="${x(party)}" y1="28" x2="${x(party)}" y2="${height - 10}" stroke="#bbb"/>`,
  ]);
  drawn.forEach((node, index) => {
    const y = TOP + (index + 1) * ROW - 10;
    const [from = '', to = from] = endsOf(node);
    const color = node.outcome === 'done' ? '#246' : '#b22';
    const dashes = node.kind === 'fetch' || node.kind === 'lookup' ? ' stroke-dasharray="4 3"' : '';
    const [start, end] = [x(from), x(to)];
    const line =
      start === end
        ? `<path d="M${start} ${y - 8}h24v8h-24" fill="none" stroke="${color}"${dashes}/>`
        : `<line x1="${start}" y1="${y}" x2="${end}" y2="${y}" stroke="${color}"${dashes}/>`;
    const side = start > end || start === end ? 6 : -6;
    const tip = `<path d="M${end} ${y}l${side} -4v8z" fill="${color}"/>`;
    const words = label(Math.min(start, end) + 8, y - 12, titleOf(node), `fill="${color}"`);
    parts.push(line, tip, words);
  });
  if (drawn.length < nodes.length && nodes.length > MAX_DRAWN)
    parts.push(label(8, height - 4, `… ${nodes.length - drawn.length} more`));
  return picture(Math.max(lanes.length * LANE, LANE) + LANE, height, parts);
}

/** Who acts, and whose contract it is: of a creation those that sign. */
function endsOf({ actors, signatories = [], authority }: TraceNode): readonly string[] {
  const from = actors?.[0] ?? authority?.had[0] ?? signatories[0];
  const to = signatories.find((party) => party !== from) ?? from;
  return from === undefined ? [] : [from, to!];
}

const partiesOf = (node: TraceNode): readonly string[] => endsOf(node);

/** A bar for each node, as wide as the steps that it took with all that is below it. */
export function flameGraph({ nodes, steps = 0 }: TransactionTrace): string {
  const deepest = nodes.reduce((most, { depth }) => Math.max(most, depth), 0);
  const height = TOP + (deepest + 1) * BAR + 10;
  const parts = [label(8, 20, `${steps} steps`)];
  const taken = new Map<number | undefined, number>();
  const starts = new Map<number, number>();
  for (const node of nodes) {
    const own =
      node.steps ??
      nodes.reduce((sum, { parent, steps: some = 0 }) => sum + (parent === node.id ? some : 0), 0);
    const before = taken.get(node.parent) ?? 0;
    const start = (node.parent === undefined ? 0 : starts.get(node.parent)!) + before;
    taken.set(node.parent, before + own);
    starts.set(node.id, start);
    const width = steps === 0 ? 0 : Math.round((own / steps) * WIDTH);
    if (width < 1) continue;
    const at = Math.round((start / steps) * WIDTH);
    const y = TOP + node.depth * BAR;
    const name = node.choice ?? nameOf(node);
    const bar = rectangle(at, y, width, BAR - 1, node.outcome === 'done' ? '#f6b26b' : '#e06666');
    const words = width > widthOf(name) ? label(at + 4, y + 14, name) : '';
    parts.push(`<g>${title(`${titleOf(node)}: ${own} steps`)}${bar}${words}</g>`);
  }
  return picture(WIDTH, height, parts);
}
