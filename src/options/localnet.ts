/** The options of a LocalNet, a row each. Its file has the same options. */
import { isJsonObject } from '../daml/model/own-members.js';
import { CANTICLE, definedPackage, LISTENING } from './canticle.js';
import { API_VERSIONS, SPLICE_VERSIONS } from '../spec/versions.js';
import * as a from './kinds.js';
import { AMULET, auth, EXTERNAL_CALLS } from './parts.js';
import { option, type Rows } from './row.js';

const amount = a.is<string | number>('an amount, such as 100.0', (value) => {
  const shown = typeof value === 'number' ? String(value) : value;
  return a.isText(shown) && /^\d{1,28}(\.\d{1,10})?$/.test(shown);
});
/** Above 0. */
const part = a.is<string | number>('a part of 1, such as 0.25', (value) => {
  const shown = String(value);
  return /^(0\.\d{1,10}|1(\.0{1,10})?)$/.test(shown) && Number(shown) > 0;
});
/** Parts of parties' and participants' ids. */
const name = a.is<string>(
  'a name of letters, digits, - and _',
  (value) => a.isText(value) && /^[\w-]{1,185}$/.test(value),
);

export const NAME = { name: a.text, url: a.text, description: a.text } as const satisfies Rows;
const names = a.listOf(a.either(a.isText, a.text, a.members('option of a name', NAME, 'name')));

export const PARTY = { hint: name, displayName: a.text, holds: amount } as const satisfies Rows;

export const RIGHTS = [
  'CanActAs',
  'CanReadAs',
  'CanExecuteAs',
  'CanActAsAnyParty',
  'CanReadAsAnyParty',
  'CanExecuteAsAnyParty',
  'ParticipantAdmin',
  'IdentityProviderAdmin',
] as const;
const rights = a.listOf(a.oneOf(RIGHTS));

export const FOR_PARTY = { hint: a.text, rights } as const satisfies Rows;

export const USER = {
  id: a.text,
  primaryParty: a.text,
  parties: a.listOf(a.members("option of a user's party", FOR_PARTY, 'hint', 'rights')),
  rights,
  wallet: a.yesOrNo,
  names,
} as const satisfies Rows;

export const AUTO_ACCEPT = { party: a.text, fromParties: a.listOf(a.text) } as const satisfies Rows;

export const SWEEP = {
  party: a.text,
  maxBalanceUsd: amount,
  minBalanceUsd: amount,
  receiver: a.text,
  useTransferPreapproval: a.yesOrNo,
} as const satisfies Rows;

export const BENEFICIARY = { beneficiary: a.text, percentage: part } as const satisfies Rows;

export const SHARING = {
  party: a.text,
  beneficiaries: a.listOf(
    a.members('option of a beneficiary', BENEFICIARY, 'beneficiary', 'percentage'),
  ),
  minTtlAfterSharing: a.duration,
  batchSize: a.whole(1),
} as const satisfies Rows;

export const NODE_PORTS = {
  ledgerApi: a.port,
  grpc: a.port,
  grpcAdmin: a.port,
  validator: a.port,
  ui: a.port,
} as const satisfies Rows;

export const VALIDATOR_NODE = {
  name,
  partyHint: name,
  holds: amount,
  names,
  parties: a.listOf(a.either(a.isText, name, a.members('option of a party', PARTY, 'hint'))),
  users: a.listOf(a.members('option of a user', USER, 'id')),
  autoAcceptTransfers: a.listOf(a.members('option of auto-accept', AUTO_ACCEPT, 'fromParties')),
  walletSweep: a.listOf(
    a.members('option of a sweep', SWEEP, 'maxBalanceUsd', 'minBalanceUsd', 'receiver'),
  ),
  rewardSharing: a.listOf(a.members('option of reward sharing', SHARING)),
  synchronizers: a.listOf(a.text, { least: 1 }),
  ports: a.members('port of a validator', NODE_PORTS),
  canton: a.oneOf(API_VERSIONS),
  splice: a.oneOf(SPLICE_VERSIONS),
  externalCalls: EXTERNAL_CALLS,
} as const satisfies Rows;

export const PACKAGE = {
  name: a.text,
  dar: a.dar,
  uploadTo: a.either(a.isText, a.text, a.listOf(a.text)),
} as const satisfies Rows;

const { dar: _, ...amulet } = AMULET;
export const LOCALNET_AMULET = { ...amulet, tick: a.duration } as const satisfies Rows;

export const TRAFFIC = {
  targetThroughput: a.whole(0),
  minTopupInterval: a.duration,
  reservedTraffic: a.whole(0),
} as const satisfies Rows;

export const INSTANCE_NAMES = {
  networkName: a.text,
  networkFaviconUrl: a.text,
  amuletName: a.text,
  amuletNameAcronym: a.text,
  nameServiceName: a.text,
  nameServiceNameAcronym: a.text,
} as const satisfies Rows;

const MAX_VALIDATORS = 50;
/** The highest port of a LocalNet must also be valid. */
export const portOffset = a.whole(0, 60_000);

/** Options that other instances do not have, or that differ there. */
const OWN = {
  config: a.text,
  ports: option(a.oneOf(['auto', 'localnet']), {
    doc: "any free ports, or those of a Splice LocalNet such as 2975 for app-user's JSON Ledger API",
    flag: {
      name: '--ports <which>',
      of: ['localnet'],
      doc: 'localnet: the ports of a Splice LocalNet, which is the default; auto: any free ones',
    },
  }),
  portOffset: option(portOffset, {
    doc: 'number that is added to each port of a LocalNet',
    flag: { name: '--port-offset <n>', of: ['localnet'] },
  }),
  basePort: a.whole(1, 65_000),
  scanPort: option(a.port, {
    doc: 'a separate port for Scan and the registry, such as 5012',
    flag: { name: '--scan-port <port>', of: ['localnet'] },
  }),
  svPort: option(a.port, {
    doc: 'a separate port for the SV app, such as 5014',
    flag: { name: '--sv-port <port>', of: ['localnet'] },
  }),
  quickstart: option(a.yesOrNo, {
    doc: 'run what the application of cn-quickstart needs: OAuth2, SQL, its users, and Scan and the SV app on its ports',
    flag: {
      name: '--quickstart',
      of: ['localnet'],
      doc: 'run what the application of cn-quickstart needs, and write its variables to quickstart.env',
    },
  }),
  grpc: a.yesOrNo,
  validators: {
    kind: a.either(
      Array.isArray,
      a.listOf(
        a.either(a.isText, name, a.members('option of a validator', VALIDATOR_NODE, 'name')),
      ),
      a.whole(0, MAX_VALIDATORS),
    ),
    saidBy: ['localnet'],
  },
  packages: a.listOf(
    a.either(
      (value) => isJsonObject(value) && 'dar' in value,
      a.members('option of a package', PACKAGE, 'dar'),
      definedPackage,
    ),
  ),
  auth: option(a.either(isJsonObject, auth, a.oneOf(['shared-secret', 'oauth2'])), {
    doc: "how clients get tokens: shared-secret, which they sign themselves, or oauth2, from the realms of cn-quickstart's Keycloak",
    default: 'shared-secret',
    flag: { name: '--auth <mode>', of: ['localnet'] },
  }),
  redirectUris: a.listOf(a.text),
  spliceDars: option(a.folderOrOff, {
    doc: "folder of Splice's DARs, of which it uses those of its release; off for none",
    default: '~/.canticle/dars',
    flag: { name: '--splice-dars <folder>', of: ['localnet'] },
    variable: 'CANTICLE_DARS',
  }),
  amulet: { kind: a.members('option of amulet', LOCALNET_AMULET), saidBy: ['localnet'] },
  traffic: {
    kind: a.either(
      isJsonObject,
      a.members('option of traffic', TRAFFIC),
      a.oneOf(['unmetered', 'metered']),
    ),
    doc: 'metered: submissions cost traffic, which validators buy, as on a LocalNet',
    default: 'unmetered',
    flag: { name: '--traffic <how>', of: ['localnet'] },
    saidBy: ['localnet'],
  },
  instanceNames: {
    kind: a.members('option of instanceNames', INSTANCE_NAMES),
    saidBy: ['localnet'],
  },
  multiSync: option(a.yesOrNo, {
    doc: 'add a second synchronizer, app-synchronizer, for all nodes but sv',
    flag: { name: '--multi-sync', of: ['localnet'] },
    saidBy: ['localnet'],
  }),
} as const satisfies Rows;

type Shared = typeof CANTICLE & typeof LISTENING;
type Elsewhere = {
  [K in keyof Shared]: Shared[K] extends { localnet: false } ? K : never;
}[keyof Shared];

const shared = Object.fromEntries(
  Object.entries({ ...CANTICLE, ...LISTENING }).filter(([, row]) => !('localnet' in row)),
) as unknown as Omit<Shared, Elsewhere | keyof typeof OWN>;

/** Options of `startLocalnet`. */
export const LOCALNET = { ...shared, ...OWN };

/** Whether a LocalNet passes an option to its Canticle unchanged. */
export const handedOn = (option: string): boolean =>
  Object.hasOwn(CANTICLE, option) &&
  Object.hasOwn(shared, option) &&
  !Object.hasOwn(OWN, option) &&
  option !== 'load';
