/** The nodes of an unassignment or an assignment: one for each reassigned contract. */
import { encodeValue } from '../../daml/codec/json/codec.js';
import { template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { TraceNode, TraceWitness } from '../../daml/tracing/trace-types.js';
import type { ReassignmentEvent, ReassignmentUpdate } from '../model/updates.js';

export function reassignmentNodes(
  packages: PackageLookup,
  { events }: ReassignmentUpdate,
): readonly TraceNode[] {
  return events.map((event, id) => nodeOf(packages, event, id));
}

function nodeOf(packages: PackageLookup, event: ReassignmentEvent, id: number): TraceNode {
  const { contract, source, target, reassignmentId, reassignmentCounter, submitter } = event;
  const { contractId, templateId, packageName, payload, signatories, observers } = contract;
  const payloadType = templateOf(packages, templateId)?.payloadType;
  const witnesses = [
    ...signatories.map((party): TraceWitness => ({ party, reasons: ['signatory'] })),
    ...observers.map((party): TraceWitness => ({ party, reasons: ['observer'] })),
  ].sort((a, b) => (a.party < b.party ? -1 : 1));
  return {
    id,
    depth: 0,
    kind: event.kind === 'unassigned' ? 'unassign' : 'assign',
    outcome: 'done',
    nodeId: event.nodeId,
    event: true,
    template: `#${packageName}:${qualifiedNameOf(templateId)}`,
    templateId,
    contractId,
    ...(payloadType && { payload: encodeValue(packages, payloadType, payload) }),
    signatories,
    observers,
    actors: [submitter],
    witnesses,
    source,
    target,
    reassignmentId,
    reassignmentCounter,
  };
}
