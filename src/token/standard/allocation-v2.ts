/** `splice-api-token-allocation-v2`: approvals to settle any number of transfer legs, and their settlement in batches. */
import {
  d,
  defineInterface,
  definePackage,
  methods,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import type { Party } from '../../daml/model/values.js';
import { Account, Holding } from './holding-v2.js';
import { AnyContract, ExtraArgs, Metadata } from './metadata-v1.js';

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

type Arguments<F> = { readonly [K in keyof F]: ValueOf<F[K]> };
type Method<A, R> = (update: Update, argument: Arguments<A>) => ValueOf<R>;
type ExtraObservers<A> = (argument: Arguments<A>) => readonly Party[];

export type SettlementInfo = ValueOf<typeof SettlementInfo>;
export type TransferLeg = ValueOf<typeof TransferLeg>;
export type TransferLegSide = ValueOf<typeof TransferLegSide>;
export type AllocationSpecification = ValueOf<typeof AllocationSpecification>;
export type AllocationView = ValueOf<typeof AllocationView>;
export type AllocationResult = ValueOf<typeof AllocationResult>;
export type AllocationSettle = Arguments<typeof settleArguments>;
export type AllocationStep = Arguments<typeof stepArguments>;
export type SettlementFactorySettleBatch = Arguments<typeof settleBatchArguments>;
export type SettleBatchResult = ValueOf<typeof SettleBatchResult>;

export const Allocation = defineInterface({
  name: `${MODULE}:Allocation`,
  view: AllocationView,
  methods: methods<{
    allocation_settleImpl: Method<typeof settleArguments, typeof AllocationResult>;
    allocation_cancelImpl: Method<typeof stepArguments, typeof AllocationResult>;
    allocation_withdrawImpl: Method<typeof stepArguments, typeof AllocationResult>;
    allocation_settleExtraObservers: ExtraObservers<typeof settleArguments>;
    allocation_cancelExtraObservers: ExtraObservers<typeof stepArguments>;
    allocation_withdrawExtraObservers: ExtraObservers<typeof stepArguments>;
  }>()(
    'allocation_settleImpl',
    'allocation_cancelImpl',
    'allocation_withdrawImpl',
    'allocation_settleExtraObservers',
    'allocation_cancelExtraObservers',
    'allocation_withdrawExtraObservers',
  ),
  // The choices do not consume: an implementation archives the contract itself.
  choices: (choice) => ({
    Allocation_Settle: choice({
      consuming: false,
      argument: settleArguments,
      result: AllocationResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) => self.methods.allocation_settleExtraObservers(argument),
      run: (update, self, argument) => self.methods.allocation_settleImpl(update, argument),
    }),
    Allocation_Cancel: choice({
      consuming: false,
      argument: stepArguments,
      result: AllocationResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) => self.methods.allocation_cancelExtraObservers(argument),
      run: (update, self, argument) => self.methods.allocation_cancelImpl(update, argument),
    }),
    Allocation_Withdraw: choice({
      consuming: false,
      argument: stepArguments,
      result: AllocationResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.allocation_withdrawExtraObservers(argument),
      run: (update, self, argument) => self.methods.allocation_withdrawImpl(update, argument),
    }),
  }),
});

export const SettlementFactory = defineInterface({
  name: `${MODULE}:SettlementFactory`,
  view: SettlementFactoryView,
  methods: methods<{
    settlementFactory_settleBatchImpl: Method<
      typeof settleBatchArguments,
      typeof SettleBatchResult
    >;
    settlementFactory_publicFetchImpl: Method<
      typeof publicFetchArguments,
      typeof SettlementFactoryView
    >;
    settlementFactory_settleBatchExtraObservers: ExtraObservers<typeof settleBatchArguments>;
  }>()(
    'settlementFactory_settleBatchImpl',
    'settlementFactory_publicFetchImpl',
    'settlementFactory_settleBatchExtraObservers',
  ),
  choices: (choice) => ({
    SettlementFactory_SettleBatch: choice({
      consuming: false,
      argument: settleBatchArguments,
      result: SettleBatchResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.settlementFactory_settleBatchExtraObservers(argument),
      run: (update, self, argument) =>
        self.methods.settlementFactory_settleBatchImpl(update, argument),
    }),
    SettlementFactory_PublicFetch: choice({
      consuming: false,
      argument: publicFetchArguments,
      result: SettlementFactoryView,
      controllers: (_view, { actors }) => actors,
      run: (update, self, argument) =>
        self.methods.settlementFactory_publicFetchImpl(update, argument),
    }),
  }),
});

export const allocationV2 = definePackage({
  name: 'splice-api-token-allocation-v2',
  version: '1.0.0',
  id: '051a3b0563a6fa4df4cb34448081e48b061e555aa1a265abf6ae8f3f4cafe439',
  interfaces: [Allocation, SettlementFactory],
});
