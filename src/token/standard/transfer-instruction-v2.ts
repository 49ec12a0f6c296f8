/** `splice-api-token-transfer-instruction-v2`: transfers between accounts; who may act is data, not part of the choice. */
import {
  d,
  defineInterface,
  definePackage,
  methods,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import type { Party } from '../../daml/model/values.js';
import { Account, Holding, InstrumentId } from './holding-v2.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';

const MODULE = 'Splice.Api.Token.TransferInstructionV2';

export const Transfer = d.record(`${MODULE}:Transfer`, {
  sender: Account,
  receiver: Account,
  amount: d.numeric(10),
  instrumentId: InstrumentId,
  requestedAt: d.timestamp,
  executeBefore: d.timestamp,
  inputHoldingCids: d.list(d.contractId(Holding)),
  meta: Metadata,
});

const instructionCid = d.contractId(`${MODULE}:TransferInstruction`);

export const TransferInstructionResultOutput = d.variant(
  `${MODULE}:TransferInstructionResult_Output`,
  {
    TransferInstructionResult_Pending: { transferInstructionCid: instructionCid },
    TransferInstructionResult_Completed: { receiverHoldingCids: d.list(d.contractId(Holding)) },
    TransferInstructionResult_Failed: d.unit,
  },
);

export const TransferInstructionResult = d.record(`${MODULE}:TransferInstructionResult`, {
  output: TransferInstructionResultOutput,
  senderChangeCids: d.list(d.contractId(Holding)),
  meta: Metadata,
});

export const TransferInstructionAction = d.variant(`${MODULE}:TransferInstructionAction`, {
  TIA_Accept: d.unit,
  TIA_Reject: d.unit,
  TIA_Withdraw: d.unit,
  TIA_Custom: { id: d.text },
});

export const TransferInstructionView = d.record(`${MODULE}:TransferInstructionView`, {
  originalInstructionCid: d.optional(instructionCid),
  transfer: Transfer,
  expiresAt: d.optional(d.timestamp),
  availableActions: d.genMap(TransferInstructionAction, d.list(d.list(d.party))),
  meta: Metadata,
});

export const TransferFactoryView = d.record(`${MODULE}:TransferFactoryView`, {
  admin: d.party,
  meta: Metadata,
});

export type Transfer = ValueOf<typeof Transfer>;
export type TransferInstructionResult = ValueOf<typeof TransferInstructionResult>;
export type TransferInstructionView = ValueOf<typeof TransferInstructionView>;
export type TransferFactoryView = ValueOf<typeof TransferFactoryView>;

const stepArguments = { actors: d.list(d.party), extraArgs: ExtraArgs };
const transferArguments = { transfer: Transfer, actors: d.list(d.party), extraArgs: ExtraArgs };
const publicFetchArguments = { actors: d.list(d.party) };

type Arguments<F> = { readonly [K in keyof F]: ValueOf<F[K]> };
export type TransferFactoryTransfer = Arguments<typeof transferArguments>;
export type TransferInstructionStep = Arguments<typeof stepArguments>;
type Step<A> = (update: Update, argument: Arguments<A>) => TransferInstructionResult;
type ExtraObservers<A> = (argument: Arguments<A>) => readonly Party[];

export const TransferInstruction = defineInterface({
  name: `${MODULE}:TransferInstruction`,
  view: TransferInstructionView,
  methods: methods<{
    transferInstruction_acceptImpl: Step<typeof stepArguments>;
    transferInstruction_rejectImpl: Step<typeof stepArguments>;
    transferInstruction_withdrawImpl: Step<typeof stepArguments>;
    transferInstruction_acceptExtraObservers: ExtraObservers<typeof stepArguments>;
    transferInstruction_rejectExtraObservers: ExtraObservers<typeof stepArguments>;
    transferInstruction_withdrawExtraObservers: ExtraObservers<typeof stepArguments>;
  }>()(
    'transferInstruction_acceptImpl',
    'transferInstruction_rejectImpl',
    'transferInstruction_withdrawImpl',
    'transferInstruction_acceptExtraObservers',
    'transferInstruction_rejectExtraObservers',
    'transferInstruction_withdrawExtraObservers',
  ),
  // The choices do not consume: an implementation archives the contract itself, as a rule through the V1 choice.
  choices: (choice) => ({
    TransferInstruction_Accept: choice({
      consuming: false,
      argument: stepArguments,
      result: TransferInstructionResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.transferInstruction_acceptExtraObservers(argument),
      run: (update, self, argument) =>
        self.methods.transferInstruction_acceptImpl(update, argument),
    }),
    TransferInstruction_Reject: choice({
      consuming: false,
      argument: stepArguments,
      result: TransferInstructionResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.transferInstruction_rejectExtraObservers(argument),
      run: (update, self, argument) =>
        self.methods.transferInstruction_rejectImpl(update, argument),
    }),
    TransferInstruction_Withdraw: choice({
      consuming: false,
      argument: stepArguments,
      result: TransferInstructionResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.transferInstruction_withdrawExtraObservers(argument),
      run: (update, self, argument) =>
        self.methods.transferInstruction_withdrawImpl(update, argument),
    }),
  }),
});

export const TransferFactory = defineInterface({
  name: `${MODULE}:TransferFactory`,
  view: TransferFactoryView,
  methods: methods<{
    transferFactory_transferImpl: Step<typeof transferArguments>;
    transferFactory_publicFetchImpl(
      update: Update,
      argument: Arguments<typeof publicFetchArguments>,
    ): TransferFactoryView;
    transferFactory_transferExtraObservers: ExtraObservers<typeof transferArguments>;
  }>()(
    'transferFactory_transferImpl',
    'transferFactory_publicFetchImpl',
    'transferFactory_transferExtraObservers',
  ),
  choices: (choice) => ({
    TransferFactory_Transfer: choice({
      consuming: false,
      argument: transferArguments,
      result: TransferInstructionResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.transferFactory_transferExtraObservers(argument),
      run: (update, self, argument) => self.methods.transferFactory_transferImpl(update, argument),
    }),
    TransferFactory_PublicFetch: choice({
      consuming: false,
      argument: publicFetchArguments,
      result: TransferFactoryView,
      controllers: (_view, { actors }) => actors,
      run: (update, self, argument) =>
        self.methods.transferFactory_publicFetchImpl(update, argument),
    }),
  }),
});

export const transferInstructionV2 = definePackage({
  name: 'splice-api-token-transfer-instruction-v2',
  version: '1.0.0',
  id: '29317e3b7b165d2bbf16721bcca0ec4869e53eddb2738bddf790d61af28e0099',
  interfaces: [TransferFactory, TransferInstruction],
});
