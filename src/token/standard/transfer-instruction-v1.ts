/** `splice-api-token-transfer-instruction-v1`: instructing a transfer, and advancing it step by step. */
import { d, definePackage, type RecordOf, type ValueOf } from '../../daml/define/index.js';
import { Holding, InstrumentId } from './holding-v1.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';
import { standardInterface } from './standard-interface.js';

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

const TransferFactoryView = d.record(`${MODULE}:TransferFactoryView`, {
  admin: d.party,
  meta: Metadata,
});

export type Transfer = ValueOf<typeof Transfer>;
export type TransferInstructionResult = ValueOf<typeof TransferInstructionResult>;
export type TransferInstructionView = ValueOf<typeof TransferInstructionView>;

const extraArgs = { extraArgs: ExtraArgs };
const updateArguments = { extraActors: d.list(d.party), extraArgs: ExtraArgs };
const transferArguments = { expectedAdmin: d.party, transfer: Transfer, extraArgs: ExtraArgs };
const publicFetchArguments = { expectedAdmin: d.party, actor: d.party };

export type TransferFactoryTransfer = RecordOf<typeof transferArguments>;

export const TransferInstruction = standardInterface({
  name: `${MODULE}:TransferInstruction`,
  view: TransferInstructionView,
  choices: ({ choice }) => ({
    TransferInstruction_Accept: choice({
      argument: extraArgs,
      result: TransferInstructionResult,
      controllers: ({ transfer }) => [transfer.receiver],
    }),
    TransferInstruction_Reject: choice({
      argument: extraArgs,
      result: TransferInstructionResult,
      controllers: ({ transfer }) => [transfer.receiver],
    }),
    TransferInstruction_Withdraw: choice({
      argument: extraArgs,
      result: TransferInstructionResult,
      controllers: ({ transfer }) => [transfer.sender],
    }),
    TransferInstruction_Update: choice({
      argument: updateArguments,
      result: TransferInstructionResult,
      controllers: ({ transfer }, { extraActors }) => [transfer.instrumentId.admin, ...extraActors],
    }),
  }),
});

export const TransferFactory = standardInterface({
  name: `${MODULE}:TransferFactory`,
  view: TransferFactoryView,
  choices: ({ choice }) => ({
    TransferFactory_Transfer: choice({
      consuming: false,
      argument: transferArguments,
      result: TransferInstructionResult,
      controllers: (_view, { transfer }) => [transfer.sender],
    }),
    TransferFactory_PublicFetch: choice({
      consuming: false,
      argument: publicFetchArguments,
      result: TransferFactoryView,
      controllers: (_view, { actor }) => [actor],
    }),
  }),
});

export const transferInstructionV1 = definePackage({
  name: 'splice-api-token-transfer-instruction-v1',
  version: '1.0.0',
  id: '55ba4deb0ad4662c4168b39859738a0e91388d252286480c7331b3f71a517281',
  interfaces: [TransferFactory, TransferInstruction],
});
