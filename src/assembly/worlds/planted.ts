/** Prepares contracts from elsewhere for a new network, with their stakeholders, their time and their DSO. */
import type { DisclosedBlob } from '../../daml/contract/created-event-blob.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import type { PackageLookup, DamlPackage } from '../../daml/model/package.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type PackageId } from '../../daml/model/types.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { PlantedContract, PlantedParty } from '../../network/worlds/plant.js';

/** A contract in any state. */
export type WithContract = Pick<PlantedContract, 'contract'>;

/** The data about a contract that its blob does not contain. */
export type ContractFacts = Omit<PlantedContract, 'contract'> & { readonly contractId: string };

/**
 * @param read reads its blob
 * @param failed creates the error from its reason
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
    if (!(error instanceof LedgerError) && !(error instanceof ProtobufError)) throw error;
    throw failed(`the blob of contract ${contractId} cannot be read: ${error.message}`);
  }
  const { contract, error } = disclosed;
  if (error !== undefined || contract.contractId !== contractId)
    throw failed(`the id of contract ${contractId} does not match its blob, which was changed`);
  return { contract, ...rest };
}

export const lookupOf = (packages: ReadonlyMap<PackageId, DamlPackage>): PackageLookup => ({
  package: (id) => packages.get(id),
  packageIdForName: () => undefined,
});

/** Sorts contracts by the offset and node of their activation. */
export const inOrder = (contracts: PlantedContract[]): PlantedContract[] =>
  contracts.sort((one, other) => one.offset - other.offset || one.nodeId - other.nodeId);

/** The details of a party of which only the id is known. */
export const UNLISTED = Object.freeze({
  annotations: Object.freeze({}),
  resourceVersion: '',
  identityProviderId: '',
});

/** The listed parties and all stakeholders, sorted. @param host of stakeholders that are not listed */
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

/** The latest of these times; undefined if there are none. */
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

/** The DSO of these contracts; undefined if there are none. */
export function dsoIn(contracts: readonly PlantedContract[]): Party | undefined {
  for (const template of RULES)
    for (const { contract } of contracts)
      if (qualifiedNameOf(contract.templateId) === template) {
        const { dso, admin } = contract.payload as { dso?: Party; admin?: Party };
        return (dso ?? admin)!;
      }
  return undefined;
}
