/** Expectations of the network: its time, migrations, rewards and number of updates. */
import { formatTimestampMicros } from '../../daml/model/time.js';
import { Numeric } from '../../daml/model/numeric.js';
import { amount, described, instant, integer, oneOf, optional, participant } from '../fields.js';
import { differences, expectation } from '../row.js';
import type { ParticipantView } from '../../wallet/participant-view.js';

export const migration = expectation({
  summary: 'The current and the scheduled migration.',
  subject: described(integer, 'Id of the current migration. The first is 0.'),
  fields: {
    scheduled: optional({
      schema: {
        anyOf: [{ type: 'integer' }, { type: 'string', enum: ['none'] }],
        description: 'Id of the scheduled migration, or none.',
      },
      read: (given: number | 'none') => given,
    }),
    at: optional(described(instant, 'Time of the scheduled migration.')),
  },
  check: ({ network }, current, { scheduled, at }) => {
    const { migrations } = network;
    const next = migrations.scheduled;
    const time = next && formatTimestampMicros(next.time);
    return {
      errors: differences(
        { migration: current, scheduled, at: at && formatTimestampMicros(at) },
        { migration: migrations.current, scheduled: next?.migrationId ?? 'none', at: time },
      ),
      holds: `migration ${migrations.current} is running, ${next === undefined ? 'none is scheduled' : `${next.migrationId} is scheduled at ${time}`}`,
    };
  },
});

export const rewardRound = expectation({
  summary: 'The rewards of a round.',
  subject: described(integer, 'The round.'),
  fields: {
    status: optional(oneOf(['Ok', 'Undetermined', 'CannotProvide'])),
    mintingAllowance: optional(described(amount, 'The sum of all allowances.')),
    rewardedProviders: optional(integer),
  },
  check: ({ splice }, roundNumber, { status, mintingAllowance, rewardedProviders }) => {
    const round = splice.rewards.round(roundNumber);
    const sum = round.status === 'Ok' ? round.mintingAllowance.toCompact() : undefined;
    const rewarded = round.status === 'Ok' ? round.rewardedProvidersCount : undefined;
    const wanted = mintingAllowance && Numeric.of(mintingAllowance).toCompact();
    return {
      errors: differences(
        { status, mintingAllowance: wanted, rewardedProviders },
        { status: round.status, mintingAllowance: sum, rewardedProviders: rewarded },
      ),
      holds: sum === undefined ? round.status : `Ok, ${sum} for ${rewarded} providers`,
    };
  },
});

export const updates = expectation({
  summary:
    'The number of transactions and reassignments. The first creates the rules of the test token.',
  subject: integer,
  fields: { on: optional(described(participant, 'Only those that this participant sees.')) },
  check: ({ network, participants }, expected, { on }) => {
    const found = on === undefined ? network.ledgerHistory.length : updatesAt(on);
    const counts = participants.map((each) => `${updatesAt(each)} at ${each.name}`).join(', ');
    return {
      errors: differences({ updates: expected }, { updates: found }),
      holds: `${network.ledgerHistory.length} in the network, ${counts}`,
    };
  },
});

function updatesAt({ engine: { log } }: ParticipantView): number {
  let count = 0;
  for (const { update } of log.between(0, log.end))
    if (update !== undefined && update.kind !== 'topology') count++;
  return count;
}

export const time = expectation({
  summary: 'The ledger time.',
  subject: instant,
  fields: {},
  check: ({ network }, wanted) => {
    const [expected, now] = [wanted, network.clock.now()].map(formatTimestampMicros) as [
      string,
      string,
    ];
    return { errors: differences({ time: expected }, { time: now }), holds: now };
  },
});
