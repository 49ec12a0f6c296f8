/** One row of the timeline: a line for each synchronizer, a dot for the update, and an arrow for a reassignment. */
import type { InspectedUpdate } from '../../../spec/generated/control.js';

export const LANE_WIDTH = 76;
const HEIGHT = 30;
const MIDDLE = HEIGHT / 2;

export function Lanes({
  update,
  aliases,
}: {
  update: InspectedUpdate;
  aliases: readonly string[];
}) {
  const { kind, synchronizer, moves } = update;
  const x = (alias: string): number => LANE_WIDTH * (aliases.indexOf(alias) + 0.5);
  const [move] = moves ?? [];
  const words =
    move == null
      ? `${kind} on ${synchronizer}`
      : `${move.kind} from ${move.source} to ${move.target}`;
  return (
    <svg
      class="lanes"
      width={aliases.length * LANE_WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={words}
    >
      {aliases.map((alias) => (
        <line key={alias} class="lane" x1={x(alias)} x2={x(alias)} y1={0} y2={HEIGHT} />
      ))}
      {move != null && (
        <Crossing
          from={x(move.source)}
          to={x(move.target)}
          isLeaving={move.kind === 'unassigned'}
        />
      )}
      <circle
        class={`dot-${kind}`}
        cx={x(synchronizer)}
        cy={MIDDLE}
        r={kind === 'topology' ? 3.5 : 5}
      />
    </svg>
  );
}

/** An unassignment points to its target; an assignment points from its source. */
function Crossing({ from, to, isLeaving }: { from: number; to: number; isLeaving: boolean }) {
  const way = Math.sign(to - from);
  const [start, end] = isLeaving ? [from, to - way * 12] : [from + way * 12, to - way * 6];
  const head = `M ${end - way * 6} ${MIDDLE - 4} L ${end} ${MIDDLE} L ${end - way * 6} ${MIDDLE + 4}`;
  return (
    <g class={isLeaving ? 'crossing leaving' : 'crossing'}>
      <line x1={start} x2={end} y1={MIDDLE} y2={MIDDLE} />
      <path d={head} />
      <circle cx={isLeaving ? to : from} cy={MIDDLE} r={3.5} />
    </g>
  );
}
