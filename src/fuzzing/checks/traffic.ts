/**
 * The traffic cost of a transaction, as a synchronizer counts it. Parties of a fuzzed model have no participants, so
 * each of them gets its own. The ids of parties and contracts get the length that they have on a network.
 */
import { sha256Hex } from '../../daml/model/hash.js';
import { choiceOf, template } from '../../daml/model/package.js';
import { remembered } from '../../daml/model/remembered.js';
import type {
  Action,
  ContractInstance,
  Transaction,
  TransactionNode,
} from '../../daml/model/transaction.js';
import type { DamlType } from '../../daml/model/types.js';
import type { ContractId, DamlRecord, DamlValue, Party } from '../../daml/model/values.js';
import { requestCost } from '../../network/traffic/confirmation-request.js';
import type { LedgerState } from '../model/state.js';
import type { Submission } from '../model/step.js';
import { withScalars } from '../values/leaves.js';

/** A party of a start state from a network has its namespace already. */
const partyId = remembered((party: Party): Party =>
  party.includes('::') ? party : `${party}::1220${sha256Hex(party)}`,
);

/** The generated ids have long runs of zeros, which would compress too well. */
const contractIdOf = remembered(
  (id: ContractId): ContractId =>
    `00${sha256Hex(id)}${id.slice(66, 74)}${sha256Hex(`suffix of ${id}`)}`,
);

/** The participant with the party's namespace, which hosts it. */
const participantOf = (party: Party): string => `participant::${party.split('::')[1]!}`;
const SYNCHRONIZER = `global-domain::1220${sha256Hex('synchronizer')}`;
/** The length of the ids that applications generate. */
const COMMAND_ID = '7e0c1c4e-7b1c-4b27-9d5e-0d3ffad6b6a1';
const SUBMISSION_ID = '2f4c0d9a-51e6-4c8e-8a53-c93e6f0b7d24';

/** @returns bytes of traffic */
export function trafficOf(
  { actAs }: Submission,
  transaction: Transaction,
  { packages, now, protocol }: Pick<LedgerState, 'packages' | 'now' | 'protocol'>,
): number {
  const named = new NamedNodes(packages);
  const nodes = transaction.nodes.map((node) => named.node(node));
  return requestCost(
    { nodes },
    {
      participantId: participantOf(partyId(actAs[0]!)),
      actAs: actAs.map(partyId),
      userId: 'ledger-api-user',
      commandId: COMMAND_ID,
      submissionId: SUBMISSION_ID,
      workflowId: '',
      deduplicationPeriod: { kind: 'offset', offset: 0 },
      recordTime: now,
    },
    {
      groupsViews: protocol.groupsViews,
      physicalSynchronizerId: `${SYNCHRONIZER}::${protocol.version}-0`,
      packages,
      hosts: (party) => [participantOf(party)],
    },
  );
}

/** Nodes with ids as on a network. */
class NamedNodes {
  private readonly contracts = new Map<ContractInstance, ContractInstance>();

  constructor(private readonly packages: LedgerState['packages']) {}

  node(node: TransactionNode): TransactionNode {
    switch (node.kind) {
      case 'rollback':
        return node;
      case 'rolledBack':
        return { ...node, action: this.action(node.action) };
      default:
        return this.action(node);
    }
  }

  private action(action: Action): Action {
    switch (action.kind) {
      case 'create':
        return { ...action, contract: this.contract(action.contract) };
      case 'fetch': {
        const actingParties = action.actingParties.map(partyId);
        return { ...action, contract: this.contract(action.contract), actingParties };
      }
      case 'queryByKey': {
        const type = template(this.packages, action.templateId)?.key?.type;
        const key = { ...action.key, value: this.value(type, action.key.value) };
        return { ...action, key, result: action.result.map(contractIdOf) };
      }
      case 'exercise': {
        const { templateId, interfaceId, choice } = action;
        const types = choiceOf(this.packages, interfaceId ?? templateId, choice);
        return {
          ...action,
          contract: this.contract(action.contract),
          argument: this.value(types?.argumentType, action.argument),
          result: this.value(types?.returnType, action.result),
          actingParties: action.actingParties.map(partyId),
          choiceObservers: action.choiceObservers.map(partyId),
        };
      }
    }
  }

  private contract(contract: ContractInstance): ContractInstance {
    const known = this.contracts.get(contract);
    if (known !== undefined) return known;
    const { templateId, contractId, payload, signatories, observers, key } = contract;
    const definition = template(this.packages, templateId);
    const named: ContractInstance = {
      ...contract,
      contractId: contractIdOf(contractId),
      payload: this.value(definition?.payloadType, payload) as DamlRecord,
      signatories: signatories.map(partyId),
      observers: observers.map(partyId),
      ...(key && {
        key: {
          ...key,
          value: this.value(definition?.key?.type, key.value),
          maintainers: key.maintainers.map(partyId),
        },
      }),
    };
    this.contracts.set(contract, named);
    return named;
  }

  private value(type: DamlType | undefined, value: DamlValue): DamlValue {
    return withScalars(this.packages, type, value, ({ kind }, scalar) => {
      if (kind === 'party') return partyId(scalar as Party);
      return kind === 'contractId' ? contractIdOf(scalar as ContractId) : scalar;
    });
  }
}
