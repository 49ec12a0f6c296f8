/** Contracts in the shape in which Scan and the validator's proxy tell them (S-ENC-001 to S-ENC-005). */
import { createdEventBlob } from '../../daml/created-event-blob.js';
import { template as templateOf } from '../../daml/package.js';
import { encodeCompact } from '../../daml/scan-codec.js';
import { formatInstant } from '../../daml/time.js';
import type { ContractInstance } from '../../daml/transaction.js';
import type {
  Contract,
  ContractWithState,
  LookupFeaturedAppRightResponse,
  LookupTransferPreapprovalByPartyResponse,
} from '../../spec/generated/scan.js';
import {
  featuredAppRight,
  synchronizerOf,
  transferPreapproval,
} from '../../splice/amulet-contracts.js';
import type { Splice } from '../../splice/splice.js';
import { HttpRefusal } from '../handler.js';

export function lookupFeaturedAppRight(
  splice: Splice,
  provider: string,
): LookupFeaturedAppRightResponse {
  const right = featuredAppRight(splice, provider);
  return { featured_app_right: right && contractJson(splice, right) };
}

/** Wallets know the absence by the beginning of the text (S-PRE-003). */
export function lookupTransferPreapproval(
  splice: Splice,
  party: string,
): LookupTransferPreapprovalByPartyResponse {
  const preapproval = transferPreapproval(splice, party);
  if (preapproval === undefined)
    throw new HttpRefusal(404, `No TransferPreapproval found for party: ${party}`);
  return { transfer_preapproval: contractWithState(splice, preapproval) };
}

function contractWithState(splice: Splice, contract: ContractInstance): ContractWithState {
  return {
    contract: contractJson(splice, contract),
    domain_id: synchronizerOf(splice, contract.contractId),
  };
}

function contractJson({ packages }: Splice, contract: ContractInstance): Contract {
  const { payloadType } = templateOf(packages, contract.templateId)!;
  return {
    template_id: contract.templateId,
    contract_id: contract.contractId,
    payload: encodeCompact(packages, payloadType, contract.payload) as Record<string, unknown>,
    created_event_blob: createdEventBlob(packages, contract),
    created_at: formatInstant(contract.createdAt),
  };
}
