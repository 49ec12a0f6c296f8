/** A table of parties and events: which party sees which event, and why. It equals each party's stream of updates. */
import { useState } from 'preact/hooks';
import type { Trace } from '../../../spec/generated/control.js';
import { Panel } from '../parts/frames.js';
import { partyName, plural, visible } from '../parts/format.js';
import { hrefHere } from '../state/route.js';
import { REASONS } from './node-detail.js';
import type { Sees } from './seen.js';
import { NodeWords } from './words.js';

/** The rows that the view shows at first. */
const MOST_DRAWN = 300;

export function Matrix({ trace, sees }: { trace: Trace; sees: Sees }) {
  const isCommitted = trace.outcome === 'committed';
  const all = trace.nodes.filter((node) => (!isCommitted || node.event === true) && sees(node));
  const [most, setMost] = useState(MOST_DRAWN);
  const events = all.slice(0, most);
  const parties = [
    ...new Set(events.flatMap(({ witnesses }) => witnesses.map(({ party }) => party))),
  ].sort();
  return (
    <Panel kind="flush wide">
      <div class="matrix-box" tabIndex={0} role="region" aria-label="Parties and events">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Event</th>
              {parties.map((party) => (
                <th key={party} scope="col" title={party}>
                  <a href={hrefHere({ as: `party:${party}` })}>{partyName(party)}</a>
                  <span class="faint">{trace.hosts[party]?.map(visible).join(', ')}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {events.map((node) => (
              <tr key={node.id}>
                <th scope="row">
                  <a
                    href={hrefHere({ tab: undefined, node: String(node.id) })}
                    class={`depth-${Math.min(node.depth, 12)}`}
                  >
                    <NodeWords node={node} />
                  </a>
                </th>
                {parties.map((party) => {
                  const witness = node.witnesses.find((each) => each.party === party);
                  return (
                    <td key={party} class={witness ? 'sees' : ''}>
                      {witness?.reasons.map((reason) => (
                        <span key={reason} class={`mark ${reason}`} title={REASONS[reason]?.[1]}>
                          {REASONS[reason]?.[0]}
                        </span>
                      ))}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > most && (
        <button type="button" class="fold" onClick={() => setMost(most * 10)}>
          {plural(all.length - most, 'more event')}
        </button>
      )}
      <p class="legend">
        {Object.entries(REASONS).map(([reason, [mark, words]]) => (
          <span key={reason}>
            <span class={`mark ${reason}`}>{mark}</span> {words}
          </span>
        ))}
      </p>
    </Panel>
  );
}
