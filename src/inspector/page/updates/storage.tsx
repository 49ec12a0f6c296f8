/**
 * The storage of each participant. A participant knows an event if it hosts one of its witnesses, and stores a
 * contract if it hosts a stakeholder.
 */
import type { Trace, TraceNode } from '../../../spec/generated/control.js';
import { Badge, Empty, Panel } from '../parts/frames.js';
import { plural, visible } from '../parts/format.js';
import { hrefHere } from '../state/route.js';
import { useTopology } from '../state/world.js';
import { NodeWords } from './words.js';

export function Storage({ trace }: { trace: Trace }) {
  const { participants } = useTopology();
  return (
    <div class="columns">
      {participants.map(({ name }) => (
        <Participant key={name} name={name} trace={trace} />
      ))}
    </div>
  );
}

function Participant({ name, trace }: { name: string; trace: Trace }) {
  const hosts = (party: string): boolean => trace.hosts[party]?.includes(name) === true;
  const seen = trace.nodes.filter(({ witnesses }) => witnesses.some(({ party }) => hosts(party)));
  const offset = trace.update?.offsets[name];
  return (
    <Panel
      title={visible(name)}
      aside={
        <span class="faint">
          {offset === undefined ? 'no offset' : `offset ${offset}`} · {plural(seen.length, 'event')}
        </span>
      }
    >
      {seen.length === 0 && <Empty>It hosts no witness, so it does not receive this update.</Empty>}
      <ul class="plain">
        {seen.map((node) => (
          <li key={node.id}>
            <a href={hrefHere({ tab: undefined, node: String(node.id) })}>
              <NodeWords node={node} />
            </a>{' '}
            {storedWords(node, hosts)}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function storedWords(node: TraceNode, hosts: (party: string) => boolean) {
  const isStakeholder = [...(node.signatories ?? []), ...(node.observers ?? [])].some(hosts);
  if (node.kind === 'create' || node.kind === 'assign')
    return isStakeholder ? (
      <Badge kind="create">stored</Badge>
    ) : (
      <Badge kind="topology">seen, not stored</Badge>
    );
  if (node.kind === 'unassign' || (node.kind === 'exercise' && node.consuming === true))
    return isStakeholder ? (
      <Badge kind="archive">no longer active</Badge>
    ) : (
      <Badge kind="topology">seen</Badge>
    );
  return <Badge kind="topology">seen</Badge>;
}
