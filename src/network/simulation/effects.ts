/** The effects of a transaction, from its trace: created and archived contracts, results, and witnesses. */
import type { TraceNode, TransactionTrace } from '../../daml/tracing/trace-types.js';
import type {
  MissingAuthority,
  SimulatedContract,
  SimulatedResult,
  SimulatedStep,
  SimulatedWitness,
} from './simulation-types.js';

type Effects = Pick<SimulatedStep, 'created' | 'archived' | 'returned' | 'witnesses'>;

export function effectsOf({ nodes, hosts }: TransactionTrace): Effects {
  const events = nodes.filter(({ event }) => event === true);
  const created = events.filter(({ kind }) => kind === 'create');
  const archived = events.filter(({ consuming }) => consuming === true);
  const [made, ended] = [idsOf(created), idsOf(archived)];
  return {
    created: created.filter(({ contractId }) => !ended.has(contractId)).map(contractOf),
    archived: archived.filter(({ contractId }) => !made.has(contractId)).map(contractOf),
    returned: events.filter(({ parent }) => parent === undefined).map(resultOf),
    witnesses: witnessesOf(events, hosts),
  };
}

export const NO_EFFECTS: Effects = { created: [], archived: [], returned: [], witnesses: [] };

/** For a rejected submission: the innermost nodes with missing authority. */
export function missingIn({ nodes }: TransactionTrace): readonly MissingAuthority[] {
  return nodes.flatMap(({ id, culprit, authority }) =>
    culprit === true && authority !== undefined && authority.missing.length > 0
      ? [{ parties: authority.missing, node: id }]
      : [],
  );
}

const idsOf = (nodes: readonly TraceNode[]): ReadonlySet<string | undefined> =>
  new Set(nodes.map(({ contractId }) => contractId));

function contractOf(node: TraceNode): SimulatedContract {
  const { contractId = '', template = '', templateId = '', signatories, observers } = node;
  const payload = node.kind === 'create' ? node.argument : node.payload;
  return {
    contractId,
    template,
    templateId,
    payload,
    signatories: signatories ?? [],
    observers: observers ?? [],
  };
}

function resultOf({ contractId = '', choice, result }: TraceNode): SimulatedResult {
  return {
    contractId,
    ...(choice !== undefined && { choice }),
    ...(result !== undefined && { result }),
  };
}

function witnessesOf(
  events: readonly TraceNode[],
  hosts: TransactionTrace['hosts'],
): readonly SimulatedWitness[] {
  const parties = new Set(events.flatMap((node) => node.witnesses.map(({ party }) => party)));
  return [...parties].sort().map((party) => {
    const seen = events.filter((node) => isSeenBy(node, party));
    return {
      party,
      participants: hosts[party] ?? [],
      created: seen
        .filter(({ kind }) => kind === 'create')
        .map(({ contractId = '' }) => contractId),
      exercised: seen
        .filter(({ kind }) => kind === 'exercise')
        .map(({ contractId = '', choice = '', consuming = false }) => ({
          contractId,
          choice,
          consuming,
        })),
    };
  });
}

/** A party that knows a contract only from a disclosure sees no part of the update. */
const isSeenBy = ({ witnesses }: TraceNode, party: string): boolean =>
  witnesses.some(
    (each) => each.party === party && each.reasons.some((reason) => reason !== 'disclosed'),
  );
