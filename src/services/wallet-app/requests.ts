/** Transfer offers, and requests to buy traffic. Apps create them and follow them by their tracking ids. */
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import type {
  GetBuyTrafficRequestStatusResponse,
  GetTransferOfferStatusResponse,
} from '../../spec/generated/wallet.js';
import type { OfferStatus, TrafficStatus } from '../../splice/wallet-log/entries.js';
import { createOffer } from '../../splice/wallet/offers.js';
import { notFound } from '../../splice/wallet/refusals.js';
import { requestTraffic } from '../../splice/wallet/traffic.js';
import { isShortOfMoney } from '../../splice/wallet/top-up.js';
import { exerciseInstall } from '../../splice/wallet/treasury.js';
import { HttpRefusal } from '../handler.js';
import { contracts } from './lists.js';
import { readDecimal, readParty, readTime } from './reading.js';
import { forWalletUsers } from './wallet-handler.js';

export const requestHandlers = forWalletUsers({
  createTransferOffer: (wallet, { body }) => ({
    offer_contract_id: createOffer(wallet, body.tracking_id, () => ({
      receiver: readParty(body.receiver_party_id),
      amount: readDecimal(body.amount).toString(),
      expiresAt: readTime(body.expires_at),
      description: body.description,
    })),
  }),
  listTransferOffers: (wallet) => ({ offers: contracts(wallet, 'transferOffer') }),
  listAcceptedTransferOffers: (wallet) => ({
    accepted_offers: contracts(wallet, 'acceptedTransferOffer'),
  }),
  getTransferOfferStatus: ({ splice, party }, { path: { tracking_id: id } }) => {
    const found = splice.walletLogs.of(party).offer(id);
    if (found === undefined) throw notFound(`Couldn't find transfer offer with tracking id ${id}`);
    return offerStatus(found.status);
  },
  acceptTransferOffer: (wallet, { path }) => {
    const accepted = exerciseInstall(
      wallet,
      'TransferOffer_Accept',
      { cid: path.contract_id },
      { isUrgent: isShortOfMoney(wallet) },
    );
    const { acceptedTransferOffer } = accepted as { readonly acceptedTransferOffer: string };
    return { accepted_offer_contract_id: acceptedTransferOffer };
  },
  rejectTransferOffer: (wallet, { path }) => {
    exerciseInstall(wallet, 'TransferOffer_Reject', { cid: path.contract_id });
  },
  withdrawTransferOffer: (wallet, { path }) => {
    const reason = 'Withdrawn by sender';
    exerciseInstall(wallet, 'TransferOffer_Withdraw', { cid: path.contract_id, reason });
  },
  createBuyTrafficRequest: (wallet, { body }) => {
    const order = {
      synchronizerId: readSynchronizer(body.domain_id),
      receiver: readParty(body.receiving_validator_party_id),
      amount: body.traffic_amount,
      trackingId: body.tracking_id,
    };
    const made = requestTraffic(wallet, order, () => readTime(body.expires_at));
    return { request_contract_id: made };
  },
  getBuyTrafficRequestStatus: ({ splice, party }, { path: { tracking_id: id } }) => {
    const found = splice.walletLogs.of(party).trafficRequest(id);
    if (found === undefined)
      throw notFound(`Couldn't find buy traffic request with tracking id ${id}`);
    return trafficStatus(found.status);
  },
});

function readSynchronizer(text: string): string {
  const error = uniqueIdentifierError(text);
  if (error !== undefined) throw new HttpRefusal(400, `Failed to decode: ${error}`);
  return text;
}

function offerStatus(status: OfferStatus): GetTransferOfferStatusResponse {
  switch (status.kind) {
    case 'created':
    case 'accepted':
    case 'completed': {
      const { kind, updateId, contractId } = status;
      return { status: kind, transaction_id: updateId, contract_id: contractId };
    }
    case 'withdrawn':
      return { status: 'failed', failure_kind: 'withdrawn', withdrawn_reason: status.reason };
    default:
      return { status: 'failed', failure_kind: status.kind };
  }
}

function trafficStatus(status: TrafficStatus): GetBuyTrafficRequestStatusResponse {
  switch (status.kind) {
    case 'created':
      return { status: 'created' };
    case 'completed':
      return { status: 'completed', transaction_id: status.updateId };
    case 'rejected':
      return { status: 'failed', failure_reason: 'rejected', rejection_reason: status.reason };
    default:
      return { status: 'failed', failure_reason: 'expired' };
  }
}
