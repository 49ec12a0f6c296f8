/** The options that are parts of others: of authorization, of TLS, of a fork and so on. */
import { PROTOCOL_VERSIONS } from '../network/model/protocol.js';
import { TRAFFIC_ACCOUNTS_MODES } from '../network/traffic/accounts.js';
import { isJsonObject } from '../daml/model/own-members.js';
import { API_VERSIONS, SPLICE_VERSIONS } from '../spec/versions.js';
import * as a from './kinds.js';
import { option, type Rows, type Kind } from './row.js';

export const AMULET = {
  dar: a.dar,
  price: a.text,
  fees: a.oneOf(['none', 'before-cip-78']),
  config: a.anObject,
  initialRound: a.whole(0),
  isDevNet: a.yesOrNo,
  automaticRounds: a.yesOrNo,
  expiry: option(a.yesOrNo, {
    doc: "enable the SV's automation that archives expired contracts",
    flag: { name: '--expiry', of: ['localnet'] },
  }),
} as const satisfies Rows;

/** The required members of a token service, by its type. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'unsafe-jwt-hmac-256': ['secret'],
  'jwt-rs-256-crt': ['certificate'],
  'jwt-es-256-crt': ['certificate'],
  'jwt-es-512-crt': ['certificate'],
  'jwt-jwks': [],
  'built-in-issuer': [],
  'party-jwt': [],
};

export const SERVICE = {
  type: {
    kind: a.oneOf([
      'unsafe-jwt-hmac-256',
      'jwt-rs-256-crt',
      'jwt-es-256-crt',
      'jwt-es-512-crt',
      'jwt-jwks',
      'built-in-issuer',
      'party-jwt',
    ]),
    doc: 'how tokens are verified',
    header: true,
  },
  secret: option(a.text, {
    doc: 'of unsafe-jwt-hmac-256: the secret that signs tokens with HS256',
    header: true,
  }),
  certificate: option(a.text, {
    doc: 'of jwt-rs-256-crt, jwt-es-256-crt and jwt-es-512-crt: a certificate or a public key, as PEM',
    header: {
      doc: 'of jwt-rs-256-crt, jwt-es-256-crt and jwt-es-512-crt: path of a certificate or a public key, as PEM, relative to this file',
    },
  }),
  url: { kind: a.text, doc: 'of jwt-jwks: address of the JSON Web Key Set', header: true },
  keys: option(
    { ...a.is<never>('a key set: { keys: […] }', isJsonObject), schema: a.text.schema },
    {
      doc: 'of jwt-jwks, in place of url: the JSON Web Key Set',
      header: {
        doc: 'of jwt-jwks, in place of url: path of a JSON Web Key Set, relative to this file',
      },
    },
  ),
  targetAudience: option(a.text, {
    doc: 'audience that a token must name',
    header: true,
    flag: { name: '--target-audience <audience>', of: ['sandbox'] },
  }),
  targetScope: option(a.text, {
    doc: 'scope that a token must have',
    header: true,
    flag: { name: '--target-scope <scope>', of: ['sandbox'] },
  }),
  privileged: option(a.yesOrNo, {
    doc: 'each valid token has the rights of the access level, whichever user it names',
    header: true,
    flag: { name: '--privileged', of: ['sandbox'] },
  }),
  accessLevel: option(a.oneOf(['Wildcard', 'Admin']), {
    doc: 'rights of privileged tokens: all, or those of an administrator',
    default: 'Wildcard',
    header: true,
    flag: { name: '--access-level <level>', of: ['sandbox'] },
  }),
  maxTokenLife: a.whole(0),
} as const satisfies Rows;

const anyService = a.members('option of an auth service', SERVICE, 'type');
const service: Kind<never> = {
  ...anyService,
  check(value, name) {
    anyService.check(value, name);
    const { type, ...given } = value as Record<string, unknown>;
    for (const member of NEEDED[String(type)]!)
      a.text.check(given[member], `${name}.${member} of ${String(type)}`);
    if (type === 'jwt-jwks' && given['keys'] === undefined)
      a.text.check(given['url'], `${name}.url of jwt-jwks without keys`);
  },
  schema: { $ref: '#/$defs/authService' },
};

export const AUTH = {
  services: option(
    { ...a.listOf(service), schema: { type: 'array', minItems: 1, items: service.schema } },
    {
      doc: 'accepted tokens: the first service that knows a token decides',
      header: true,
      flag: {
        name: '--auth <service>',
        of: ['sandbox'],
        takes: 'service',
        doc: 'accept tokens of unsafe-jwt-hmac-256=SECRET, jwt-rs-256-crt=FILE, jwt-es-256-crt=FILE, jwt-es-512-crt=FILE, jwt-jwks=URL|FILE, built-in-issuer or party-jwt; without it every caller may do everything',
      },
    },
  ),
  adminToken: option(a.text, {
    doc: "token that acts as the participant's own party",
    header: true,
    flag: { name: '--admin-token <token>', of: ['sandbox'] },
  }),
  adminClaim: option(a.yesOrNo, {
    doc: 'the admin token has the rights of an administrator',
    header: true,
    flag: { name: '--admin-claim', of: ['sandbox'] },
  }),
  actAsAnyPartyClaim: option(a.yesOrNo, {
    doc: 'the admin token may act and read as any party',
    header: true,
    flag: { name: '--act-as-any-party-claim', of: ['sandbox'] },
  }),
  maxTokenLife: option(a.whole(0), {
    doc: 'longest remaining life of a token, in seconds; unlimited by default',
    header: true,
    flag: { name: '--max-token-life <seconds>', of: ['sandbox'] },
  }),
  maxSelfAllocatedParties: a.whole(0),
  streamCheckInterval: a.whole(1),
} as const satisfies Rows;

export const CHECKPOINTS = {
  first: a.whole(0),
  interval: a.whole(1),
  idle: a.whole(1),
} as const satisfies Rows;

export const ISSUER = { clients: a.byName(a.text) } as const satisfies Rows;

export const SCAN = {
  sees: a.oneOf(['everything', 'dso']),
  forcedAcsSnapshots: a.yesOrNo,
} as const satisfies Rows;

export const VALIDATOR = {
  participant: option(a.text, {
    doc: 'name of its participant; the first one by default',
    header: true,
  }),
  partyHint: option(a.text, {
    doc: "first part of the id of the validator's party",
    header: {
      doc: 'first part of the id of its party; without it and without a user, the party is that of the participant',
    },
    flag: { name: '--validator-party-hint <hint>', of: ['sandbox'] },
  }),
  user: option(a.text, {
    doc: "the participant's user that it acts as",
    default: 'ledger-api-user',
    header: true,
  }),
  walletUser: option(a.text, {
    doc: 'user that owns its wallet; the user that it acts as by default',
    header: true,
  }),
  splice: option(a.oneOf(SPLICE_VERSIONS), {
    doc: 'its release of Splice; that of the network by default',
    header: true,
  }),
} as const satisfies Rows;

export const EXTENSION_SERVICE = {
  url: a.httpAddress,
  token: a.text,
  requestTimeout: a.whole(1),
  maxRetries: a.whole(0),
  retryInitialDelay: a.whole(0),
  retryMaxDelay: a.whole(0),
  maxResponseBodyBytes: a.whole(1),
} as const satisfies Rows;

const extension = a.members('option of an extension service', EXTENSION_SERVICE, 'url');
/** Programs may use functions. */
export const EXTERNAL_CALLS = a.byName<never>(
  a.either(
    (value) => typeof value === 'function',
    a.aFunction,
    a.either<never, never>(isJsonObject, extension, a.httpAddress),
  ),
);

export const PARTICIPANT = {
  name: { kind: a.text, doc: 'its name, and the first part of its id', header: true },
  identifier: a.text,
  id: a.text,
  synchronizers: option(a.listOf(a.text), {
    doc: 'aliases of the synchronizers that it is connected to; all by default',
    header: true,
  }),
  canton: option(a.oneOf(API_VERSIONS), {
    doc: 'its release of Canton; that of the network by default',
    header: true,
  }),
  externalCalls: option(EXTERNAL_CALLS, {
    doc: 'its extension services, addresses by id; those of the network by default',
    header: true,
  }),
  trafficAccounts: option(a.oneOf(TRAFFIC_ACCOUNTS_MODES), {
    doc: 'count the traffic of each party, and reject submissions above its balance; needs release 3.6',
    header: true,
  }),
  enableDeprecatedEndpoints34: option(a.yesOrNo, {
    doc: 'enable the operations that 3.4 deprecated and 3.6 disables',
    header: true,
  }),
  enableDeprecatedParameters34: option(a.yesOrNo, {
    doc: 'enable the members filter and verbose of requests, which 3.6 disables',
    header: true,
  }),
  enableDeprecatedEndpoints35: option(a.yesOrNo, {
    doc: 'enable the operations that 3.5 deprecated and 3.6 disables',
    header: true,
  }),
} as const satisfies Rows;

export const SYNCHRONIZER = {
  alias: { kind: a.text, doc: 'its name at participants', header: true },
  identifier: option(a.text, {
    doc: 'first part of its id; the alias by default',
    header: true,
  }),
  id: a.text,
  foundedBy: a.text,
  assignmentExclusivityTimeout: option(a.duration, {
    doc: 'how long after an unassignment to it only the submitter may assign; PT0S for not at all',
    default: 'PT1M',
    header: true,
  }),
  protocolVersion: option(a.oneOf(PROTOCOL_VERSIONS), {
    doc: 'protocol version that it runs; that of the network by default',
    header: true,
  }),
} as const satisfies Rows;

export const INIT_SCRIPT = {
  script: a.text,
  argument: a.anything,
  dar: a.dar,
  participant: a.text,
  onTrace: a.aFunction,
} as const satisfies Rows;

export const GRPC = {
  ledgerApiPort: option(a.port, {
    doc: 'serve the Ledger API over gRPC on this port; 0 for any free one',
    flag: { name: '--ledger-api-port <port>', of: ['sandbox'] },
  }),
  ledgerApiPorts: a.byName(a.port),
  adminApiPort: option(a.port, {
    doc: "serve the participant's admin API over gRPC on this port; 0 for any free one",
    flag: { name: '--admin-api-port <port>', of: ['sandbox'] },
  }),
  adminApiPorts: a.byName(a.port),
} as const satisfies Rows;

export const WALLET_GATEWAY = {
  port: option(a.port, {
    doc: 'port of the Wallet Gateway, 0 for any free one',
    flag: {
      name: '--wallet-gateway-port <port>',
      of: ['sandbox', 'localnet'],
      doc: 'serve a Wallet Gateway on this port, 0 for any free one; 3030 by default',
    },
  }),
  participant: {
    kind: a.text,
    doc: 'the participant whose parties are wallets; the first by default',
    header: true,
  },
  user: { kind: a.text, doc: 'the user of the wallet, at the participant', header: true },
  network: { kind: a.text, doc: 'id of the network; canton:localnet by default', header: true },
  wallets: {
    kind: a.listOf(a.text),
    doc: 'hints of external parties with a wallet; none by default',
    header: true,
  },
  mode: {
    kind: a.oneOf(['approve', 'ask', 'reject']),
    doc: 'how the wallet decides; it approves by default',
    header: true,
  },
  delay: { kind: a.duration, doc: 'time until the wallet decides', header: true },
  failedEvents: {
    kind: a.yesOrNo,
    doc: 'emit txChanged for rejections and failed transactions',
    header: true,
  },
  replayEvents: {
    kind: a.yesOrNo,
    doc: 'send a page that connects later the earlier events',
    header: true,
  },
} as const satisfies Rows;

export const PQS = {
  version: a.oneOf(['3.5', '3.6']),
  datasource: a.oneOf(['TransactionStream', 'TransactionTreeStream']),
  ledgerStart: a.either(
    (value) => typeof value === 'number',
    a.whole(0),
    a.oneOf(['Genesis', 'Oldest', 'Latest']),
  ),
  filterParties: a.text,
  filterContracts: a.text,
  filterMetadata: a.text,
  lag: a.whole(0),
  url: option(a.text, {
    doc: 'PostgreSQL server to fill with the tables of PQS',
    flag: {
      name: '--pqs-url <url>',
      of: ['sandbox', 'localnet'],
      doc: 'fill this PostgreSQL server with the tables of PQS, such as postgres://user@127.0.0.1/app',
    },
  }),
  port: option(a.port, {
    doc: "port with PostgreSQL's protocol, 0 for any free one",
    flag: {
      name: '--pqs-port <port>',
      of: ['sandbox', 'localnet'],
      doc: "provide SQL over the ledger on this port with PostgreSQL's protocol, 0 for any free one; 5432 by default",
    },
  }),
  user: a.text,
  password: a.text,
} as const satisfies Rows;

export const TLS = {
  cert: option(a.text, {
    doc: 'serve TLS on all ports, with this certificate as PEM',
    flag: { name: '--tls-cert <file>', of: ['sandbox', 'localnet'], takes: 'content' },
  }),
  key: option(a.text, {
    doc: 'private key of the certificate, as PEM',
    flag: { name: '--tls-key <file>', of: ['sandbox', 'localnet'], takes: 'content' },
  }),
  clientCa: option(a.text, {
    doc: 'require client certificates issued by this authority, as PEM',
    flag: { name: '--tls-client-ca <file>', of: ['sandbox', 'localnet'], takes: 'content' },
  }),
  minVersion: a.oneOf(['TLSv1.2', 'TLSv1.3']),
} as const satisfies Rows;

export const auth: Kind<never> = {
  ...a.members('option of auth', AUTH, 'services'),
  schema: { $ref: '#/$defs/authorization' },
};
export const walletGateway: Kind<never> = {
  ...a.members('option of walletGateway', WALLET_GATEWAY),
  schema: { $ref: '#/$defs/walletGateway' },
};
export const validator: Kind<never> = {
  ...a.members('option of validator', VALIDATOR),
  schema: { $ref: '#/$defs/validator' },
};
const name: Kind<string> = { ...a.text, schema: { ...a.text.schema, description: 'Its name.' } };
export const participant = a.either(a.isText, name, {
  ...a.members('option of a participant', PARTICIPANT, 'name'),
  schema: { $ref: '#/$defs/participant' },
});
export const synchronizer = a.either(a.isText, name, {
  ...a.members('option of a synchronizer', SYNCHRONIZER, 'alias'),
  schema: { $ref: '#/$defs/synchronizer' },
});
