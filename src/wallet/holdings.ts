/** A party's holdings, read through the token standard's interfaces. This works for any token whose code the network runs. */
import { interfaceView } from '../daml/interpreter/interface-view.js';
import type { Participant } from '../network/participant.js';
import type { Numeric } from '../daml/model/numeric.js';
import { template as templateOf } from '../daml/model/package.js';
import { qualifiedNameOf } from '../daml/model/types.js';
import type { ContractId, DamlRecord, Party } from '../daml/model/values.js';

export interface Held {
  readonly contractId: ContractId;
  readonly amount: Numeric;
  readonly instrument: { readonly admin: Party; readonly id: string };
  readonly locked: boolean;
}

const HOLDING_V1 = 'Splice.Api.Token.HoldingV1:Holding';
const HOLDING_V2 = 'Splice.Api.Token.HoldingV2:Holding';

/** Active holdings of the party, including locked ones, oldest first. */
export function holdingsOf(participants: readonly Participant[], party: Party): Held[] {
  const seen = new Map<ContractId, Held>();
  for (const participant of participants) {
    for (const { contract } of participant.activeContracts.now([{ party, templates: undefined }])) {
      const { contractId, templateId } = contract;
      const implementations =
        templateOf(participant.packages, templateId)?.implementations.keys() ?? [];
      for (const interfaceId of implementations) {
        const view = () => interfaceView(participant.packages, interfaceId, contract);
        const held = heldIn(qualifiedNameOf(interfaceId), view);
        if (held?.owner === party && !seen.has(contractId))
          seen.set(contractId, { contractId, ...held });
      }
    }
  }
  return [...seen.values()];
}

function heldIn(interfaceName: string, view: () => DamlRecord) {
  if (interfaceName !== HOLDING_V1 && interfaceName !== HOLDING_V2) return undefined;
  const { amount, instrumentId, lock, owner, account } = view();
  // An Optional with a value is a `Some`. In V1, the account is a party.
  const accountOwner = (account as { owner?: { value: Party } | null } | undefined)?.owner?.value;
  return {
    amount: amount as Numeric,
    instrument: instrumentId as unknown as Held['instrument'],
    locked: lock !== null,
    owner: interfaceName === HOLDING_V1 ? (owner as Party) : accountOwner,
  };
}
