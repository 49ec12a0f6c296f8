import { holdingsOf } from './holdings.js';
import { ledger } from './ledger.js';

export default {
  title: 'Holdings',
  render: (_args, { loaded }) => holdingsOf(loaded),
};

export const Nothing = { loaders: [ledger()] };

export const TwoHoldings = {
  loaders: [
    ledger(({ canticle, alice }) => {
      canticle.token.mint(alice, '10.0');
      canticle.token.mint(alice, '2.5');
    }),
  ],
};

export const AnOffer = {
  loaders: [
    ledger(({ canticle, alice, bob }) => {
      canticle.token.mint(bob, '30.0');
      canticle.token.transfer({ from: bob, to: alice, amount: '12.0' });
    }),
  ],
};

export const AFailingNetwork = {
  loaders: [
    ledger(({ canticle }) => {
      canticle.use('getV2StateLedger-end', { status: 503 });
    }),
  ],
};
