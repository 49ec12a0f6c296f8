/** `splice-api-token-allocation-v2`: approvals to settle any number of transfer legs, and their settlement in batches. */
import { d, definePackage, type RecordOf, type ValueOf } from '../../daml/define/index.js';
import { Account, Holding } from './holding-v2.js';
import { AnyContract, ExtraArgs, Metadata } from './metadata-v1.js';
import { standardInterface } from './standard-interface.js';

const MODULE = 'Splice.Api.Token.AllocationV2';

export const SettlementInfo = d.record(`${MODULE}:SettlementInfo`, {
  executors: d.list(d.party),
  id: d.text,
  cid: d.optional(d.contractId(AnyContract)),
  meta: Metadata,
});

export const TransferLeg = d.record(`${MODULE}:TransferLeg`, {
  transferLegId: d.text,
  sender: Account,
  receiver: Account,
  amount: d.numeric(10),
  instrumentId: d.text,
  meta: Metadata,
});

export const TransferLegSide = d.record(`${MODULE}:TransferLegSide`, {
  transferLegId: d.text,
  side: d.enum(`${MODULE}:TransferSide`, ['SenderSide', 'ReceiverSide']),
  otherside: Account,
  amount: d.numeric(10),
  instrumentId: d.text,
  meta: Metadata,
});

/** Amounts by instrument id; None: no further iterations. */
const funding = d.optional(d.textMap(d.numeric(10)));
const allocationCid = d.contractId(`${MODULE}:Allocation`);

export const AllocationSpecification = d.record(`${MODULE}:AllocationSpecification`, {
  admin: d.party,
  authorizer: Account,
  transferLegSides: d.list(TransferLegSide),
  settlementDeadline: d.optional(d.timestamp),
  nextIterationFunding: funding,
  committed: d.bool,
  meta: Metadata,
});

export const AllocationAction = d.variant(`${MODULE}:AllocationAction`, {
  AA_Settle: d.unit,
  AA_Cancel: d.unit,
  AA_Withdraw: d.unit,
  AA_Custom: { id: d.text },
});

export const AllocationView = d.record(`${MODULE}:AllocationView`, {
  originalAllocationCid: d.optional(allocationCid),
  settlement: SettlementInfo,
  allocation: AllocationSpecification,
  holdingCids: d.list(d.contractId(Holding)),
  createdAt: d.timestamp,
  numIterations: d.int64,
  expiresAt: d.optional(d.timestamp),
  availableActions: d.genMap(AllocationAction, d.list(d.list(d.party))),
  meta: Metadata,
});

export const AllocationResultOutput = d.variant(`${MODULE}:AllocationResult_Output`, {
  AllocationResult_Pending: { allocationCid },
  AllocationResult_Settled: { nextIterationAllocationCid: d.optional(allocationCid) },
  AllocationResult_Cancelled: d.unit,
  AllocationResult_Withdrawn: d.unit,
});

const AllocationResult = d.record(`${MODULE}:AllocationResult`, {
  output: AllocationResultOutput,
  authorizerHoldingCids: d.textMap(d.list(d.contractId(Holding))),
  meta: Metadata,
});

const FinalizedAllocation = d.record(`${MODULE}:FinalizedAllocation`, {
  allocationCid,
  extraTransferLegSides: d.list(TransferLegSide),
  nextIterationFunding: funding,
});

const SettleBatchResult = d.record(`${MODULE}:SettlementFactory_SettleBatchResult`, {
  allocationSettleResults: d.list(AllocationResult),
  meta: Metadata,
});

const SettlementFactoryView = d.record(`${MODULE}:SettlementFactoryView`, {
  admin: d.party,
  meta: Metadata,
});

const settleArguments = {
  actors: d.list(d.party),
  extraTransferLegSides: d.list(TransferLegSide),
  nextIterationFunding: funding,
  extraArgs: ExtraArgs,
};
const stepArguments = { actors: d.list(d.party), extraArgs: ExtraArgs };
const settleBatchArguments = {
  settlement: SettlementInfo,
  transferLegs: d.list(TransferLeg),
  allocations: d.list(FinalizedAllocation),
  actors: d.list(d.party),
  extraArgs: ExtraArgs,
};
const publicFetchArguments = { actors: d.list(d.party) };

export type SettlementInfo = ValueOf<typeof SettlementInfo>;
export type TransferLeg = ValueOf<typeof TransferLeg>;
export type TransferLegSide = ValueOf<typeof TransferLegSide>;
export type AllocationSpecification = ValueOf<typeof AllocationSpecification>;
export type AllocationView = ValueOf<typeof AllocationView>;
export type AllocationResult = ValueOf<typeof AllocationResult>;
export type AllocationSettle = RecordOf<typeof settleArguments>;
export type AllocationStep = RecordOf<typeof stepArguments>;
export type SettlementFactorySettleBatch = RecordOf<typeof settleBatchArguments>;
export type SettleBatchResult = ValueOf<typeof SettleBatchResult>;

// The choices do not consume: an implementation archives the contract itself.
export const Allocation = standardInterface({
  name: `${MODULE}:Allocation`,
  view: AllocationView,
  choices: ({ byActors }) => ({
    Allocation_Settle: byActors(settleArguments, AllocationResult),
    Allocation_Cancel: byActors(stepArguments, AllocationResult),
    Allocation_Withdraw: byActors(stepArguments, AllocationResult),
  }),
});

export const SettlementFactory = standardInterface({
  name: `${MODULE}:SettlementFactory`,
  view: SettlementFactoryView,
  choices: ({ choice, byActors }) => ({
    SettlementFactory_SettleBatch: byActors(settleBatchArguments, SettleBatchResult),
    SettlementFactory_PublicFetch: choice({
      consuming: false,
      argument: publicFetchArguments,
      result: SettlementFactoryView,
      controllers: (_view, { actors }) => actors,
    }),
  }),
});

export const allocationV2 = definePackage({
  name: 'splice-api-token-allocation-v2',
  version: '1.0.0',
  id: '051a3b0563a6fa4df4cb34448081e48b061e555aa1a265abf6ae8f3f4cafe439',
  interfaces: [Allocation, SettlementFactory],
});
