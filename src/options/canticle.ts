/** The options of a Canticle, a row each, in the order of `--help`. */
import { isJsonObject } from '../daml/model/own-members.js';
import { PROTOCOL_VERSIONS } from '../network/model/protocol.js';
import { TRAFFIC_ACCOUNTS_MODES } from '../network/traffic/accounts.js';
import { REGISTRY_PREVIEWS } from '../spec/splice/registry-previews.js';
import {
  API_VERSIONS,
  DEFAULT_API_VERSION,
  DEFAULT_SPLICE_VERSION,
  SPLICE_VERSIONS,
} from '../spec/versions.js';
import * as a from './kinds.js';
import { fork, load } from './origins.js';
import {
  AMULET,
  auth,
  CHECKPOINTS,
  EXTERNAL_CALLS,
  GRPC,
  INIT_SCRIPT,
  ISSUER,
  participant,
  PQS,
  SCAN,
  synchronizer,
  TLS,
  validator,
  walletGateway,
} from './parts.js';
import { option, type Rows } from './row.js';

export const definedPackage = a.is(
  'a package of definePackage; a DAR goes into dars',
  (value) => isJsonObject(value) && 'templates' in value && a.isText(value['id']),
);

/** Options of `createCanticle` and of all functions that create an instance. */
export const CANTICLE = {
  auth: option(auth, {
    doc: 'tokens that the Ledger API accepts; without it every caller may do everything',
    header: { key: 'authorization' },
    localnet: false,
  }),
  fork,
  time: option(a.instant, {
    doc: 'time at the start',
    default: '2026-01-01T00:00:00Z',
    header: true,
    flag: {
      name: '--time <instant>',
      of: ['sandbox', 'localnet', 'verify'],
      conflicts: 'wallClockTime',
      doc: { localnet: 'time at the start, with --static-time', verify: 'time at the start' },
    },
    saidBy: ['world', 'participant', 'localnet'],
  }),
  clock: option(a.oneOf(['virtual', 'wall']), {
    doc: 'whether time moves by updates and when asked to, or follows the clock of this machine',
    default: 'virtual',
    flag: [
      {
        name: '--static-time',
        of: ['sandbox', 'localnet'],
        value: 'virtual',
        conflicts: 'wallClockTime',
        doc: {
          sandbox: 'move time only when asked to, which is the default',
          localnet: 'move time only when asked to; by default it follows the clock of this machine',
        },
      },
      {
        name: '--wall-clock-time',
        of: ['sandbox'],
        value: 'wall',
        doc: 'follow the clock of this machine',
      },
    ],
  }),
  seed: option(a.whole(0), {
    doc: 'seed of all ids and random choices: the same seed and calls give the same bytes',
    default: 0,
    header: true,
    flag: { name: '--seed <n>', of: ['sandbox', 'localnet', 'test', 'fuzz', 'mutate', 'verify'] },
    saidBy: ['world', 'localnet'],
  }),
  synchronizers: option(a.listOf(synchronizer, { least: 1 }), {
    doc: 'synchronizers; one, global, by default',
    header: true,
    saidBy: ['world', 'participant', 'contracts', 'scan'],
    localnet: false,
  }),
  participants: option(a.listOf(participant, { least: 1 }), {
    doc: 'participants; one, sandbox, by default',
    header: true,
    saidBy: ['world', 'participant'],
    localnet: false,
  }),
  dars: option(a.listOf(a.dar), {
    doc: 'DAR file to upload',
    flag: { name: '--dar <file>', of: ['sandbox', 'localnet', 'simulate', 'verify'] },
  }),
  packages: a.listOf(definedPackage),
  faults: option(a.either(a.isText, a.text, a.listOf(a.anObject)), {
    doc: 'fault rules to inject from the start: a file, YAML or JSON',
    flag: { name: '--faults <file>', of: ['sandbox'] },
  }),
  scenario: { kind: a.text, saidBy: ['localnet'] },
  initScript: option(
    a.either(isJsonObject, a.members('option of initScript', INIT_SCRIPT, 'script'), a.text),
    {
      doc: 'Daml script of a DAR that is run at the end of the start',
      flag: { name: '--init-script <name>', of: ['sandbox'] },
    },
  ),
  load: option(load, {
    doc: "start from a saved world, or from active contracts (Canton's ExportAcs)",
    flag: {
      name: '--load <file>',
      of: ['sandbox', 'localnet', 'simulate', 'verify'],
      doc: { localnet: 'start from a saved LocalNet' },
    },
    saidBy: ['participant', 'scan'],
  }),
  amulet: {
    kind: a.either(
      isJsonObject,
      a.either(a.isPathOrBytes, a.dar, a.members('option of amulet', AMULET, 'dar')),
      a.dar,
    ),
    doc: "run Splice's Amulet from your copy of its DAR",
    flag: { name: '--amulet <file>', of: ['sandbox', 'verify'] },
    saidBy: ['world', 'participant', 'contracts', 'scan'],
    localnet: false,
  },
  validator: option(validator, {
    doc: 'the validator that wallets call',
    header: true,
    saidBy: ['world', 'participant'],
    localnet: false,
  }),
  scan: option(a.members('option of scan', SCAN), {
    saidBy: ['world', 'participant'],
    localnet: false,
  }),
  cache: option(a.folderOrOff, {
    doc: 'keep what was computed from DARs in this folder, off for none',
    default: '~/.canticle/cache',
    flag: {
      name: '--cache <folder>',
      of: ['sandbox', 'localnet', 'run', 'test', 'fuzz', 'mutate', 'codegen', 'inspect', 'script'],
    },
    variable: 'CANTICLE_CACHE',
  }),
  canton: option(a.oneOf(API_VERSIONS), {
    doc: 'release of Canton',
    default: DEFAULT_API_VERSION,
    header: true,
    flag: { name: '--canton <release>', of: ['sandbox', 'localnet', 'verify'] },
    saidBy: ['participant'],
  }),
  cantonDocuments: option(a.text, {
    doc: 'folder with openapi.yaml and asyncapi.yaml of another patch of the release',
    flag: { name: '--canton-documents <folder>', of: ['sandbox', 'localnet'] },
  }),
  apiVersion: option(a.oneOf(API_VERSIONS), {
    doc: 'older name of --canton',
    flag: { name: '--api-version <release>', of: ['sandbox', 'verify'], conflicts: 'canton' },
    saidBy: ['participant'],
  }),
  splice: option(a.oneOf(SPLICE_VERSIONS), {
    doc: 'release of Splice, which implies the release of Canton',
    default: DEFAULT_SPLICE_VERSION,
    header: true,
    flag: { name: '--splice <release>', of: ['sandbox', 'localnet', 'verify'] },
  }),
  registryPreviews: option(a.listOf(a.oneOf(REGISTRY_PREVIEWS)), {
    doc: 'upcoming API that the registry serves too, as a preview',
    header: true,
    flag: { name: '--registry-preview <name>', of: ['sandbox', 'localnet'] },
  }),
  enableDeprecatedEndpoints34: option(a.yesOrNo, {
    doc: 'enable the operations that 3.4 deprecated and 3.6 disables',
    flag: { name: '--enable-deprecated-endpoints-34', of: ['sandbox'] },
  }),
  enableDeprecatedParameters34: option(a.yesOrNo, {
    doc: 'enable the members filter and verbose of requests, which 3.6 disables',
    flag: { name: '--enable-deprecated-parameters-34', of: ['sandbox'] },
  }),
  enableDeprecatedEndpoints35: option(a.yesOrNo, {
    doc: 'enable the operations that 3.5 deprecated and 3.6 disables',
    flag: { name: '--enable-deprecated-endpoints-35', of: ['sandbox'] },
  }),
  externalCalls: option(EXTERNAL_CALLS, {
    doc: 'extension service for external calls of Daml code, at an HTTP address',
    header: true,
    flag: { name: '--external-call <service=url>', of: ['sandbox', 'localnet', 'run'] },
  }),
  protocolVersion: option(a.oneOf(PROTOCOL_VERSIONS), {
    doc: 'protocol version of the synchronizers; 34 with release 3.4, else 35; 36 needs release 3.6',
    flag: {
      name: '--protocol-version <version>',
      of: ['sandbox', 'test', 'fuzz'],
      doc: {
        test: 'protocol version; by default what the language of the package needs',
        fuzz: 'protocol version; by default what the languages of the packages need',
      },
    },
    saidBy: ['world', 'localnet'],
  }),
  additionalAdminUser: option(a.textOrFalse('the id of a user'), {
    doc: 'id of an administrator in addition to participant_admin',
    flag: { name: '--additional-admin-user <id>', of: ['sandbox'] },
    saidBy: ['world', 'participant'],
    localnet: false,
  }),
  bare: { kind: a.yesOrNo, localnet: false },
  trafficControl: option(a.yesOrNo, {
    doc: 'charge traffic for what is sequenced, as on a LocalNet',
    flag: { name: '--traffic-control', of: ['sandbox'] },
    saidBy: ['world', 'participant'],
    localnet: false,
  }),
  trafficAccounts: option(a.oneOf(TRAFFIC_ACCOUNTS_MODES), {
    doc: 'count the traffic of each party, and reject submissions above its balance; needs release 3.6',
    header: true,
    flag: { name: '--traffic-accounts <mode>', of: ['sandbox'] },
    saidBy: ['world', 'participant'],
    localnet: false,
  }),
  alphaVersionSupport: option(a.yesOrNo, {
    doc: "accept packages of Daml-LF 2.dev, as with Canton's alpha-version-support",
    flag: { name: '--dev', of: ['sandbox'] },
    saidBy: ['world', 'participant'],
  }),
  offsetGaps: option(a.yesOrNo, {
    doc: 'leave gaps between offsets, as a real participant does',
    flag: {
      name: '--offset-gaps',
      of: ['sandbox', 'localnet'],
      doc: {
        sandbox:
          'leave gaps between offsets, as a real participant does; the default with --wall-clock-time',
        localnet: 'leave gaps between offsets, as a real participant does; the default',
      },
      no: 'number offsets 1, 2, 3 and so on',
    },
  }),
  updateOrder: option(a.oneOf(['before-answers', 'after-answers']), {
    doc: 'whether open streams get an update before its submission is answered, or after',
    default: 'before-answers',
    flag: { name: '--update-order <order>', of: ['sandbox', 'localnet'] },
  }),
  registryPrefixes: { kind: a.listOf(a.text), localnet: false },
  pathPrefix: { kind: a.text, localnet: false },
  realClock: a.aFunction,
  coverage: a.yesOrNo,
  checkpoints: a.members('option of checkpoints', CHECKPOINTS),
  enableVerboseHashing: option(a.yesOrNo, {
    doc: 'return hashing details of prepared transactions to requests with verboseHashing',
    flag: { name: '--enable-verbose-hashing', of: ['sandbox'] },
    localnet: false,
  }),
  requestTimeout: option(a.whole(1), {
    doc: "milliseconds until a request is answered with 503; 20000 by default, 38000 for Splice's apps",
    flag: { name: '--request-timeout <ms>', of: ['sandbox'] },
  }),
  interpretationTimeout: option(a.whole(1), {
    doc: 'milliseconds that the Daml code of a transaction may run',
    default: 10_000,
    flag: { name: '--interpretation-timeout <ms>', of: ['sandbox', 'run'] },
  }),
  issuer: a.members('option of issuer', ISSUER),
  allowOrigins: option(a.listOf(a.text), {
    doc: 'let web pages of this origin use the Ledger API, the controls and WebSockets; * for all',
    flag: { name: '--allow-origin <origin>', of: ['sandbox', 'localnet'] },
  }),
  walletGateway: option(
    a.either((value) => typeof value === 'boolean', a.yesOrNo, walletGateway),
    {
      header: true,
      doc: 'serve a Wallet Gateway for dApps, whose wallet approves, asks or rejects',
      flag: {
        name: '--wallet-gateway',
        of: ['sandbox', 'localnet'],
        doc: 'serve a Wallet Gateway for dApps, on port 3030',
      },
    },
  ),
  pqs: option(
    a.either((value) => typeof value === 'boolean', a.yesOrNo, a.members('option of pqs', PQS)),
    {
      doc: 'provide SQL over the ledger, as PQS does',
      flag: {
        name: '--pqs',
        of: ['sandbox', 'localnet'],
        doc: 'provide SQL over the ledger, as PQS does, on port 5432',
      },
    },
  ),
  openControls: option(a.yesOrNo, {
    doc: 'accept controls without a token',
    flag: { name: '--open-controls', of: ['sandbox', 'localnet'] },
  }),
  journal: option(a.oneOf(['brief', 'full']), {
    doc: 'what the journal keeps of a request: full adds bodies, headers and durations',
    default: 'brief',
    flag: { name: '--journal <detail>', of: ['sandbox'] },
  }),
} as const satisfies Rows;

/** Options of functions that open ports. */
export const LISTENING = {
  host: option(a.text, {
    doc: 'address to listen on',
    default: '127.0.0.1',
    flag: { name: '--host <host>', of: ['sandbox', 'localnet'] },
  }),
  port: option(a.port, {
    doc: 'port of all APIs; 0 for any free one',
    flag: {
      name: '--json-api-port <port>',
      of: ['sandbox'],
      doc: 'port of all APIs, 0 for any free one; 7575 by default',
    },
    localnet: false,
  }),
  ports: { kind: a.byName(a.port), localnet: false },
  idleTimeout: a.whole(0),
  grpc: option(
    a.either((value) => typeof value === 'boolean', a.yesOrNo, a.members('option of grpc', GRPC)),
    {
      localnet: false,
    },
  ),
  tls: a.members('option of tls', TLS, 'cert', 'key'),
} as const satisfies Rows;

/** Options of `startCanticle`. */
export const STARTED = { ...CANTICLE, ...LISTENING };
