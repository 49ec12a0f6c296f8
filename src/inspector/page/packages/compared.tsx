/** Two versions of a package side by side, with the differences between their declarations. */
import type { InspectedPackage } from '../../../spec/generated/control.js';
import { Answer, Empty, Panel } from '../parts/frames.js';
import { visible } from '../parts/format.js';
import { useLoaded } from '../state/live.js';
import { hrefHere, useRoute } from '../state/route.js';
import { aligned, declarationsOf, type AlignedDeclaration } from './declarations.js';
import { packageOf } from './load.js';

export function Compared({ one, otherId }: { one: InspectedPackage; otherId: string | undefined }) {
  const loaded = useLoaded(otherId, () => packageOf(otherId!), false);
  if (otherId === undefined)
    return <Empty>No other version of {visible(one.name)} is known here.</Empty>;
  return <Answer loaded={loaded}>{(other) => <SideBySide one={one} other={other} />}</Answer>;
}

function SideBySide({ one, other }: { one: InspectedPackage; other: InspectedPackage }) {
  const { query } = useRoute();
  const [older, newer] = versionOrder(one, other) <= 0 ? [one, other] : [other, one];
  const all = aligned(declarationsOf(older), declarationsOf(newer));
  const changed = all.filter(({ lines }) => lines.some(({ change }) => change !== 'same'));
  const isWhole = query['whole'] === 'true';
  const shown = isWhole ? all : changed;
  return (
    <>
      <div class="bar">
        <span class="faint">
          {changed.length === 0
            ? 'Both have the same declarations.'
            : `${changed.length} of ${all.length} declarations differ.`}
        </span>
        <a class="back" href={hrefHere({ whole: isWhole ? undefined : 'true' })}>
          {isWhole ? 'only differences' : 'all declarations'}
        </a>
      </div>
      <div class="side-by-side">
        {shown.length > 0 && (
          <div class="pair-row head">
            <strong>{older.version}</strong>
            <strong>{newer.version}</strong>
          </div>
        )}
        {shown.map((each) => (
          <Declaration key={each.name} declaration={each} />
        ))}
      </div>
    </>
  );
}

/** Compares version numbers. */
function versionOrder(a: InspectedPackage, b: InspectedPackage): number {
  const [one, other] = [a, b].map(({ version }) => version.split('.').map(Number));
  for (let place = 0; place < Math.max(one!.length, other!.length); place += 1) {
    const difference = (one![place] ?? 0) - (other![place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function Declaration({ declaration: { name, lines } }: { declaration: AlignedDeclaration }) {
  return (
    <Panel title={<span class="mono">{visible(name)}</span>} kind="flush">
      {lines.map(({ left, right, change }, index) => (
        <div key={index} class={`pair-row mono ${change}`}>
          <span class="left">{left === undefined ? '' : visible(left)}</span>
          <span class="right">{right === undefined ? '' : visible(right)}</span>
        </div>
      ))}
    </Panel>
  );
}
