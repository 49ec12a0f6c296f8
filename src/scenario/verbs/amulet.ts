/** Verbs of Splice's Amulet: its DSO, and the wallets of DevNet. */
import {
  amount,
  described,
  duration,
  integer,
  name,
  oneOf,
  optional,
  party,
  payload,
  yesOrNo,
} from '../fields.js';
import { verb } from '../row.js';
import { uploadEverywhere } from './network.js';

export const amulet = verb({
  summary: "Uploads your copy of Splice's Amulet and boots it as the DSO of DevNet does.",
  subject: described(
    name,
    'Path of the DAR, beside the scenario or in the folder that CANTICLE_DARS says.',
  ),
  fields: {
    price: optional(described(amount, 'USD for one amulet; 0.005 by default.')),
    fees: optional(
      described(oneOf(['none', 'before-cip-78']), 'What transfers cost; nothing by default.'),
    ),
    config: optional(described(payload, 'Changes to the AmuletConfig, as Ledger API JSON.')),
    initialRound: optional(described(integer, 'Number of the first open round; 0 by default.')),
    isDevNet: optional(described(yesOrNo, 'Whether the faucet gives; true by default.')),
    automaticRounds: optional(
      described(
        yesOrNo,
        'Whether rounds advance by themselves when they are due; true by default.',
      ),
    ),
    expiry: optional(
      described(
        yesOrNo,
        'Whether a founded DSO archives what has expired; false by default, as on a LocalNet.',
      ),
    ),
  },
  result: 'the amulet rules',
  run: (world, path, options) => {
    uploadEverywhere(world, path, 'amulet');
    world.amulet.boot(options);
    return world.amulet.rules;
  },
});

export const tap = verb({
  summary: 'Gives an amount of amulet from the faucet of DevNet.',
  subject: amount,
  fields: { to: described(party, 'Who gets it.') },
  result: 'the amulet',
  run: (world, tapped, { to }) => world.amulet.tap(to, tapped),
});

export const preapprove = verb({
  summary: 'Lets a party receive amulet without accepting.',
  subject: described(party, 'The receiver.'),
  fields: {
    provider: optional(
      described(party, 'Who manages and pays it; the operator of the validator by default.'),
    ),
    expiresIn: optional(described(duration, 'How long it holds; 90 days by default.')),
  },
  result: 'the transfer preapproval',
  run: (world, receiver, options) => world.amulet.preapprove(receiver, options),
});

export const feature = verb({
  summary: 'Gives a provider of DevNet the right to rewards of a featured app.',
  subject: described(party, 'The provider.'),
  fields: {},
  result: 'the featured app right',
  run: (world, provider) => world.amulet.feature(provider),
});

export const advanceRounds = verb({
  summary: "Carries out what the DSO's automation does when mining rounds are over; time moves.",
  subject: described(integer, 'How many rounds.'),
  fields: { price: optional(described(amount, 'USD for one amulet, in the new rounds.')) },
  run: (world, times, { price }) => {
    for (let round = 0; round < times; round++) world.amulet.advanceRounds(price);
  },
});
