/** The packages of all participants, by name and version, and the participants that vet each. */
import type { InspectedPackages, InspectedTopology } from '../../../spec/generated/control.js';
import { Find } from '../parts/find.js';
import { Badge, Empty } from '../parts/frames.js';
import { plural, shortId, visible } from '../parts/format.js';
import { Rows } from '../parts/rows.js';
import { href, hrefHere, useRoute } from '../state/route.js';
import { usePackages, useTopology } from '../state/world.js';

type Head = InspectedPackages['packages'][number];

export function Packages() {
  const { query } = useRoute();
  const packages = usePackages();
  const topology = useTopology();
  const { find = '', vetted } = query;
  const wanted = vetted === undefined ? undefined : vettedBy(topology, vetted);
  const found = packages.filter(
    ({ id, name, version }) =>
      `${name} ${version} ${id}`.toLowerCase().includes(find.toLowerCase()) &&
      (wanted?.has(id) ?? true),
  );
  return (
    <div class="view list-view">
      <div class="bar">
        <h1>Packages</h1>
        <Find what="packages" value={find} />
        {vetted !== undefined && (
          <a class="back" href={hrefHere({ vetted: undefined })}>
            vetted by {visible(vetted.replace(' ', ' on '))} ×
          </a>
        )}
        <span class="faint count">{plural(found.length, 'package')}</span>
      </div>
      <div class="table-head package-row" aria-hidden="true">
        <span>Name</span>
        <span>Version</span>
        <span>Daml-LF</span>
        <span>Templates</span>
        <span>Interfaces</span>
        <span>Vetted at</span>
        <span>Id</span>
      </div>
      <Rows
        label="Packages"
        items={found}
        height={34}
        narrowHeight={58}
        keyOf={({ id }) => id}
        row={(each) => <Row head={each} topology={topology} />}
      />
      {found.length === 0 && <Empty>No package matches.</Empty>}
    </div>
  );
}

/** @param where a participant and the alias of a synchronizer, with a space between them */
function vettedBy({ participants }: InspectedTopology, where: string): ReadonlySet<string> {
  const [name, alias = ''] = where.split(' ');
  return new Set(participants.find((each) => each.name === name)?.vetted[alias]);
}

function Row({ head, topology }: { head: Head; topology: InspectedTopology }) {
  const { id, name, version, languageVersion, templates, interfaces } = head;
  const at = topology.participants.filter(({ vetted }) =>
    Object.values(vetted).some((ids) => ids.includes(id)),
  );
  return (
    <a class="row package-row" href={href(['packages', id])}>
      <strong>{visible(name)}</strong>
      <span class="mono">{version}</span>
      <span class="mono faint">{languageVersion}</span>
      <span>{templates > 0 && plural(templates, 'template')}</span>
      <span>{interfaces > 0 && plural(interfaces, 'interface')}</span>
      <span>
        {at.length === 0 ? (
          <Badge kind="topology">nowhere</Badge>
        ) : (
          at.map((each) => visible(each.name)).join(', ')
        )}
      </span>
      <span class="mono faint">{shortId(id)}</span>
    </a>
  );
}
