/** Invariants of the token standard, in version 1 and 2, for the holdings of any registry. */
import type { PackageLookup } from '../../daml/model/package.js';
import type { Action, ExerciseNode, Transaction } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { actionsIn, choiceName, choicesAround, isWithin, templateName } from '../checks/nodes.js';
import type { Check, Finding } from '../model/finding.js';
import type { Submitted } from '../model/outcome.js';
import type { LedgerState } from '../model/state.js';
import {
  holdingOf,
  holdingsOfAllocation,
  isMoving,
  needsNoHoldings,
  pendingOf,
} from './token-views.js';
import { Total } from './totals.js';

const NOTHING = new Total();

/** The contracts that commands created directly. All their signatories agreed to them, so they can be anything. */
type Planted = ReadonlySet<ContractId>;

const tokenCheck = (
  name: string,
  summary: string,
  find: (
    submitted: Submitted,
    transaction: Transaction,
    state: LedgerState,
    planted: Planted,
  ) => Iterable<Finding>,
): Check => ({
  name,
  summary,
  start() {
    const planted = new Set<ContractId>();
    return {
      *afterStep({ submitted }, state) {
        for (const each of submitted) {
          const { transaction } = each;
          if (transaction === undefined) continue;
          for (const root of transaction.roots) {
            const node = transaction.nodes[root]!;
            if (node.kind === 'create') planted.add(node.contract.contractId);
          }
          yield* find(each, transaction, state, planted);
        }
      },
    };
  },
});

/** Whether a command created the transfer or the allocation of an exercise around an action. */
function isOfPlanted(
  transaction: Transaction,
  node: Action,
  { packages }: LedgerState,
  planted: Planted,
): boolean {
  const around = [...choicesAround(transaction, node), ...(node.kind === 'exercise' ? [node] : [])];
  return around.some(
    ({ contract }) =>
      planted.has(contract.contractId) && pendingOf(packages, contract) !== undefined,
  );
}

/** The outermost choices of the standard that move holdings. */
function* movesIn(transaction: Transaction, packages: PackageLookup): Generator<ExerciseNode> {
  let end = -1;
  for (const node of actionsIn(transaction)) {
    if (node.kind !== 'exercise' || node.nodeId <= end || !isMoving(packages, node)) continue;
    end = node.lastDescendant;
    yield node;
  }
}

/** Changes within a choice, by instrument. */
interface Changes {
  readonly holdings: Map<string, Total>;
  /** The amounts of the transfers and allocations that it ends, and that it begins. */
  readonly ended: Map<string, Total>;
  readonly begun: Map<string, Total>;
}

function changesIn(transaction: Transaction, move: ExerciseNode, packages: PackageLookup): Changes {
  const changes: Changes = { holdings: new Map(), ended: new Map(), begun: new Map() };
  const totalIn = (map: Map<string, Total>, key: string) => {
    const total = map.get(key) ?? new Total();
    map.set(key, total);
    return total;
  };
  for (const node of actionsIn(transaction)) {
    const isNew = node.kind === 'create';
    if (!isWithin(move, node) || !(isNew || (node.kind === 'exercise' && node.consuming))) continue;
    const holding = holdingOf(packages, node.contract);
    if (holding !== undefined) {
      // A pending transfer can be a holding itself. Its amount counts once.
      totalIn(changes.holdings, holding.instrument).add(holding.amount, isNew ? 1 : -1);
      continue;
    }
    for (const [instrument, amount] of pendingOf(packages, node.contract) ?? [])
      totalIn(isNew ? changes.begun : changes.ended, instrument).addTotal(amount);
  }
  return changes;
}

/** More than what pending transfers and allocations can explain. A decrease can be a fee. */
const supply = tokenCheck(
  'token-supply',
  'A transfer or an allocation of the token standard that creates holdings from nothing. Lost holdings are a note.',
  function* (_, transaction, state, planted) {
    const { packages } = state;
    for (const move of movesIn(transaction, packages)) {
      if (isOfPlanted(transaction, move, state, planted)) continue;
      const { holdings, ended, begun } = changesIn(transaction, move, packages);
      const place = choiceName(move);
      for (const [instrument, change] of holdings) {
        const lost = change.negated;
        const isMinted = change.isMoreThan(ended.get(instrument) ?? NOTHING);
        const isLost = lost.isMoreThan(begun.get(instrument) ?? NOTHING);
        if (isMinted || isLost)
          yield {
            check: 'token-supply',
            place: `${place} ${isMinted ? 'creates' : 'loses'}`,
            message: `${place} ${isMinted ? `creates ${change.text}` : `loses ${lost.text}`} of ${instrument}.`,
            ...(!isMinted && { isNote: true as const }),
          };
      }
    }
  },
);

const amounts = tokenCheck(
  'token-amounts',
  'A choice that creates a holding whose amount is not positive.',
  function* (_, transaction, { packages }) {
    for (const node of actionsIn(transaction)) {
      if (node.kind !== 'create' || node.parent < 0) continue;
      const holding = holdingOf(packages, node.contract);
      if (holding === undefined) continue;
      const amount = new Total();
      amount.add(holding.amount);
      if (amount.isMoreThan(NOTHING)) continue;
      const place = templateName(node.contract.templateId);
      yield { check: 'token-amounts', place, message: `A ${place} has the amount ${amount.text}.` };
    }
  },
);

/** The parties whose authority an action has. */
function authorizers({ nodes }: Transaction, { parent }: Action, actAs: readonly Party[]) {
  let id = parent;
  while (id >= 0) {
    const around = nodes[id]!;
    if (around.kind === 'exercise')
      return [...around.contract.signatories, ...around.actingParties];
    id = around.parent;
  }
  return actAs;
}

/** The admin of an instrument may end a lock: for example, if the holding itself expires. */
const locks = tokenCheck(
  'token-locks',
  'A locked holding that is used before the lock ends, without its holders and without the admin.',
  function* ({ submission }, transaction, state, planted) {
    const { packages, now } = state;
    for (const node of actionsIn(transaction)) {
      if (node.kind !== 'exercise' || !node.consuming) continue;
      if (planted.has(node.contract.contractId)) continue;
      // A pending transfer can be a locked holding itself. The standard gives its receiver the choices that end it.
      if (isMoving(packages, node)) continue;
      const { lock, admin } = holdingOf(packages, node.contract) ?? {};
      if (lock === undefined || (lock.until !== undefined && lock.until <= now)) continue;
      const given = authorizers(transaction, node, submission.actAs);
      if (node.actingParties.includes(admin!)) continue;
      const absent = lock.holders.filter((holder) => !given.includes(holder));
      if (absent.length === 0 || isOfPlanted(transaction, node, state, planted)) continue;
      const place = choiceName(node);
      const message = `${place} uses a locked holding without ${absent.join(', ')}.`;
      yield { check: 'token-locks', place, message };
    }
  },
);

/** The choices of both versions that end an allocation. */
const ENDING = /^Allocation_(ExecuteTransfer|Settle|Cancel|Withdraw)$/;
const RETURNING = /^Allocation_(Cancel|Withdraw)$/;

const allocations = tokenCheck(
  'token-allocations',
  'An allocation that remains after it was settled, cancelled or withdrawn, or whose amount does not return.',
  function* (_, transaction, state, planted) {
    for (const node of actionsIn(transaction)) {
      if (node.kind !== 'exercise' || !ENDING.test(node.choice)) continue;
      if (isOfPlanted(transaction, node, state, planted)) continue;
      const holdings = holdingsOfAllocation(state.packages, node.contract);
      if (holdings === undefined) continue;
      const place = choiceName(node);
      const name = templateName(node.contract.templateId);
      if (state.isActive(node.contract.contractId))
        yield { check: 'token-allocations', place, message: `The ${name} remains after ${place}.` };
      else if (RETURNING.test(node.choice) && !returns(transaction, node, holdings, state))
        yield {
          check: 'token-allocations',
          place: `${place} returns nothing`,
          message: `${place} ends the ${name} without a holding for its amount.`,
        };
    }
  },
);

/** Whether the holdings of an ended allocation are still there, or the choice creates others. */
function returns(
  transaction: Transaction,
  end: ExerciseNode,
  holdings: readonly ContractId[],
  state: LedgerState,
): boolean {
  const { packages } = state;
  const amounts_ = [...(pendingOf(packages, end.contract)?.values() ?? [])];
  if (!amounts_.some((amount) => amount.isMoreThan(NOTHING))) return true;
  if (needsNoHoldings(packages, end.contract)) return true;
  if (holdings.some((id) => state.isActive(id))) return true;
  for (const node of actionsIn(transaction))
    if (node.kind === 'create' && isWithin(end, node))
      if (holdingOf(packages, node.contract) !== undefined) return true;
  return false;
}

const HOLDINGS = ['splice-api-token-holding-v1', 'splice-api-token-holding-v2'];

/** The invariants of the token standard, if one of the packages can have holdings. */
export const tokenInvariants = (packages: PackageLookup): readonly Check[] =>
  HOLDINGS.some((name) => packages.packageIdForName(name) !== undefined) ? tokenStandard() : [];

/** The invariants of the token standard. They find its contracts by their interfaces. */
export const tokenStandard = (): readonly Check[] => [supply, amounts, locks, allocations];
