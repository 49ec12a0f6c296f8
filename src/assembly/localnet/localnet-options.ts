/** What a user may ask of a LocalNet, and the nodes that come of it. */
import type { AuthOptions } from '../../services/authorization/options.js';
import type { InstanceNames } from '../../splice/instance-names.js';
import type { StartOptions } from '../start.js';
import { realmOf } from './realms.js';
import {
  APP_NODES,
  APP_SYNCHRONIZER,
  LEDGER_API_USER,
  partyHintOf,
  portsOf,
  SV,
  SYNCHRONIZER,
  type NodeShape,
} from './shape.js';

/** What LocalNets have instead, or cannot have otherwise. */
type Theirs =
  | 'participants'
  | 'synchronizers'
  | 'port'
  | 'ports'
  | 'validator'
  | 'amulet'
  | 'scan'
  | 'auth'
  | 'pathPrefix'
  | 'registryPrefixes'
  | 'additionalAdminUser'
  | 'enableVerboseHashing';

export interface LocalnetOptions extends Omit<StartOptions, Theirs> {
  /** `auto`, the default: any free ones. `localnet`: those of a LocalNet, such as 2975 for the JSON Ledger API of app-user. */
  readonly ports?: 'auto' | 'localnet';
  /** Added to each of a LocalNet's ports. */
  readonly portOffset?: number;
  /** A port of Scan's own; a LocalNet has none outside its containers. With `auto` there is one all the same. */
  readonly scanPort?: number;
  /** A port of the SV app's own, likewise. */
  readonly svPort?: number;
  /**
   * How clients come by tokens: `shared-secret`, the default: they sign them, HS256 with `unsafe`. `oauth2`: from the realms AppUser and
   * AppProvider of a Keycloak, as cn-quickstart has it; sv stays as it is. Or what a participant takes, as of any Canticle.
   */
  readonly auth?: 'shared-secret' | 'oauth2' | AuthOptions;
  /**
   * The folder of Splice's DARs, of which the newest are taken; by default what CANTICLE_DARS says, else `~/.canticle/dars`. False for
   * none: then the test token stands in for Amulet, as it does where they are missing.
   */
  readonly spliceDars?: string | false;
  /** What people call the network, its coin and its names; a LocalNet's own by default (L-ENV-002). */
  readonly instanceNames?: Partial<InstanceNames>;
  /** Whether there is a second synchronizer, `app-synchronizer`, which all but sv are connected to. */
  readonly multiSync?: boolean;
}

/** What other Canticles would not understand, or take for something else. */
export const LOCALNET_OPTIONS = [
  'ports',
  'portOffset',
  'scanPort',
  'svPort',
  'auth',
  'spliceDars',
  'instanceNames',
  'multiSync',
  'host',
  'idleTimeout',
] as const satisfies readonly (keyof LocalnetOptions)[];

export function nodesOf(options: LocalnetOptions): readonly NodeShape[] {
  const { ports = 'auto', portOffset = 0, multiSync = false } = options;
  return [SV, ...APP_NODES].map((name, index) => ({
    name,
    identifier: name === SV ? SV : 'participant',
    partyHint: partyHintOf(name),
    ...usersOf(name, options),
    synchronizers: multiSync && name !== SV ? [SYNCHRONIZER, APP_SYNCHRONIZER] : [SYNCHRONIZER],
    ports:
      ports === 'auto' ? { ledgerApi: 0, validator: 0, ui: 0 } : portsOf(name, index, portOffset),
  }));
}

/** cn-quickstart's Keycloak knows nobody of sv. */
function usersOf(
  name: string,
  { auth }: LocalnetOptions,
): Pick<NodeShape, 'user' | 'walletUsers' | 'realm'> {
  if (auth !== 'oauth2' || name === SV) return { user: LEDGER_API_USER, walletUsers: [name] };
  const { realm, user, walletUser } = realmOf(name);
  return { user, walletUsers: [walletUser], realm };
}
