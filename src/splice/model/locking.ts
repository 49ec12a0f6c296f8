/** Amulets that the model sets aside for a transfer or an allocation, and gives back. */
import type { Update } from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import { some, type ContractId, type Party } from '../../daml/model/values.js';
import type { ExtraArgs } from '../../token/standard/metadata-v1.js';
import { Amulet, amuletLike, LockedAmulet, spend } from './amulets.js';

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

/** What the inputs have above the amount goes back at once. */
export function lock(
  update: Update,
  { dso, owner, inputs, amount, expiresAt, context }: ToLock,
): { readonly locked: ContractId; readonly change: readonly ContractId[] } {
  const { total, like } = spend(update, inputs, { dso, owner });
  const left = total.subtract(amount);
  if (left.sign() < 0) insufficient(update, total, amount);
  const change = left.sign() > 0 ? [update.create(Amulet, amuletLike(like, { amount: left }))] : [];
  const locked = update.create(LockedAmulet, {
    amulet: amuletLike(like, { amount }),
    lock: { holders: [dso], expiresAt, optContext: some(context) },
  });
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
  const told = context.values.get('expire-lock');
  if (told?.tag === 'AV_Bool' && !told.value) {
    update.assert(expiresAt <= update.getTime(), 'lockedAmulet.lockExpiresAt is in the past');
    return [];
  }
  return [update.create(Amulet, takeLocked(update, locked))];
}

/** Archives what is locked. @returns what it was */
export function takeLocked(update: Update, locked: ContractId) {
  const { amulet } = update.fetch(LockedAmulet, locked).payload;
  update.archive(LockedAmulet, locked);
  return amulet;
}

export function insufficient(update: Update, total: Numeric, amount: Numeric): never {
  const requiredAmount = amount.subtract(total).toCompact();
  return update.fail(
    `Insufficient funds: you are missing ${requiredAmount} to complete this transfer.`,
    { errorId: 'splice.lfdecentralizedtrust.org/insufficient-funds', meta: { requiredAmount } },
  );
}
