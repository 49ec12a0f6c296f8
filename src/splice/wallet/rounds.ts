/** The DSO's rules and rounds for a wallet, which discloses them to parties that do not see the DSO's contracts. */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Timestamp } from '../../daml/model/values.js';
import type { DisclosedContract } from '../../network/submission/submission.js';
import {
  latestOf,
  roundNumber,
  roundsOf,
  synchronizerOf,
  usableOpenRound,
} from '../dso/amulet-contracts.js';
import type { Dso } from '../dso/dso.js';
import { notFound, WalletRefusal } from './refusals.js';

/** @throws WalletRefusal if no Amulet runs, with Scan's answer in that case */
export function amuletRules(dso: Dso): ContractInstance {
  const rules = latestOf(dso, 'rules');
  if (rules === undefined) throw notFound('No active AmuletRules contract');
  return rules;
}

/**
 * The open round with the highest number (WA-BAL-002).
 * @throws WalletRefusal if there is none; the real wallet fails in that case (V-TAP-010)
 */
export function latestOpenRound(dso: Dso): ContractInstance {
  const round = usableOpenRound(dso);
  if (round === undefined) throw new WalletRefusal('UNEXPECTED', 'No mining round is open.');
  return round;
}

/** Issuing rounds whose opening time is past, by number (WA-TRE-008). */
export function issuingRounds(dso: Dso): ReadonlyMap<bigint, ContractInstance> {
  const now = dso.network.clock.now();
  const open = roundsOf(dso, 'issuingRound').filter(
    ({ payload }) => (payload.opensAt as Timestamp) < now,
  );
  return new Map(open.map((round) => [roundNumber(round), round]));
}

export function disclosed(
  dso: Dso,
  contracts: readonly (ContractInstance | undefined)[],
): DisclosedContract[] {
  return contracts.flatMap((contract) =>
    contract === undefined
      ? []
      : [{ contract, synchronizerId: synchronizerOf(dso, contract.contractId) }],
  );
}

/** The number of a contract's round. */
export function roundOf(payload: DamlRecord): bigint {
  return (payload.round as { readonly number: bigint }).number;
}
