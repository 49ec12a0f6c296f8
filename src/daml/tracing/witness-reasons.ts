/** The witnesses of a node and their reasons: the ledger model's informees, and those that see a parent node. */
import type { Action, ContractInstance } from '../model/transaction.js';
import type { Party } from '../model/values.js';
import type { TraceWitness, WitnessReason } from './trace-types.js';

/** The parties that see a parent node, each with the innermost node of which it is an informee. */
export type Seeing = ReadonlyMap<Party, number>;

/** The order of reasons. */
const ORDER: readonly WitnessReason[] = [
  'signatory',
  'observer',
  'controller',
  'choiceObserver',
  'actor',
  'maintainer',
  'divulged',
  'disclosed',
];

type Reasons = Map<Party, Set<WitnessReason>>;

/** The informees of a node. */
export function informees(node: Action): Reasons {
  const reasons: Reasons = new Map();
  const add = (parties: readonly Party[], reason: WitnessReason): void => {
    for (const party of parties) {
      const known = reasons.get(party);
      if (known === undefined) reasons.set(party, new Set([reason]));
      else known.add(reason);
    }
  };
  if (node.kind === 'queryByKey') {
    add(node.key.maintainers, 'maintainer');
    return reasons;
  }
  const { signatories, observers } = node.contract;
  add(signatories, 'signatory');
  if (node.kind === 'create' || (node.kind === 'exercise' && node.consuming))
    add(observers, 'observer');
  if (node.kind === 'exercise') {
    add(node.actingParties, 'controller');
    add(node.choiceObservers, 'choiceObserver');
  } else if (node.kind === 'fetch') {
    add(node.actingParties, 'actor');
    // A fetching observer is a witness as an observer, too.
    const fetching = observers.filter((party) => node.actingParties.includes(party));
    add(fetching, 'observer');
  }
  return reasons;
}

/**
 * @param around parties that see a parent node
 * @param disclosedTo parties that had the contract only by disclosure
 */
export function witnessesOf(
  own: Reasons,
  around: Seeing,
  disclosedTo: readonly Party[],
): readonly TraceWitness[] {
  const parties = [...new Set([...own.keys(), ...around.keys()])].sort();
  return parties.map((party) => {
    const reasons = new Set<WitnessReason>(own.get(party) ?? ['divulged']);
    if (disclosedTo.includes(party)) reasons.add('disclosed');
    const ordered = ORDER.filter((reason) => reasons.has(reason));
    const through = own.has(party) ? undefined : around.get(party);
    return { party, reasons: ordered, ...(through !== undefined && { through }) };
  });
}

/**
 * The parties that see the nodes below a node.
 * @param id the node's id
 */
export function seeingBelow(around: Seeing, own: Reasons, id: number): Seeing {
  const below = new Map(around);
  for (const party of own.keys()) below.set(party, id);
  return below;
}

/** The readers that had a contract only by disclosure; none of them is a stakeholder. */
export function disclosedTo(
  contract: ContractInstance,
  readers: readonly Party[],
): readonly Party[] {
  const { signatories, observers } = contract;
  const knows = readers.some((party) => signatories.includes(party) || observers.includes(party));
  return knows ? [] : readers;
}
