/** Verbs of the built-in test token, as a wallet would use them through its registry. */
import type { ContractId, Party } from '../../daml/values.js';
import { contractNotFound } from '../../daml/refusals.js';
import { amount, contract, described, duration, list, optional, party, text } from '../fields.js';
import { verb } from '../row.js';
import { ScenarioError } from '../faults.js';
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
    'Offers an amount of the test token. It is pending until the receiver accepts; to oneself it is done at once.',
  subject: amount,
  fields: {
    from: described(party, 'The sender.'),
    to: described(party, 'The receiver.'),
    reason: optional(described(text, 'For people.')),
    expiresIn: optional(described(duration, 'How long the receiver may accept; a day by default.')),
    inputs: optional(
      described(list(contract), "Holdings to take it from; the sender's unlocked ones by default."),
    ),
  },
  result: 'the transfer instruction',
  run: ({ token }, offered, fields) => token.transfer({ amount: offered, ...fields }),
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
    world.token.accept(instruction, by ?? partyOf(world, instruction, 'receiver')),
  named: ([holding]) => holding,
});

export const reject = verb({
  summary: 'Rejects a pending transfer: the sender has the amount again.',
  subject: pending,
  fields: actor('receiver'),
  run: (world, instruction, { by }) =>
    world.token.reject(instruction, by ?? partyOf(world, instruction, 'receiver')),
});

export const withdraw = verb({
  summary: 'Withdraws a pending transfer: the sender has the amount again.',
  subject: pending,
  fields: actor('sender'),
  run: (world, instruction, { by }) =>
    world.token.withdraw(instruction, by ?? partyOf(world, instruction, 'sender')),
});

function partyOf(world: World, instruction: ContractId, role: 'sender' | 'receiver'): Party {
  const found = world.token.partiesOf(instruction);
  if (found !== undefined) return found[role];
  throw contractNotFound(instruction);
}
