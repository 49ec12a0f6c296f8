/** `splice-api-token-allocation-v1`: holdings set aside for one leg of a settlement. */
import { d, definePackage, type ValueOf } from '../../daml/define/index.js';
import { Holding, InstrumentId } from './holding-v1.js';
import { AnyContract, ExtraArgs, Metadata } from './metadata-v1.js';
import { standardInterface } from './standard-interface.js';

const MODULE = 'Splice.Api.Token.AllocationV1';

const Reference = d.record(`${MODULE}:Reference`, {
  id: d.text,
  cid: d.optional(d.contractId(AnyContract)),
});

export const SettlementInfo = d.record(`${MODULE}:SettlementInfo`, {
  executor: d.party,
  settlementRef: Reference,
  requestedAt: d.timestamp,
  allocateBefore: d.timestamp,
  settleBefore: d.timestamp,
  meta: Metadata,
});

export const TransferLeg = d.record(`${MODULE}:TransferLeg`, {
  sender: d.party,
  receiver: d.party,
  amount: d.numeric(10),
  instrumentId: InstrumentId,
  meta: Metadata,
});

export const AllocationSpecification = d.record(`${MODULE}:AllocationSpecification`, {
  settlement: SettlementInfo,
  transferLegId: d.text,
  transferLeg: TransferLeg,
});

const holdingCids = d.list(d.contractId(Holding));

const AllocationView = d.record(`${MODULE}:AllocationView`, {
  allocation: AllocationSpecification,
  holdingCids,
  meta: Metadata,
});

const ExecuteTransferResult = d.record(`${MODULE}:Allocation_ExecuteTransferResult`, {
  senderHoldingCids: holdingCids,
  receiverHoldingCids: holdingCids,
  meta: Metadata,
});
const CancelResult = d.record(`${MODULE}:Allocation_CancelResult`, {
  senderHoldingCids: holdingCids,
  meta: Metadata,
});
const WithdrawResult = d.record(`${MODULE}:Allocation_WithdrawResult`, {
  senderHoldingCids: holdingCids,
  meta: Metadata,
});

const argument = { extraArgs: ExtraArgs };

/** Executor, sender and receiver: all three settle or cancel. */
const everyone = ({ allocation: { settlement, transferLeg } }: ValueOf<typeof AllocationView>) => [
  settlement.executor,
  transferLeg.sender,
  transferLeg.receiver,
];

export const Allocation = standardInterface({
  name: `${MODULE}:Allocation`,
  view: AllocationView,
  choices: ({ choice }) => ({
    Allocation_ExecuteTransfer: choice({
      argument,
      result: ExecuteTransferResult,
      controllers: everyone,
    }),
    Allocation_Cancel: choice({ argument, result: CancelResult, controllers: everyone }),
    Allocation_Withdraw: choice({
      argument,
      result: WithdrawResult,
      controllers: ({ allocation }) => [allocation.transferLeg.sender],
    }),
  }),
});

export const allocationV1 = definePackage({
  name: 'splice-api-token-allocation-v1',
  version: '1.0.0',
  id: '93c942ae2b4c2ba674fb152fe38473c507bda4e82b4e4c5da55a552a9d8cce1d',
  interfaces: [Allocation],
});
