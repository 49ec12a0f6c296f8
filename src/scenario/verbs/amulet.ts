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
  summary: "Uploads your copy of Splice's Amulet DAR, and initializes it like the DSO of DevNet.",
  subject: described(
    name,
    'Path of the DAR, relative to the scenario or to the folder CANTICLE_DARS.',
  ),
  fields: {
    price: optional(described(amount, 'Price of one amulet in USD. Default: 0.005.')),
    fees: optional(
      described(oneOf(['none', 'before-cip-78']), 'Fees of transfers. Default: none.'),
    ),
    config: optional(described(payload, 'Changes to the AmuletConfig, as Ledger API JSON.')),
    initialRound: optional(described(integer, 'Number of the first open round. Default: 0.')),
    isDevNet: optional(described(yesOrNo, 'Whether the faucet is enabled. Default: true.')),
    automaticRounds: optional(
      described(yesOrNo, 'Whether rounds advance automatically. Default: true.'),
    ),
    expiry: optional(
      described(
        yesOrNo,
        'Whether the DSO archives expired contracts. Default: false, as on a LocalNet.',
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
  summary: 'Mints amulets from the faucet of DevNet.',
  subject: amount,
  fields: { to: described(party, 'The receiver.') },
  result: 'the amulet',
  run: (world, tapped, { to }) => world.amulet.tap(to, tapped),
});

export const preapprove = verb({
  summary: 'Creates a preapproval, with which a party receives amulets without accepting.',
  subject: described(party, 'The receiver.'),
  fields: {
    provider: optional(
      described(
        party,
        'The provider, who manages and pays for it. Default: the operator of the validator.',
      ),
    ),
    expiresIn: optional(described(duration, 'Lifetime of the preapproval. Default: 90 days.')),
  },
  result: 'the transfer preapproval',
  run: (world, receiver, options) => world.amulet.preapprove(receiver, options),
});

export const feature = verb({
  summary: 'Grants a provider of DevNet the featured app right.',
  subject: described(party, 'The provider.'),
  fields: {},
  result: 'the featured app right',
  run: (world, provider) => world.amulet.feature(provider),
});

export const advanceRounds = verb({
  summary: 'Runs the DSO automation at the end of mining rounds, and advances the time.',
  subject: described(integer, 'Number of rounds.'),
  fields: { price: optional(described(amount, 'Price of one amulet in USD, in the new rounds.')) },
  run: (world, times, { price }) => {
    for (let round = 0; round < times; round++) world.amulet.advanceRounds(price);
  },
});
