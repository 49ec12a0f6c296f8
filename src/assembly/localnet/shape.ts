/**
 * What a LocalNet is made of, by name: its nodes with their parties and users, and on which ports their services stand (L-PORT-001 to
 * L-PORT-004, L-USR-001 to L-USR-010). Knows no network; localnet.ts makes one of it.
 */

import type { RealmOptions } from '../../http/keycloak/realm.js';

/** One node: a participant, and the validator at it. */
export interface NodeShape {
  /** Of the participant, such as `app-user`. */
  readonly name: string;
  /** First part of the participant's id. */
  readonly identifier: string;
  /** First part of the validator's party. */
  readonly partyHint: string;
  /** The participant's user as whom the validator acts. */
  readonly user: string;
  /** Users of the participant whose wallet is the validator's own. */
  readonly walletUsers: readonly string[];
  /** Aliases of the synchronizers that it is connected to. */
  readonly synchronizers: readonly string[];
  readonly ports: NodePorts;
  /** The realm of its users, where tokens come by OAuth2; else clients sign them. */
  readonly realm?: RealmOptions;
}

/** By service; 0 for any free one. */
export interface NodePorts {
  readonly ledgerApi: number;
  /** Of the Ledger API over gRPC. */
  readonly grpc: number;
  /** Of the participant's admin API, over gRPC too. */
  readonly grpcAdmin: number;
  readonly validator: number;
  /** Of the proxy in front, which goes by the header Host. */
  readonly ui: number;
}

export const SV = 'sv';
export const SYNCHRONIZER = 'global';
export const APP_SYNCHRONIZER = 'app-synchronizer';
export const LEDGER_API_USER = 'ledger-api-user';
/** `PARTY_HINT` of a LocalNet: its Docker network, and `-localparty-1` (L-CMP-010). */
const PARTY_HINT = 'localnet-localparty-1';

/** What stands before the three digits of a port. */
const PREFIXES: Readonly<Record<string, number>> = { 'app-user': 2, 'app-provider': 3, [SV]: 4 };
const FIRST_FREE_PREFIX = 5;
const SUFFIXES = { ledgerApi: 975, grpc: 901, grpcAdmin: 902, validator: 903, ui: 0 };
/** cn-quickstart's. */
export const KEYCLOAK_PORT = 8082;

/** The nodes besides that of the super validator, where nobody names others. */
export const APP_NODES = ['app-provider', 'app-user'] as const;

/** @param index its place among nodes that a LocalNet does not have, from 0 */
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

/** Whether a LocalNet has a node of the name, with ports of its own. */
export const isKnownName = (name: string): boolean => Object.hasOwn(PREFIXES, name);

/** As a LocalNet names a validator's party: `app_user_localnet-localparty-1`. */
export const partyHintOf = (name: string): string =>
  name === SV ? SV : `${name.replaceAll('-', '_')}_${PARTY_HINT}`;
