/**
 * `traffic.snap`: the costs of a run as text that a reviewer can read, and the comparison of a run with it.
 *
 *     #trades:Trade:Deal Settle: 4521 bytes, 2 views, 5 informees, 3 participants, 1 input
 *     flow transfer: 9102 bytes, 2 updates, 4 views, 9 informees, 5 participants, 2 inputs
 */
import type { RecordedCost, TrafficReport } from './traffic-record.js';

const HEADER = [
  '# The traffic of each command and flow of the tests, in bytes: the most expensive one.',
  '# Canticle wrote this file. Accept changes with: canticle traffic --update',
  '',
];

const COUNTS = ['updates', 'views', 'informees', 'participants', 'inputs'] as const;
type Count = (typeof COUNTS)[number];

/** A text that is not a snapshot of traffic. */
class BadTrafficSnapshot extends Error {}

const counted = (count: number, name: Count): string =>
  `${count} ${count === 1 ? name.slice(0, -1) : name}`;

export function trafficSnapshot({ costs }: TrafficReport): string {
  return [...HEADER, ...costs.map(costText), ''].join('\n');
}

function costText(cost: RecordedCost): string {
  const counts = COUNTS.filter((name) => name !== 'updates' || cost.updates !== 1);
  return `${cost.what}: ${[`${cost.bytes} bytes`, ...counts.map((name) => counted(cost[name], name))].join(', ')}`;
}

/** @throws BadTrafficSnapshot with the number of the first wrong line */
export function parseTrafficSnapshot(text: string): readonly RecordedCost[] {
  const costs: RecordedCost[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('# ')) continue;
    const [, what, bytes, rest] = /^(.+): (\d+) bytes((?:, \d+ [a-z]+)*)$/.exec(line) ?? [];
    if (what === undefined) throw new BadTrafficSnapshot(`line ${index + 1} is not a cost`);
    const counts = new Map(
      rest!
        .split(', ')
        .slice(1)
        .map((part) => {
          const [count, name = ''] = part.split(' ');
          return [name.endsWith('s') ? name : `${name}s`, Number(count)] as const;
        }),
    );
    const countOf = (name: Count, missing = 0): number => counts.get(name) ?? missing;
    costs.push({
      what,
      bytes: Number(bytes),
      updates: countOf('updates', 1),
      views: countOf('views'),
      informees: countOf('informees'),
      participants: countOf('participants'),
      inputs: countOf('inputs'),
    });
  }
  return costs;
}

/** A cost in both, beyond the tolerance. */
export interface TrafficChange {
  readonly what: string;
  readonly before: number;
  readonly after: number;
  /** The counts that changed, such as `more views (1 to 2)`; `larger payloads` if none did. */
  readonly causes: readonly string[];
  readonly test?: string;
}

/** The differences of a run from a snapshot. */
export interface TrafficChanges {
  readonly more: readonly TrafficChange[];
  readonly less: readonly TrafficChange[];
  readonly added: readonly RecordedCost[];
  /** Costs that the run did not show. */
  readonly missing: readonly RecordedCost[];
}

/** @param tolerance a share of the expected bytes: 0.05 for 5% */
export function compareTraffic(
  snapshot: readonly RecordedCost[],
  { costs }: TrafficReport,
  tolerance: number,
): TrafficChanges {
  const expected = new Map(snapshot.map((cost) => [cost.what, cost]));
  const actual = new Set(costs.map(({ what }) => what));
  const changes = costs.flatMap((cost): TrafficChange[] => {
    const before = expected.get(cost.what);
    if (before === undefined) return [];
    if (Math.abs(cost.bytes - before.bytes) <= before.bytes * tolerance) return [];
    return [
      {
        what: cost.what,
        before: before.bytes,
        after: cost.bytes,
        causes: causesOf(before, cost),
        ...(cost.test !== undefined && { test: cost.test }),
      },
    ];
  });
  return {
    more: changes.filter(({ before, after }) => after > before),
    less: changes.filter(({ before, after }) => after < before),
    added: costs.filter(({ what }) => !expected.has(what)),
    missing: snapshot.filter(({ what }) => !actual.has(what)),
  };
}

function causesOf(before: RecordedCost, after: RecordedCost): readonly string[] {
  const changed = COUNTS.filter((name) => before[name] !== after[name]);
  const size = after.bytes > before.bytes ? 'larger payloads' : 'smaller payloads';
  if (changed.length === 0) return [size];
  return changed.map((name) => {
    const [one, other] = [before[name], after[name]];
    return `${other > one ? 'more' : 'fewer'} ${name} (${one} to ${other})`;
  });
}

const percent = ({ before, after }: TrafficChange): string => {
  const change = Math.round((1000 * (after - before)) / before) / 10;
  return `${change > 0 ? '+' : ''}${change}%`;
};

export function trafficChangesText({ more, less, added, missing }: TrafficChanges): string {
  const changed = (sign: string) => (change: TrafficChange) => [
    `${sign} ${change.what}: ${change.before} to ${change.after} bytes (${percent(change)}): ${change.causes.join(', ')}`,
    ...(change.test === undefined ? [] : [`    test  ${change.test}`]),
  ];
  return [
    ...more.flatMap(changed('+')),
    ...less.flatMap(changed('-')),
    ...added.map((cost) => `new ${costText(cost)}`),
    ...missing.map((cost) => `not run ${costText(cost)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** The price of traffic: USD for a million bytes, and for one Canton Coin. */
export interface TrafficPrice {
  readonly traffic: number;
  readonly coin: number;
}

/** Canton Coin for an amount of traffic, to six places. */
export const coinsFor = (bytes: number, { traffic, coin }: TrafficPrice): string =>
  ((bytes * traffic) / 1_000_000 / coin).toFixed(6);

/** All costs as a table in Markdown, for a pull request. */
export function trafficTable(
  { costs }: TrafficReport,
  { more, less, added, missing }: TrafficChanges,
  price?: TrafficPrice,
): string {
  const changes = new Map([...more, ...less].map((change) => [change.what, change]));
  const isNew = new Set(added.map(({ what }) => what));
  const rows = costs.map(({ what, bytes }) => {
    const change = changes.get(what);
    const words = change && `${percent(change)}: ${change.causes.join(', ')}`;
    return [
      `\`${what}\``,
      change === undefined ? (isNew.has(what) ? '' : String(bytes)) : String(change.before),
      String(bytes),
      ...(price === undefined ? [] : [coinsFor(bytes, price)]),
      words ?? (isNew.has(what) ? 'new' : ''),
    ];
  });
  const gone = missing.map(({ what, bytes }) => [
    `\`${what}\``,
    String(bytes),
    '',
    ...(price === undefined ? [] : ['']),
    'not run',
  ]);
  const head = ['traffic of', 'before', 'bytes', ...(price === undefined ? [] : ['CC']), 'change'];
  return [head, head.map(() => '---'), ...rows, ...gone]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}
