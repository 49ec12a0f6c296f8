/** The type of log rules: a rule returns the entries for one choice. */
import type { DamlRecord, Party } from '../../daml/model/values.js';
import type { LogEntry, Subtype } from './entries.js';
import type { Visible, VisibleExercise, VisibleTree } from './visible-tree.js';

export interface RuleContext {
  readonly tree: VisibleTree;
  /** The party whose log it is. */
  readonly party: Party;
  /**
   * Entries for nodes.
   * @param ignoresAmulets whether to accept amulets that are created or archived without a known choice
   */
  readonly parse: (nodes: readonly Visible[], ignoresAmulets?: boolean) => readonly LogEntry[];
}

export type Rule = (visible: VisibleExercise, context: RuleContext) => readonly LogEntry[];

/** Keys are `Module:Entity Choice`, or `Interface's Module:Entity > Module:Entity Choice`. */
export type Rules = Readonly<Record<string, Rule>>;

const PACKAGES: readonly (readonly [prefix: string, name: string])[] = [
  ['Splice.Wallet.Payment:', 'splice-wallet-payments'],
  ['Splice.Wallet.Subscriptions:', 'splice-wallet-payments'],
  ['Splice.Wallet.', 'splice-wallet'],
  ['Splice.Ans:', 'splice-amulet-name-service'],
  ['Splice.', 'splice-amulet'],
];

/** @param entity `Module:Entity` */
export function subtype(
  entity: string,
  choice: string,
  more: Pick<Subtype, 'interfaceName' | 'amuletOperation'> = {},
): Subtype {
  const [, packageName] = PACKAGES.find(([prefix]) => entity.startsWith(prefix))!;
  return { template: `${packageName}:${entity}`, choice, ...more };
}

export const argumentOf = <T>({ node }: VisibleExercise): T => node.argument as unknown as T;
export const resultOf = <T = DamlRecord>({ node }: VisibleExercise): T =>
  node.result as unknown as T;
