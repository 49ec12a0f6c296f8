/** A wallet's amulets, its balance, and the faucet of a DevNet. */
import type { AmuletPosition } from '../../spec/generated/wallet.js';
import { balanceOf, positions, type Position } from '../../splice/wallet/balance.js';
import { tap } from '../../splice/wallet/tap.js';
import type { Wallet } from '../../splice/wallet/wallet.js';
import { contractWithState } from '../scan/formats/contracts.js';
import { readDecimal } from './reading.js';
import { forWalletUsers } from './wallet-handler.js';

export const holdingHandlers = forWalletUsers({
  getBalance: (wallet) => {
    const { round, unlocked, locked, holdingFees } = balanceOf(wallet);
    return {
      round: Number(round),
      effective_unlocked_qty: unlocked.toString(),
      effective_locked_qty: locked.toString(),
      total_holding_fees: holdingFees.toString(),
    };
  },
  list: (wallet) => {
    const listed = (template: 'amulet' | 'lockedAmulet') =>
      positions(wallet, template).map((each) => positionJson(wallet, each));
    return { amulets: listed('amulet'), locked_amulets: listed('lockedAmulet') };
  },
  tap: (wallet, { body }) => ({
    contract_id: tap(wallet, readDecimal(body.amount), body.command_id),
  }),
});

function positionJson(
  { splice }: Wallet,
  { contract, round, amount, holdingFee }: Position,
): AmuletPosition {
  return {
    contract: contractWithState(splice, contract),
    round: Number(round),
    accrued_holding_fee: holdingFee.toString(),
    effective_amount: amount.toString(),
  };
}
