/**
 * The structure of a LocalNet: its nodes with their parties, users and service ports (L-PORT-001 to L-PORT-004, L-USR-001 to L-USR-010).
 * localnet.ts creates the network.
 */

import type { RealmOptions } from '../../http/keycloak/realm.js';
import type { ExternalCalls } from '../../spec/releases/node-options.js';
import type { ApiVersion, SpliceVersion } from '../../spec/versions.js';

/** One node: a participant with its validator. */
export interface NodeShape {
  /** The participant's name, such as `app-user`. */
  readonly name: string;
  /** First part of the participant's id. */
  readonly identifier: string;
  /** First part of the validator's party. */
  readonly partyHint: string;
  /** The participant's user that the validator acts as. */
  readonly user: string;
  /** Users of the participant that own the validator's wallet. */
  readonly walletUsers: readonly string[];
  /** Aliases of the synchronizers that it is connected to. */
  readonly synchronizers: readonly string[];
  readonly ports: NodePorts;
  /** The releases that the options state for it. */
  readonly canton?: ApiVersion | undefined;
  readonly splice?: SpliceVersion | undefined;
  readonly externalCalls?: ExternalCalls | undefined;
  /** The realm of its users, if clients get tokens by OAuth2; otherwise, clients sign them. */
  readonly realm?: RealmOptions;
}

/** By service; 0 for any free one. */
export interface NodePorts {
  readonly ledgerApi: number;
  /** Port of the gRPC Ledger API. */
  readonly grpc: number;
  /** Port of the participant's gRPC admin API. */
  readonly grpcAdmin: number;
  readonly validator: number;
  /** Port of the proxy, whose answer depends on the header Host. */
  readonly ui: number;
}

export const SV = 'sv';
export const SYNCHRONIZER = 'global';
export const APP_SYNCHRONIZER = 'app-synchronizer';
export const LEDGER_API_USER = 'ledger-api-user';
/** `PARTY_HINT` of a LocalNet: its Docker network, and `-localparty-1` (L-CMP-010). */
const PARTY_HINT = 'localnet-localparty-1';

/** The digits before the last three digits of a port. */
const PREFIXES: Readonly<Record<string, number>> = { 'app-user': 2, 'app-provider': 3, [SV]: 4 };
const FIRST_FREE_PREFIX = 5;
const SUFFIXES = { ledgerApi: 975, grpc: 901, grpcAdmin: 902, validator: 903, ui: 0 };
/** The port of cn-quickstart's Keycloak. */
export const KEYCLOAK_PORT = 8082;

/** The default nodes in addition to the super validator. */
export const APP_NODES = ['app-provider', 'app-user'] as const;

/** @param index its position among nodes that a LocalNet does not have, from 0 */
export function portsOf(name: string, index: number, offset: number): NodePorts {
  const prefix = PREFIXES[name] ?? FIRST_FREE_PREFIX + index;
  const port = (suffix: number) => prefix * 1000 + suffix + offset;
  return {
    ledgerApi: port(SUFFIXES.ledgerApi),
    grpc: port(SUFFIXES.grpc),
    grpcAdmin: port(SUFFIXES.grpcAdmin),
    validator: port(SUFFIXES.validator),
    ui: port(SUFFIXES.ui),
  };
}

/** Whether a LocalNet has a node with this name, and ports for it. */
export const isKnownName = (name: string): boolean => Object.hasOwn(PREFIXES, name);

/** The name of a validator's party in a LocalNet: `app_user_localnet-localparty-1`. */
export const partyHintOf = (name: string): string =>
  name === SV ? SV : `${name.replaceAll('-', '_')}_${PARTY_HINT}`;
