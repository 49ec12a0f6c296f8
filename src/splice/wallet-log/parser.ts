/**
 * Reads log entries from a transaction, as Splice's wallet parses transactions. Each known choice has a rule; for other choices, the parser
 * visits the nodes below them (WA-HIS-007, WA-HIS-008).
 */
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import type { LocalUpdate, TransactionUpdate } from '../../network/model/updates.js';
import { AMULET, amuletRules, FUND_COUPON } from './amulet-rules.js';
import { batchRules } from './batch-rules.js';
import { couponCreated, couponRules } from './coupon-rules.js';
import { isAbout, type LogEntry } from './entries.js';
import { paymentRules } from './payment-rules.js';
import { requestRules } from './request-rules.js';
import type { Rule, RuleContext } from './rules.js';
import { INSTRUCTION_ENTITY, instructionCreated, tokenRules } from './token-rules.js';
import { entityOf, isExercise, VisibleTree, type Visible } from './visible-tree.js';
import { isError } from '../../daml/errors/realms.js';

const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    ...amuletRules,
    ...batchRules,
    ...couponRules,
    ...paymentRules,
    ...requestRules,
    ...tokenRules,
  }),
);

/** Entries in the order of the transaction. If it moves amulets in an unknown way, it has one entry without details. */
export function logEntries(
  update: TransactionUpdate,
  party: Party,
  position?: LocalUpdate,
): readonly LogEntry[] {
  const tree = new VisibleTree(update, party, position);
  const [first] = tree.roots;
  if (first === undefined) return [];
  try {
    return parseAll(tree.roots, tree, party, false).filter((entry) => isAbout(entry, party));
  } catch (error) {
    if (!isError(error)) throw error;
    return [{ kind: 'unknown', eventId: first.eventId }];
  }
}

function parseAll(
  nodes: readonly Visible[],
  tree: VisibleTree,
  party: Party,
  ignoresAmulets: boolean,
): readonly LogEntry[] {
  return nodes.flatMap((node) => parse(node, tree, party, ignoresAmulets));
}

function parse(
  visible: Visible,
  tree: VisibleTree,
  party: Party,
  ignoresAmulets: boolean,
): readonly LogEntry[] {
  const entity = entityOf(visible);
  if (!isExercise(visible)) {
    if (entity === AMULET && !ignoresAmulets) throw unexpected(visible);
    if (entity === INSTRUCTION_ENTITY) return instructionCreated(tree, visible, party);
    return entity === FUND_COUPON ? couponCreated(tree, visible) : [];
  }
  const { interfaceId, choice, consuming } = visible.node;
  const by = interfaceId === undefined ? '' : `${qualifiedNameOf(interfaceId)} > `;
  const rule = RULES.get(`${by}${entity} ${choice}`);
  if (rule !== undefined) {
    const context: RuleContext = {
      tree,
      party,
      parse: (nodes, ignores = ignoresAmulets) => parseAll(nodes, tree, party, ignores),
    };
    return rule(visible, context);
  }
  if (entity === AMULET && consuming) {
    if (ignoresAmulets) return [];
    throw unexpected(visible);
  }
  return parseAll(visible.children, tree, party, ignoresAmulets);
}

function unexpected({ eventId }: Visible): Error {
  return new Error(`An amulet comes or goes at ${eventId} in a way that no rule knows.`);
}
