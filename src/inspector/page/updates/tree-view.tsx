/** The tree, the Daml that ran, and the node that is chosen. */
import type { Trace, TraceNode } from '../../../spec/generated/control.js';
import { Badge, Panel } from '../parts/frames.js';
import { visible } from '../parts/format.js';
import { Rows } from '../parts/rows.js';
import { goTo, hrefHere, useRoute } from '../state/route.js';
import { NodeDetail } from './node-detail.js';
import type { Sees } from './seen.js';
import { NodeSource } from './node-source.js';
import { NodeWords } from './words.js';

/** Of a larger tree, only the visible part is rendered. */
const MOST_DRAWN = 500;

export function TreeView({ trace, sees }: { trace: Trace; sees: Sees }) {
  const { query } = useRoute();
  const { nodes } = trace;
  const first = nodes.find(({ culprit }) => culprit === true) ?? nodes.find(sees) ?? nodes[0];
  const chosen = nodes[Number(query['node'] ?? first?.id ?? 0)] ?? first;
  const hidden = nodes.filter((node) => !sees(node)).length;
  return (
    <div class="three">
      <Panel
        title="Tree"
        aside={hidden > 0 && <span class="faint">{hidden} not seen</span>}
        kind="flush"
      >
        {nodes.length > MOST_DRAWN ? (
          <Rows
            label="Nodes"
            items={nodes}
            height={26}
            keyOf={({ id }) => String(id)}
            row={(node) => <TreeRow node={node} isSeen={sees(node)} isChosen={node === chosen} />}
          />
        ) : (
          <div role="tree" aria-label="Nodes" onKeyDown={moveInTree}>
            {nodes.map((node) => (
              <TreeRow key={node.id} node={node} isSeen={sees(node)} isChosen={node === chosen} />
            ))}
          </div>
        )}
        {trace.stack != null && trace.stack.length > 0 && (
          <div class="stack">
            <h3>Where the code was</h3>
            <ol>
              {trace.stack.map(({ module, file, line, column }, index) => (
                <li key={index} class="mono">
                  {visible(module ?? file ?? '')}:{line}:{column}
                </li>
              ))}
            </ol>
          </div>
        )}
      </Panel>
      {chosen && <NodeSource trace={trace} node={chosen} sees={sees} />}
      {chosen && <NodeDetail trace={trace} node={chosen} isSeen={sees(chosen)} />}
    </div>
  );
}

function TreeRow({
  node,
  isSeen,
  isChosen,
}: {
  node: TraceNode;
  isSeen: boolean;
  isChosen: boolean;
}) {
  const { depth, outcome, culprit, id } = node;
  return (
    <a
      role="treeitem"
      aria-selected={isChosen}
      aria-level={depth + 1}
      class={`tree-row ${outcome}${isChosen ? ' chosen' : ''}${isSeen ? '' : ' unseen'}`}
      href={hrefHere({ node: String(id) })}
    >
      {Array.from({ length: depth }, (_, index) => (
        <span key={index} class="indent" />
      ))}
      {isSeen ? <NodeWords node={node} /> : <span class="faint">not seen</span>}
      {culprit === true && <Badge kind="refused">refused here</Badge>}
      {outcome === 'rolledBack' && <Badge kind="topology">rolled back</Badge>}
      {outcome === 'notReached' && <Badge kind="topology">not reached</Badge>}
    </a>
  );
}

function moveInTree(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const row = event.target as HTMLElement;
  if (step === undefined) return;
  const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
  if (!(next instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  next.focus();
  goTo(next.getAttribute('href')!);
}
