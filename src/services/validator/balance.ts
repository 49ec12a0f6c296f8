/** An external party's balance at its validator (V-BAL-001 to V-BAL-003). */
import { roundNumber, roundsOf, templateName } from '../../splice/dso/amulet-contracts.js';
import { holdingsOf, NO_HOLDINGS } from '../../splice/scan/acs-pages.js';
import { hasExternalWallet } from '../../splice/validators/wallets.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';
import { readParty } from '../scan/formats/requests.js';

export const balanceHandlers = {
  getExternalPartyBalance: (context, { query }) => {
    const party = readParty(query.party_id);
    const { splice, validator } = context;
    if (!hasExternalWallet(validator, party))
      throw new HttpRefusal(404, `No wallet for external party ${party}`);
    const [oldest] = roundsOf(splice, 'openRound');
    if (oldest === undefined) throw new HttpRefusal(404, 'No open mining round found');
    const round = roundNumber(oldest);
    const templates = [templateName('amulet'), templateName('lockedAmulet')];
    const held = [...validator.participant.activeContracts.now([{ party, templates }])];
    const own = holdingsOf(held, round).get(party) ?? NO_HOLDINGS;
    return {
      party_id: party,
      total_unlocked_coin: own.unlocked.toString(),
      total_locked_coin: own.locked.toString(),
      total_coin_holdings: own.unlocked.add(own.locked).toString(),
      accumulated_holding_fees_unlocked: own.unlockedFees.toString(),
      accumulated_holding_fees_locked: own.lockedFees.toString(),
      accumulated_holding_fees_total: own.unlockedFees.add(own.lockedFees).toString(),
      total_available_coin: own.unlocked.subtract(own.unlockedFees).toString(),
      computed_as_of_round: Number(round),
    };
  },
} satisfies SomeHandlers<'validator'>;
