/** Opens a network: creates and connects its parts, and starts its automatic tasks. */
import { STABLE_PACKAGES } from '../daml/define/stable-packages.js';
import type { DamlPackage } from '../daml/model/package.js';
import { Network, type NetworkOptions } from './network.js';
import type { Participant } from './participant.js';
import { PING_PACKAGE } from './packages/admin-workflow-ping.js';
import { AutomaticAssignments } from './reassignment/automatic-assignment.js';
import { addPackages } from './vetting/upload.js';

/** The first digits of the ids that a participant has vetted at its start, in its order (B-PKG-028). */
const START =
  '6f8e6085 60c61c54 a1fa1813 cae345b5 c3bb0c5d fcee8dfc c280cc3e 9e70a8b3 91e167fa b70db836 f181cd66 bde4bd30 19f0df5f ab068e2f ' +
  '5aee9b21 86d888f3 de2cc2f9 bfda48f9 52854220 fa79192f 6da1f43a 0e4a572a d095a2cc ee33fb70 e7e0adfa 7adc4c2d 3cde94fe e5411f3d';
const placeOf = ({ id }: DamlPackage): number => START.indexOf(id.slice(0, 8));

/** The initial packages of every participant. */
export const BUILT_IN: readonly DamlPackage[] = [...STABLE_PACKAGES, PING_PACKAGE].sort(
  (one, other) => placeOf(one) - placeOf(other),
);

/** @param restore restores a saved network with the same options, instead of the initial state */
export function openNetwork(
  options: NetworkOptions = {},
  restore?: (network: Network) => void,
): Network {
  const network = new Network(options);
  new AutomaticAssignments(network).attach();
  network.onCommit((update) => {
    const { coverage } = network;
    if (coverage.isCounting && update.kind === 'transaction') coverage.count(update.transaction);
  });
  if (restore !== undefined) {
    restore(network);
    return network;
  }
  for (const participant of network.participants) connect(network, participant);
  for (const participant of network.participants)
    addPackages(
      participant,
      [...BUILT_IN, ...(options.packages ?? [])],
      participant.connected,
      true,
    );
  return network;
}

/**
 * A participant is also a party, which it hosts on each connected synchronizer (B-ID-012). All participants there
 * learn of it.
 */
function connect(network: Network, { id, connected }: Participant): void {
  const event = {
    kind: 'added',
    party: id,
    participantId: id,
    permission: 'submission',
  } as const;
  for (const synchronizerId of connected)
    network.commit({ kind: 'topology', synchronizerId, workflowId: '', events: [event] });
}
