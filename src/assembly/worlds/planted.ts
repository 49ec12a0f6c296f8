/** What a network is planted with that somebody else tells of: contracts by their blobs, who is in them, when they were, whose they are. */
import type { DisclosedBlob } from '../../daml/contract/created-event-blob.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { ProtoFault } from '../../daml/codec/protobuf/reading.js';
import type { PackageLookup, DamlPackage } from '../../daml/model/package.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type PackageId } from '../../daml/model/types.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { PlantedContract, PlantedParty } from '../../network/worlds/plant.js';

/** Whatever state the contract is in. */
export type WithContract = Pick<PlantedContract, 'contract'>;

/** Of a contract, what is told beside its blob. */
export type ContractFacts = Omit<PlantedContract, 'contract'> & { readonly contractId: string };

/**
 * @param read its blob
 * @param failed makes the error of why it is not taken
 */
export function plantedContract(
  { contractId, ...rest }: ContractFacts,
  read: () => DisclosedBlob,
  failed: (why: string) => Error,
): PlantedContract {
  let disclosed: DisclosedBlob;
  try {
    disclosed = read();
  } catch (error) {
    if (!(error instanceof LedgerError) && !(error instanceof ProtoFault)) throw error;
    throw failed(`the blob of contract ${contractId} cannot be read: ${error.message}`);
  }
  const { contract, fault } = disclosed;
  if (fault !== undefined || contract.contractId !== contractId)
    throw failed(
      `contract ${contractId} is not what its id says: its blob was changed on its way here`,
    );
  return { contract, ...rest };
}

export const lookupOf = (packages: ReadonlyMap<PackageId, DamlPackage>): PackageLookup => ({
  package: (id) => packages.get(id),
  packageIdForName: () => undefined,
});

/** By the place where each became active. */
export const inOrder = (contracts: PlantedContract[]): PlantedContract[] =>
  contracts.sort((one, other) => one.offset - other.offset || one.nodeId - other.nodeId);

/** Of a party of which nothing is known but its id. */
export const UNLISTED = Object.freeze({
  annotations: Object.freeze({}),
  resourceVersion: '',
  identityProviderId: '',
});

/** Those that are listed, and all who have contracts, sorted. @param host of the latter */
export function withStakeholders(
  listed: readonly PlantedParty[],
  contracts: readonly WithContract[],
  host: string,
): readonly PlantedParty[] {
  const all = new Map<Party, PlantedParty>(listed.map((each) => [each.party, each]));
  for (const { contract } of contracts)
    for (const party of stakeholdersOf(contract))
      if (!all.has(party)) all.set(party, { party, host, ...UNLISTED });
  return [...all.values()].sort((one, other) => (one.party < other.party ? -1 : 1));
}

/** The last of these moments; undefined where there is none. */
export function latestOf(
  contracts: readonly WithContract[],
  initial: Timestamp | undefined,
): Timestamp | undefined {
  return contracts.reduce<Timestamp | undefined>(
    (last, { contract: { createdAt } }) =>
      last === undefined || createdAt > last ? createdAt : last,
    initial,
  );
}

const RULES = ['Splice.AmuletRules:AmuletRules', 'Canticle.TestToken:TokenRules'];

/** Whose contracts the DSO's are; undefined where there are none. */
export function dsoIn(contracts: readonly PlantedContract[]): Party | undefined {
  for (const template of RULES)
    for (const { contract } of contracts)
      if (qualifiedNameOf(contract.templateId) === template) {
        const { dso, admin } = contract.payload as { dso?: Party; admin?: Party };
        return (dso ?? admin)!;
      }
  return undefined;
}
