/**
 * What instructing a transfer does: checks, then either a merge or split (sender = receiver) or an offer that locks the
 * amount until the receiver decides. Works on version 2's types; version 1 comes through {@link transferToV2}.
 */
import type { Update } from '../../daml/define/index.js';
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { rulesFromContext } from '../holdings/context.js';
import { EMPTY_METADATA, isBasicAccount, ownerOf } from '../holdings/conversions.js';
import { logHoldingsChange } from '../holdings/events.js';
import { createToken, spendToken } from '../holdings/holdings.js';
import { offerLock } from '../holdings/locks.js';
import { resultMetadata } from '../holdings/result-metadata.js';
import type { ExtraArgs } from '../standard/metadata-v1.js';
import {
  TransferInstructionResultOutput,
  type Transfer,
  type TransferInstructionResult,
} from '../standard/transfer-instruction-v2.js';
import { ZERO } from '../holdings/token.js';
import { TransferOffer } from './transfer-offer.js';

export function instructTransfer(
  update: Update,
  admin: Party,
  transfer: Transfer,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  checkTransfer(update, admin, transfer);
  const rulesCid = rulesFromContext(update, extraArgs.context, admin);
  const total = spendInputs(update, transfer);
  update.assert(
    total.compare(transfer.amount) >= 0,
    `Insufficient funds: the input holdings sum up to ${total}, the transfer is of ${transfer.amount}`,
  );
  const sender = ownerOf(transfer.sender);
  const change = total.subtract(transfer.amount);
  const changeCids =
    change.compare(ZERO) > 0
      ? [createToken(update, { ...transfer, owner: sender, amount: change })]
      : [];
  const toSelf = sender === ownerOf(transfer.receiver);
  const meta = toSelf ? resultMetadata('merge-split', undefined, transfer.meta) : EMPTY_METADATA;
  const outcome = toSelf ? keep(update, transfer, sender) : offer(update, admin, transfer);
  logHoldingsChange(update, rulesCid, {
    admin,
    account: transfer.sender,
    inputs: transfer.inputHoldingCids,
    outputs: [outcome.tokenCid, ...changeCids],
    legs: [],
    meta,
  });
  return { output: outcome.output, senderChangeCids: changeCids, meta };
}

function checkTransfer(update: Update, admin: Party, transfer: Transfer): void {
  const { instrumentId, amount, requestedAt, executeBefore, inputHoldingCids, sender, receiver } =
    transfer;
  const now = update.getTime();
  update.assert(
    instrumentId.admin === admin,
    `Instrument admin ${instrumentId.admin} does not match the factory's admin ${admin}`,
  );
  for (const [field, account] of [
    ['sender', sender],
    ['receiver', receiver],
  ] as const)
    update.assert(isBasicAccount(account), `Expected a basic account for field '${field}'`);
  update.assert(amount.compare(ZERO) > 0, `Transfer amount must be positive, but is ${amount}`);
  update.assert(requestedAt <= now, 'Transfer requestedAt must be in the past');
  update.assert(now < executeBefore, 'Transfer executeBefore must be in the future');
  update.assert(inputHoldingCids.length > 0, 'At least one input holding must be given');
}

function spendInputs(
  update: Update,
  { sender, instrumentId, inputHoldingCids }: Transfer,
): Numeric {
  return inputHoldingCids.reduce(
    (total, inputCid) =>
      total.add(spendToken(update, inputCid, { owner: ownerOf(sender), instrumentId }).amount),
    ZERO,
  );
}

interface Outcome {
  readonly tokenCid: ContractId;
  readonly output: TransferInstructionResult['output'];
}

function keep(update: Update, transfer: Transfer, owner: Party): Outcome {
  const tokenCid = createToken(update, { ...transfer, owner });
  return {
    tokenCid,
    output: TransferInstructionResultOutput.of('TransferInstructionResult_Completed', {
      receiverHoldingCids: [tokenCid],
    }),
  };
}

function offer(update: Update, admin: Party, transfer: Transfer): Outcome {
  const tokenCid = createToken(update, {
    ...transfer,
    owner: ownerOf(transfer.sender),
    lock: offerLock(admin, ownerOf(transfer.receiver), transfer.executeBefore),
  });
  const transferInstructionCid = update.create(TransferOffer, {
    lockedToken: tokenCid,
    transfer: { ...transfer, inputHoldingCids: [tokenCid] },
  });
  return {
    tokenCid,
    output: TransferInstructionResultOutput.of('TransferInstructionResult_Pending', {
      transferInstructionCid,
    }),
  };
}
