/** Opens a network: puts one together, connects its participants, and has done by itself what nobody is asked to do. */
import { STABLE_PACKAGES } from '../daml/define/stable-packages.js';
import { Network, type NetworkOptions } from './network.js';
import type { Participant } from './participant.js';
import { PING_PACKAGE } from './packages/admin-workflow-ping.js';
import { AutomaticAssignments } from './reassignment/automatic-assignment.js';
import { addPackages } from './vetting/upload.js';

/** What every participant has from the start. */
export const BUILT_IN = [...STABLE_PACKAGES, PING_PACKAGE];

/** @param restore puts back what was saved of a network of these options, in place of what a new one begins with */
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
    addPackages(participant, [...BUILT_IN, ...(options.packages ?? [])]);
  return network;
}

/** A participant is a party as well, which it hosts wherever it is connected (B-ID-012): every participant there is told of it. */
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
