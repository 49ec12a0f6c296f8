/** Transfer offers of the simplified Amulet: the receiver accepts one, then the sender's wallet completes it. */
import { d, defineTemplate, type Update } from '../../daml/define/index.js';
import { parties } from '../../daml/model/parties.js';
import { some, type Party } from '../../daml/model/values.js';
import { AmuletRules, OpenMiningRound } from './amulet-rules.js';
import { Amulet } from './amulets.js';
import { outputOf, PaymentContext, TransferInput, TransferResult } from './payments.js';

const MODULE = 'Splice.Wallet.TransferOffer';
const LONGEST_TEXT = 280;

export const PaymentAmount = d.record('Splice.Wallet.Payment:PaymentAmount', {
  amount: d.numeric(10),
  unit: d.enum('Splice.Wallet.Payment:Unit', ['USDUnit', 'AmuletUnit', 'ExtUnit']),
});

/** The data by which a wallet's history finds the offer. */
export const TrackingInfo = d.record(`${MODULE}:TransferOfferTrackingInfo`, {
  trackingId: d.text,
  sender: d.party,
  receiver: d.party,
});

/** The result of ending an offer without payment. */
export const Ended = d.record(`${MODULE}:TransferOffer_EndedResult`, {
  trackingInfo: TrackingInfo,
});

interface Offer {
  readonly sender: Party;
  readonly receiver: Party;
  readonly trackingId: string;
  readonly expiresAt: bigint;
}

const endedOf = ({ trackingId, sender, receiver }: Offer) => ({
  trackingInfo: { trackingId, sender, receiver },
});

function checkOpen(update: Update, { expiresAt }: Offer): void {
  update.assert(update.getTime() < expiresAt, 'Offer has not expired');
}

function expire(update: Update, offer: Offer, actor: Party) {
  update.assert(offer.expiresAt <= update.getTime(), 'Contract has expired');
  const isStakeholder = actor === offer.sender || actor === offer.receiver;
  update.assert(isStakeholder, 'Actor is a stakeholder');
  return endedOf(offer);
}

const own = { sender: d.party, receiver: d.party, dso: d.party, amount: PaymentAmount };
const last = { expiresAt: d.timestamp, trackingId: d.text };

export const AcceptedTransferOffer = defineTemplate({
  name: `${MODULE}:AcceptedTransferOffer`,
  fields: { ...own, ...last },
  signatories: ({ sender, receiver }) => parties([sender, receiver]),
  choices: (choice) => ({
    AcceptedTransferOffer_Complete: choice({
      argument: {
        inputs: d.list(TransferInput),
        transferContext: PaymentContext,
        walletProvider: d.party,
      },
      result: d.record(`${MODULE}:AcceptedTransferOffer_CompleteResult`, {
        transferResult: TransferResult,
        trackingInfo: TrackingInfo,
        senderChangeAmulet: d.optional(d.contractId(Amulet)),
      }),
      controllers: ({ sender }, { walletProvider }) => parties([sender, walletProvider]),
      run: (update, { payload }, { inputs, transferContext, walletProvider: provider }) => {
        checkOpen(update, payload);
        const { sender, receiver, amount, dso } = payload;
        const { context, amuletRules } = transferContext;
        const open = context.openMiningRound;
        const round = update.exercise(OpenMiningRound, open, 'OpenMiningRound_Fetch', {
          p: sender,
        });
        const amulets =
          amount.unit === 'USDUnit'
            ? amount.amount.divide(round.amuletPrice).rescale(10)!
            : amount.amount;
        const outputs = [outputOf(receiver, amulets)];
        const transferResult = update.exercise(AmuletRules, amuletRules, 'AmuletRules_Transfer', {
          transfer: { sender, provider, inputs, outputs, beneficiaries: null },
          context,
          expectedDso: some(dso),
        });
        const { senderChangeAmulet } = transferResult;
        return { transferResult, ...endedOf(payload), senderChangeAmulet };
      },
    }),
    AcceptedTransferOffer_Abort: choice({
      argument: { reason: d.text },
      result: Ended,
      controllers: ({ sender }) => [sender],
      run: (_update, { payload }) => endedOf(payload),
    }),
    AcceptedTransferOffer_Withdraw: choice({
      argument: { reason: d.text },
      result: Ended,
      controllers: ({ receiver }) => [receiver],
      run: (_update, { payload }) => endedOf(payload),
    }),
    AcceptedTransferOffer_Expire: choice({
      argument: { actor: d.party },
      result: Ended,
      controllers: (_offer, { actor }) => [actor],
      run: (update, { payload }, { actor }) => expire(update, payload, actor),
    }),
  }),
});

export const TransferOffer = defineTemplate({
  name: `${MODULE}:TransferOffer`,
  fields: { ...own, description: d.text, ...last },
  signatories: ({ sender }) => [sender],
  observers: ({ receiver }) => [receiver],
  ensure: ({ description, trackingId }) =>
    [description, trackingId].every((text) => [...text].length < LONGEST_TEXT),
  choices: (choice) => ({
    TransferOffer_Accept: choice({
      argument: {},
      result: d.record(`${MODULE}:TransferOffer_AcceptResult`, {
        acceptedTransferOffer: d.contractId(AcceptedTransferOffer),
      }),
      controllers: ({ receiver }) => [receiver],
      run: (update, { payload: { description: _, ...offer } }) => {
        checkOpen(update, offer);
        return { acceptedTransferOffer: update.create(AcceptedTransferOffer, offer) };
      },
    }),
    TransferOffer_Reject: choice({
      argument: {},
      result: Ended,
      controllers: ({ receiver }) => [receiver],
      run: (_update, { payload }) => endedOf(payload),
    }),
    TransferOffer_Withdraw: choice({
      argument: { reason: d.text },
      result: Ended,
      controllers: ({ sender }) => [sender],
      run: (_update, { payload }) => endedOf(payload),
    }),
    TransferOffer_Expire: choice({
      argument: { actor: d.party },
      result: Ended,
      controllers: (_offer, { actor }) => [actor],
      run: (update, { payload }, { actor }) => expire(update, payload, actor),
    }),
  }),
});
