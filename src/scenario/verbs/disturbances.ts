/** Verbs of what changes under a client: connections, rights, vetted packages, synchronizers that stop, participants that restart. */
import { grantRight, revokeRights } from '../../network/administration/right-changes.js';
import { vetVersions } from '../../network/vetting/vet-versions.js';
import { described, list, name, optional, participant, party, synchronizer } from '../fields.js';
import { verb } from '../row.js';
import type { World } from '../world.js';
import type { ParticipantView } from '../../wallet/participant-view.js';

const on = optional(described(participant, 'Which participant; the first one by default.'));
const to = optional(described(synchronizer, 'Which synchronizer; the first one by default.'));
const at = ({ participants }: World, given: ParticipantView | undefined) =>
  given ?? participants[0]!;

export const disconnect = verb({
  summary:
    'Cuts a connection to a synchronizer: nothing is heard of it, submitted or confirmed there.',
  subject: described(participant, 'Whose connection.'),
  fields: { from: to },
  run: (_, view, { from }) => view.disconnect(from),
});

export const reconnect = verb({
  summary: 'Connects a participant again, which learns what it has missed.',
  subject: described(participant, 'Whose connection.'),
  fields: { to },
  run: (_, view, fields) => view.reconnect(fields.to),
});

export const restart = verb({
  summary: 'Restarts a participant: open streams and whoever waits for an answer are cut off.',
  subject: described(participant, 'Which one.'),
  fields: {},
  run: ({ network }, view) => network.faults.restart(view.name),
});

export const pauseSynchronizer = verb({
  summary: 'Stops sequencing, as if it were down: what is submitted stays in flight.',
  subject: synchronizer,
  fields: {},
  run: ({ network }, id) => network.pause(network.synchronizer(id)!),
});

export const resumeSynchronizer = verb({
  summary: 'Sequences what is in flight, in the order of submission, and goes on.',
  subject: synchronizer,
  fields: {},
  run: ({ network }, id) => network.resume(network.synchronizer(id)!),
});

export const grant = verb({
  summary: 'Gives a user rights of parties, beside those that it has.',
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
  summary: 'Takes rights away from a user: those of a party, or all.',
  subject: described(name, 'The id of the user.'),
  fields: { party: optional(party), on },
  run: (world, user, { party: of, on: view }) =>
    void revokeRights(at(world, view).engine.users, user, of),
});

export const vet = verb({
  summary: 'Has a participant vouch for every version of a package.',
  subject: described(name, 'Its name, or the id of one version.'),
  fields: { on },
  run: (world, named, { on: view }) => vetVersions(at(world, view).engine, named, 'vet'),
});

export const unvet = verb({
  summary: 'Has a participant vouch for no version of a package, whatever depends on it.',
  subject: described(name, 'Its name, or the id of one version.'),
  fields: { on },
  run: (world, named, { on: view }) => vetVersions(at(world, view).engine, named, 'unvet'),
});
