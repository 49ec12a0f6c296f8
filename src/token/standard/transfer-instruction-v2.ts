/** `splice-api-token-transfer-instruction-v2`: transfers between accounts. The parties that may act are data, not part of the choice. */
import { d, definePackage, type RecordOf, type ValueOf } from '../../daml/define/index.js';
import { Account, Holding, InstrumentId } from './holding-v2.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';
import { standardInterface } from './standard-interface.js';

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

const TransferFactoryView = d.record(`${MODULE}:TransferFactoryView`, {
  admin: d.party,
  meta: Metadata,
});

export type Transfer = ValueOf<typeof Transfer>;
export type TransferInstructionResult = ValueOf<typeof TransferInstructionResult>;
export type TransferInstructionView = ValueOf<typeof TransferInstructionView>;

const stepArguments = { actors: d.list(d.party), extraArgs: ExtraArgs };
const transferArguments = { transfer: Transfer, actors: d.list(d.party), extraArgs: ExtraArgs };
const publicFetchArguments = { actors: d.list(d.party) };

export type TransferFactoryTransfer = RecordOf<typeof transferArguments>;
export type TransferInstructionStep = RecordOf<typeof stepArguments>;

// The choices are non-consuming: an implementation archives the contract itself, usually with the V1 choice.
export const TransferInstruction = standardInterface({
  name: `${MODULE}:TransferInstruction`,
  view: TransferInstructionView,
  choices: ({ byActors }) => ({
    TransferInstruction_Accept: byActors(stepArguments, TransferInstructionResult),
    TransferInstruction_Reject: byActors(stepArguments, TransferInstructionResult),
    TransferInstruction_Withdraw: byActors(stepArguments, TransferInstructionResult),
  }),
});

export const TransferFactory = standardInterface({
  name: `${MODULE}:TransferFactory`,
  view: TransferFactoryView,
  choices: ({ choice, byActors }) => ({
    TransferFactory_Transfer: byActors(transferArguments, TransferInstructionResult),
    TransferFactory_PublicFetch: choice({
      consuming: false,
      argument: publicFetchArguments,
      result: TransferFactoryView,
      controllers: (_view, { actors }) => actors,
    }),
  }),
});

export const transferInstructionV2 = definePackage({
  name: 'splice-api-token-transfer-instruction-v2',
  version: '1.0.0',
  id: '29317e3b7b165d2bbf16721bcca0ec4869e53eddb2738bddf790d61af28e0099',
  interfaces: [TransferFactory, TransferInstruction],
});
