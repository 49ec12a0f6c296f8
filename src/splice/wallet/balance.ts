/** The balance that a wallet reports: sums of initial amounts, without deducting holding fees (WA-BAL-003). */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord } from '../../daml/model/values.js';
import { roundNumber } from '../dso/amulet-contracts.js';
import { amountOf } from './inputs.js';
import { latestOpenRound } from './rounds.js';
import type { Wallet } from './wallet.js';

export interface Balance {
  readonly round: bigint;
  readonly unlocked: Numeric;
  readonly locked: Numeric;
  /** Holding fees of the unlocked amount. They are for information: the balance does not deduct them. */
  readonly holdingFees: Numeric;
}

export interface Position {
  readonly contract: ContractInstance;
  readonly round: bigint;
  readonly amount: Numeric;
  readonly holdingFee: Numeric;
}

const ZERO = Numeric.of('0');

/** @throws WalletRefusal if no round is open */
export function balanceOf(wallet: Wallet): Balance {
  const [unlocked, locked] = [positions(wallet, 'amulet'), positions(wallet, 'lockedAmulet')];
  return {
    round: currentRound(wallet),
    unlocked: sum(unlocked.map(({ amount }) => amount)),
    locked: sum(locked.map(({ amount }) => amount)),
    holdingFees: sum(unlocked.map(({ holdingFee }) => holdingFee)),
  };
}

/** @throws WalletRefusal if no round is open */
export function positions(
  wallet: Wallet,
  template: 'amulet' | 'lockedAmulet',
): readonly Position[] {
  const round = currentRound(wallet);
  return wallet.list(template).map((contract) => ({
    contract,
    round,
    amount: amountOf(contract),
    holdingFee: holdingFee(contract, round),
  }));
}

const currentRound = ({ splice }: Wallet): bigint => roundNumber(latestOpenRound(splice));

/** The rate times the rounds since the amulet's creation, at most its amount. */
function holdingFee(contract: ContractInstance, round: bigint): Numeric {
  const amulet = (contract.payload.amulet ?? contract.payload) as DamlRecord;
  const { createdAt, ratePerRound } = amulet.amount as unknown as {
    readonly createdAt: { readonly number: bigint };
    readonly ratePerRound: { readonly rate: Numeric };
  };
  const fee = ratePerRound.rate.multiply(Numeric.of(round - createdAt.number));
  const amount = amountOf(contract);
  return fee.compare(amount) < 0 ? fee : amount;
}

function sum(amounts: readonly Numeric[]): Numeric {
  return amounts.reduce((total, each) => total.add(each), ZERO);
}
