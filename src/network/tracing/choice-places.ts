/**
 * Where nodes stand whose code says no place: in their choice. Archives have no places within choices, so a choice's beginning is read
 * off the Daml that its DAR carries, if somebody uploaded it.
 */
import { choiceSpans, type ChoiceSpan } from '../../daml/lf/counting/choice-spans.js';
import { splitTypeId, type PackageId, type TypeId } from '../../daml/model/types.js';
import type { Place } from '../../daml/errors/explanation.js';
import type { TraceNode } from '../../daml/tracing/trace-types.js';
import { sourcesOf } from '../inspection/packages.js';
import type { Network } from '../network.js';

type Spans = ReadonlyMap<string, readonly ChoiceSpan[]>;

/** By the package's id, which is the hash of what was compiled; of DARs that differ in their sources alone the first counts. */
const known = new WeakMap<Network, Map<PackageId, Spans>>();

/** @param nodes of commands that were run again */
export function withChoicePlaces(
  network: Network,
  nodes: readonly TraceNode[],
): readonly TraceNode[] {
  return nodes.map((node) => {
    if (node.at !== undefined || node.kind === 'rollback') return node;
    const around = exerciseAround(nodes, node);
    const at = around && choicePlace(network, around);
    return at === undefined ? node : { ...node, at };
  });
}

/** Whose code did it. */
function exerciseAround(nodes: readonly TraceNode[], node: TraceNode): TraceNode | undefined {
  let { parent } = node;
  while (parent !== undefined && nodes[parent]!.kind === 'rollback') ({ parent } = nodes[parent]!);
  return parent === undefined ? undefined : nodes[parent];
}

function choicePlace(
  network: Network,
  { templateId, interfaceId, choice }: TraceNode,
): Place | undefined {
  const id = interfaceId ?? templateId;
  if (id === undefined || choice === undefined) return undefined;
  const { packageId, module, entity } = splitTypeId(id as TypeId);
  const spans = spansOf(network, packageId).get(module) ?? [];
  const found = spans.find(({ owner, name }) => owner === entity && name === choice);
  return found && { module, line: found.line, column: found.column + 1 };
}

function spansOf(network: Network, id: PackageId): Spans {
  let packages = known.get(network);
  if (packages === undefined) known.set(network, (packages = new Map()));
  let spans = packages.get(id);
  if (spans === undefined) {
    const sources = sourcesOf(network, id);
    spans = new Map([...sources].map(([module, { text }]) => [module, choiceSpans(text)]));
    // A DAR may come later.
    if (spans.size > 0) packages.set(id, spans);
  }
  return spans;
}
