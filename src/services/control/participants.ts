/** Disconnects a participant from synchronizers, reconnects it, or restarts it. */
import { noSynchronizer } from '../../network/synchronizer.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { HttpRefusal, type ControlContext, type SomeHandlers } from '../handler.js';

function named({ participants }: Network, name: string): Participant {
  const found = participants.find((each) => each.name === name);
  if (found === undefined) throw new HttpRefusal(404, `There is no participant ${name}.`);
  return found;
}

const shown = ({ network }: ControlContext, { name, connected, log }: Participant) => ({
  participant: name,
  connected: connected.map((id) => network.synchronizer(id)!.alias),
  ledgerEnd: log.end,
});

/** @param change of the connection to a synchronizer; the first by default */
function changed(
  context: ControlContext,
  { participant: name }: { readonly participant: string },
  synchronizer: string | undefined,
  change: (participant: Participant, id: string) => void,
) {
  const { network } = context;
  const participant = named(network, name);
  const found =
    synchronizer === undefined ? network.synchronizers[0] : network.synchronizer(synchronizer);
  if (found === undefined)
    throw new HttpRefusal(404, noSynchronizer(String(synchronizer), network.synchronizers));
  try {
    change(participant, found.id);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new HttpRefusal(400, error.details.cause);
  }
  return shown(context, participant);
}

export const participants = {
  disconnectParticipant: (context, { path, body }) =>
    changed(context, path, body.synchronizer, (each, id) => each.disconnect(id)),

  reconnectParticipant: (context, { path, body }) =>
    changed(context, path, body.synchronizer, (each, id) => each.reconnect(id)),

  restartParticipant: (context, { path }) => {
    const participant = named(context.network, path.participant);
    context.network.faults.restart(participant.name);
    return shown(context, participant);
  },
} satisfies SomeHandlers<'control'>;
