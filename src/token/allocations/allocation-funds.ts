/** Reserves the funds of an allocation: the required amount of each instrument becomes one locked token, and the rest returns. */
import type { Update } from '../../daml/define/index.js';
import type { ContractId } from '../../daml/model/values.js';
import { sum, type Amounts } from './allocation-terms.js';
import { ownerOf } from '../holdings/conversions.js';
import { checkWithinDeadline } from '../holdings/deadlines.js';
import { createToken } from '../holdings/holdings.js';
import { allocationLock } from '../holdings/locks.js';
import type { AllocationSpecification, SettlementInfo } from '../standard/allocation-v2.js';
import { ZERO } from '../holdings/token.js';

/** By instrument id. */
type Tokens = ReadonlyMap<string, readonly ContractId[]>;

export function lockFunds(
  update: Update,
  { id }: SettlementInfo,
  { admin, authorizer, settlementDeadline }: AllocationSpecification,
  input: Amounts,
  required: Amounts,
): { readonly locked: Tokens; readonly change: Tokens } {
  if (settlementDeadline !== null)
    checkWithinDeadline(update, 'allocation.settlementDeadline', settlementDeadline.value);
  const owner = ownerOf(authorizer);
  const lock = allocationLock(admin, owner, id, settlementDeadline);
  const locked = new Map<string, readonly ContractId[]>();
  const change = new Map<string, readonly ContractId[]>();
  for (const instrument of sum([...input, ...required]).keys()) {
    const instrumentId = { admin, id: instrument };
    const [available = ZERO, needed = ZERO] = [input.get(instrument), required.get(instrument)];
    update.assert(
      available.compare(needed) >= 0,
      `Insufficient funds: of ${instrument} there are ${available}, the allocation needs ${needed}`,
    );
    const token = { owner, instrumentId };
    if (needed.sign() > 0)
      locked.set(instrument, [createToken(update, { ...token, amount: needed, lock })]);
    const rest = available.subtract(needed);
    if (rest.sign() > 0) change.set(instrument, [createToken(update, { ...token, amount: rest })]);
  }
  return { locked, change };
}
