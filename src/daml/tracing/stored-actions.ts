/** The actions of a past transaction, from its nodes. */
import type { ActionOutcome } from '../errors/explanation.js';
import type { Savepoint } from '../interpreter/frame.js';
import {
  interfaceDefinition,
  template as templateOf,
  type PackageLookup,
} from '../model/package.js';
import type { Action, Transaction } from '../model/transaction.js';
import { qualifiedNameOf } from '../model/types.js';
import type { Party } from '../model/values.js';
import type { Trace, TracedAction } from './trace.js';

/** The context of a node: the list for its actions, its scopes, and its authorizers. */
interface Inside {
  readonly siblings: (TracedAction | string)[];
  readonly scopes?: readonly Savepoint[] | undefined;
  readonly given: readonly Party[];
}

/**
 * The actions of a past transaction, from its nodes.
 * @param authorizers of its commands, if needed
 */
export function traceOf(
  packages: PackageLookup,
  { nodes }: Transaction,
  authorizers: readonly Party[] = [],
): Trace {
  const root: Inside = { siblings: [], given: authorizers };
  /** By node: the context below an action, or next to a scope. */
  const inside: Inside[] = [];
  for (const node of nodes) {
    const around = node.parent < 0 ? root : inside[node.parent]!;
    if (node.kind === 'rollback') {
      inside.push({ ...around, scopes: [...(around.scopes ?? []), node] });
      continue;
    }
    const { given, scopes } = around;
    const [own, outcome] =
      node.kind === 'rolledBack'
        ? ([node.action, 'rolledBack'] as const)
        : ([node, 'done'] as const);
    const action = { ...actionOf(packages, own, given, outcome), ...(scopes && { scopes }) };
    around.siblings.push(action);
    inside.push({
      siblings: action.children,
      given: authorizers.length > 0 ? givenBelow(own) : [],
    });
  }
  return { actions: root.siblings, stack: [] };
}

function givenBelow(node: Action): readonly Party[] {
  if (node.kind !== 'exercise') return [];
  return [...new Set([...node.contract.signatories, ...node.actingParties])].sort();
}

/** Data of an action that its node adds to the request. */
export function factsOf(
  node: Action,
): Pick<TracedAction, 'node' | 'contractId' | 'required' | 'found' | 'consuming'> {
  if (node.kind === 'queryByKey')
    return { node, required: node.key.maintainers, found: node.result };
  const { contractId, signatories } = node.contract;
  if (node.kind === 'create') return { node, contractId, required: signatories };
  if (node.kind === 'fetch') return { node, contractId };
  return { node, contractId, required: node.actingParties, consuming: node.consuming };
}

function actionOf(
  packages: PackageLookup,
  node: Action,
  given: readonly Party[],
  outcome: ActionOutcome,
): TracedAction {
  const common = { given, children: [], outcome, ...factsOf(node) };
  if (node.kind === 'queryByKey') {
    const { templateId: id, key } = node;
    const type = templateOf(packages, id)?.key?.type;
    return { ...common, kind: 'lookup', id, argument: type && { type, value: key.value } };
  }
  const { templateId, payload } = node.contract;
  if (node.kind === 'create') {
    const type = templateOf(packages, templateId)?.payloadType;
    return {
      ...common,
      kind: node.kind,
      id: templateId,
      argument: type && { type, value: payload },
    };
  }
  if (node.kind === 'fetch')
    return { ...common, kind: node.kind, id: node.interfaceId ?? templateId };
  const own = `${node.packageId}:${qualifiedNameOf(templateId)}`;
  const id = node.interfaceId ?? own;
  const choices = (interfaceDefinition(packages, id) ?? templateOf(packages, id))?.choices;
  const type = choices?.get(node.choice)?.argumentType;
  return {
    ...common,
    kind: node.kind,
    id,
    templateId: id === templateId ? undefined : templateId,
    choice: node.choice,
    argument: type && { type, value: node.argument },
  };
}
