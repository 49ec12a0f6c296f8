/** The ledger in the view of the registry's operator: the contracts of which the instrument admin is a stakeholder. */
import { qualifiedNameOf, splitTypeId } from '../../daml/model/types.js';
import { stakeholdersOf, type ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { Ledger } from '../../network/ledger/ledger.js';
import type { Participant } from '../../network/participant.js';
import { TOKEN_PACKAGES } from '../package.js';
import type { LocatedContract, RegistryLedger } from './registry.js';

type Contracts = Ledger['contracts'];

export function registryLedger(
  { contracts }: Ledger,
  participants: readonly Participant[],
  admin: Party,
): RegistryLedger {
  const located = (id: ContractId): LocatedContract | undefined => {
    const found = locate(contracts, id);
    return found && stakeholdersOf(found.contract).includes(admin) ? found : undefined;
  };
  return {
    admin,
    contract: located,
    contractsOf(templateId) {
      const host = participants.find((participant) => participant.hosts(admin));
      const { packageId, module, entity } = splitTypeId(templateId);
      const packageName = TOKEN_PACKAGES.find(({ id }) => id === packageId)?.name;
      const ids = host ? contractIds(host, [`${packageName}:${module}:${entity}`], admin) : [];
      return inOrderOfCreation(contracts, ids).flatMap((id) => located(id) ?? []);
    },
  };
}

/** Unarchived contracts of templates at any participant, in order of creation. @param names as `<package name>:<Module>:<Entity>` */
export function contractsNamed(
  { contracts }: Ledger,
  participants: readonly Participant[],
  names: readonly string[],
): readonly LocatedContract[] {
  const ids = new Set(participants.flatMap((each) => contractIds(each, names, undefined)));
  return inOrderOfCreation(contracts, [...ids]).flatMap((id) => locate(contracts, id) ?? []);
}

/** Undefined for an unknown or archived contract. */
export function locate(contracts: Contracts, id: ContractId): LocatedContract | undefined {
  const stored = contracts.get(id);
  const state = contracts.state(id);
  if (stored === undefined || state === undefined || state.kind === 'archived') return undefined;
  return {
    contract: stored.instance,
    synchronizerId: state.kind === 'active' ? state.synchronizerId : undefined,
  };
}

function inOrderOfCreation(contracts: Contracts, ids: readonly ContractId[]): ContractId[] {
  return ids
    .map((id) => contracts.get(id)!)
    .sort((a, b) => a.createdIn.sequence - b.createdIn.sequence || a.createdNode - b.createdNode)
    .map(({ instance }) => instance.contractId);
}

/** Active ones from the participant's index, and those in flight, which are in no active contract set. */
function contractIds(
  host: Participant,
  names: readonly string[],
  party: Party | undefined,
): readonly ContractId[] {
  const isNamed = ({ packageName, templateId }: ContractInstance): boolean =>
    names.includes(`${packageName}:${qualifiedNameOf(templateId)}`);
  const active = [...host.activeContracts.now([{ party, templates: names }])].map(
    ({ contract }) => contract.contractId,
  );
  const moving = [...host.incompleteReassignments.at(host.log.end, [])].flatMap(({ update }) =>
    update.events.flatMap(({ contract }) => (isNamed(contract) ? [contract.contractId] : [])),
  );
  return [...new Set([...active, ...moving])];
}
