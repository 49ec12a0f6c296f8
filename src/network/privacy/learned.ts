/** The facts that a transaction shows: contracts, arguments and results, each with the role that learns it, and the reason. */
import {
  packageIdOf,
  qualifiedNameOf,
  type PackageId,
  type TypeId,
} from '../../daml/model/types.js';
import type { Action } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import type { TraceWitness, WitnessReason } from '../../daml/tracing/trace-types.js';
import type { TransactionUpdate } from '../model/updates.js';
import { Roles } from './roles.js';
import { sightsOf, type NodeSights } from './sights.js';

/** The contents of a contract. */
export const PAYLOAD = 'payload';
/** A query by key and its result. */
const KEY = 'key';

/** A fact of a model: who learns what, and why. */
export interface Learned {
  /** `#package-name:Module:Entity` of the contract. */
  readonly template: string;
  /** {@link PAYLOAD}, {@link KEY}, or the name of a choice: its argument and result. */
  readonly what: string;
  /** The fields that name the party; or `participant NAME`. */
  readonly who: string;
  /** Such as `signatory`, `controller of Transfer`, `divulged by Trade:Trade Settle`, `hosts owner`. */
  readonly why: string;
}

/** A fact, and where it was seen first. */
export interface LearnedHere extends Learned {
  readonly party: Party;
  /** The nodes from the root to the one that shows it. */
  readonly path: () => readonly string[];
}

/** The participants of a network that learn with their parties. */
export interface Hosting {
  readonly name: string;
  hosts(party: Party): boolean;
}

/** The network of a transaction, as far as facts depend on it. */
export interface Around {
  /** With more than one, those that host a party learn with it. */
  readonly participants: readonly Hosting[];
  /** Packages whose contracts are left out. */
  readonly leftOut?: ReadonlySet<PackageId> | undefined;
}

/** All facts that a transaction shows. The same fact can occur several times. */
export function* learnedFrom(
  update: TransactionUpdate,
  { participants, leftOut }: Around,
): Generator<LearnedHere, void, undefined> {
  const sights = sightsOf(update);
  const byNode = new Map(sights.map((each) => [each.nodeId, each]));
  const roles = new Roles(update.submission?.actAs ?? []);
  for (const node of sights) {
    if (leftOut?.has(packageIdOf(templateIdOf(node.action)))) continue;
    for (const witness of node.witnesses) {
      const { party } = witness;
      const who = roles.of(party, node);
      const path = (): readonly string[] => pathTo(node);
      const hosting =
        participants.length > 1 ? participants.filter((each) => each.hosts(party)) : [];
      for (const what of shownBy(node.action)) {
        const template = templateOf(node.action);
        for (const why of reasonsOf(witness, what, node, byNode))
          yield { template, what, who, why, party, path };
        for (const { name } of hosting)
          yield { template, what, who: `participant ${name}`, why: `hosts ${who}`, party, path };
      }
    }
  }
}

const templateIdOf = (action: Action): TypeId =>
  action.kind === 'queryByKey' ? action.templateId : action.contract.templateId;

const templateOf = (action: Action): string => {
  const { packageName, templateId } = action.kind === 'queryByKey' ? action : action.contract;
  return `#${packageName}:${qualifiedNameOf(templateId)}`;
};

/** An exercise or a fetch shows the contract, too. */
function shownBy(action: Action): readonly string[] {
  if (action.kind === 'queryByKey') return [KEY];
  return action.kind === 'exercise' ? [action.choice, PAYLOAD] : [PAYLOAD];
}

function reasonsOf(
  { reasons, through }: TraceWitness,
  what: string,
  { action }: NodeSights,
  byNode: ReadonlyMap<number, NodeSights>,
): readonly string[] {
  const of = action.kind === 'exercise' && what === PAYLOAD ? ` of ${action.choice}` : '';
  return reasons.map((reason) => {
    if (reason === 'divulged') return `divulged by ${exerciseOf(byNode.get(through!)!)}`;
    return WORDS[reason] + (OF_CHOICE.has(reason) ? of : '');
  });
}

const WORDS: Readonly<Record<Exclude<WitnessReason, 'divulged'>, string>> = {
  signatory: 'signatory',
  observer: 'observer',
  controller: 'controller',
  choiceObserver: 'choice observer',
  actor: 'fetching party',
  maintainer: 'maintainer',
  disclosed: 'disclosed',
};
const OF_CHOICE: ReadonlySet<WitnessReason> = new Set(['controller', 'choiceObserver']);

/** `Module:Entity Choice` */
function exerciseOf({ action }: NodeSights): string {
  if (action.kind !== 'exercise') return action.kind;
  return `${qualifiedNameOf(action.contract.templateId)} ${action.choice}`;
}

function pathTo(node: NodeSights): readonly string[] {
  const path: string[] = [];
  for (let each: NodeSights | undefined = node; each !== undefined; each = each.parent)
    path.unshift(wordsOf(each));
  return path;
}

function wordsOf(node: NodeSights): string {
  const { action, isRolledBack } = node;
  const end = isRolledBack ? ', rolled back' : '';
  if (action.kind === 'exercise') return `exercise ${exerciseOf(node)}${end}`;
  const verb = action.kind === 'queryByKey' ? 'query by key' : action.kind;
  return `${verb} ${qualifiedNameOf(templateIdOf(action))}${end}`;
}
