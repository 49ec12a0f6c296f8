/** The version of the encoding that an action, or a whole transaction, needs (R-36-064). */
import {
  EXTENDED_SERIALIZATION_VERSION,
  KEYED_SERIALIZATION_VERSION,
  SERIALIZATION_VERSION,
  SERIALIZATION_VERSIONS,
} from '../../daml/codec/protobuf/fields.js';
import type { Action, Transaction, TransactionNode } from '../../daml/model/transaction.js';

export function serializationVersionOf({ nodes }: Pick<Transaction, 'nodes'>): string {
  let newest = 0;
  for (const node of nodes) {
    const action = actionOf(node);
    if (action !== undefined)
      newest = Math.max(newest, SERIALIZATION_VERSIONS.indexOf(actionVersion(action)));
  }
  return SERIALIZATION_VERSIONS[newest]!;
}

export function actionVersion(action: Action): string {
  if (action.kind === 'queryByKey') return KEYED_SERIALIZATION_VERSION;
  if (action.kind === 'exercise' && action.externalCalls) return EXTENDED_SERIALIZATION_VERSION;
  return action.contract.key ? KEYED_SERIALIZATION_VERSION : SERIALIZATION_VERSION;
}

/** The action of a node, rolled back or not; undefined for a scope. */
export function actionOf(node: TransactionNode): Action | undefined {
  if (node.kind === 'rollback') return undefined;
  return node.kind === 'rolledBack' ? node.action : node;
}
