/** Expiry of worthless amulets: holding fees leave zero of them in every round that a transaction can still use. */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord } from '../../daml/model/values.js';
import { templateName } from '../dso/amulet-contracts.js';
import type { DsoNode } from './dso-node.js';
import type { Task } from './task.js';

/**
 * Expires amulets whose value holding fees have used up. The set changes with each configuration for external parties, because the rounds
 * come from these.
 */
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
 * Amulets whose value is zero in both of the rounds that the two configurations name.
 * @param rounds round numbers of the configurations that exist; with fewer than two, no amulet is returned
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

/** The round in which holding fees have used up an amulet or a locked amulet (Splice.Expiry). */
function expiresIn({ payload }: ContractInstance): bigint {
  const amulet = (payload.amulet ?? payload) as DamlRecord;
  const { initialAmount, createdAt, ratePerRound } = amulet.amount as unknown as ExpiringAmount;
  const [whole = '0', fraction = ''] = initialAmount
    .divide(ratePerRound.rate)
    .toString()
    .split('.');
  return createdAt.number + BigInt(whole) + (/[1-9]/.test(fraction) ? 1n : 0n);
}
