/** Verbs of tokens, the built-in one and Amulet, as a wallet would use them through the registry. */
import type { ContractId, Party } from '../../daml/model/values.js';
import { contractNotFound } from '../../daml/refusals/refusals.js';
import {
  amount,
  contract,
  described,
  duration,
  list,
  oneOf,
  optional,
  party,
  text,
} from '../fields.js';
import { verb } from '../row.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import type { World } from '../world.js';

export const mint = verb({
  summary: 'Mints an amount of the test token.',
  subject: amount,
  fields: { to: described(party, 'The receiver.') },
  result: 'the holding',
  run: ({ token }, minted, { to }) => token.mint(to, minted),
});

export const transfer = verb({
  summary:
    'Transfers an amount of a token. The transfer is pending until the receiver accepts. A transfer to oneself, or with a preapproval, completes at once.',
  subject: amount,
  fields: {
    from: described(party, 'The sender.'),
    to: described(party, 'The receiver.'),
    instrument: optional(
      described(oneOf(['TestToken', 'Amulet']), 'The token. Default: the test token.'),
    ),
    reason: optional(described(text, 'For people.')),
    expiresIn: optional(described(duration, 'Time to accept. Default: one day.')),
    inputs: optional(
      described(list(contract), "Input holdings. Default: the sender's unlocked holdings."),
    ),
  },
  result: 'the transfer instruction',
  run: ({ token, amulet }, offered, { instrument, ...fields }) =>
    (instrument === 'Amulet' ? amulet : token).transfer({ amount: offered, ...fields }),
  named: ({ instruction }) => {
    if (instruction !== undefined) return instruction;
    throw new ScenarioError(
      'The transfer was completed at once, so there is no instruction to name.',
      ['as'],
    );
  },
});

const pending = described(contract, 'The transfer instruction.');
const actor = (who: string) => ({
  by: optional(described(party, `The acting party. Default: the ${who}.`)),
});

export const accept = verb({
  summary: 'Accepts a pending transfer.',
  subject: pending,
  fields: actor('receiver'),
  result: "the receiver's holding",
  run: (world, instruction, { by }) =>
    world.tokenOf(instruction).accept(instruction, by ?? partyOf(world, instruction, 'receiver')),
  named: ([holding]) => holding,
});

export const reject = verb({
  summary: 'Rejects a pending transfer. The sender gets the amount back.',
  subject: pending,
  fields: actor('receiver'),
  run: (world, instruction, { by }) =>
    world.tokenOf(instruction).reject(instruction, by ?? partyOf(world, instruction, 'receiver')),
});

export const withdraw = verb({
  summary: 'Withdraws a pending transfer. The sender gets the amount back.',
  subject: pending,
  fields: actor('sender'),
  run: (world, instruction, { by }) =>
    world.tokenOf(instruction).withdraw(instruction, by ?? partyOf(world, instruction, 'sender')),
});

function partyOf(world: World, instruction: ContractId, role: 'sender' | 'receiver'): Party {
  const found = world.tokenOf(instruction).partiesOf(instruction);
  if (found !== undefined) return found[role];
  throw contractNotFound(instruction);
}
