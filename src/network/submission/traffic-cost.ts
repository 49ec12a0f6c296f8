/**
 * What the submitting participant paid in traffic to have an update sequenced: the bytes of each envelope of its request. An informee tree
 * for the mediator, root hashes, and each view, compressed, with what it needs to be checked: the contracts that it uses, whole.
 * NOTE: nothing is encrypted or compressed here; what stands in a request is weighed instead, so the numbers come near, and are always the
 * same. What else is paid for in a real one, 4 in 10,000 for each recipient, is left out.
 */
import {
  stakeholdersOf,
  type Action,
  type ContractInstance,
  type QueryByKeyNode,
  type Transaction,
  type TransactionNode,
} from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { VettedPackage } from '../topology/topology.js';
import type { Update } from '../updates.js';
import { contractBytes, idsBytes, inputBytes, keyBytes, textBytes, valueBytes } from './weights.js';

/** Submitter, synchronizer, command, hashes, and the signature of the participant. */
const INFORMEE_TREE = 780;
const ROOT_HASHES = 220;
/** Signature, hashes, the synchronizer's id, padding. */
const VIEW_ENVELOPE = 350;
/** What each view repeats of the whole: the synchronizer, times, the submitter under the roots. */
const ROOT_VIEW = 450;
const SUBVIEW = 250;
/** Salts and thresholds of a view's informees. */
const VIEW_COMMON = 140;
/** The key of a view, encrypted for a recipient. */
const SESSION_KEY = 220;
/** Seed, version, and what kind of action it is. */
const ACTION = 60;
/** With its format, its algorithm and the fingerprint of its key. */
const SIGNATURE = 150;
const RESPONSE = 520;
const RESPONSE_PER_VIEW = 30;
/** An envelope with one signed transaction of the topology, but for names. */
const TOPOLOGY = 420;
/** Its id of 64 digits, and headers. */
const VETTED_PACKAGE = 68;
/** A bound in time. */
const VETTING_BOUND = 8;
/** In bytes; 0 for what no participant submitted. */
export function paidTrafficCost(update: Update): number {
  if (update.kind === 'topology') return 0;
  return update.kind === 'transaction'
    ? transactionCost(update.transaction, update.externalTransactionHash === undefined ? 0 : 1)
    : reassignmentCost(update.events);
}

/** @param signatures of external parties: each stands in the informee tree and in the roots */
export function transactionCost({ nodes }: Pick<Transaction, 'nodes'>, signatures = 0): number {
  let bytes = INFORMEE_TREE + ROOT_HASHES + signatures * SIGNATURE;
  for (const view of viewsOf(nodes)) {
    bytes += viewBytes(view);
    if (view.isRoot) bytes += signatures * SIGNATURE;
  }
  return bytes;
}

export const reassignmentCost = (
  events: readonly { readonly contract: ContractInstance }[],
): number =>
  events.reduce(
    (sum, { contract }) => sum + contractBytes(contract) + recipientBytes(stakeholdersOf(contract)),
    INFORMEE_TREE + ROOT_HASHES + VIEW_ENVELOPE + ROOT_VIEW + VIEW_COMMON,
  );

/** What a participant pays to confirm. */
export const responseCost = ({ nodes }: Pick<Transaction, 'nodes'>): number =>
  RESPONSE + viewsOf(nodes).length * RESPONSE_PER_VIEW;

/** Of a party that is hosted by so many. */
export const hostingCost = (party: Party, hosts: number): number => TOPOLOGY + hosts * party.length;

/** Of all that a participant vouches for, which it tells anew with each change. */
export const vettingCost = (participant: string, packages: Iterable<VettedPackage>): number =>
  [...packages].reduce(
    (sum, { validFrom, validUntil }) =>
      sum +
      VETTED_PACKAGE +
      (validFrom === undefined ? 0 : VETTING_BOUND) +
      (validUntil === undefined ? 0 : VETTING_BOUND),
    TOPOLOGY + participant.length,
  );

interface View {
  readonly isRoot: boolean;
  readonly informees: Set<Party>;
  /** What it begins with. */
  readonly action: Action;
  /** That it creates or uses. */
  readonly contracts: Set<ContractId>;
  /** Of those. */
  contractBytes: number;
}

/** A node begins a view where it informs somebody who is not at the participants of its parent. */
function viewsOf(nodes: readonly TransactionNode[]): readonly View[] {
  const views: View[] = [];
  const viewAt: (View | undefined)[] = [];
  for (const node of nodes) {
    const action = node.kind === 'rolledBack' ? node.action : node;
    const parent = node.parent < 0 ? undefined : viewAt[node.parent];
    if (action.kind === 'rollback') {
      viewAt[node.nodeId] = parent;
      continue;
    }
    const informees = informeesOf(action);
    const view =
      parent !== undefined && informees.every((party) => isTold(parent, party))
        ? parent
        : begun(views, action, node.parent < 0);
    for (const party of informees) view.informees.add(party);
    viewAt[node.nodeId] = view;
    if (action.kind !== 'queryByKey') addContract(view, action);
  }
  return views;
}

function begun(views: View[], action: Action, isRoot: boolean): View {
  const informees = new Set<Party>();
  const view = { isRoot, informees, action, contracts: new Set<ContractId>(), contractBytes: 0 };
  views.push(view);
  return view;
}

/** Whole, and each once. */
function addContract(view: View, { kind, contract }: Exclude<Action, QueryByKeyNode>): void {
  if (view.contracts.has(contract.contractId)) return;
  view.contracts.add(contract.contractId);
  view.contractBytes += kind === 'create' ? contractBytes(contract) : inputBytes(contract);
}

/** Where a party is, its namespace stands for: that of a participant, or one of its own. */
const namespaceOf = (party: Party): string => party.slice(party.lastIndexOf('::'));

function isTold({ informees }: View, party: Party): boolean {
  if (informees.has(party)) return true;
  const namespace = namespaceOf(party);
  for (const each of informees) if (namespaceOf(each) === namespace) return true;
  return false;
}

function informeesOf(action: Action): readonly Party[] {
  switch (action.kind) {
    case 'create':
      return stakeholdersOf(action.contract);
    case 'queryByKey':
      return action.key.maintainers;
    case 'fetch':
      return [...action.contract.signatories, ...action.actingParties];
    case 'exercise': {
      const { contract, actingParties, choiceObservers, consuming } = action;
      const own = consuming ? stakeholdersOf(contract) : contract.signatories;
      return [...own, ...actingParties, ...choiceObservers];
    }
  }
}

function viewBytes({ isRoot, informees, action, contractBytes: contracts }: View): number {
  const repeated = isRoot ? ROOT_VIEW : SUBVIEW;
  return VIEW_ENVELOPE + repeated + actionBytes(action) + recipientBytes(informees) + contracts;
}

/** Told to the mediator as they are, and to the recipients compressed; to each participant with a key. */
function recipientBytes(informees: Iterable<Party>): number {
  const namespaces = new Set<string>();
  let plain = 0;
  for (const party of informees) {
    plain += party.length + 8;
    namespaces.add(namespaceOf(party));
  }
  return plain + idsBytes(informees) + VIEW_COMMON + SESSION_KEY * namespaces.size;
}

/** Only what a view begins with is told: the rest follows from it. */
function actionBytes(action: Action): number {
  switch (action.kind) {
    case 'create':
      return ACTION;
    case 'fetch':
      return ACTION + idsBytes([action.templateId, ...action.actingParties]);
    case 'queryByKey':
      return ACTION + keyBytes(action.key);
    case 'exercise': {
      const { choice, templateId, actingParties, argument } = action;
      return (
        ACTION + textBytes(choice) + idsBytes([templateId, ...actingParties]) + valueBytes(argument)
      );
    }
  }
}
