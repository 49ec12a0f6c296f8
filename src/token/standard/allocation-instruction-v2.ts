/** `splice-api-token-allocation-instruction-v2`: asking a registry for an allocation, and advancing the request. */
import {
  d,
  defineInterface,
  definePackage,
  methods,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import type { Party } from '../../daml/model/values.js';
import { Allocation, AllocationSpecification, SettlementInfo } from './allocation-v2.js';
import { Holding } from './holding-v2.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';

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

type Arguments<F> = { readonly [K in keyof F]: ValueOf<F[K]> };
type Method<A, R> = (update: Update, argument: Arguments<A>) => ValueOf<R>;
type ExtraObservers<A> = (argument: Arguments<A>) => readonly Party[];

export type AllocationInstructionResult = ValueOf<typeof AllocationInstructionResult>;
export type AllocationFactoryAllocate = Arguments<typeof allocateArguments>;

const AllocationInstruction = defineInterface({
  name: `${MODULE}:AllocationInstruction`,
  view: AllocationInstructionView,
  methods: methods<{
    allocationInstruction_acceptImpl: Method<
      typeof stepArguments,
      typeof AllocationInstructionResult
    >;
    allocationInstruction_withdrawImpl: Method<
      typeof stepArguments,
      typeof AllocationInstructionResult
    >;
    allocationInstruction_acceptExtraObservers: ExtraObservers<typeof stepArguments>;
    allocationInstruction_withdrawExtraObservers: ExtraObservers<typeof stepArguments>;
  }>()(
    'allocationInstruction_acceptImpl',
    'allocationInstruction_withdrawImpl',
    'allocationInstruction_acceptExtraObservers',
    'allocationInstruction_withdrawExtraObservers',
  ),
  choices: (choice) => ({
    AllocationInstruction_Accept: choice({
      consuming: false,
      argument: stepArguments,
      result: AllocationInstructionResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.allocationInstruction_acceptExtraObservers(argument),
      run: (update, self, argument) =>
        self.methods.allocationInstruction_acceptImpl(update, argument),
    }),
    AllocationInstruction_Withdraw: choice({
      consuming: false,
      argument: stepArguments,
      result: AllocationInstructionResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.allocationInstruction_withdrawExtraObservers(argument),
      run: (update, self, argument) =>
        self.methods.allocationInstruction_withdrawImpl(update, argument),
    }),
  }),
});

export const AllocationFactory = defineInterface({
  name: `${MODULE}:AllocationFactory`,
  view: AllocationFactoryView,
  methods: methods<{
    allocationFactory_allocateImpl: Method<
      typeof allocateArguments,
      typeof AllocationInstructionResult
    >;
    allocationFactory_publicFetchImpl: Method<
      typeof publicFetchArguments,
      typeof AllocationFactoryView
    >;
    allocationFactory_allocateExtraObservers: ExtraObservers<typeof allocateArguments>;
  }>()(
    'allocationFactory_allocateImpl',
    'allocationFactory_publicFetchImpl',
    'allocationFactory_allocateExtraObservers',
  ),
  choices: (choice) => ({
    AllocationFactory_Allocate: choice({
      consuming: false,
      argument: allocateArguments,
      result: AllocationInstructionResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.allocationFactory_allocateExtraObservers(argument),
      run: (update, self, argument) =>
        self.methods.allocationFactory_allocateImpl(update, argument),
    }),
    AllocationFactory_PublicFetch: choice({
      consuming: false,
      argument: publicFetchArguments,
      result: AllocationFactoryView,
      controllers: (_view, { actors }) => actors,
      run: (update, self, argument) =>
        self.methods.allocationFactory_publicFetchImpl(update, argument),
    }),
  }),
});

export const allocationInstructionV2 = definePackage({
  name: 'splice-api-token-allocation-instruction-v2',
  version: '1.0.0',
  id: '9818a0b5b827109de03a04c8f6151cde9d1e7fe5123dbb2dfeb0e52d7271287c',
  interfaces: [AllocationFactory, AllocationInstruction],
});
