/** Looks at the options of a LocalNet, and at a file that says them, before anything is made of them. */
import { TextDecoder } from 'node:util';
import { readBoundedFile } from '../bounded-file.js';
import { unreadable } from '../file-faults.js';
import {
  either,
  is,
  dar,
  listOf,
  members,
  oneOf,
  text,
  whole,
  yesOrNo,
  type Checks,
} from '../option-checks.js';
import { AMULET, AUTH, CREATE, definedPackage, duration, port, TLS } from '../options.js';
import type { CanticleOptions } from '../start.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { InstanceNames } from '../../splice/instance-names.js';
import { yaml } from '../../spec/loading/yaml.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import {
  REPLACED,
  RIGHTS,
  type LocalnetAmulet,
  type LocalnetAutoAccept,
  type LocalnetSweep,
  type LocalnetName,
  type LocalnetOptions,
  type LocalnetPackage,
  type LocalnetTraffic,
  type LocalnetParty,
  type LocalnetRewardSharing,
  type LocalnetUser,
  type LocalnetValidatorOptions,
} from './localnet-options.js';

const isText = (value: unknown): boolean => typeof value === 'string';
const amount = is('an amount, such as 100.0', (value) => {
  const shown = typeof value === 'number' ? String(value) : value;
  return typeof shown === 'string' && /^\d{1,28}(\.\d{1,10})?$/.test(shown);
});
/** Above 0. */
function isPart(value: unknown): boolean {
  const shown = String(value);
  return /^(0\.\d{1,10}|1(\.0{1,10})?)$/.test(shown) && Number(shown) > 0;
}
/** Parts of parties' and participants' ids. */
const name = is('a name of letters, digits, - and _', (value) =>
  /^[\w-]{1,185}$/.test(typeof value === 'string' ? value : ''),
);

const NAME: Checks<LocalnetName> = { name: text, url: text, description: text };
const localnetName = either(isText, text, members('option of a name', NAME, 'name'));
const PARTY: Checks<LocalnetParty> = { hint: name, displayName: text, holds: amount };
const rights = listOf(oneOf(RIGHTS));
const FOR_PARTY: Checks<NonNullable<LocalnetUser['parties']>[number]> = { hint: text, rights };
const USER: Checks<LocalnetUser> = {
  id: text,
  primaryParty: text,
  parties: listOf(members("option of a user's party", FOR_PARTY, 'hint', 'rights')),
  rights,
  wallet: yesOrNo,
  names: listOf(localnetName),
};
const AUTO_ACCEPT: Checks<LocalnetAutoAccept> = { party: text, fromParties: listOf(text) };
const SWEEP: Checks<LocalnetSweep> = {
  party: text,
  maxBalanceUsd: amount,
  minBalanceUsd: amount,
  receiver: text,
  useTransferPreapproval: yesOrNo,
};
const BENEFICIARY: Checks<NonNullable<LocalnetRewardSharing['beneficiaries']>[number]> = {
  beneficiary: text,
  percentage: is('a part of 1, such as 0.25', isPart),
};
const SHARING: Checks<LocalnetRewardSharing> = {
  party: text,
  beneficiaries: listOf(
    members('option of a beneficiary', BENEFICIARY, 'beneficiary', 'percentage'),
  ),
  minTtlAfterSharing: duration,
  batchSize: whole(1),
};
const PORTS: Checks<NonNullable<LocalnetValidatorOptions['ports']>> = {
  ledgerApi: port,
  grpc: port,
  grpcAdmin: port,
  validator: port,
  ui: port,
};
const VALIDATOR: Checks<LocalnetValidatorOptions> = {
  name,
  partyHint: name,
  holds: amount,
  names: listOf(localnetName),
  parties: listOf(either(isText, name, members('option of a party', PARTY, 'hint'))),
  users: listOf(members('option of a user', USER, 'id')),
  autoAcceptTransfers: listOf(members('option of auto-accept', AUTO_ACCEPT, 'fromParties')),
  walletSweep: listOf(
    members('option of a sweep', SWEEP, 'maxBalanceUsd', 'minBalanceUsd', 'receiver'),
  ),
  rewardSharing: listOf(members('option of reward sharing', SHARING)),
  synchronizers: listOf(text, { least: 1 }),
  ports: members('port of a validator', PORTS),
};
const PACKAGE: Checks<LocalnetPackage> = {
  name: text,
  dar,
  uploadTo: either(isText, text, listOf(text)),
};
const { dar: _, ...amulet } = AMULET;
const LOCALNET_AMULET: Checks<LocalnetAmulet> = { ...amulet, tick: duration };
const TRAFFIC: Checks<LocalnetTraffic> = {
  targetThroughput: whole(0),
  minTopupInterval: duration,
  reservedTraffic: whole(0),
};
const INSTANCE_NAMES: Checks<InstanceNames> = {
  networkName: text,
  networkFaviconUrl: text,
  amuletName: text,
  amuletNameAcronym: text,
  nameServiceName: text,
  nameServiceNameAcronym: text,
};
const MAX_VALIDATORS = 50;

/** Those that are the same as of any Canticle. */
type Common = Omit<CanticleOptions, (typeof REPLACED)[number]>;
const isReplaced = (option: string) => (REPLACED as readonly string[]).includes(option);
const COMMON = Object.fromEntries(
  Object.entries(CREATE).filter(([option]) => !isReplaced(option)),
) as unknown as Checks<Common>;

const LOCALNET: Checks<LocalnetOptions> = {
  ...COMMON,
  config: text,
  ports: oneOf(['auto', 'localnet']),
  portOffset: whole(0, 60_000),
  basePort: whole(1, 65_000),
  scanPort: port,
  svPort: port,
  validators: either(
    Array.isArray,
    listOf(either(isText, name, members('option of a validator', VALIDATOR, 'name'))),
    whole(0, MAX_VALIDATORS),
  ),
  packages: listOf(
    either(
      (value) => isJsonObject(value) && 'dar' in value,
      members('option of a package', PACKAGE, 'dar'),
      definedPackage,
    ),
  ),
  auth: either(
    isJsonObject,
    members('option of auth', AUTH, 'services'),
    oneOf(['shared-secret', 'oauth2']),
  ),
  spliceDars: is('the path of a folder, or false', (value) => value === false || isText(value)),
  amulet: members('option of amulet', LOCALNET_AMULET),
  traffic: either(
    isJsonObject,
    members('option of traffic', TRAFFIC),
    oneOf(['unmetered', 'metered']),
  ),
  instanceNames: members('option of instanceNames', INSTANCE_NAMES),
  multiSync: yesOrNo,
  redirectUris: listOf(text),
  host: text,
  idleTimeout: whole(0),
  grpc: yesOrNo,
  tls: members('option of tls', TLS, 'cert', 'key'),
};

/**
 * The options with those of the file that they name.
 * @throws TypeError for options that there are not, ScenarioError for a file that says such, what reading refuses with the system's `code`
 */
export function completeOptions(options: LocalnetOptions): LocalnetOptions {
  checkLocalnetOptions(options);
  const { config, ...given } = options;
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  const read = config === undefined ? {} : readLocalnetFile(config);
  const amulet = (read.amulet ?? given.amulet) && { ...read.amulet, ...given.amulet };
  return { ...read, ...Object.fromEntries(said), ...(amulet && { amulet }) };
}

/** @throws TypeError for an option that there is not, or a value that cannot be meant */
function checkLocalnetOptions(options: LocalnetOptions): void {
  members('option', LOCALNET)(options, 'what is given');
}

/** Bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

function readLocalnetFile(path: string): LocalnetOptions {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(readBoundedFile(path, MAX_FILE_SIZE));
  } catch (cause) {
    throw unreadable(`the LocalNet's file '${path}'`, cause);
  }
  try {
    const options = (yaml().parse(source) ?? {}) as LocalnetOptions;
    checkLocalnetOptions(options);
    return options;
  } catch (error) {
    const why = (error as Error).message.replace(/^Failed to create a Canticle: /, '');
    throw new ScenarioError(`Failed to read the LocalNet's file '${path}': ${why}`);
  }
}
