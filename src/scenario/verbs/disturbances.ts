/** Verbs that change the environment of a client: connections, rights, vetted packages, synchronizers, and restarts of participants. */
import { grantRight, revokeRights } from '../../network/administration/right-changes.js';
import { vetVersions } from '../../network/vetting/vet-versions.js';
import { described, list, name, optional, participant, party, synchronizer } from '../fields.js';
import { verb } from '../row.js';
import type { World } from '../world.js';
import type { ParticipantView } from '../../wallet/participant-view.js';

const on = optional(described(participant, 'Name of a participant. Default: the first.'));
const to = optional(described(synchronizer, 'Alias of a synchronizer. Default: the first.'));
const at = ({ participants }: World, given: ParticipantView | undefined) =>
  given ?? participants[0]!;

export const disconnect = verb({
  summary:
    'Disconnects a participant from a synchronizer. It neither receives, submits nor confirms there.',
  subject: described(participant, 'Whose connection.'),
  fields: { from: to },
  run: (_, view, { from }) => view.disconnect(from),
});

export const reconnect = verb({
  summary: 'Reconnects a participant. It receives the updates that it missed.',
  subject: described(participant, 'Whose connection.'),
  fields: { to },
  run: (_, view, fields) => view.reconnect(fields.to),
});

export const restart = verb({
  summary: 'Restarts a participant. Open streams and pending requests fail.',
  subject: described(participant, 'Which one.'),
  fields: {},
  run: ({ network }, view) => network.faults.restart(view.name),
});

export const pauseSynchronizer = verb({
  summary: 'Pauses a synchronizer, as if it were down. Submissions stay in flight.',
  subject: synchronizer,
  fields: {},
  run: ({ network }, id) => network.pause(network.synchronizer(id)!),
});

export const resumeSynchronizer = verb({
  summary: 'Resumes a synchronizer. It sequences the submissions in flight, in their order.',
  subject: synchronizer,
  fields: {},
  run: ({ network }, id) => network.resume(network.synchronizer(id)!),
});

export const grant = verb({
  summary: 'Grants a user more rights.',
  subject: described(name, 'The id of the user.'),
  fields: {
    actAs: optional(list(party)),
    readAs: optional(list(party)),
    executeAs: optional(list(party)),
    on,
  },
  run: (world, user, { on: view, ...rights }) => {
    const { engine } = at(world, view);
    for (const right of ['actAs', 'readAs', 'executeAs'] as const)
      for (const each of rights[right] ?? [])
        grantRight(engine.users, user, { party: each, right }, world.network.topology.parties());
  },
});

export const revoke = verb({
  summary: 'Revokes rights of a user: those of a party, or all.',
  subject: described(name, 'The id of the user.'),
  fields: { party: optional(party), on },
  run: (world, user, { party: of, on: view }) =>
    void revokeRights(at(world, view).engine.users, user, of),
});

export const vet = verb({
  summary: 'Vets every version of a package at a participant.',
  subject: described(name, 'The name of the package, or the id of one version.'),
  fields: { on },
  run: (world, named, { on: view }) => vetVersions(at(world, view).engine, named, 'vet'),
});

export const unvet = verb({
  summary: 'Unvets every version of a package at a participant, even if others depend on it.',
  subject: described(name, 'The name of the package, or the id of one version.'),
  fields: { on },
  run: (world, named, { on: view }) => vetVersions(at(world, view).engine, named, 'unvet'),
});
