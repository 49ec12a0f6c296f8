/** Amulets that are worth nothing any more expire: what holding fees leave of them is nothing in all rounds that may still be used. */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord } from '../../daml/model/values.js';
import { templateName } from '../dso/amulet-contracts.js';
import type { DsoNode } from './dso-node.js';
import type { Task } from './task.js';

/** Amulets that holding fees have eaten up: known anew with each configuration for external parties, whose rounds count. */
export function amuletExpiryTasks(node: DsoNode): readonly Task[] {
  const configs = () => node.contracts('externalPartyConfigState');
  const task = (name: string, template: 'amulet' | 'lockedAmulet', choice: string): Task => {
    const eaten = () => {
      const rounds = configs().map(
        ({ payload }) => (payload.holdingFeesOpenRoundNumber as { number: bigint }).number,
      );
      return eatenUp(node.contracts(template), rounds);
    };
    return {
      name,
      watches: [templateName('externalPartyConfigState')],
      due: () => (eaten().length > 0 ? configs().at(-1)!.createdAt : undefined),
      run() {
        const [externalPartyConfigState0Cid, externalPartyConfigState1Cid] = configs().map(
          ({ contractId }) => contractId,
        );
        const choiceArg = { externalPartyConfigState0Cid, externalPartyConfigState1Cid };
        node.forEach(eaten(), ({ contractId }) => {
          node.exerciseDsoRules(choice, { cid: contractId, choiceArg });
        });
      },
    };
  };
  return [
    task('ExpiredAmulet', 'amulet', 'DsoRules_Amulet_ExpireV2'),
    task('ExpiredLockedAmulet', 'lockedAmulet', 'DsoRules_LockedAmulet_ExpireAmuletV2'),
  ];
}

/**
 * Of which nothing is left in either of the rounds that two configurations tell.
 * @param rounds of those that there are
 */
export function eatenUp(
  amulets: readonly ContractInstance[],
  rounds: readonly bigint[],
): readonly ContractInstance[] {
  if (rounds.length < 2) return [];
  const round = rounds.reduce((a, b) => (a < b ? a : b));
  return amulets.filter((each) => expiresIn(each) <= round);
}

interface ExpiringAmount {
  readonly initialAmount: Numeric;
  readonly createdAt: { readonly number: bigint };
  readonly ratePerRound: { readonly rate: Numeric };
}

/** The round in which holding fees have eaten up an amulet, or the one that a lock holds (Splice.Expiry). */
function expiresIn({ payload }: ContractInstance): bigint {
  const amulet = (payload.amulet ?? payload) as DamlRecord;
  const { initialAmount, createdAt, ratePerRound } = amulet.amount as unknown as ExpiringAmount;
  const [whole = '0', fraction = ''] = initialAmount
    .divide(ratePerRound.rate)
    .toString()
    .split('.');
  return createdAt.number + BigInt(whole) + (/[1-9]/.test(fraction) ? 1n : 0n);
}
