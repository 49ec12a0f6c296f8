/** The ledger in the view of the registry's operator: the contracts of which the instrument admin is a stakeholder. */
import { splitTypeId, type TypeId } from '../../daml/model/types.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { Ledger } from '../../network/ledger/ledger.js';
import type { Participant } from '../../network/participant.js';
import { TOKEN_PACKAGES } from '../package.js';
import type { LocatedContract, RegistryLedger } from './registry.js';

export function registryLedger(
  { contracts }: Ledger,
  participants: readonly Participant[],
  admin: Party,
): RegistryLedger {
  const located = (id: ContractId): LocatedContract | undefined => {
    const stored = contracts.get(id);
    const state = contracts.state(id);
    if (stored === undefined || state === undefined || state.kind === 'archived') return undefined;
    if (!stakeholdersOf(stored.instance).includes(admin)) return undefined;
    return {
      contract: stored.instance,
      synchronizerId: state.kind === 'active' ? state.synchronizerId : undefined,
    };
  };
  return {
    admin,
    contract: located,
    contractsOf(templateId) {
      const host = participants.find((participant) => participant.hosts(admin));
      const ids = host === undefined ? [] : contractIds(host, admin, templateId);
      return ids
        .map((id) => contracts.get(id)!)
        .sort(
          (a, b) => a.createdIn.sequence - b.createdIn.sequence || a.createdNode - b.createdNode,
        )
        .flatMap(({ instance }) => located(instance.contractId) ?? []);
    },
  };
}

/** Active ones from the participant's index, and those in flight, which are in no active contract set. */
function contractIds(host: Participant, admin: Party, templateId: TypeId): readonly ContractId[] {
  const { packageId, module, entity } = splitTypeId(templateId);
  const packageName = TOKEN_PACKAGES.find(({ id }) => id === packageId)?.name;
  const key = { party: admin, templates: [`${packageName}:${module}:${entity}`] };
  const active = [...host.activeContracts.now([key])].map(({ contract }) => contract.contractId);
  const moving = [...host.incompleteReassignments.at(host.log.end, [])].flatMap(({ update }) =>
    update.events.flatMap(({ contract }) =>
      contract.templateId === templateId ? [contract.contractId] : [],
    ),
  );
  return [...new Set([...active, ...moving])];
}
