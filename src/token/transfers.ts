/**
 * What instructing a transfer does: checks, then either a merge or split (sender = receiver) or an offer that locks the
 * amount until the receiver decides. Works on version 2's types; version 1 comes through {@link transferToV2}.
 */
import type { Update } from '../daml/define.js';
import type { Numeric } from '../daml/numeric.js';
import { some, type ContractId, type Party } from '../daml/values.js';
import { rulesFromContext } from './context.js';
import { EMPTY_METADATA, isBasicAccount, ownerOf } from './conversions.js';
import { logHoldingsChange } from './events.js';
import { lockExpired, offerLock } from './locks.js';
import { resultMetadata } from './result-metadata.js';
import type { ExtraArgs } from './standard/metadata-v1.js';
import {
  TransferInstructionResultOutput,
  type Transfer,
  type TransferInstructionResult,
} from './standard/transfer-instruction-v2.js';
import { Token, ZERO, type TokenPayload } from './token.js';
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
    change.compare(ZERO) > 0 ? [createToken(update, transfer, sender, change)] : [];
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

/** Archives each input, so that two transfers of the same holding conflict. */
function spendInputs(update: Update, transfer: Transfer): Numeric {
  const sender = ownerOf(transfer.sender);
  let total = ZERO;
  for (const inputCid of transfer.inputHoldingCids) {
    const { payload } = update.fetch(Token, inputCid);
    const { instrumentId } = payload;
    update.assert(
      payload.owner === sender,
      `Input holding is owned by ${payload.owner}, not by the sender ${sender}`,
    );
    update.assert(
      instrumentId.admin === transfer.instrumentId.admin &&
        instrumentId.id === transfer.instrumentId.id,
      `Input holding is of instrument ${instrumentId.id}, not of ${transfer.instrumentId.id}`,
    );
    update.archive(Token, spendable(update, inputCid, payload));
    total = total.add(payload.amount);
  }
  return total;
}

/** An expired lock comes off in the same transaction; one that still holds is refused. */
function spendable(update: Update, contractId: ContractId, payload: TokenPayload): ContractId {
  if (payload.lock === null) return contractId;
  update.assert(lockExpired(payload, update.getTime()), 'Input holding is locked');
  return update.exercise(Token, contractId, 'Token_Unlock', { actors: [payload.owner] });
}

function createToken(
  update: Update,
  { instrumentId }: Transfer,
  owner: Party,
  amount: Numeric,
): ContractId {
  return update.create(Token, {
    owner,
    instrumentId,
    amount,
    lock: null,
    lockedAt: null,
    meta: EMPTY_METADATA,
  });
}

interface Outcome {
  readonly tokenCid: ContractId;
  readonly output: TransferInstructionResult['output'];
}

function keep(update: Update, transfer: Transfer, owner: Party): Outcome {
  const tokenCid = createToken(update, transfer, owner, transfer.amount);
  return {
    tokenCid,
    output: TransferInstructionResultOutput.of('TransferInstructionResult_Completed', {
      receiverHoldingCids: [tokenCid],
    }),
  };
}

function offer(update: Update, admin: Party, transfer: Transfer): Outcome {
  const tokenCid = update.create(Token, {
    owner: ownerOf(transfer.sender),
    instrumentId: transfer.instrumentId,
    amount: transfer.amount,
    lock: some(offerLock(admin, ownerOf(transfer.receiver), transfer.executeBefore)),
    lockedAt: some(update.getTime()),
    meta: EMPTY_METADATA,
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
