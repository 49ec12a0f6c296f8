/** The test token's transfer offer: waits for the receiver, with the sender's tokens locked meanwhile. */
import {
  d,
  defineTemplate,
  type Self,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import { some, type Party } from '../../daml/model/values.js';
import { lockIsThere, rulesFromContext } from '../holdings/context.js';
import {
  EMPTY_METADATA,
  instructionViewToV1,
  ownerOf,
  resultToV2,
} from '../holdings/conversions.js';
import { leg, logHoldingsChange } from '../holdings/events.js';
import { createToken } from '../holdings/holdings.js';
import { resultMetadata } from '../holdings/result-metadata.js';
import type { ExtraArgs } from '../standard/metadata-v1.js';
import {
  TransferInstruction as TransferInstructionV1,
  TransferInstructionResultOutput,
  type TransferInstructionResult,
} from '../standard/transfer-instruction-v1.js';
import {
  Transfer,
  TransferInstruction,
  TransferInstructionAction,
  type TransferInstructionStep,
  type TransferInstructionView,
} from '../standard/transfer-instruction-v2.js';
import { MODULE, Token } from '../holdings/token.js';

const fields = {
  lockedToken: d.contractId(Token),
  /** As instructed, but for the inputs: they are the locked token now. */
  transfer: Transfer,
};

export type OfferPayload = { readonly [K in keyof typeof fields]: ValueOf<(typeof fields)[K]> };
type Choice =
  | 'TransferInstruction_Accept'
  | 'TransferInstruction_Reject'
  | 'TransferInstruction_Withdraw';

function instructionView({ transfer }: OfferPayload): TransferInstructionView {
  const receiver = [[ownerOf(transfer.receiver)]];
  return {
    originalInstructionCid: null,
    transfer,
    expiresAt: some(transfer.executeBefore),
    availableActions: [
      [TransferInstructionAction.of('TIA_Accept', {}), receiver],
      [TransferInstructionAction.of('TIA_Reject', {}), receiver],
      [TransferInstructionAction.of('TIA_Withdraw', {}), [[ownerOf(transfer.sender)]]],
    ],
    meta: EMPTY_METADATA,
  };
}

export const TransferOffer = defineTemplate({
  name: `${MODULE}:TransferOffer`,
  fields,
  signatories: ({ transfer }) => [transfer.instrumentId.admin, ownerOf(transfer.sender)],
  observers: ({ transfer }) => [ownerOf(transfer.receiver)],
  implements: (implement) => [
    implement(TransferInstructionV1, {
      view: (offer) => instructionViewToV1(instructionView(offer)),
      methods: {
        transferInstruction_acceptImpl: ({ payload }, update, { extraArgs }) =>
          accept(update, payload, extraArgs),
        transferInstruction_rejectImpl: ({ payload }, update, { extraArgs }) =>
          giveBack(update, payload, extraArgs),
        transferInstruction_withdrawImpl: ({ payload }, update, { extraArgs }) =>
          giveBack(update, payload, extraArgs),
        transferInstruction_updateImpl: (_self, update) =>
          update.fail(
            'TransferOffer does not support TransferInstruction_Update: it has no internal workflow',
          ),
      },
    }),
    implement(TransferInstruction, {
      view: instructionView,
      methods: {
        transferInstruction_acceptImpl: (self, update, step) =>
          throughV1(
            update,
            self,
            'TransferInstruction_Accept',
            ownerOf(self.payload.transfer.receiver),
            step,
          ),
        transferInstruction_rejectImpl: (self, update, step) =>
          throughV1(
            update,
            self,
            'TransferInstruction_Reject',
            ownerOf(self.payload.transfer.receiver),
            step,
          ),
        transferInstruction_withdrawImpl: (self, update, step) =>
          throughV1(
            update,
            self,
            'TransferInstruction_Withdraw',
            ownerOf(self.payload.transfer.sender),
            step,
          ),
        transferInstruction_acceptExtraObservers: () => [],
        transferInstruction_rejectExtraObservers: () => [],
        transferInstruction_withdrawExtraObservers: () => [],
      },
    }),
  ],
});

/** Version 2's choices act through version 1's, which consume and which wallets of both versions can read. */
function throughV1(
  update: Update,
  self: Self<OfferPayload>,
  choice: Choice,
  actor: Party,
  { actors, extraArgs }: TransferInstructionStep,
): ReturnType<typeof resultToV2> {
  update.assert(actors.includes(actor), `${choice} takes ${actor} among its actors`);
  return resultToV2(update.exercise(TransferInstructionV1, self.contractId, choice, { extraArgs }));
}

function accept(
  update: Update,
  { lockedToken, transfer }: OfferPayload,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  const { sender, receiver, instrumentId, amount, executeBefore } = transfer;
  const { admin } = instrumentId;
  update.assert(
    update.getTime() < executeBefore,
    'The transfer offer has expired: its executeBefore has passed',
  );
  const rulesCid = rulesFromContext(update, extraArgs.context, admin);
  update.archive(Token, lockedToken);
  const tokenCid = createToken(update, { ...transfer, owner: ownerOf(receiver) });
  const meta = resultMetadata('transfer', ownerOf(sender), transfer.meta);
  logHoldingsChange(update, rulesCid, {
    admin,
    account: sender,
    inputs: [lockedToken],
    outputs: [],
    legs: [leg('SenderSide', receiver, amount, instrumentId.id)],
    meta,
  });
  logHoldingsChange(update, rulesCid, {
    admin,
    account: receiver,
    inputs: [],
    outputs: [tokenCid],
    legs: [leg('ReceiverSide', sender, amount, instrumentId.id)],
    meta,
  });
  return {
    output: TransferInstructionResultOutput.of('TransferInstructionResult_Completed', {
      receiverHoldingCids: [tokenCid],
    }),
    senderChangeCids: [],
    meta,
  };
}

/** Reject and withdraw: the sender gets the amount back, unlocked. That the result is called failed is not an error. */
function giveBack(
  update: Update,
  { lockedToken, transfer }: OfferPayload,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  const { admin } = transfer.instrumentId;
  const rulesCid = rulesFromContext(update, extraArgs.context, admin);
  const meta = resultMetadata('unlock', undefined, transfer.meta);
  const output = TransferInstructionResultOutput.of('TransferInstructionResult_Failed', {});
  if (!lockIsThere(update, extraArgs.context)) {
    // The sender has spent the token already, which takes an expired lock.
    update.assert(
      update.getTime() >= transfer.executeBefore,
      "The lock of the transfer offer's token has not expired yet",
    );
    return { output, senderChangeCids: [], meta };
  }
  update.archive(Token, lockedToken);
  const tokenCid = createToken(update, { ...transfer, owner: ownerOf(transfer.sender) });
  logHoldingsChange(update, rulesCid, {
    admin,
    account: transfer.sender,
    inputs: [lockedToken],
    outputs: [tokenCid],
    legs: [],
    meta,
  });
  return { output, senderChangeCids: [tokenCid], meta };
}
