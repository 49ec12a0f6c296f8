/** Contracts in the JSON of Scan and the validator's proxy (S-ENC-001 to S-ENC-005). */
import { createdEventBlob } from '../../../daml/contract/created-event-blob.js';
import { template as templateOf } from '../../../daml/model/package.js';
import { formatInstant } from '../../../daml/model/time.js';
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type {
  Contract,
  ContractWithState,
  MaybeCachedContractWithState,
} from '../../../spec/generated/scan.js';
import {
  latestOf,
  synchronizerOf,
  type AmuletTemplate,
} from '../../../splice/dso/amulet-contracts.js';
import type { Splice } from '../../../splice/splice.js';
import { HttpRefusal } from '../../handler.js';

/** The real Scan's text for an unexpected error (S-GEN-011). */
export const UNEXPECTED = 'An unexpected error occurred.';

export function contractJson({ packages, scanJson }: Splice, contract: ContractInstance): Contract {
  const { payloadType } = templateOf(packages, contract.templateId)!;
  return {
    template_id: contract.templateId,
    contract_id: contract.contractId,
    payload: scanJson.payload(packages, payloadType, contract.payload) as Record<string, unknown>,
    created_event_blob: createdEventBlob(packages, contract),
    created_at: formatInstant(contract.createdAt),
  };
}

export function contractWithState(splice: Splice, contract: ContractInstance): ContractWithState {
  return {
    contract: contractJson(splice, contract),
    domain_id: synchronizerOf(splice, contract.contractId),
  };
}

/** Omits the contract if the client has it cached. */
export function unlessCached(
  splice: Splice,
  contract: ContractInstance,
  cached: readonly (string | undefined)[],
): MaybeCachedContractWithState {
  const known = cached.includes(contract.contractId);
  return {
    contract: known ? undefined : contractJson(splice, contract),
    domain_id: synchronizerOf(splice, contract.contractId),
  };
}

/** @throws HttpRefusal 404, like the real stores */
export function required(splice: Splice, template: AmuletTemplate, name: string): ContractInstance {
  const found = latestOf(splice, template);
  if (found === undefined) throw new HttpRefusal(404, `No active ${name} contract`);
  return found;
}
