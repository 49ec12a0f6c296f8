/** `splice-api-token-transfer-instruction-v1`: instructing a transfer, and advancing it step by step. */
import {
  d,
  defineInterface,
  definePackage,
  methods,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import { Holding, InstrumentId } from './holding-v1.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';

const MODULE = 'Splice.Api.Token.TransferInstructionV1';

export const Transfer = d.record(`${MODULE}:Transfer`, {
  sender: d.party,
  receiver: d.party,
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

export const TransferInstructionStatus = d.variant(`${MODULE}:TransferInstructionStatus`, {
  TransferPendingReceiverAcceptance: d.unit,
  TransferPendingInternalWorkflow: { pendingActions: d.genMap(d.party, d.text) },
});

export const TransferInstructionView = d.record(`${MODULE}:TransferInstructionView`, {
  originalInstructionCid: d.optional(instructionCid),
  transfer: Transfer,
  status: TransferInstructionStatus,
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

const extraArgs = { extraArgs: ExtraArgs };
const updateArguments = { extraActors: d.list(d.party), extraArgs: ExtraArgs };
const transferArguments = { expectedAdmin: d.party, transfer: Transfer, extraArgs: ExtraArgs };
const publicFetchArguments = { expectedAdmin: d.party, actor: d.party };

type Arguments<F> = { readonly [K in keyof F]: ValueOf<F[K]> };
export type TransferFactoryTransfer = Arguments<typeof transferArguments>;
type Step<A> = (update: Update, argument: Arguments<A>) => TransferInstructionResult;

export const TransferInstruction = defineInterface({
  name: `${MODULE}:TransferInstruction`,
  view: TransferInstructionView,
  methods: methods<{
    transferInstruction_acceptImpl: Step<typeof extraArgs>;
    transferInstruction_rejectImpl: Step<typeof extraArgs>;
    transferInstruction_withdrawImpl: Step<typeof extraArgs>;
    transferInstruction_updateImpl: Step<typeof updateArguments>;
  }>()(
    'transferInstruction_acceptImpl',
    'transferInstruction_rejectImpl',
    'transferInstruction_withdrawImpl',
    'transferInstruction_updateImpl',
  ),
  choices: (choice) => ({
    TransferInstruction_Accept: choice({
      argument: extraArgs,
      result: TransferInstructionResult,
      controllers: (view) => [view.transfer.receiver],
      run: (update, self, argument) =>
        self.methods.transferInstruction_acceptImpl(update, argument),
    }),
    TransferInstruction_Reject: choice({
      argument: extraArgs,
      result: TransferInstructionResult,
      controllers: (view) => [view.transfer.receiver],
      run: (update, self, argument) =>
        self.methods.transferInstruction_rejectImpl(update, argument),
    }),
    TransferInstruction_Withdraw: choice({
      argument: extraArgs,
      result: TransferInstructionResult,
      controllers: (view) => [view.transfer.sender],
      run: (update, self, argument) =>
        self.methods.transferInstruction_withdrawImpl(update, argument),
    }),
    TransferInstruction_Update: choice({
      argument: updateArguments,
      result: TransferInstructionResult,
      controllers: (view, { extraActors }) => [view.transfer.instrumentId.admin, ...extraActors],
      run: (update, self, argument) =>
        self.methods.transferInstruction_updateImpl(update, argument),
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
  }>()('transferFactory_transferImpl', 'transferFactory_publicFetchImpl'),
  choices: (choice) => ({
    TransferFactory_Transfer: choice({
      consuming: false,
      argument: transferArguments,
      result: TransferInstructionResult,
      controllers: (_view, { transfer }) => [transfer.sender],
      run: (update, self, argument) => self.methods.transferFactory_transferImpl(update, argument),
    }),
    TransferFactory_PublicFetch: choice({
      consuming: false,
      argument: publicFetchArguments,
      result: TransferFactoryView,
      controllers: (_view, { actor }) => [actor],
      run: (update, self, argument) =>
        self.methods.transferFactory_publicFetchImpl(update, argument),
    }),
  }),
});

export const transferInstructionV1 = definePackage({
  name: 'splice-api-token-transfer-instruction-v1',
  version: '1.0.0',
  id: '55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281',
  interfaces: [TransferFactory, TransferInstruction],
});
