/** The test token's transfer offers, and the code that moves its tokens. */
import { d, defineTemplate, type RecordOf } from '../../daml/define/index.js';
import { EXPIRE_LOCK_KEY, rulesFromContext } from '../holdings/context.js';
import { ownerOf } from '../holdings/conversions.js';
import { logHoldingsChange } from '../holdings/events.js';
import { createToken, spendToken } from '../holdings/holdings.js';
import { MODULE, Token, ZERO } from '../holdings/token.js';
import type { InstrumentId } from '../standard/holding-v2.js';
import { Transfer } from '../standard/transfer-instruction-v2.js';
import { pendingTransfer } from './pending-transfer.js';
import type { TransferCode } from './transfer-code.js';

const fields = {
  lockedToken: d.contractId(Token),
  /** The instructed transfer, with the locked token as its only input. */
  transfer: Transfer,
};

export type OfferPayload = RecordOf<typeof fields>;

export const TransferOffer = defineTemplate({
  name: `${MODULE}:TransferOffer`,
  fields,
  signatories: ({ transfer }) => [transfer.instrumentId.admin, ownerOf(transfer.sender)],
  observers: ({ transfer }) => [ownerOf(transfer.receiver)],
  implements: pendingTransfer(
    () => tokenTransfers,
    ({ lockedToken: locked, transfer }) => ({ locked, transfer }),
  ),
});

export const tokenTransfers: TransferCode<InstrumentId> = {
  expireLockKey: EXPIRE_LOCK_KEY,
  words: {
    admin: (expected, actual) =>
      `Expected admin ${expected} does not match the actual admin ${actual}`,
    actor: (choice, party) => `${choice} takes ${party} among its actors`,
    instrument: ({ instrumentId }, admin) =>
      `Instrument admin ${instrumentId.admin} does not match the factory's admin ${admin}`,
    account: (field) => `Expected a basic account for field '${field}'`,
    amount: (amount) => `Transfer amount must be positive, but is ${amount}`,
    requestedAt: 'Transfer requestedAt must be in the past',
    executeBefore: 'Transfer executeBefore must be in the future',
    inputs: 'At least one input holding must be given',
    expired: 'The transfer offer has expired: its executeBefore has passed',
    locked: "The lock of the transfer offer's token has not expired yet",
    noUpdate:
      'TransferOffer does not support TransferInstruction_Update: it has no internal workflow',
    lock: (receiver) => `transfer to ${receiver}`,
  },
  moves: (instrumentId, admin) => instrumentId.admin === admin,
  begin: (update, admin, context) => {
    const rulesCid = rulesFromContext(update, context, admin);
    return (change) => logHoldingsChange(update, rulesCid, { admin, ...change });
  },
  spend: (update, { sender, instrumentId, inputHoldingCids }) => {
    const expected = { owner: ownerOf(sender), instrumentId };
    const spent = inputHoldingCids.map((cid) => spendToken(update, cid, expected).amount);
    return { total: spent.reduce((sum, each) => sum.add(each), ZERO), like: instrumentId };
  },
  take: (update, locked, { instrumentId }) => {
    update.archive(Token, locked);
    return instrumentId;
  },
  create: (update, instrumentId, owner, amount, lock) =>
    createToken(update, { instrumentId, owner, amount, ...(lock && { lock }) }),
  offer: (update, transfer, lockedToken) => update.create(TransferOffer, { lockedToken, transfer }),
  checkFunds: (update, total, amount) =>
    update.assert(
      total.compare(amount) >= 0,
      `Insufficient funds: the input holdings sum up to ${total}, the transfer is of ${amount}`,
    ),
};
