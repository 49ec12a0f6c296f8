/** Parts of transactions that checks look at: actions that took effect, with the choices around them. */
import type {
  Action,
  ContractInstance,
  ExerciseNode,
  Transaction,
} from '../../daml/model/transaction.js';
import { qualifiedNameOf, type TypeId } from '../../daml/model/types.js';
import type { DamlValue, Party } from '../../daml/model/values.js';
import { leavesOf } from '../model/scalars.js';

/** The actions without those that were rolled back. */
export function* actionsIn({ nodes }: Transaction): Generator<Action, void, undefined> {
  for (const node of nodes) if (node.kind !== 'rollback' && node.kind !== 'rolledBack') yield node;
}

/** The exercises around an action, the command's first. */
export function choicesAround({ nodes }: Transaction, { parent }: Action): readonly ExerciseNode[] {
  const around: ExerciseNode[] = [];
  for (let id = parent; id >= 0; id = nodes[id]!.parent) {
    const node = nodes[id]!;
    if (node.kind === 'exercise') around.unshift(node);
  }
  return around;
}

/** The action of the command that leads to an action. */
export function commandOf({ nodes }: Transaction, { nodeId }: Action): Action {
  let node = nodes[nodeId]!;
  while (node.parent >= 0) node = nodes[node.parent]!;
  return node as Action;
}

/** Whether the action is the exercise or a consequence of it. */
export const isWithin = (exercise: ExerciseNode, { nodeId }: Action): boolean =>
  nodeId >= exercise.nodeId && nodeId <= exercise.lastDescendant;

/** `Module:Template.Choice`, with the interface of an interface's choice. */
export const choiceName = (node: ExerciseNode): string =>
  `${qualifiedNameOf(node.interfaceId ?? node.templateId)}.${node.choice}`;

export const templateName = (id: TypeId): string => qualifiedNameOf(id);

/** `Module:Template.Choice → Module:Template.Choice`. */
export const pathOf = (choices: readonly ExerciseNode[]): string =>
  choices.map(choiceName).join(' → ');

export const isStakeholder = (
  { signatories, observers }: Pick<ContractInstance, 'signatories' | 'observers'>,
  party: Party,
): boolean => signatories.includes(party) || observers.includes(party);

/** Whether one of the parties has a stake in the contract. */
export const haveStake = (contract: ContractInstance, parties: readonly Party[]): boolean =>
  parties.some((party) => isStakeholder(contract, party));

/** Whether a text, such as the name of a party, is a part of the value. */
export function mentions(value: DamlValue, text: string): boolean {
  for (const leaf of leavesOf(value)) if (leaf === text) return true;
  return false;
}

/** The findings of one sequence, each place once. */
export class Places {
  private readonly known = new Set<string>();

  /** Whether this is the first time in this sequence. */
  isNew(place: string): boolean {
    if (this.known.has(place)) return false;
    this.known.add(place);
    return true;
  }
}
