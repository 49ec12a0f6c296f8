/** One party: the participants that host it, and links to everything that involves it. */
import { Empty, Facts, Panel } from '../parts/frames.js';
import { partyName } from '../parts/format.js';
import { Id } from '../parts/ids.js';
import { href, hrefHere } from '../state/route.js';
import { useTopology } from '../state/world.js';
import { Hosts } from './network.js';

/** @param path after `network`: `parties` and its id */
export function PartyPage({ path: [kind, id = ''] }: { path: readonly string[] }) {
  const { parties } = useTopology();
  const party = kind === 'parties' ? parties.find((each) => each.party === id) : undefined;
  return (
    <div class="view">
      <div class="bar">
        <a class="back" href={href(['network'])}>
          ← Network
        </a>
        <h1>
          <bdi>{partyName(id)}</bdi>
        </h1>
      </div>
      <div class="columns">
        <Panel title="Party">
          <Facts
            facts={[
              ['Id', <Id id={id} whole />],
              ['Hosted at', party !== undefined && <Hosts hosts={party.hosts} />],
            ]}
          />
          {party === undefined && <Empty>No participant hosts it.</Empty>}
        </Panel>
        <Panel title="Related views">
          <ul class="plain">
            <li>
              <a href={href(['contracts'], { party: id })}>
                Contracts of which it is a stakeholder
              </a>
            </li>
            <li>
              <a href={href(['updates'], { as: `party:${id}` })}>Updates that it sees</a>
            </li>
            <li>
              <a href={href(['token'], { party: id })}>Its holdings, offers and allocations</a>
            </li>
            <li>
              <a href={href(['do'], { by: id })}>Do something as this party</a>
            </li>
            <li>
              <a href={hrefHere({ as: `party:${id}` })}>View as this party</a>
            </li>
          </ul>
        </Panel>
      </div>
    </div>
  );
}
