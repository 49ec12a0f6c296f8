/** The name service: entries of users, and names that the DSO and its SVs have without any (S-ANS-*). */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { contractsOf } from './amulet-contracts.js';
import type { Dso } from './dso.js';

/** A name without a contract. */
export interface DsoName {
  readonly user: Party;
  readonly name: string;
}

/** That have not expired. NOTE: in order of code points; the real Scan's is that of its database's locale (S-ANS-002). */
export function userEntries(dso: Dso): readonly ContractInstance[] {
  const now = dso.network.clock.now();
  return [...contractsOf(dso, 'ansEntry')]
    .filter(({ payload }) => (payload.expiresAt as Timestamp) >= now)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

export function nameOf({ payload }: ContractInstance): string {
  return payload.name as string;
}

/** The DSO's first, then those of its SVs. */
export function dsoNames(dso: Dso, dsoRules: ContractInstance): readonly DsoName[] {
  const acronym = dso.instanceNames.nameServiceNameAcronym.toLowerCase();
  const svs = dsoRules.payload.svs as unknown as readonly (readonly [Party, { name: string }])[];
  return [
    { user: dso.dsoParty, name: `dso.${acronym}` },
    ...svs.map(([user, { name }]) => ({ user, name: `${name.toLowerCase()}.sv.${acronym}` })),
  ];
}
