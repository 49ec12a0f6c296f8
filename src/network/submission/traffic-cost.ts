/**
 * What the submitting participant paid in traffic to have an update sequenced. NOTE: a participant pays for the encrypted
 * request; here the weight of what stands in it is paid for, so the numbers are of the right order, and always the same.
 */
import { Numeric } from '../../daml/model/numeric.js';
import type {
  ContractInstance,
  Transaction,
  TransactionNode,
} from '../../daml/model/transaction.js';
import { DamlVariant, Some, type DamlValue } from '../../daml/model/values.js';
import type { Update } from '../updates.js';

/** Informee tree, root hashes and headers of a request. */
export const REQUEST_BASE = 1_500;
/** Of each view: its own key, salts and recipients. */
export const VIEW_OVERHEAD = 350;
/** Tag and length of a member, and of what has no length of its own. */
const MEMBER = 4;
const SCALAR = 8;

/** In bytes; 0 for what no participant submitted. */
export function paidTrafficCost(update: Update): number {
  if (update.kind === 'topology') return 0;
  return update.kind === 'transaction'
    ? transactionCost(update.transaction)
    : reassignmentCost(update.events);
}

export const transactionCost = ({ nodes }: Pick<Transaction, 'nodes'>): number =>
  requestBytes(nodes.map(nodeBytes));

export const reassignmentCost = (
  events: readonly { readonly contract: ContractInstance }[],
): number => requestBytes(events.map(({ contract }) => contractBytes(contract)));

const requestBytes = (parts: readonly number[]): number =>
  parts.reduce((sum, bytes) => sum + VIEW_OVERHEAD + bytes, REQUEST_BASE);

function nodeBytes(node: TransactionNode): number {
  switch (node.kind) {
    case 'create':
      return contractBytes(node.contract);
    case 'fetch':
      return node.contract.contractId.length / 2;
    case 'queryByKey':
      return (
        (node.result.join('').length + node.key.hash.length) / 2 +
        textsBytes([node.templateId, ...node.key.maintainers]) +
        valueBytes(node.key.value)
      );
    case 'exercise':
      return (
        node.contract.contractId.length / 2 +
        textsBytes([node.choice, ...node.actingParties, ...node.choiceObservers]) +
        valueBytes(node.argument) +
        valueBytes(node.result)
      );
    case 'rollback':
      return MEMBER;
    case 'rolledBack':
      return nodeBytes(node.action);
  }
}

const contractBytes = (contract: ContractInstance): number => {
  const { templateId, payload, signatories, observers, key } = contract;
  const plain = textsBytes([templateId, ...signatories, ...observers]) + valueBytes(payload);
  return key === undefined ? plain : plain + key.hash.length / 2 + valueBytes(key.value);
};

const textsBytes = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + MEMBER + text.length, 0);

function valueBytes(value: DamlValue): number {
  if (typeof value === 'string') return MEMBER + value.length;
  if (value === null || typeof value !== 'object' || value instanceof Numeric) return SCALAR;
  if (value instanceof Some) return MEMBER + valueBytes(value.value);
  if (value instanceof DamlVariant) return MEMBER + value.tag.length + valueBytes(value.value);
  if (value instanceof Map)
    return [...value].reduce(
      (sum, [key, each]) => sum + MEMBER + key.length + valueBytes(each),
      MEMBER,
    );
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.reduce((sum: number, each) => sum + MEMBER + valueBytes(each), MEMBER);
}
