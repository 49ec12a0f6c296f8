/** The parties that see the nodes of an update, or the contents of a contract: the data of the matchers on privacy. */
import type { Canticle } from '../../assembly/canticle.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import type { WitnessReason } from '../../daml/tracing/trace-types.js';
import type { TransactionUpdate, Update } from '../../network/model/updates.js';
import { sightsOf, type NodeSights } from '../../network/privacy/sights.js';
import { locate } from './contract-matchers.js';
import { knownInstances } from './instances.js';
import { isObject, shown } from './matcher.js';
import { payloadOf } from './contract-report.js';

/** The reason why a party or a participant sees a node. `hosting`: a participant hosts a party that sees it. */
export type SeenBecause = WitnessReason | 'hosting';

/** Selects the nodes that a matcher on privacy looks at. By default, all. */
export interface SeenNodes {
  /** Only nodes of this template: `Entity`, `Module:Entity` or `#package-name:Module:Entity`. */
  readonly template?: string;
  /** Only exercises of this choice. */
  readonly choice?: string;
  /**
   * Only nodes that show this part: `payload` and `argument`, or a field such as `payload.amount`; or `result`. An
   * exercise or a fetch shows the payload, too.
   */
  readonly field?: string;
}

/** A node of an update, with those who see it. */
export interface SeenNode {
  readonly update: TransactionUpdate;
  readonly sights: NodeSights;
}

/** The nodes that a matcher looks at, or the reason why there are none. */
export interface Seen {
  readonly canticle: Canticle;
  readonly nodes: readonly SeenNode[];
}

/** @param subject an update id, an object with an `updateId`, a contract id, or an object with a `contractId` */
export function seenIn(subject: unknown, wanted: SeenNodes = {}): Seen | string {
  const problem = problemOf(wanted);
  if (problem !== undefined) return problem;
  const found = isContract(subject) ? ofContract(subject) : ofUpdate(subject);
  if (typeof found === 'string') return found;
  const nodes = found.nodes.filter(({ sights }) => isWanted(found.canticle, sights, wanted));
  if (nodes.length > 0) return { ...found, nodes };
  return `No node has ${Object.entries(wanted)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `the ${name} ${String(value)}`)
    .join(' and ')}.`;
}

const PARTS = /^(payload|argument|result)(\.\w+)*$/;

function problemOf({ field }: SeenNodes): string | undefined {
  if (field === undefined || PARTS.test(field)) return undefined;
  return `Not a field: ${shown(field)}. Begin with payload, argument or result, as in 'payload.amount'.`;
}

const isContract = (subject: unknown): boolean =>
  typeof subject === 'string'
    ? /^00[0-9a-f]{2,}$/.test(subject)
    : isObject(subject) && typeof subject.updateId !== 'string' && 'contractId' in subject;

/** All nodes that show the contents of the contract. */
function ofContract(subject: unknown): Seen | string {
  const located = locate(subject);
  if (typeof located === 'string') return located;
  const { canticle, stored } = located;
  const { contractId } = stored.instance;
  const { updates } = canticle.network;
  const nodes: SeenNode[] = [];
  // The network forgets no update, and an imported contract is in the update that imported it.
  let index = updates.firstIndex(({ sequence }) => sequence >= stored.createdIn.sequence);
  for (; index < updates.length; index += 1) {
    const update = updates.at(index)!;
    if (update.kind !== 'transaction' || !uses(update, contractId)) continue;
    for (const sights of sightsOf(update)) {
      const { action } = sights;
      if (action.kind !== 'queryByKey' && action.contract.contractId === contractId)
        nodes.push({ update, sights });
    }
  }
  return { canticle, nodes };
}

const uses = ({ transaction }: TransactionUpdate, contractId: string): boolean =>
  transaction.nodes.some((node) => {
    const action = node.kind === 'rolledBack' ? node.action : node;
    return 'contract' in action && action.contract.contractId === contractId;
  });

function ofUpdate(subject: unknown): Seen | string {
  const located = locateUpdate(subject);
  if (typeof located === 'string') return located;
  const { canticle, update } = located;
  if (update.kind !== 'transaction')
    return `The update is a ${update.kind}, which has no nodes: give a transaction.`;
  return { canticle, nodes: sightsOf(update).map((sights) => ({ update, sights })) };
}

export interface LocatedUpdate {
  readonly canticle: Canticle;
  readonly update: Update;
}

/** The update that a matcher received, or the reason why it was not found. */
export function locateUpdate(subject: unknown): LocatedUpdate | string {
  const updateId = isObject(subject) ? subject.updateId : subject;
  if (typeof updateId !== 'string')
    return `Not an update: ${shown(subject)}. Give its id, or an object with an updateId.`;
  for (const canticle of knownInstances()) {
    const update = canticle.network.updateById(updateId);
    if (update !== undefined) return { canticle, update };
  }
  return `No ledger has the update ${updateId}. A revert forgets the updates since its snapshot.`;
}

function isWanted(
  canticle: Canticle,
  { action }: NodeSights,
  { template, choice, field }: SeenNodes,
): boolean {
  if (choice !== undefined && (action.kind !== 'exercise' || action.choice !== choice))
    return false;
  const { packageName, templateId } = action.kind === 'queryByKey' ? action : action.contract;
  const whole = `#${packageName}:${qualifiedNameOf(templateId)}`;
  if (template !== undefined && whole !== template && !whole.endsWith(`:${template}`)) return false;
  return field === undefined || hasField(canticle, action, field.split('.'));
}

function hasField(
  canticle: Canticle,
  action: NodeSights['action'],
  [part, ...path]: readonly string[],
): boolean {
  if (action.kind === 'queryByKey') return false;
  if (part === 'payload') return has(payloadOf(canticle, action.contract), path);
  if (action.kind !== 'exercise') return false;
  return has(part === 'argument' ? action.argument : action.result, path);
}

/** Whether a value, as JSON or in memory, has a field. Lists have the fields of their elements. */
function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((each) => has(each, [name, ...rest]));
  return isObject(value) && name in value && has(value[name], rest);
}

/** The parties that see a node, each with its reasons in words. */
export const reasonsText = ({ sights }: SeenNode, party: Party): string =>
  sights.witnesses
    .filter((witness) => witness.party === party)
    .map(({ reasons, through }) =>
      reasons
        .map((reason) => (reason === 'divulged' ? `divulged by node ${through}` : reason))
        .join(', '),
    )
    .join();
