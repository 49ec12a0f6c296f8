/** Locking and unlocking of amulets for a transfer or an allocation of the simplified Amulet. */
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
  /** The reason, in a few words. */
  readonly context: string;
}

/**
 * Creates the same amulet with another owner and amount.
 * @param lock a lock with an expiry, if the amulet is to be locked
 */
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

/** Locks an amount. The rest of the inputs is returned at once. */
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
 * Returns the owner's amulet without the lock. Returns none if the context says that the lock has ended: from `expiresAt` on, the owner can
 * take the amulet back.
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

/**
 * Archives a locked amulet.
 * @returns the amulet in it
 */
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
