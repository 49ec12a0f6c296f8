/** Amulets that the model sets aside for a transfer or an allocation, and gives back. */
import type { Update } from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import { some, type ContractId, type Party } from '../../daml/model/values.js';
import { lockIsThere } from '../../token/holdings/context.js';
import type { Lock } from '../../token/standard/holding-v2.js';
import type { ExtraArgs } from '../../token/standard/metadata-v1.js';
import { Amulet, amuletLike, LockedAmulet, spend, type AmuletPayload } from './amulets.js';

export const EXPIRE_LOCK_KEY = 'expire-lock';

interface ToLock {
  readonly dso: Party;
  readonly owner: Party;
  readonly inputs: readonly ContractId[];
  /** Above zero. */
  readonly amount: Numeric;
  readonly expiresAt: bigint;
  /** Why, in a few words. */
  readonly context: string;
}

/** The same amulet with another owner and amount. @param lock with an end, where it is to be locked */
export function createLike(
  update: Update,
  like: AmuletPayload,
  owner: Party,
  amount: Numeric,
  lock?: Lock,
): ContractId {
  const amulet = amuletLike(like, { owner, amount });
  if (lock === undefined) return update.create(Amulet, amulet);
  const { holders, expiresAt, context: optContext } = lock;
  return update.create(LockedAmulet, {
    amulet,
    lock: { holders, expiresAt: expiresAt!.value, optContext },
  });
}

/** What the inputs have above the amount goes back at once. */
export function lock(
  update: Update,
  { dso, owner, inputs, amount, expiresAt, context }: ToLock,
): { readonly locked: ContractId; readonly change: readonly ContractId[] } {
  const { total, like } = spend(update, inputs, { dso, owner });
  checkFunds(update, total, amount);
  const left = total.subtract(amount);
  const change = left.sign() > 0 ? [createLike(update, like, owner, left)] : [];
  const own = { holders: [dso], expiresAt: some(expiresAt), expiresAfter: null };
  const locked = createLike(update, like, owner, amount, { ...own, context: some(context) });
  return { locked, change };
}

/**
 * The owner's amulet, free again; none where the context tells that the lock is there no more, as its owner has taken the amulet back,
 * which it can from `expiresAt` on.
 */
export function unlock(
  update: Update,
  locked: ContractId,
  expiresAt: bigint,
  { context }: ExtraArgs,
): readonly ContractId[] {
  if (lockIsThere(update, context, EXPIRE_LOCK_KEY))
    return [update.create(Amulet, takeLocked(update, locked))];
  update.assert(expiresAt <= update.getTime(), 'lockedAmulet.lockExpiresAt is in the past');
  return [];
}

/** Archives what is locked. @returns what it was */
export function takeLocked(update: Update, locked: ContractId): AmuletPayload {
  const { amulet } = update.fetch(LockedAmulet, locked).payload;
  update.archive(LockedAmulet, locked);
  return amulet;
}

export function checkFunds(update: Update, total: Numeric, amount: Numeric): void {
  if (total.compare(amount) >= 0) return;
  const requiredAmount = amount.subtract(total).toCompact();
  update.fail(`Insufficient funds: you are missing ${requiredAmount} to complete this transfer.`, {
    errorId: 'splice.lfdecentralizedtrust.org/insufficient-funds',
    meta: { requiredAmount },
  });
}
