/** Worlds for ledger tests: small, named, in-process. */
import { createCanticle, type CanticleOptions, type Canticle, type LedgerError } from 'canticle';

export const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

export interface IouWorld {
  readonly canticle: Canticle;
  readonly bank: string;
  readonly alice: string;
  readonly bob: string;
  /** Issued by the bank to Alice. */
  issue(options?: { amount?: string; observers?: string[]; synchronizer?: string }): string;
}

/** A bank, Alice and Bob on one participant. */
export function iouWorld(options: CanticleOptions = {}): IouWorld {
  const canticle = createCanticle({ seed: 1, ...options });
  const { participant } = canticle;
  const [bank, alice, bob] = ['bank', 'alice', 'bob'].map((hint) =>
    participant.allocateParty(hint),
  ) as [string, string, string];
  return {
    canticle,
    bank,
    alice,
    bob,
    issue: ({ amount = '100.0', observers = [], synchronizer } = {}) =>
      participant.create(
        IOU,
        { issuer: bank, owner: alice, currency: 'EUR', amount, observers },
        { actAs: [bank, alice], synchronizer },
      ),
  };
}

/** The code that an action is refused with; `accepted` where it is not. */
export function outcome(action: () => unknown): string {
  try {
    action();
    return 'accepted';
  } catch (error) {
    const { code } = error as LedgerError;
    if (code === undefined) throw error;
    return code;
  }
}
