/** The nodes of a LocalNet from its options: sv first, then the others in their order. */
import { requireDifferent } from '../../options/kinds.js';
import type { LocalnetOptions, LocalnetValidatorOptions } from './localnet-options.js';
import { realmOf } from './realms.js';
import {
  APP_NODES,
  APP_SYNCHRONIZER,
  isKnownName,
  LEDGER_API_USER,
  partyHintOf,
  portsOf,
  SV,
  SYNCHRONIZER,
  type NodePorts,
  type NodeShape,
} from './shape.js';

/** Offsets of the services in the 100 ports of a node. */
const FROM_BASE: NodePorts = { ui: 0, grpc: 1, grpcAdmin: 2, validator: 3, ledgerApi: 75 };
const PORTS_PER_NODE = 100;
const ANY_FREE: NodePorts = { ledgerApi: 0, grpc: 0, grpcAdmin: 0, validator: 0, ui: 0 };

/** The options of each node, with sv first. */
export function validatorsOf({ validators = APP_NODES }: LocalnetOptions) {
  const listed = typeof validators === 'number' ? numbered(validators) : validators;
  const all = listed.map((each): LocalnetValidatorOptions =>
    typeof each === 'string' ? { name: each } : each,
  );
  requireDifferent(
    'validators',
    all.map(({ name }) => name),
  );
  const sv = all.find(({ name }) => name === SV) ?? { name: SV };
  return [sv, ...all.filter(({ name }) => name !== SV)];
}

/** Begins with the two nodes of a LocalNet. */
const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => APP_NODES[index] ?? `validator-${index + 1}`);

export function nodesOf(options: LocalnetOptions): readonly NodeShape[] {
  const all = validatorsOf(options);
  const others = all.filter(({ name }) => !isKnownName(name));
  return all.map((each, index) => {
    const { name, partyHint = partyHintOf(name), synchronizers } = each;
    const { canton, splice, externalCalls } = each;
    return {
      name,
      identifier: name === SV ? SV : 'participant',
      partyHint,
      ...usersOf(name, options),
      synchronizers: synchronizers ?? usualSynchronizers(name, options),
      ports: { ...portsOfNode(name, index, others.indexOf(each), options), ...each.ports },
      canton,
      splice,
      externalCalls,
    };
  });
}

function usualSynchronizers(name: string, { multiSync = false }: LocalnetOptions) {
  return multiSync && name !== SV ? [SYNCHRONIZER, APP_SYNCHRONIZER] : [SYNCHRONIZER];
}

/** @param index among all nodes @param other among nodes that a LocalNet does not have */
export function portsOfNode(
  name: string,
  index: number,
  other: number,
  { ports, portOffset = 0, basePort }: LocalnetOptions,
): NodePorts {
  if (basePort !== undefined && ports !== 'auto') {
    const first = basePort + index * PORTS_PER_NODE;
    const ports = Object.entries(FROM_BASE).map(([service, at]) => [service, first + at]);
    return Object.fromEntries(ports) as Record<keyof NodePorts, number>;
  }
  return ports === 'localnet' ? portsOf(name, other, portOffset) : ANY_FREE;
}

/** cn-quickstart's Keycloak has no users of sv. */
function usersOf(
  name: string,
  options: LocalnetOptions,
): Pick<NodeShape, 'user' | 'walletUsers' | 'realm'> {
  if (options.auth !== 'oauth2' || name === SV)
    return { user: LEDGER_API_USER, walletUsers: [name] };
  const { realm, user, walletUser } = realmOf(name, options);
  return { user, walletUsers: [walletUser], realm };
}
