/** `splice-api-token-allocation-request-v2`: how an app asks accounts to allocate for a settlement. */
import { d, definePackage } from '../../daml/define/index.js';
import { AllocationSpecification, SettlementInfo } from './allocation-v2.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';
import { standardInterface } from './standard-interface.js';

const MODULE = 'Splice.Api.Token.AllocationRequestV2';

const AllocationRequestAction = d.variant(`${MODULE}:AllocationRequestAction`, {
  ARA_Accept: d.unit,
  ARA_Reject: d.unit,
  ARA_Custom: { id: d.text },
});

const AllocationRequestView = d.record(`${MODULE}:AllocationRequestView`, {
  originalRequestCid: d.optional(d.contractId(`${MODULE}:AllocationRequest`)),
  settlement: SettlementInfo,
  allocations: d.list(AllocationSpecification),
  requestedAt: d.timestamp,
  settleAt: d.optional(d.timestamp),
  availableActions: d.genMap(AllocationRequestAction, d.list(d.list(d.party))),
  meta: Metadata,
});

const AcceptResult = d.record(`${MODULE}:AllocationRequest_AcceptResult`, { meta: Metadata });
const RejectResult = d.record(`${MODULE}:AllocationRequest_RejectResult`, { meta: Metadata });
const WithdrawResult = d.record(`${MODULE}:AllocationRequest_WithdrawResult`, { meta: Metadata });

const stepArguments = { actors: d.list(d.party), extraArgs: ExtraArgs };

const AllocationRequest = standardInterface({
  name: `${MODULE}:AllocationRequest`,
  view: AllocationRequestView,
  choices: ({ byActors }) => ({
    AllocationRequest_Accept: byActors(stepArguments, AcceptResult),
    AllocationRequest_Reject: byActors(stepArguments, RejectResult),
    AllocationRequest_Withdraw: byActors(stepArguments, WithdrawResult),
  }),
});

export const allocationRequestV2 = definePackage({
  name: 'splice-api-token-allocation-request-v2',
  version: '1.0.0',
  id: 'adc16315a8943a8433886694720a2a000ae84c2315c4414bd6d0db4d1660de9c',
  interfaces: [AllocationRequest],
});
