/** The details of one node: values, authority, and the parties that see it, with reasons. */
import type { Trace, TraceNode } from '../../../spec/generated/control.js';
import { Badge, Empty, Facts, Panel } from '../parts/frames.js';
import { plural, visible } from '../parts/format.js';
import { ContractId, Name, Parties, Party } from '../parts/ids.js';
import { Text } from '../parts/text.js';
import { Value } from '../parts/value.js';
import { hrefHere } from '../state/route.js';
import { NodeWords, wordsOf } from './words.js';

export function NodeDetail({
  trace,
  node,
  isSeen,
}: {
  trace: Trace;
  node: TraceNode;
  isSeen: boolean;
}) {
  if (!isSeen)
    return (
      <Panel title="Not seen">
        <Empty>This node is not visible in this perspective.</Empty>
      </Panel>
    );
  const packageId = node.templateId?.split(':')[0];
  return (
    <Panel title={<NodeWords node={node} />} kind="detail">
      <Facts
        facts={[
          ['Template', node.template != null && <Name id={node.template} packageId={packageId} />],
          [
            'Interface',
            node.interface != null && (
              <Name id={node.interface} packageId={node.interfaceId?.split(':')[0]} />
            ),
          ],
          ['Contract', node.contractId != null && <ContractId id={node.contractId} />],
          ['Outcome', node.outcome !== 'done' && OUTCOMES[node.outcome]],
          ['Consuming', node.kind === 'exercise' && (node.consuming === true ? 'yes' : 'no')],
          ['From', node.source != null && visible(node.source)],
          ['To', node.target != null && visible(node.target)],
          ['Counter', node.reassignmentCounter],
          ['Key', node.key !== undefined && node.key !== null && <Value value={node.key} />],
          [
            'Found',
            node.found != null &&
              (node.found.length === 0
                ? 'nothing'
                : node.found.map((id) => <ContractId key={id} id={id} />)),
          ],
          ['Node', node.nodeId],
          ['Steps', node.steps != null && plural(node.steps, 'step')],
        ]}
      />
      {node.messages?.map((message, index) => (
        <pre key={index} class="message">
          <Text text={message} />
        </pre>
      ))}
      <Section title={node.kind === 'create' ? 'Payload' : 'Argument'} value={node.argument} />
      <Section title="Result" value={node.result} />
      <Section title="Contract" value={node.payload} />
      <Authority node={node} />
      <Witnesses trace={trace} node={node} />
    </Panel>
  );
}

const OUTCOMES = {
  done: 'done',
  failed: 'failed: the refusal came out of it',
  rolledBack: 'rolled back',
  notReached: 'not reached',
};

function Section({ title, value }: { title: string; value: unknown }) {
  if (value === undefined || value === null) return null;
  return (
    <>
      <h3>{title}</h3>
      <Value value={value} />
    </>
  );
}

function Authority({ node: { authority } }: { node: TraceNode }) {
  if (authority == null) return null;
  const { had, needed, missing, anyOf } = authority;
  return (
    <>
      <h3>Authority</h3>
      <Facts
        facts={[
          ['Had', <Parties parties={had} />],
          [anyOf === true ? 'Any of' : 'Needed', needed != null && <Parties parties={needed} />],
          [
            'Missing',
            missing.length > 0 && (
              <span class="missing">
                <Parties parties={missing} />
              </span>
            ),
          ],
        ]}
      />
    </>
  );
}

export const REASONS: Readonly<Record<string, readonly [mark: string, words: string]>> = {
  signatory: ['S', 'signatory'],
  observer: ['O', 'observer'],
  controller: ['C', 'controller'],
  choiceObserver: ['o', 'choice observer'],
  actor: ['A', 'fetches it'],
  maintainer: ['K', 'maintainer of the key'],
  divulged: ['d', 'divulged'],
  disclosed: ['x', 'disclosed'],
};

function Witnesses({ trace, node }: { trace: Trace; node: TraceNode }) {
  return (
    <>
      <h3>Visibility</h3>
      {node.witnesses.length === 0 && <p class="faint">nobody</p>}
      <ul class="witnesses">
        {node.witnesses.map(({ party, reasons, through }) => (
          <li key={party}>
            <Party party={party} plain />
            <span class="faint">
              {trace.hosts[party]?.map((name) => `at ${visible(name)}`).join(', ')}
            </span>
            {reasons.map((reason) => (
              <Badge key={reason} kind={`why ${reason}`}>
                {REASONS[reason]?.[1] ?? reason}
              </Badge>
            ))}
            {through != null && (
              <a class="faint" href={hrefHere({ node: String(through) })}>
                by {wordsOf(trace.nodes[through]!)}
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
