/** A start state from a network: the result of a scenario, or a saved world. */
import type { DamlPackage } from '../../daml/model/package.js';
import { startOf } from '../../fuzzing/ledger/start-state.js';
import type { StartState } from '../../fuzzing/model/state.js';
import type { Network } from '../../network/network.js';
import { createCanticle } from '../start.js';
import type { FuzzSettings } from './settings.js';

export interface NetworkStart {
  readonly start: StartState;
  readonly packages: readonly DamlPackage[];
}

/** Undefined if the settings name neither. */
export function networkStart({ scenario, load, cache }: FuzzSettings): NetworkStart | undefined {
  if (scenario === undefined && load === undefined) return undefined;
  const { network } = createCanticle({
    ...(scenario !== undefined && { scenario }),
    ...(load !== undefined && { load }),
    ...(cache !== undefined && { cache }),
  });
  return { start: stateOf(network), packages: packagesOf(network) };
}

function stateOf(network: Network): StartState {
  const admins = new Set(network.participants.map(({ id }) => id));
  return startOf({
    parties: network.topology.parties().filter((party) => !admins.has(party)),
    contracts: [...network.contracts.activeInOrder()],
    now: network.clock.now(),
  });
}

function packagesOf(network: Network): readonly DamlPackage[] {
  return network.participants.flatMap(({ packages }) =>
    packages.ids().map((id) => packages.package(id)!),
  );
}
