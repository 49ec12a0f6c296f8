/** Expectations of a party: its holdings, and the contracts and updates that it sees. */
import { Numeric } from '../../daml/model/numeric.js';
import type { Party } from '../../daml/model/values.js';
import {
  amount,
  contract,
  described,
  integer,
  list,
  optional,
  participant,
  party,
} from '../fields.js';
import { differences, expectation } from '../row.js';
import type { World } from '../world.js';
import { isWitness, updatesSeenBy } from './witness.js';

interface HeldToken {
  readonly amount: string;
  readonly lock: unknown;
}

type HeldAmulet =
  | { readonly amount: { readonly initialAmount: string }; readonly lock?: undefined }
  | { readonly amulet: HeldAmulet; readonly lock: object };

const heldAmulet = (held: HeldAmulet): { readonly amount: string } =>
  held.lock === undefined ? { amount: held.amount.initialAmount } : heldAmulet(held.amulet);

export const partyExpectation = expectation({
  summary: 'A party: its holdings of the test token, and the updates and contracts that it sees.',
  subject: party,
  fields: {
    balance: optional(
      described(amount, 'The sum of its test token holdings, including locked ones.'),
    ),
    holds: optional(described(amount, 'Alias of balance.')),
    locked: optional(described(amount, 'The part of the balance that is locked.')),
    holdings: optional(
      described(integer, 'The number of its test token holdings. Their sum is its balance.'),
    ),
    amulet: optional(described(amount, 'The sum of its amulets, including locked ones.')),
    lockedAmulet: optional(described(amount, 'The part of its amulet that is locked.')),
    sees: optional(described(list(contract), 'Contracts whose creation it saw.')),
    doesNotSee: optional(described(list(contract), 'Contracts whose creation it did not see.')),
    updates: optional(
      described(integer, 'The number of transactions and reassignments of which it sees a part.'),
    ),
    hostedOn: optional(described(participant, 'A participant that hosts it.')),
  },
  check: (world, id, expected) => {
    const tokens = world.token.holdings(id).map(({ payload }) => payload as HeldToken);
    const amulets = world.amulet.holdings(id).map(({ payload }) => payload as HeldAmulet);
    const found = {
      balance: sum(tokens),
      holds: sum(tokens),
      locked: sum(tokens.filter(({ lock }) => lock !== null)),
      holdings: tokens.length,
      amulet: sum(amulets.map(heldAmulet)),
      lockedAmulet: sum(amulets.filter(({ lock }) => lock !== undefined).map(heldAmulet)),
      updates: updatesSeenBy(world, id),
    };
    const { balance, holds, locked, amulet, lockedAmulet, holdings, updates } = expected;
    const { sees = [], doesNotSee = [], hostedOn } = expected;
    const plain = (text: string | undefined) =>
      text === undefined ? undefined : Numeric.of(text).toCompact();
    const errors = differences(
      {
        balance: plain(balance),
        holds: plain(holds),
        locked: plain(locked),
        amulet: plain(amulet),
        lockedAmulet: plain(lockedAmulet),
        holdings,
        updates,
      },
      found,
    );
    const nameOf = (contractId: string) => world.humanize(contractId);
    for (const each of sees)
      if (!isWitness(world, each, id)) errors.push(`sees: it does not see ${nameOf(each)}`);
    for (const each of doesNotSee)
      if (isWitness(world, each, id)) errors.push(`doesNotSee: it sees ${nameOf(each)}`);
    if (hostedOn !== undefined && !hostedOn.engine.hosts(id))
      errors.push(`hostedOn: not ${hostedOn.name}`);
    return { errors, holds: holdsOf(world, id, found) };
  },
});

function holdsOf(
  world: World,
  id: Party,
  found: Readonly<Record<'balance' | 'locked' | 'amulet' | 'lockedAmulet', string>> &
    Readonly<Record<'holdings' | 'updates', number>>,
): string {
  const hosts = world.participants.filter(({ engine }) => engine.hosts(id)).map(({ name }) => name);
  const { balance, locked, holdings, updates, amulet, lockedAmulet } = found;
  const coins = world.amulet.isRunning ? `amulet ${amulet} (${lockedAmulet} locked), ` : '';
  return `balance ${balance} (${locked} locked) in ${holdings} holdings, ${coins}${updates} updates seen, hosted on ${hosts.join(', ') || 'no participant'}`;
}

function sum(tokens: readonly { readonly amount: string }[]): string {
  return tokens.reduce((total, { amount: held }) => total.add(held), Numeric.of('0')).toCompact();
}
