/** Expiry of the test token's locks, and the consent that a lock needs. */
import { parties } from '../../daml/model/parties.js';
import { some, type Party, type Timestamp } from '../../daml/model/values.js';
import type { Lock } from '../standard/holding-v2.js';

export interface Lockable {
  readonly lock: { readonly value: Lock } | null;
  readonly lockedAt: { readonly value: Timestamp } | null;
}

export function stakeholdersOfLock({ lock }: Lockable): readonly Party[] {
  return lock?.value.holders ?? [];
}

/** Deadlines are inclusive, and the earlier of an absolute and a relative one counts. Without a deadline, a lock never expires. */
export function lockExpired(
  { expiresAt, expiresAfter }: Lock,
  lockedAt: Lockable['lockedAt'],
  now: Timestamp,
): boolean {
  if (expiresAt !== null && expiresAt.value <= now) return true;
  return (
    expiresAfter !== null &&
    lockedAt !== null &&
    lockedAt.value + expiresAfter.value.microseconds <= now
  );
}

/** The lock of an allocation: before the settlement's deadline, only admin and owner together can remove it. */
export function allocationLock(
  admin: Party,
  owner: Party,
  settlementId: string,
  deadline: Lock['expiresAt'],
): Lock {
  return {
    holders: parties([admin, owner]),
    expiresAt: deadline,
    expiresAfter: null,
    context: some(`allocation for settlement of ${settlementId}`),
  };
}
