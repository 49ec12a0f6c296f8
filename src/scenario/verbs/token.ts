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
  fields: { to: described(party, 'Who gets it.') },
  result: 'the holding',
  run: ({ token }, minted, { to }) => token.mint(to, minted),
});

export const transfer = verb({
  summary:
    'Offers an amount of a token. It is pending until the receiver accepts; to oneself, or by a preapproval, it is done at once.',
  subject: amount,
  fields: {
    from: described(party, 'The sender.'),
    to: described(party, 'The receiver.'),
    instrument: optional(
      described(oneOf(['TestToken', 'Amulet']), 'Of which token; the test token by default.'),
    ),
    reason: optional(described(text, 'For people.')),
    expiresIn: optional(described(duration, 'How long the receiver may accept; a day by default.')),
    inputs: optional(
      described(list(contract), "Holdings to take it from; the sender's unlocked ones by default."),
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
  by: optional(described(party, `Who acts; the ${who} by default.`)),
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
  summary: 'Rejects a pending transfer: the sender has the amount again.',
  subject: pending,
  fields: actor('receiver'),
  run: (world, instruction, { by }) =>
    world.tokenOf(instruction).reject(instruction, by ?? partyOf(world, instruction, 'receiver')),
});

export const withdraw = verb({
  summary: 'Withdraws a pending transfer: the sender has the amount again.',
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
