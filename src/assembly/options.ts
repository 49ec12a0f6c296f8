/**
 * Looks at the options of a Canticle before anything is made of them. Types say the same; tests in JavaScript, and those that are
 * not type-checked, learn it here.
 * NOTE: the texts are ours: options are of this simulator.
 */
import type { ParticipantOptions } from '../network/participant.js';
import { PROTOCOL_VERSIONS } from '../network/protocol.js';
import type { SynchronizerOptions } from '../network/synchronizer.js';
import type { IssuerOptions } from '../http/issuer.js';
import type { AccessLevel } from '../services/authorization/claim-set.js';
import type { AuthOptions, AuthService } from '../services/authorization/options.js';
import type { JournalDetail } from '../services/request-journal.js';
import type { CheckpointDelays } from '../services/streams/checkpoints.js';
import { UPDATE_ORDERS } from '../services/streams/update-order.js';
import { API_VERSIONS } from '../spec/versions.js';
import type { ScanView } from '../splice/scan/scan-view.js';
import type { ValidatorOptions } from '../splice/validators/validator.js';
import type { AmuletOptions } from '../wallet/amulet.js';
import {
  aFunction,
  byName,
  dar,
  either,
  is,
  isDar,
  listOf,
  members,
  oneOf,
  requireDifferent,
  text,
  whole,
  yesOrNo,
  type Check,
  type Checks,
} from './option-checks.js';
import type { TlsOptions } from '../services/tls.js';
import type { GrpcOptions } from './grpc/ports.js';
import type { ForkOptions } from './fork/fork-options.js';
import { isJsonObject } from '../daml/model/own-members.js';
import type { InitScript } from './run-script.js';
import type { CanticleOptions, StartOptions } from './start.js';
import type { LoadOptions } from './open-world.js';
import { toldToCaller } from '../daml/errors/own-frames.js';

const isText = (value: unknown): boolean => typeof value === 'string';
export const port = whole(0, 65_535);
export const duration = is(
  'a duration, such as PT1M',
  (value) => typeof value === 'bigint' || isText(value) || isJsonObject(value),
);
const orNone = (words: string) =>
  is(`${words}, or false`, (value) => value === false || isText(value));

type AmuletSource = Extract<CanticleOptions['amulet'], { readonly dar: unknown }>;

export const AMULET: Checks<AmuletSource & AmuletOptions> = {
  dar,
  price: text,
  fees: oneOf(['none', 'before-cip-78']),
  config: is('an object', isJsonObject),
  initialRound: whole(0),
  isDevNet: yesOrNo,
  automaticRounds: yesOrNo,
  expiry: yesOrNo,
};

/** What a service of any kind may have; what one of its kind needs, it is asked for beside. */
type AnyService = { [K in AuthService as keyof K]: unknown } & Record<
  'secret' | 'certificate' | 'url' | 'keys',
  unknown
>;

const NEEDED: { readonly [K in AuthService['type']]: readonly string[] } = {
  'unsafe-jwt-hmac-256': ['secret'],
  'jwt-rs-256-crt': ['certificate'],
  'jwt-es-256-crt': ['certificate'],
  'jwt-es-512-crt': ['certificate'],
  'jwt-jwks': [],
  'built-in-issuer': [],
};

const SERVICE: Checks<AnyService> = {
  type: oneOf(Object.keys(NEEDED)),
  targetAudience: text,
  targetScope: text,
  privileged: yesOrNo,
  accessLevel: oneOf<AccessLevel>(['Wildcard', 'Admin']),
  maxTokenLife: whole(0),
  secret: text,
  certificate: text,
  url: text,
  keys: is('a key set: { keys: […] }', isJsonObject),
};

const service: typeof text = (value, name) => {
  members('option of an auth service', SERVICE, 'type')(value, name);
  const given = value as Record<string, unknown>;
  const needed = NEEDED[given['type'] as AuthService['type']];
  for (const member of needed)
    is('a text', isText)(given[member], `${name}.${member} of ${String(given['type'])}`);
  if (given['type'] === 'jwt-jwks' && given['keys'] === undefined)
    is('a text', isText)(given['url'], `${name}.url of jwt-jwks, which has no keys either,`);
};

export const AUTH: Checks<AuthOptions> = {
  services: listOf(service),
  adminToken: text,
  adminClaim: yesOrNo,
  actAsAnyPartyClaim: yesOrNo,
  maxTokenLife: whole(0),
  maxSelfAllocatedParties: whole(0),
  streamCheckInterval: whole(1),
};
const CHECKPOINTS: Checks<CheckpointDelays> = {
  first: whole(0),
  interval: whole(1),
  idle: whole(1),
};
const ISSUER: Checks<IssuerOptions> = { clients: byName(text) };
const SCAN: Checks<NonNullable<CanticleOptions['scan']>> = {
  sees: oneOf<ScanView>(['everything', 'dso']),
  forcedAcsSnapshots: yesOrNo,
};
const VALIDATOR: Checks<ValidatorOptions> = {
  participant: text,
  partyHint: text,
  user: text,
  walletUser: text,
};
const PARTICIPANT: Checks<ParticipantOptions> = {
  name: text,
  identifier: text,
  id: text,
  synchronizers: listOf(text),
};
const SYNCHRONIZER: Checks<SynchronizerOptions> = {
  alias: text,
  identifier: text,
  id: text,
  foundedBy: text,
  assignmentExclusivityTimeout: duration,
};
const participant = members('option of a participant', PARTICIPANT, 'name');
const synchronizer = members('option of a synchronizer', SYNCHRONIZER, 'alias');
const amulet = members('option of amulet', AMULET, 'dar');
export const definedPackage = is(
  'a package of definePackage; a DAR goes into dars',
  (value) => isJsonObject(value) && 'templates' in value && isText(value['id']),
);

const anything: Check = () => undefined;
const INIT_SCRIPT: Checks<Exclude<InitScript, string>> = {
  script: text,
  argument: anything,
  dar,
  participant: text,
  onTrace: aFunction,
};

const FORK: Checks<ForkOptions> = {
  url: text,
  scan: text,
  token: text,
  parties: listOf(text, { least: 1 }),
  at: whole(0),
  impersonate: yesOrNo,
  cache: orNone('the path of a folder'),
  refresh: yesOrNo,
  maxContracts: whole(1),
  timeout: whole(1),
  signal: is('an AbortSignal', (value) => isJsonObject(value) && 'aborted' in value),
  onProgress: aFunction,
};

const forkMembers = members('option of fork', FORK);
const forkOptions: Check = (value, name) => {
  forkMembers(value, name);
  const { url, scan } = value as ForkOptions;
  if (url === undefined && scan === undefined) is('a text', isText)(url, `${name}.url, or scan,`);
};

const LOAD: Checks<LoadOptions> = {
  file: is('the path of a world that was saved, or its bytes', isDar),
  parties: listOf(text, { least: 1 }),
};
const loadOptions = members('option of load', LOAD, 'file');

export const CREATE: Checks<CanticleOptions> = {
  fork: forkOptions,
  load: either(isDar, is('the path of a world that was saved, or its bytes', isDar), loadOptions),
  seed: whole(0),
  time: text,
  clock: oneOf(['virtual', 'wall']),
  dars: listOf(dar),
  cache: orNone('the path of a folder'),
  amulet: either(isJsonObject, either(isDar, dar, amulet), dar),
  packages: listOf(definedPackage),
  synchronizers: listOf(either(isText, text, synchronizer), { least: 1 }),
  participants: listOf(either(isText, text, participant), { least: 1 }),
  additionalAdminUser: orNone('the id of a user'),
  bare: yesOrNo,
  trafficControl: yesOrNo,
  alphaVersionSupport: yesOrNo,
  offsetGaps: yesOrNo,
  updateOrder: oneOf(UPDATE_ORDERS),
  registryPrefixes: listOf(text),
  scenario: text,
  faults: either(isText, text, listOf(is('an object', isJsonObject))),
  initScript: either(isJsonObject, members('option of initScript', INIT_SCRIPT, 'script'), text),
  pathPrefix: text,
  apiVersion: oneOf(API_VERSIONS),
  protocolVersion: oneOf(PROTOCOL_VERSIONS),
  realClock: aFunction,
  coverage: yesOrNo,
  enableVerboseHashing: yesOrNo,
  openControls: yesOrNo,
  allowOrigins: listOf(text),
  journal: oneOf<JournalDetail>(['brief', 'full']),
  scan: members('option of scan', SCAN),
  validator: members('option of validator', VALIDATOR),
  checkpoints: members('option of checkpoints', CHECKPOINTS),
  requestTimeout: whole(1),
  interpretationTimeout: whole(1),
  auth: members('option of auth', AUTH, 'services'),
  issuer: members('option of issuer', ISSUER),
};
const GRPC: Checks<GrpcOptions> = {
  ledgerApiPort: port,
  ledgerApiPorts: byName(port),
  adminApiPort: port,
  adminApiPorts: byName(port),
};
export const TLS: Checks<TlsOptions> = {
  cert: text,
  key: text,
  clientCa: text,
  minVersion: oneOf(['TLSv1.2', 'TLSv1.3']),
};
const START: Checks<StartOptions> = {
  ...CREATE,
  host: text,
  port,
  ports: byName(port),
  idleTimeout: whole(0),
  grpc: either((value) => typeof value === 'boolean', yesOrNo, members('option of grpc', GRPC)),
  tls: members('option of tls', TLS, 'cert', 'key'),
};

/** Options that mean something only to what listens. */
export const LISTENING = ['host', 'port', 'ports', 'idleTimeout', 'grpc', 'tls'] as const;

/** Options that say how a world begins: one that is loaded has begun. */
const BEGINNING = [
  'seed',
  'time',
  'synchronizers',
  'participants',
  'protocolVersion',
  'additionalAdminUser',
  'trafficControl',
  'alphaVersionSupport',
  'validator',
  'scan',
  'amulet',
] as const;

/** What a live side says in place of these. */
const FORK_BEGINS = ['load', 'apiVersion', ...BEGINNING].filter(
  (name) => name !== 'seed' && name !== 'protocolVersion',
) as (keyof CanticleOptions)[];

/** What a file of active contracts says in place of these. */
const ACS_SAYS = ['synchronizers', 'amulet'] as const;

/** What a Scan alone says in place of these. */
const SCAN_SAYS = ['load', 'synchronizers', 'amulet'] as const;

const BESIDE = {
  load: { names: BEGINNING, who: 'the world that is loaded' },
  acs: { names: ACS_SAYS, who: 'the file of active contracts' },
  fork: { names: FORK_BEGINS, who: 'the live side' },
  scan: { names: SCAN_SAYS, who: 'the Scan' },
} as const;

/** @throws TypeError for an option that means nothing beside what a world begins from */
export function refuseBeside(what: keyof typeof BESIDE, options: CanticleOptions): void {
  const { names, who } = BESIDE[what];
  const given = names.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw toldToCaller(
    new TypeError(
      `Failed to create a Canticle: ${given} means nothing beside ${what === 'fork' || what === 'scan' ? 'fork' : 'load'}, as ${who} says it.`,
    ),
  );
}

/** @throws TypeError for an option that there is not, or a value that cannot be meant */
export function checkStartOptions(options: StartOptions): void {
  members('option', START)(options, 'what is given');
  const { fork } = options;
  if (fork !== undefined) refuseBeside(fork.url === undefined ? 'scan' : 'fork', options);
}

/** @throws TypeError for an option that there is not, or a value that cannot be meant */
export function checkCreateOptions(options: CanticleOptions): void {
  for (const name of LISTENING)
    if (isJsonObject(options) && name in options)
      throw toldToCaller(
        new TypeError(
          `Failed to create a Canticle: it opens no port, so that ${name} means nothing. startCanticle opens one.`,
        ),
      );
  members('option', CREATE)(options, 'what is given');
  if (options.fork !== undefined)
    throw toldToCaller(
      new TypeError(
        'Failed to create a Canticle: fork is read over the network, which takes a while. startCanticle waits for it; useCanticle goes on from a file that it saved, as load.',
      ),
    );
}

/** Names alone stand for participants that have only a name. */
export function participantsOf(
  given: CanticleOptions['participants'],
): readonly ParticipantOptions[] | undefined {
  const all = given?.map((each) => (typeof each === 'string' ? { name: each } : each));
  requireDifferent(
    'participants',
    all?.map(({ name }) => name),
  );
  return all;
}

/** Names alone stand for synchronizers that have only an alias. */
export function synchronizersOf(
  given: CanticleOptions['synchronizers'],
): readonly SynchronizerOptions[] | undefined {
  const all = given?.map((each) => (typeof each === 'string' ? { alias: each } : each));
  requireDifferent(
    'synchronizers',
    all?.map(({ alias }) => alias),
  );
  return all;
}
