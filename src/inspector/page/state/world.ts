/** The parties, participants and synchronizers, for the selections in many views. */
import type { InspectedPackages, InspectedTopology } from '../../../spec/generated/control.js';
import { fetchJson } from './api.js';
import { now, useLoaded } from './live.js';
import { storeOf, useStore } from './store.js';

const NOBODY: InspectedTopology = { synchronizers: [], participants: [], parties: [] };
const topology = storeOf(NOBODY);
const packages = storeOf<InspectedPackages['packages']>([]);

export const useTopology = (): InspectedTopology => useStore(topology);
export const usePackages = (): InspectedPackages['packages'] => useStore(packages);

/** Reloads on each change of the network. Only the frame of the page calls it. */
export function useFollowedWorld(): void {
  const isReady = useStore(now) !== undefined;
  useLoaded(isReady ? 'topology' : undefined, async (signal) => {
    const [who, known] = await Promise.all([
      fetchJson<InspectedTopology>('inspection/topology', {}, signal),
      fetchJson<InspectedPackages>('inspection/packages', {}, signal),
    ]);
    topology.set(who);
    packages.set(known.packages);
  });
}
