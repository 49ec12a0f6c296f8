/**
 * The choice context of the test token: the values that the registry gives a client for a choice. Each choice takes the rules
 * contract from it, so a client that leaves out the context or the disclosed contracts fails as with a real registry.
 */
import type { Update } from '../../daml/define/index.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { AnyValue, ChoiceContext } from '../standard/metadata-v1.js';
import { TransferFactory } from '../standard/transfer-instruction-v2.js';

/** AV_ContractId: the rules contract. */
export const RULES_KEY = 'canticle-test-token/rules';
/** AV_Bool: whether the offer's locked token still exists. Left out, it is taken to exist. */
export const EXPIRE_LOCK_KEY = 'canticle-test-token/expire-lock';
/** AV_List of AV_ContractId: locked tokens of an allocation that are gone, for their lock had expired. */
export const SPENT_TOKENS_KEY = 'canticle-test-token/spent-tokens';

/** Fetches the rules contract that the context names, and checks whose it is. */
export function rulesFromContext(update: Update, context: ChoiceContext, admin: Party): ContractId {
  const entry = context.values.get(RULES_KEY);
  if (entry === undefined) return update.fail(`Missing context entry for: ${RULES_KEY}`);
  if (entry.tag !== 'AV_ContractId')
    return update.fail(`Context entry ${RULES_KEY}: expected AV_ContractId, got ${entry.tag}`);
  const rulesCid = entry.value;
  const { view } = update.fetchView(TransferFactory, rulesCid);
  update.assert(
    view.admin === admin,
    `Context entry ${RULES_KEY}: the rules are of ${view.admin}, not of ${admin}`,
  );
  return rulesCid;
}

/** False if the registry states that the lock has expired and the locked holding no longer exists. */
export function lockIsThere(update: Update, context: ChoiceContext, key: string): boolean {
  const entry = context.values.get(key);
  if (entry === undefined) return true;
  if (entry.tag !== 'AV_Bool')
    return update.fail(`Context entry ${key}: expected AV_Bool, got ${entry.tag}`);
  return entry.value;
}

/** The locked tokens that the registry says are gone. */
export function spentTokens(update: Update, context: ChoiceContext): ReadonlySet<ContractId> {
  const entry = context.values.get(SPENT_TOKENS_KEY);
  if (entry === undefined) return new Set();
  if (entry.tag !== 'AV_List')
    return update.fail(`Context entry ${SPENT_TOKENS_KEY}: expected AV_List, got ${entry.tag}`);
  return new Set((entry.value as readonly AnyValue[]).map((each) => each.value as ContractId));
}
