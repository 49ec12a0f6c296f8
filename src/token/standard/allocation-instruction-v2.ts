/** `splice-api-token-allocation-instruction-v2`: asking a registry for an allocation, and advancing the request. */
import { d, definePackage, type RecordOf, type ValueOf } from '../../daml/define/index.js';
import { Allocation, AllocationSpecification, SettlementInfo } from './allocation-v2.js';
import { Holding } from './holding-v2.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';
import { standardInterface } from './standard-interface.js';

const MODULE = 'Splice.Api.Token.AllocationInstructionV2';

const instructionCid = d.contractId(`${MODULE}:AllocationInstruction`);

const AllocationInstructionAction = d.variant(`${MODULE}:AllocationInstructionAction`, {
  AIA_Withdraw: d.unit,
  AIA_Accept: d.unit,
  AIA_Custom: { id: d.text },
});

const AllocationInstructionView = d.record(`${MODULE}:AllocationInstructionView`, {
  originalInstructionCid: d.optional(instructionCid),
  settlement: SettlementInfo,
  allocation: AllocationSpecification,
  requestedAt: d.timestamp,
  inputHoldingCids: d.list(d.contractId(Holding)),
  expiresAt: d.optional(d.timestamp),
  availableActions: d.genMap(AllocationInstructionAction, d.list(d.list(d.party))),
  meta: Metadata,
});

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
  authorizerChangeCids: d.textMap(d.list(d.contractId(Holding))),
  meta: Metadata,
});

const AllocationFactoryView = d.record(`${MODULE}:AllocationFactoryView`, {
  admin: d.party,
  meta: Metadata,
});

const stepArguments = { actors: d.list(d.party), extraArgs: ExtraArgs };
const allocateArguments = {
  settlement: SettlementInfo,
  allocation: AllocationSpecification,
  requestedAt: d.timestamp,
  inputHoldingCids: d.list(d.contractId(Holding)),
  extraArgs: ExtraArgs,
  actors: d.list(d.party),
};
const publicFetchArguments = { actors: d.list(d.party) };

export type AllocationInstructionResult = ValueOf<typeof AllocationInstructionResult>;
export type AllocationFactoryAllocate = RecordOf<typeof allocateArguments>;

const AllocationInstruction = standardInterface({
  name: `${MODULE}:AllocationInstruction`,
  view: AllocationInstructionView,
  choices: ({ byActors }) => ({
    AllocationInstruction_Accept: byActors(stepArguments, AllocationInstructionResult),
    AllocationInstruction_Withdraw: byActors(stepArguments, AllocationInstructionResult),
  }),
});

export const AllocationFactory = standardInterface({
  name: `${MODULE}:AllocationFactory`,
  view: AllocationFactoryView,
  choices: ({ choice, byActors }) => ({
    AllocationFactory_Allocate: byActors(allocateArguments, AllocationInstructionResult),
    AllocationFactory_PublicFetch: choice({
      consuming: false,
      argument: publicFetchArguments,
      result: AllocationFactoryView,
      controllers: (_view, { actors }) => actors,
    }),
  }),
});

export const allocationInstructionV2 = definePackage({
  name: 'splice-api-token-allocation-instruction-v2',
  version: '1.0.0',
  id: '9818a0b5b827109de03a04c8f6151cde9d1e7fe5123dbb2dfeb0e52d7271287c',
  interfaces: [AllocationFactory, AllocationInstruction],
});
