/**
 * `SynchronizerConnectivityService`: lists the synchronizers that a participant knows and is connected to,
 * disconnects and reconnects it.
 */
import { LedgerError, ledgerError } from '../../daml/errors/ledger-error.js';
import type { Synchronizer } from '../../network/synchronizer.js';
import { synchronizerAlias } from './parsing/fields.js';
import { invalidArgumentAlone, parsed } from './parsing/parsed.js';
import { connected, type AdminContext } from './admin-context.js';

export interface Named {
  readonly synchronizerAlias: string;
}

const known = ({ network, participant }: AdminContext): readonly Synchronizer[] =>
  network.synchronizers.filter(({ id }) => participant.registered.includes(id));

/** @throws LedgerError SYNC_SERVICE_UNKNOWN_SYNCHRONIZER */
function named(
  all: readonly Synchronizer[],
  { synchronizerAlias }: Named,
  isStatusAlone = false,
): Synchronizer {
  const found = all.find(({ alias }) => alias === synchronizerAlias);
  if (found === undefined)
    throw ledgerError('SYNC_SERVICE_UNKNOWN_SYNCHRONIZER', {
      cause: `The synchronizer with alias ${synchronizerAlias} is unknown.`,
      context: { synchronizerAlias: `Synchronizer '${synchronizerAlias}'` },
      isStatusAlone,
    });
  return found;
}

const readNamed = (request: Named): Named => ({
  synchronizerAlias: synchronizerAlias(request.synchronizerAlias),
});

function getSynchronizerId(context: AdminContext, request: Named) {
  const { id, physicalId } = named(connected(context), request);
  return { synchronizerId: id, physicalSynchronizerId: physicalId };
}

function listConnectedSynchronizers(context: AdminContext) {
  return {
    connectedSynchronizers: connected(context).map(({ alias, id, physicalId }) => ({
      synchronizerAlias: alias,
      synchronizerId: id,
      physicalSynchronizerId: physicalId,
      healthy: true,
    })),
  };
}

/** NOTE: the answer lists no connections, because Canticle has no separate sequencers. */
function listRegisteredSynchronizers(context: AdminContext) {
  return {
    results: known(context).map(({ alias, id, physicalId }) => ({
      config: { synchronizerAlias: alias, physicalSynchronizerId: physicalId },
      connected: context.participant.isConnectedTo(id),
      physicalSynchronizerId: physicalId,
      status: 'STATUS_ACTIVE',
    })),
  };
}

function reconnectSynchronizer(context: AdminContext, request: Named) {
  context.participant.reconnect(named(known(context), request).id);
  return { connectedSuccessfully: true };
}

function reconnectSynchronizers(
  context: AdminContext,
  { ignoreFailures }: { readonly ignoreFailures: boolean },
) {
  for (const { id } of known(context))
    try {
      context.participant.reconnect(id);
    } catch (error) {
      if (!ignoreFailures || !(error instanceof LedgerError)) throw error;
    }
  return {};
}

/** A participant that is not connected needs no further steps. */
function disconnectSynchronizer(context: AdminContext, request: Named) {
  return leave(context, named(known(context), request));
}

function leave({ participant }: AdminContext, { id }: Synchronizer): object {
  if (participant.isConnectedTo(id)) participant.disconnect(id);
  return {};
}

/** NOTE: Canticle keeps no sessions at a synchronizer, so a logout only disconnects. */
function logout(context: AdminContext, request: Named) {
  return leave(context, named(known(context), request, true));
}

function disconnectAllSynchronizers(context: AdminContext) {
  for (const { id } of connected(context)) context.participant.disconnect(id);
  return {};
}

export const connectivity = {
  getSynchronizerId: parsed(readNamed, getSynchronizerId),
  listConnectedSynchronizers,
  listRegisteredSynchronizers,
  reconnectSynchronizer: parsed(readNamed, reconnectSynchronizer),
  reconnectSynchronizers,
  disconnectSynchronizer: parsed(readNamed, disconnectSynchronizer),
  disconnectAllSynchronizers,
  logout: parsed(readNamed, logout, ({ printed }) =>
    invalidArgumentAlone(`Failed to parse synchronizer alias: ${printed}`),
  ),
};
