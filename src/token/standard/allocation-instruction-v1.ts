/** `splice-api-token-allocation-instruction-v1`: asking a registry to set holdings aside. */
import { d, definePackage, type RecordOf, type ValueOf } from '../../daml/define/index.js';
import { Allocation, AllocationSpecification } from './allocation-v1.js';
import { Holding } from './holding-v1.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';
import { standardInterface } from './standard-interface.js';

const MODULE = 'Splice.Api.Token.AllocationInstructionV1';

const instructionCid = d.contractId(`${MODULE}:AllocationInstruction`);
const holdingCids = d.list(d.contractId(Holding));

export const AllocationInstructionResultOutput = d.variant(
  `${MODULE}:AllocationInstructionResult_Output`,
  {
    AllocationInstructionResult_Pending: { allocationInstructionCid: instructionCid },
    AllocationInstructionResult_Completed: { allocationCid: d.contractId(Allocation) },
    AllocationInstructionResult_Failed: d.unit,
  },
);

const AllocationInstructionResult = d.record(`${MODULE}:AllocationInstructionResult`, {
  output: AllocationInstructionResultOutput,
  senderChangeCids: holdingCids,
  meta: Metadata,
});

const AllocationInstructionView = d.record(`${MODULE}:AllocationInstructionView`, {
  originalInstructionCid: d.optional(instructionCid),
  allocation: AllocationSpecification,
  pendingActions: d.genMap(d.party, d.text),
  requestedAt: d.timestamp,
  inputHoldingCids: holdingCids,
  meta: Metadata,
});

const AllocationFactoryView = d.record(`${MODULE}:AllocationFactoryView`, {
  admin: d.party,
  meta: Metadata,
});

const withdrawArguments = { extraArgs: ExtraArgs };
const updateArguments = { extraActors: d.list(d.party), extraArgs: ExtraArgs };
const allocateArguments = {
  expectedAdmin: d.party,
  allocation: AllocationSpecification,
  requestedAt: d.timestamp,
  inputHoldingCids: holdingCids,
  extraArgs: ExtraArgs,
};
const publicFetchArguments = { expectedAdmin: d.party, actor: d.party };

export type AllocationInstructionResult = ValueOf<typeof AllocationInstructionResult>;
export type AllocationFactoryAllocate = RecordOf<typeof allocateArguments>;

const AllocationInstruction = standardInterface({
  name: `${MODULE}:AllocationInstruction`,
  view: AllocationInstructionView,
  choices: ({ choice }) => ({
    AllocationInstruction_Withdraw: choice({
      argument: withdrawArguments,
      result: AllocationInstructionResult,
      controllers: ({ allocation }) => [allocation.transferLeg.sender],
    }),
    AllocationInstruction_Update: choice({
      argument: updateArguments,
      result: AllocationInstructionResult,
      controllers: ({ allocation }, { extraActors }) => [
        allocation.transferLeg.instrumentId.admin,
        ...extraActors,
      ],
    }),
  }),
});

export const AllocationFactory = standardInterface({
  name: `${MODULE}:AllocationFactory`,
  view: AllocationFactoryView,
  choices: ({ choice }) => ({
    AllocationFactory_Allocate: choice({
      consuming: false,
      argument: allocateArguments,
      result: AllocationInstructionResult,
      controllers: (_view, { allocation }) => [allocation.transferLeg.sender],
    }),
    AllocationFactory_PublicFetch: choice({
      consuming: false,
      argument: publicFetchArguments,
      result: AllocationFactoryView,
      controllers: (_view, { actor }) => [actor],
    }),
  }),
});

export const allocationInstructionV1 = definePackage({
  name: 'splice-api-token-allocation-instruction-v1',
  version: '1.0.0',
  id: '275064aacfe99cea72ee0c80563936129563776f67415ef9f13e4297eecbc520',
  interfaces: [AllocationFactory, AllocationInstruction],
});
