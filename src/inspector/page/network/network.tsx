/** The synchronizers and participants, and the participants that host each party, with their permissions. */
import type { InspectedParty, InspectedTopology } from '../../../spec/generated/control.js';
import { Find } from '../parts/find.js';
import { Badge, Empty, Facts, Panel } from '../parts/frames.js';
import { plural, visible } from '../parts/format.js';
import { Id, Party, Timestamp } from '../parts/ids.js';
import { Rows } from '../parts/rows.js';
import { Action } from '../parts/action.js';
import { sendJson } from '../state/api.js';
import { href, hrefHere, useRoute } from '../state/route.js';
import { useTopology } from '../state/world.js';

export function Network() {
  const { query } = useRoute();
  const topology = useTopology();
  const { synchronizers, participants, parties } = topology;
  const { find = '' } = query;
  const found = parties.filter(({ party }) => party.toLowerCase().includes(find.toLowerCase()));
  return (
    <div class="view network-view">
      <div class="bar">
        <h1>Network</h1>
        <span class="faint">
          {plural(synchronizers.length, 'synchronizer')} ·{' '}
          {plural(participants.length, 'participant')} ·{' '}
          {plural(parties.length, 'party', 'parties')}
        </span>
      </div>
      <div class="columns cards">
        {synchronizers.map((each) => (
          <Synchronizer key={each.id} synchronizer={each} />
        ))}
        {participants.map((each) => (
          <Participant key={each.id} participant={each} parties={parties} />
        ))}
      </div>
      <Panel title="Parties" aside={<Find what="parties" value={find} />} kind="flush wide hosting">
        <div class="table-head party-row" aria-hidden="true">
          <span>Party</span>
          <span>Hosted at</span>
        </div>
        <Rows
          label="Parties"
          items={found}
          height={34}
          keyOf={({ party }) => party}
          row={(each) => <Hosting party={each} />}
        />
        {found.length === 0 && <Empty>No party has that name.</Empty>}
      </Panel>
    </div>
  );
}

type Synchronizers = InspectedTopology['synchronizers'];
type Participants = InspectedTopology['participants'];

function Synchronizer({ synchronizer }: { synchronizer: Synchronizers[number] }) {
  const { alias, id, protocolVersion, paused, inFlight, recordTime } = synchronizer;
  const path = `synchronizers/${encodeURIComponent(alias)}/${paused ? 'resume' : 'pause'}`;
  return (
    <Panel
      title={
        <>
          <span class="kind">synchronizer</span> {visible(alias)}
        </>
      }
      aside={<Action label={paused ? 'Resume' : 'Pause'} run={() => sendJson('POST', path)} />}
    >
      <Facts
        facts={[
          ['Id', <Id id={id} />],
          ['Protocol', protocolVersion],
          [
            'State',
            paused ? (
              <Badge kind="refused">paused, {inFlight} in flight</Badge>
            ) : (
              <Badge kind="active">sequencing</Badge>
            ),
          ],
          ['Last', recordTime != null && <Timestamp at={recordTime} />],
          ['Updates', <a href={href(['updates'], { synchronizer: alias })}>of this one</a>],
        ]}
      />
    </Panel>
  );
}

function Participant({
  participant,
  parties,
}: {
  participant: Participants[number];
  parties: readonly InspectedParty[];
}) {
  const { name, id, connected, ledgerEnd, prunedUpTo, vetted } = participant;
  const hosted = parties.filter(({ hosts }) => hosts.some((each) => each.participant === name));
  return (
    <Panel
      title={
        <>
          <span class="kind">participant</span> {visible(name)}
        </>
      }
      aside={
        <a class="faint" href={hrefHere({ as: `participant:${name}` })}>
          view as this participant
        </a>
      }
    >
      <Facts
        facts={[
          ['Id', <Id id={id} />],
          [
            'Connected',
            connected.length === 0 ? (
              <Badge kind="refused">to none</Badge>
            ) : (
              connected.map(visible).join(', ')
            ),
          ],
          ['Ledger end', ledgerEnd],
          ['Pruned', prunedUpTo > 0 && `up to ${prunedUpTo}`],
          ['Hosts', plural(hosted.length, 'party', 'parties')],
          [
            'Vetted',
            Object.entries(vetted).map(([alias, ids]) => (
              <div key={alias}>
                <a href={href(['packages'], { vetted: `${name} ${alias}` })}>
                  {plural(ids.length, 'package')}
                </a>{' '}
                <span class="faint">on {visible(alias)}</span>
              </div>
            )),
          ],
        ]}
      />
    </Panel>
  );
}

function Hosting({ party: { party, hosts } }: { party: InspectedParty }) {
  return (
    <div class="row party-row">
      <span>
        <Party party={party} />
      </span>
      <span>
        {hosts.length === 0 ? <span class="faint">nowhere</span> : <Hosts hosts={hosts} />}
      </span>
    </div>
  );
}

/** Groups the hosting by participant and permission: if it is equal on each synchronizer, it appears once. */
export function Hosts({ hosts }: { hosts: InspectedParty['hosts'] }) {
  const grouped = new Map<string, string[]>();
  for (const { participant, permission, synchronizer } of hosts) {
    const key = `${participant}\n${permission}`;
    grouped.set(key, [...(grouped.get(key) ?? []), synchronizer]);
  }
  return (
    <>
      {[...grouped].map(([key, synchronizers]) => {
        const [participant = '', permission = ''] = key.split('\n');
        return (
          <span key={key} class="host">
            {visible(participant)}{' '}
            <Badge kind={permission === 'observation' ? 'topology' : 'create'}>{permission}</Badge>{' '}
            <span class="faint">{synchronizers.map(visible).join(', ')}</span>
          </span>
        );
      })}
    </>
  );
}
