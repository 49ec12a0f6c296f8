/** The traffic that a validator's wallet buys at once, and whether it can pay for it. */
import { Numeric } from '../../daml/model/numeric.js';
import { latestOf } from '../dso/amulet-contracts.js';
import { synchronizerFees } from '../dso/traffic.js';
import type { Splice } from '../splice.js';
import { topUpOf, type TopUp } from '../validators/traffic.js';
import { balanceOf } from './balance.js';
import { amuletRules, latestOpenRound } from './rounds.js';
import type { Wallet } from './wallet.js';

/** By the configuration in force. */
export function topUp(splice: Splice): TopUp {
  const { minTopupAmount } = synchronizerFees(splice, amuletRules(splice));
  return topUpOf(splice.trafficOptions, Number(minTopupAmount));
}

/** Whether this is a validator's own wallet and cannot pay for the next purchase. On DevNet, it can always tap the price. */
export function isShortOfMoney(wallet: Wallet): boolean {
  const { splice, party, validatorParty } = wallet;
  const rules = latestOf(splice, 'rules');
  if (party !== validatorParty || rules === undefined || rules.payload.isDevNet === true)
    return false;
  const { extraTrafficPrice } = synchronizerFees(splice, rules);
  const { amuletPrice } = latestOpenRound(splice).payload;
  const megabytes = Numeric.of(topUp(splice).amount / 1_000_000);
  const cost = megabytes.multiply(extraTrafficPrice).divide(amuletPrice as Numeric);
  return balanceOf(wallet).unlocked.compare(cost) < 0;
}
