/** Verbs on the network: parties, users, packages, time, migrations, rewards, snapshots. */
import {
  amount,
  described,
  duration,
  instant,
  integer,
  list,
  name,
  oneOf,
  optional,
  participant,
  party as partyField,
  record,
  synchronizer,
  yesOrNo,
} from '../fields.js';
import type { Party } from '../../daml/model/values.js';
import type { UserRight } from '../../network/administration/user-rights.js';
import type { RewardRoundInput } from '../../splice/rewards/reward-rounds.js';
import type { Clock } from '../../network/journal/clock.js';
import type { Network } from '../../network/network.js';
import { suggestion } from '../../daml/errors/edit-distance.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { verb, type Field } from '../row.js';
import type { World } from '../world.js';

export const party = verb({
  summary: 'Allocates a party. Its hint is its name in the scenario.',
  subject: described(name, 'The hint: first part of its id, and its name in the scenario.'),
  fields: {
    on: optional(described(participant, 'The participant that hosts it. Default: the first.')),
    synchronizers: optional(
      described(list(synchronizer), 'Synchronizers that host it. Default: all.'),
    ),
  },
  result: 'the party',
  run: (world, hint, { on, synchronizers }) => {
    const id = (on ?? world.participants[0]!).allocateParty(hint, { synchronizers });
    world.names.set(hint, id);
    return id;
  },
});

const rightsOf = (
  kind: 'CanActAs' | 'CanReadAs' | 'CanExecuteAs',
  parties: readonly Party[] = [],
) => parties.map((each): UserRight => ({ kind, party: each }));

export const user = verb({
  summary: 'Creates a user with rights. An existing administrator gets the rights.',
  subject: described(name, 'Its id.'),
  fields: {
    primaryParty: optional(partyField),
    actAs: optional(list(partyField)),
    readAs: optional(list(partyField)),
    executeAs: optional(list(partyField)),
    readAsAnyParty: optional(yesOrNo),
    executeAsAnyParty: optional(yesOrNo),
    participantAdmin: optional(yesOrNo),
    identityProviderAdmin: optional(yesOrNo),
    on: optional(
      described(
        participant,
        'The participant of the user. Default: the host of its primary party.',
      ),
    ),
  },
  run: (world, id, fields) => {
    const { primaryParty, on } = fields;
    const flags = [
      ['readAsAnyParty', 'CanReadAsAnyParty'],
      ['executeAsAnyParty', 'CanExecuteAsAnyParty'],
      ['participantAdmin', 'ParticipantAdmin'],
      ['identityProviderAdmin', 'IdentityProviderAdmin'],
    ] as const;
    const rights: UserRight[] = [
      ...rightsOf('CanActAs', fields.actAs),
      ...rightsOf('CanReadAs', fields.readAs),
      ...rightsOf('CanExecuteAs', fields.executeAs),
      ...flags.flatMap(([flag, kind]) => (fields[flag] === true ? [{ kind }] : [])),
    ];
    const { users } = world.hostOf(primaryParty ?? fields.actAs?.[0], on).engine;
    if (!users.admins.has(id) || !users.has(id)) users.create({ id, primaryParty }, rights);
    else {
      users.grant(id, rights);
      if (primaryParty !== undefined) users.update({ id, primaryParty }, ['primary_party']);
    }
  },
});

export const upload = verb({
  summary: 'Uploads a DAR file and vets it on every synchronizer.',
  subject: described(name, 'Its path, relative to the scenario.'),
  fields: { on: optional(described(participant, 'Participants to upload to. Default: all.')) },
  run: (world, path, { on }) => {
    if (on === undefined) uploadEverywhere(world, path, 'upload');
    else on.uploadDar(fileAt(world, path, 'upload'));
  },
});

/** @param verb the verb whose subject is the path */
export function uploadEverywhere(world: World, path: string, verb: string): void {
  const bytes = fileAt(world, path, verb);
  for (const view of world.participants) view.uploadDar(bytes);
}

/** The bytes of a file that a scenario names. @param verb or field that names it */
export function fileAt(world: World, path: string, verb: string): Uint8Array {
  try {
    return world.readFile(path);
  } catch (error) {
    throw new ScenarioError(`Failed to read '${path}': ${(error as Error).message}.`, [verb]);
  }
}

/** A duration, or a time. */
const moment: Field<string, (clock: Clock) => void> = {
  schema: {
    type: 'string',
    description: 'A duration, such as PT10M, or the new time, such as 2026-02-01T00:00:00Z.',
  },
  read: (given, world) => {
    const text = String(world.names.resolve(given));
    const isDuration = /^p/i.test(text);
    if (!isDuration && !/^\d{4,}-/.test(text))
      throw new ScenarioError(
        `'${text}' is neither a duration, such as PT10M or P1D, nor a time, such as 2026-02-01T00:00:00Z.`,
      );
    const at = isDuration ? duration.read(given, world) : instant.read(given, world);
    return (clock) => (isDuration ? clock.advance(at) : clock.set(at));
  },
};

export const prune = verb({
  summary: 'Prunes the updates of a participant. Active contracts stay.',
  subject: described(participant, 'Its name.'),
  fields: {
    upTo: optional(
      described(integer, 'The last offset to prune. Default: all updates but the last.'),
    ),
    forgetHistory: optional(
      described(
        yesOrNo,
        'Also frees the memory. You can then no longer revert to earlier snapshots or to the start.',
      ),
    ),
  },
  result: 'the offset',
  run: (_, view, { upTo, forgetHistory }) => view.prune(upTo, { forgetHistory }),
});

export const advance = verb({
  summary: 'Advances the time.',
  subject: moment,
  fields: {},
  run: ({ network }, move) => move(network.clock),
});

export const scheduleMigration = verb({
  summary: 'Schedules the next migration of the network.',
  subject: described(integer, 'Its id, above the current one.'),
  fields: {
    at: optional(instant),
    in: optional(described(duration, 'Duration from now, such as P7D.')),
  },
  run: ({ network }, migrationId, { at, in: after }) => {
    if ((at === undefined) === (after === undefined))
      throw new ScenarioError('Pass either `at`, a time, or `in`, a duration.');
    network.migrations.schedule({ time: at ?? network.clock.now() + after!, migrationId });
  },
});

export const cancelMigration = verb({
  summary: 'Cancels the scheduled migration.',
  subject: described(integer, 'Its id.'),
  fields: {},
  run: ({ network }, migrationId) => {
    requireScheduled(network, migrationId, 'cancelMigration');
    network.migrations.clear();
  },
});

export const carryOutMigration = verb({
  summary: 'Runs the scheduled migration. If it is in the future, the time advances to it.',
  subject: described(integer, 'Its id.'),
  fields: {},
  run: ({ network }, migrationId) => {
    requireScheduled(network, migrationId, 'carryOutMigration');
    network.migrations.carryOut();
  },
});

function requireScheduled({ migrations }: Network, migrationId: number, verb: string): void {
  const { scheduled } = migrations;
  if (scheduled?.migrationId === migrationId) return;
  const found = scheduled === undefined ? 'None is.' : `It is ${scheduled.migrationId}.`;
  throw new ScenarioError(`Migration ${migrationId} is not scheduled. ${found}`, [verb]);
}

export const rewardRound = verb({
  summary: 'Sets the app rewards that the DSO computed for a round.',
  subject: described(integer, 'The round.'),
  fields: {
    status: oneOf(['Ok', 'Undetermined', 'CannotProvide']),
    appActivityWeight: optional(integer),
    activePartiesCount: optional(integer),
    activityRecordsCount: optional(integer),
    appRewardThresholded: optional(amount),
    appRewardUnclaimed: optional(amount),
    mintingAllowances: optional(list(record({ provider: partyField, amount }))),
    batchSize: optional(integer),
  },
  run: ({ splice }, round, { status, ...computed }) => {
    if (status !== 'Ok' && Object.keys(computed).length > 0)
      throw new ScenarioError(`Only a round that is Ok has ${Object.keys(computed).join(', ')}.`);
    splice.rewards.set(round, { status, ...computed } as RewardRoundInput);
  },
});

export const snapshot = verb({
  summary: 'Takes a snapshot.',
  subject: described(name, 'The name, for `revert`.'),
  fields: {},
  run: ({ network, snapshots }, name) => {
    const id = network.snapshot();
    snapshots.set(name, id);
    return id;
  },
});

export const revert = verb({
  summary: 'Reverts to a snapshot. Later updates and names are lost.',
  subject: described(name, 'The name of a snapshot.'),
  fields: {},
  run: ({ network, snapshots }, name) => {
    const id = snapshots.get(name);
    if (id === undefined)
      throw new ScenarioError(
        `There is no snapshot '${name}'.${suggestion(name, [...snapshots.keys()]) || ' Take one with `snapshot`.'}`,
        ['revert'],
      );
    network.revert(id);
  },
});
