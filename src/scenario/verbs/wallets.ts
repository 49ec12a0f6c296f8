/** Verbs about the wallets of a validator: onboarding, and requests to a wallet. They require the code of Splice. */
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { Party } from '../../daml/model/values.js';
import { onboardUser } from '../../splice/validators/onboarding.js';
import { installedWallets } from '../../splice/validators/wallets.js';
import { createOffer } from '../../splice/wallet/offers.js';
import { requestTraffic } from '../../splice/wallet/traffic.js';
import { Wallet } from '../../splice/wallet/wallet.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import {
  amount,
  described,
  duration,
  integer,
  name,
  optional,
  participant,
  party,
  text,
} from '../fields.js';
import { giveName } from '../name-entries.js';
import { verb } from '../row.js';
import type { World } from '../world.js';

const DAY = 86_400_000_000n;

export const wallet = verb({
  summary: 'Onboards a user at a validator, with a wallet. Without a party, it allocates one.',
  subject: described(name, "The user's id."),
  fields: {
    for: optional(described(party, 'The party of the wallet.')),
    on: optional(
      described(
        participant,
        'The participant of the validator. Default: the host of the party, or the first.',
      ),
    ),
  },
  result: 'the party',
  run: (world, userName, { for: given, on }) => {
    const host =
      on ??
      world.participants.find(({ engine }) => given !== undefined && engine.hosts(given)) ??
      world.participants[0]!;
    const { splice } = world;
    const owner = { userName, isUrgent: true, ...(given !== undefined && { party: given }) };
    const made = onboardUser(splice.dsoParty, splice.validatorAt(host.engine), owner);
    if (given === undefined) world.names.set(userName, made);
    return made;
  },
});

export const offer = verb({
  summary:
    'Offers amulets from a wallet. After the acceptance, the validator completes the transfer.',
  subject: amount,
  fields: {
    from: described(party, 'The party of the wallet.'),
    to: described(party, 'The receiver.'),
    reason: optional(described(text, 'For people.')),
    expiresIn: optional(described(duration, 'Time to accept. Default: one day.')),
  },
  result: 'the transfer offer',
  run: (world, offered, { from, to: receiver, reason = '', expiresIn = DAY }) => {
    const made = createOffer(walletOf(world, from), trackingId(world), () => ({
      receiver,
      amount: offered,
      description: reason,
      expiresAt: timeIn(world, expiresIn),
    }));
    world.splice.automation.carryOut();
    return made;
  },
});

export const claimName = verb({
  summary: 'Buys a wallet a name of the name service. The faucet pays for it.',
  subject: described(name, 'The name, with or without its suffix.'),
  fields: {
    for: described(party, 'The party of the wallet.'),
    url: optional(text),
    description: optional(text),
  },
  run: (world, claimed, { for: owner, ...rest }) =>
    giveName(world, walletOf(world, owner), { name: claimed, ...rest }),
});

export const buyTraffic = verb({
  summary: 'Buys traffic for the participant of a party, from a wallet.',
  subject: described(integer, 'Bytes.'),
  fields: {
    from: described(party, 'The paying party.'),
    for: optional(
      described(party, 'The party whose participant gets the traffic. Default: the payer.'),
    ),
  },
  result: 'the request',
  run: (world, bytes, { from, for: receiver = from }) => {
    const { id: synchronizerId } = world.network.synchronizers[0]!;
    const order = { receiver, synchronizerId, amount: bytes, trackingId: trackingId(world) };
    const made = requestTraffic(walletOf(world, from), order, () => timeIn(world, DAY));
    world.splice.automation.carryOut();
    return made;
  },
});

/** @throws ScenarioError */
function walletOf({ splice }: World, owner: Party): Wallet {
  for (const validator of splice.validators)
    if (installedWallets(validator).some((each) => each.party === owner))
      return new Wallet(splice, validator, owner);
  throw new ScenarioError(
    `${owner} has no wallet. Create one with the verb wallet, which needs Splice's DARs.`,
  );
}

const trackingId = ({ network }: World): string => network.random.uuid('tracking id');

const timeIn = ({ network }: World, micros: bigint): string =>
  formatTimestampMicros(network.clock.now() + micros);
