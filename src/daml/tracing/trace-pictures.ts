/**
 * SVG pictures of a trace for documents: a sequence diagram and a flame graph. Equal traces give equal bytes, and the pictures load and run
 * nothing.
 */
import { nameOf, partyName, titleOf } from './shown-text.js';
import { label, picture, rectangle, title, widthOf } from './svg.js';
import type { ProfiledFunction, StepProfile } from './step-profile.js';
import type { TraceNode, TransactionTrace } from './trace-types.js';

/** The maximum number of nodes in a picture, which shows the number of further nodes below. */
const MAX_DRAWN = 500;
const LANE = 180;
const ROW = 34;
/** Pixels between a label and the edge. */
const MARGIN = 8;
const TOP = 40;
const WIDTH = 1_200;
const BAR = 20;

/** One lane per party, and one arrow per node, from the acting party to the signatory. */
export function sequenceDiagram({ nodes }: TransactionTrace): string {
  const all = nodes.filter(({ kind }) => kind !== 'rollback');
  const drawn = all.slice(0, MAX_DRAWN);
  const lanes = [...new Set(drawn.flatMap(endsOf))];
  // Names are centered above their lanes, so the picture must have room for the outer ones.
  const reach = (party = ''): number => Math.ceil(widthOf(partyName(party)) / 2) + MARGIN;
  const left = Math.max(LANE / 2, reach(lanes[0]));
  const step = Math.max(LANE, ...lanes.map((party) => 2 * reach(party)));
  const x = (party: string): number => left + lanes.indexOf(party) * step;
  let right =
    lanes.length === 0 ? LANE : x(lanes.at(-1)!) + Math.max(LANE / 2, reach(lanes.at(-1)));
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
    const side = start >= end ? 6 : -6;
    const tip = `<path d="M${end} ${y}l${side} -4v8z" fill="${color}"/>`;
    const text = shortTitle(node);
    const words = label(Math.min(start, end) + 8, y - 12, text, `fill="${color}"`);
    right = Math.max(right, Math.min(start, end) + 8 + widthOf(text) + MARGIN);
    parts.push(`<g>${title(titleOf(node))}${line}${tip}${words}</g>`);
  });
  const more = all.length - drawn.length;
  if (more > 0) parts.push(label(MARGIN, height - 4, `… ${more} more`));
  return picture(right, height, parts);
}

/** Without the module: `exercise Iou Transfer`. */
const shortTitle = (node: TraceNode): string =>
  titleOf(node).replace(nameOf(node), () => nameOf(node).replace(/^.*:/, ''));

/** The acting party and the contract's owner; for a create, the signatories. */
function endsOf({ actors, signatories = [], authority }: TraceNode): readonly string[] {
  const from = actors?.[0] ?? authority?.had[0] ?? signatories[0];
  const to = signatories.find((party) => party !== from) ?? from;
  return from === undefined ? [] : [from, to!];
}

interface Bar {
  readonly id: number;
  readonly parent?: number;
  readonly depth: number;
  readonly steps: number;
  readonly name: string;
  readonly title: string;
  readonly color: string;
}

/** One bar per function of a profile or node of a trace. Its width is its steps, including those below it. */
export function flameGraph(of: TransactionTrace | StepProfile): string {
  const { steps = 0 } = of;
  const bars = 'functions' in of ? of.functions.map(barOfFunction) : barsOfNodes(of);
  const drawn: string[] = [];
  const ends = new Map<number | undefined, number>();
  let deepest = 0;
  for (const { id, parent, depth, steps: own, name, title: text, color } of bars) {
    const start = ends.get(parent) ?? 0;
    ends.set(parent, start + own);
    ends.set(id, start);
    const [from, to] = [start, start + own].map((each) =>
      Math.round((each / Math.max(1, steps)) * WIDTH),
    ) as [number, number];
    if (to - from < 1) continue;
    deepest = Math.max(deepest, depth);
    const y = TOP + depth * BAR;
    const words = to - from > widthOf(name) ? label(from + 4, y + 14, name) : '';
    drawn.push(`<g>${title(text)}${rectangle(from, y, to - from, BAR - 1, color)}${words}</g>`);
  }
  const height = TOP + (deepest + 1) * BAR + 10;
  return picture(WIDTH, height, [label(8, 20, `${steps} steps`), ...drawn]);
}

const [DONE, UNDONE] = ['#f6b26b', '#e06666'];

function barOfFunction({ name, own, ...rest }: ProfiledFunction): Bar {
  const text = `${name}: ${rest.steps} steps, ${own} of its own`;
  return { ...rest, name: name.slice(name.indexOf(':') + 1), title: text, color: DONE };
}

/** A node without own steps has those of the nodes below. */
function barsOfNodes({ nodes }: TransactionTrace): readonly Bar[] {
  const below = new Map<number | undefined, number>();
  const stepsOf = new Map<number, number>();
  for (const { id, steps = below.get(id) ?? 0, parent } of nodes.toReversed()) {
    stepsOf.set(id, steps);
    below.set(parent, (below.get(parent) ?? 0) + steps);
  }
  return nodes.map((node) => {
    const { id, parent, depth, choice, outcome } = node;
    const steps = stepsOf.get(id)!;
    return {
      id,
      ...(parent !== undefined && { parent }),
      depth,
      steps,
      name: choice ?? nameOf(node),
      title: `${titleOf(node)}: ${steps} steps`,
      color: outcome === 'done' ? DONE : UNDONE,
    };
  });
}
