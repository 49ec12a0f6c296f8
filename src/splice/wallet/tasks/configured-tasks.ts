/**
 * Wallet automation that validators configure: they accept offers from trusted parties, and sweep balances above a limit to another party
 * (A-WAL-003, A-WAL-007).
 */
import { Numeric } from '../../../daml/model/numeric.js';
import { formatTimestampMicros } from '../../../daml/model/time.js';
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type { DamlRecord, Party, Timestamp } from '../../../daml/model/values.js';
import type { Task } from '../../automation/task.js';
import { amuletConfig } from '../../dso/amulet-contracts.js';
import type { Splice } from '../../splice.js';
import type { AutoAccept, Sweep } from '../../wallet-configuration.js';
import { balanceOf } from '../balance.js';
import { createOffer } from '../offers.js';
import { sendPreapproved } from '../preapprovals.js';
import { amuletRules, latestOpenRound } from '../rounds.js';
import { templateName } from '../templates.js';
import { isShortOfMoney } from '../top-up.js';
import { exerciseInstall } from '../treasury.js';
import type { Wallet } from '../wallet.js';
import { sharingTask } from './sharing-task.js';
import { subjectTask, type Subject } from './subject-task.js';

/** The tasks of all configured automation of a network's validators. */
export function configuredTasks(splice: Splice): readonly Task[] {
  const { accepts = [], sweeps = [] } = splice.walletConfiguration.value ?? {};
  return [
    ...(accepts.length > 0 ? [autoAcceptTask(splice, accepts)] : []),
    ...(sweeps.length > 0 ? [sweepTask(splice, sweeps)] : []),
    ...(splice.rewardSharing.size > 0 ? [sharingTask(splice)] : []),
  ];
}

function autoAcceptTask(splice: Splice, accepts: readonly AutoAccept[]): Task {
  return subjectTask(splice, {
    name: 'AutoAcceptTransferOffers',
    watches: [templateName('transferOffer')],
    *subjects(wallet) {
      const { party } = wallet;
      const trusted = accepts.filter((each) => each.party === party);
      for (const { contractId: id, payload, createdAt: due } of wallet.contracts('transferOffer'))
        if (
          payload.receiver === party &&
          trusted.some(({ fromParties }) => fromParties.includes(payload.sender as Party))
        )
          yield { wallet, id, due, isThere: () => wallet.find('transferOffer', id) !== undefined };
    },
    act: ({ wallet, id: cid }) =>
      void exerciseInstall(
        wallet,
        'TransferOffer_Accept',
        { cid },
        { isUrgent: isShortOfMoney(wallet) },
      ),
  });
}

/** The lifetime of an offer, in microseconds. */
const OFFER_LIFE = 600_000_000n;

interface Swept extends Subject {
  readonly sweep: Sweep;
}

function sweepTask(splice: Splice, sweeps: readonly Sweep[]): Task {
  return subjectTask<Swept>(splice, {
    name: 'WalletSweep',
    watches: [
      templateName('amulet'),
      templateName('transferOffer'),
      templateName('acceptedTransferOffer'),
    ],
    *subjects(wallet) {
      for (const sweep of sweeps) {
        if (sweep.party !== wallet.party || excess(wallet, sweep) === undefined) continue;
        const due = [...wallet.contracts('amulet')].at(-1)?.createdAt;
        if (due !== undefined) yield { wallet, id: `${sweep.party} ${sweep.receiver}`, due, sweep };
      }
    },
    act: ({ wallet, sweep }) => sweepOff(wallet, sweep),
  });
}

/** In USD; undefined if there is nothing to sweep. */
function excess(wallet: Wallet, sweep: Sweep): Numeric | undefined {
  const price = priceOf(wallet.splice);
  const available = balanceOf(wallet)
    .unlocked.multiply(price)
    .subtract(sweep.useTransferPreapproval ? ZERO : outstanding(wallet, sweep, price));
  if (available.compare(Numeric.of(sweep.maxBalanceUsd, 10)) <= 0) return undefined;
  return available.subtract(Numeric.of(sweep.minBalanceUsd, 10));
}

/** The amount of pending offers to the receiver, including fees. */
function outstanding(wallet: Wallet, { receiver }: Sweep, price: Numeric): Numeric {
  const offers: readonly ContractInstance[] = [
    ...wallet.contracts('transferOffer'),
    ...wallet.contracts('acceptedTransferOffer'),
  ];
  return offers
    .filter(({ payload }) => payload.sender === wallet.party && payload.receiver === receiver)
    .map(({ payload }) => (payload.amount as unknown as { readonly amount: Numeric }).amount)
    .reduce(
      // Like Splice, this computes the fees from the amount in amulets.
      (sum, amount) => sum.add(amount.multiply(price)).add(fees(wallet.splice, amount)),
      ZERO,
    );
}

function sweepOff(wallet: Wallet, sweep: Sweep): void {
  const { splice } = wallet;
  const { network } = splice;
  const dollars = excess(wallet, sweep);
  if (dollars === undefined) return;
  const amount = dollars.subtract(fees(splice, dollars)).divide(priceOf(splice)).toString();
  const { receiver } = sweep;
  const trackingId = network.random.hexAt('sweep', network.nextNumber).slice(0, 32);
  if (sweep.useTransferPreapproval)
    sendPreapproved(wallet, {
      ...{ receiver, amount, description: 'sweep', deduplicationId: trackingId },
    });
  else
    createOffer(wallet, trackingId, () => ({
      ...{ receiver, amount, description: `Sweeping wallet funds to receiver ${receiver}.` },
      expiresAt: formatTimestampMicros((network.clock.now() as Timestamp) + OFFER_LIFE),
    }));
}

const ZERO = Numeric.of('0', 10);

const priceOf = (splice: Splice): Numeric => latestOpenRound(splice).payload.amuletPrice as Numeric;

/** Fees for creating two amulets and for the transfer, by the steps of its rate. */
function fees(splice: Splice, amount: Numeric): Numeric {
  const { transferConfig } = amuletConfig(splice, amuletRules(splice));
  const { createFee, transferFee } = transferConfig as DamlRecord as unknown as {
    readonly createFee: { readonly fee: Numeric };
    readonly transferFee: {
      readonly initialRate: Numeric;
      readonly steps: readonly { readonly _1: Numeric; readonly _2: Numeric }[];
    };
  };
  let total = createFee.fee.add(createFee.fee);
  let [rate, left] = [transferFee.initialRate, amount];
  for (const { _1: step, _2: next } of transferFee.steps) {
    if (left.sign() <= 0) return total;
    total = total.add((left.compare(step) < 0 ? left : step).multiply(rate));
    [rate, left] = [next, left.subtract(step)];
  }
  return left.sign() <= 0 ? total : total.add(left.multiply(rate));
}
