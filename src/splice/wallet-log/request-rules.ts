/** Log rules for transfer offers and requests to buy traffic. Clients find these by tracking id. */
import type { ContractId, DamlVariant, Party } from '../../daml/model/values.js';
import type { LogEntry, OfferStatus, TrafficStatus } from './entries.js';
import { argumentOf, resultOf, subtype, type Rule, type RuleContext, type Rules } from './rules.js';
import { changeTransfers, type TransferResult } from './transfers.js';
import type { VisibleExercise } from './visible-tree.js';

const INSTALL = 'Splice.Wallet.Install:WalletAppInstall';
const OFFER = 'Splice.Wallet.TransferOffer:TransferOffer';
const ACCEPTED = 'Splice.Wallet.TransferOffer:AcceptedTransferOffer';
const TRAFFIC = 'Splice.Wallet.BuyTrafficRequest:BuyTrafficRequest';

interface OfferTracking {
  readonly trackingId: string;
  readonly sender: Party;
  readonly receiver: Party;
}

function offer(tracking: OfferTracking, status: OfferStatus): LogEntry {
  const { trackingId, sender, receiver } = tracking;
  return { kind: 'offer', trackingId, status, sender, receiver };
}

/** The state of an offer after the choice. */
const offerMade =
  (kind: 'created' | 'accepted', field: string): Rule =>
  (visible, { tree }) => {
    const contractId = resultOf(visible)[field] as ContractId;
    const made = tree.created(contractId) as unknown as OfferTracking;
    return [offer(made, { kind, contractId, updateId: tree.updateId })];
  };

const offerEnded =
  (statusOf: (visible: VisibleExercise) => OfferStatus): Rule =>
  (visible) => [
    offer(
      resultOf<{ readonly trackingInfo: OfferTracking }>(visible).trackingInfo,
      statusOf(visible),
    ),
  ];

const rejected = offerEnded(() => ({ kind: 'rejected' }));
const expired = offerEnded(() => ({ kind: 'expired' }));
const withdrawn = offerEnded((visible) => ({ kind: 'withdrawn', reason: reasonOf(visible) }));

const reasonOf = (visible: VisibleExercise): string =>
  argumentOf<{ readonly reason: string }>(visible).reason;

const completeOffer: Rule = (visible, context) => {
  const { trackingInfo, transferResult } = resultOf<{
    readonly trackingInfo: OfferTracking;
    readonly transferResult: TransferResult;
  }>(visible);
  const [amulet, ...others] = transferResult.createdAmulets as readonly DamlVariant<ContractId>[];
  if (amulet?.tag !== 'TransferResultAmulet' || others.length > 0)
    throw new Error('A transfer offer makes one amulet.');
  const { updateId } = context.tree;
  return [
    offer(trackingInfo, { kind: 'completed', contractId: amulet.value, updateId }),
    ...changeTransfers(context.parse(visible.children), {
      subtype: subtype(ACCEPTED, 'AcceptedTransferOffer_Complete'),
    }),
  ];
};

interface TrafficTracking {
  readonly trackingId: string;
  readonly endUserParty: Party;
}

function traffic({ trackingId, endUserParty }: TrafficTracking, status: TrafficStatus): LogEntry {
  return { kind: 'traffic', trackingId, status, buyer: endUserParty };
}

const trafficEnded =
  (statusOf: (visible: VisibleExercise, context: RuleContext) => TrafficStatus): Rule =>
  (visible, context) => [
    traffic(
      resultOf<{ readonly trackingInfo: TrafficTracking }>(visible).trackingInfo,
      statusOf(visible, context),
    ),
  ];

export const requestRules: Rules = {
  [`${INSTALL} WalletAppInstall_CreateTransferOffer`]: offerMade('created', 'transferOffer'),
  [`${OFFER} TransferOffer_Accept`]: offerMade('accepted', 'acceptedTransferOffer'),
  [`${OFFER} TransferOffer_Reject`]: rejected,
  [`${OFFER} TransferOffer_Withdraw`]: withdrawn,
  [`${OFFER} TransferOffer_Expire`]: expired,
  [`${ACCEPTED} AcceptedTransferOffer_Complete`]: completeOffer,
  [`${ACCEPTED} AcceptedTransferOffer_Abort`]: withdrawn,
  [`${ACCEPTED} AcceptedTransferOffer_Withdraw`]: withdrawn,
  [`${ACCEPTED} AcceptedTransferOffer_Expire`]: expired,
  [`${INSTALL} WalletAppInstall_CreateBuyTrafficRequest`]: (visible, { tree }) => {
    const { buyTrafficRequest } = resultOf<{ readonly buyTrafficRequest: ContractId }>(visible);
    const made = tree.created(buyTrafficRequest) as unknown as TrafficTracking;
    return [traffic(made, { kind: 'created' })];
  },
  [`${TRAFFIC} BuyTrafficRequest_Complete`]: (visible, context) => [
    ...trafficEnded((_, { tree }) => ({ kind: 'completed', updateId: tree.updateId }))(
      visible,
      context,
    ),
    ...context.parse(visible.children),
  ],
  [`${TRAFFIC} BuyTrafficRequest_Cancel`]: trafficEnded((visible) => ({
    kind: 'rejected',
    reason: reasonOf(visible),
  })),
  [`${TRAFFIC} BuyTrafficRequest_Expire`]: trafficEnded(() => ({ kind: 'expired' })),
};
