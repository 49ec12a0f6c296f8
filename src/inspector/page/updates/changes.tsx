/**
 * The effects of an update: created, archived and reassigned contracts. Contracts that it both created and archived
 * are a separate group.
 */
import type { Trace, TraceNode } from '../../../spec/generated/control.js';
import { Badge, Empty, Panel } from '../parts/frames.js';
import { plural } from '../parts/format.js';
import { ContractId, Name, Parties } from '../parts/ids.js';
import { Value } from '../parts/value.js';
import { href } from '../state/route.js';
import type { Sees } from './seen.js';

export function Changes({ trace, sees }: { trace: Trace; sees: Sees }) {
  const nodes = trace.nodes.filter((node) => node.outcome === 'done' && sees(node));
  const created = nodes.filter(({ kind }) => kind === 'create');
  const archived = nodes.filter(({ kind, consuming }) => kind === 'exercise' && consuming === true);
  const moved = nodes.filter(({ kind }) => kind === 'unassign' || kind === 'assign');
  const gone = new Set(archived.map(({ contractId }) => contractId));
  const born = new Set(created.map(({ contractId }) => contractId));
  const would = trace.outcome === 'committed' ? '' : ' (would have been)';
  if (created.length + archived.length + moved.length === 0)
    return (
      <Panel>
        <Empty>No changes.</Empty>
      </Panel>
    );
  return (
    <div class="columns">
      <Listed
        title={`Created${would}`}
        tone="create"
        nodes={created.filter((each) => !gone.has(each.contractId))}
      />
      <Listed
        title={`Archived${would}`}
        tone="archive"
        nodes={archived.filter((each) => !born.has(each.contractId))}
      />
      <Listed title="Moved" tone="assign" nodes={moved} />
      <Listed
        title="Created and archived in it"
        tone="fetch"
        nodes={created.filter((each) => gone.has(each.contractId))}
      />
    </div>
  );
}

function Listed({
  title,
  tone,
  nodes,
}: {
  title: string;
  tone: string;
  nodes: readonly TraceNode[];
}) {
  if (nodes.length === 0) return null;
  return (
    <Panel
      title={title}
      aside={<span class="faint">{plural(nodes.length, 'contract')}</span>}
      kind={`tone-${tone}`}
    >
      {nodes.map((node) => (
        <article key={node.id} class="card">
          <header>
            {node.template != null && (
              <Name id={node.template} packageId={node.templateId?.split(':')[0]} />
            )}
            {node.contractId != null && <ContractId id={node.contractId} />}
            {node.choice != null && (
              <a href={href(['updates'])} class="faint">
                by {node.choice}
              </a>
            )}
            {node.reassignmentCounter != null && (
              <Badge kind="reassignment">
                {node.kind} {node.reassignmentCounter}
              </Badge>
            )}
          </header>
          <Value value={node.kind === 'create' ? node.argument : node.payload} depth={1} />
          <p class="faint">
            signed by <Parties parties={node.signatories ?? []} />
          </p>
        </article>
      ))}
    </Panel>
  );
}
