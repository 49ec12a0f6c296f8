/**
 * Temporary topology stores over the admin API: creates, drops and reads them. Authorizations there have no effect
 * elsewhere.
 */
import { stringConversion } from '../parsing/conversion.js';
import { protocolVersion, required } from '../parsing/fields.js';
import { parsed } from '../parsing/parsed.js';
import { storeNameError } from '../parsing/topology.js';
import type { WritableStore } from './store-writes.js';
import type { AdminContext } from '../admin-context.js';

export interface NewStore {
  readonly name: string;
  readonly protocolVersion: number;
}

/** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
export function temporaryStore(
  { network, participant: { temporaryStores } }: AdminContext,
  name: string,
): WritableStore {
  return {
    ...temporaryStores.store(name),
    add: (transactions, mustBeComplete) =>
      temporaryStores.add(name, transactions, mustBeComplete, network.clock.now()),
  };
}

export const temporaryStores = {
  createTemporaryTopologyStore: parsed(
    ({ name, protocolVersion: version }: NewStore, supported) => {
      protocolVersion(version, supported);
      const error = storeNameError('string', name);
      if (error !== undefined) throw stringConversion(error);
      return name;
    },
    ({ participant }, name) => {
      participant.temporaryStores.create(name);
      return { storeId: { name } };
    },
  ),
  dropTemporaryTopologyStore: parsed(
    ({ storeId }: { readonly storeId?: { readonly name: string } }) =>
      required('store_id', storeId).name,
    ({ participant }, name) => {
      participant.temporaryStores.drop(name);
      return {};
    },
  ),
};
