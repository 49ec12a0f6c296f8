/**
 * The environment variables of a LocalNet for tools of the ecosystem: cn-quickstart, canton-localnet and its GitHub Action, DevKit,
 * cantonjs, canton-node-sdk. If a tool has only one node, the caller chooses it; the node of DevKit is always app-provider.
 */
import type { OAuth2Facts } from './realms.js';
import { AUDIENCE, SECRET } from './tokens.js';

/** Facts about one node. URLs have no final slash. */
export interface NodeFacts {
  readonly name: string;
  readonly ledgerApi: string;
  /** `host:port`; undefined if it is not served. */
  readonly grpc?: string;
  readonly grpcAdmin?: string;
  /** `…/api/validator`. */
  readonly validator: string;
  readonly party: string;
  /** Ids of users, as tokens name them. */
  readonly user: string;
  readonly walletUser: string;
  /** Token of {@link user}. */
  readonly token: string;
  /** Token of {@link walletUser}. */
  readonly walletToken: string;
  /** Token endpoint and client of OAuth2; undefined if clients sign their tokens. */
  readonly oauth2?: OAuth2Facts;
}

export interface NetworkFacts {
  readonly nodes: readonly NodeFacts[];
  /** URL of Scan and the registry, without a path. */
  readonly scan: string;
  /** `…/api/sv`. */
  readonly sv: string;
  readonly dsoParty: string;
  /** The version of Splice that Scan reports. */
  readonly spliceVersion: string;
  /** Path of the certificate authority, as PEM; undefined if it is unknown, or if the ports serve no TLS. */
  readonly authority?: string | undefined;
}

export type Environment = Readonly<Record<string, string>>;

const PARTY_HINT = 'localnet-localparty-1';

/** @param main the node for variables without a node name */
export function environmentOf(facts: NetworkFacts, main: NodeFacts): Environment {
  const { nodes, scan, sv, dsoParty, spliceVersion, authority } = facts;
  const provider = nodes.find(({ name }) => name === 'app-provider') ?? main;
  const { ledgerApi, validator, oauth2 } = main;
  return {
    // The sandbox of the ecosystem's apps, cantonjs.
    CANTON_JSON_API_URL: ledgerApi,
    CANTON_JWT: main.token,
    CANTON_ACT_AS: main.party,
    SPLICE_SCAN_URL: scan,
    SPLICE_VALIDATOR_URL: validator,
    SPLICE_VALIDATOR_TOKEN: main.walletToken,
    ...(authority !== undefined && { NODE_EXTRA_CA_CERTS: authority }),
    // Splice's scripts, and tools with the same names.
    JSON_LEDGER_API_URL: ledgerApi,
    LEDGER_JSON_API_URL: ledgerApi,
    SCAN_API_URL: `${scan}/api/scan`,
    VALIDATOR_API_URL: validator,
    CANTON_VALIDATOR_API_URL: validator,
    SV_API_URL: sv,
    // Splice's LocalNet.
    IMAGE_TAG: spliceVersion,
    // cn-quickstart.
    SPLICE_VERSION: spliceVersion,
    AUTH_MODE: oauth2 === undefined ? 'shared-secret' : 'oauth2',
    LEDGER_API_AUTH_AUDIENCE: AUDIENCE,
    PARTY_HINT,
    REGISTRY_BASE_URI: scan,
    // canton-localnet and its action.
    CANTON_LOCALNET_PROFILE: CANTON_LOCALNET_SLOTS[main.name] ?? main.name,
    CANTON_LOCALNET_HOST: new URL(ledgerApi).hostname,
    ...(oauth2 && keycloakOf(oauth2.tokenUrl)),
    CANTON_LOCALNET_AUDIENCE: AUDIENCE,
    CANTON_LOCALNET_SCAN_URL: scan,
    CANTON_LOCALNET_SPLICE_VERSION: spliceVersion,
    // DevKit and canton-rust-sdk.
    CANTON_INSTANCE: 'localnet',
    CANTON_SPLICE_VERSION: spliceVersion,
    CANTON_JSON_LEDGER_API_URL: provider.ledgerApi,
    ...(provider.grpc && { CANTON_GRPC_LEDGER_API_URL: provider.grpc }),
    CANTON_DSO_PARTY: dsoParty,
    // canton-node-sdk.
    CANTON_CURRENT_NETWORK: 'localnet',
    CANTON_CURRENT_PROVIDER: slotOf(main).toLowerCase(),
    FAIRMINT_TEST_LEDGER_API_URL: ledgerApi,
    FAIRMINT_TEST_VALIDATOR_API_URL: validator,
    FAIRMINT_TEST_SCAN_API_URL: `${scan}/api/scan`,
    FAIRMINT_TEST_SHARED_SECRET: SECRET,
    FAIRMINT_TEST_USER_ID: main.user,
    ...Object.assign({}, ...nodes.map((node) => variablesOf(node, scan))),
  };
}

/** The name of a node in variables: `APP_USER`. */
const slotOf = ({ name }: Pick<NodeFacts, 'name'>): string =>
  name.toUpperCase().replace(/[^A-Z0-9]/g, '_');

/** canton-localnet's names for the nodes: numbered since its release 0.6.2-4, and Splice's names before. */
const CANTON_LOCALNET_SLOTS: Readonly<Record<string, string>> = {
  sv: 'sv-validator-1',
  'app-provider': 'a-validator-1',
  'app-user': 'b-validator-1',
};

function keycloakOf(tokenUrl: string): Environment {
  const { hostname, port } = new URL(tokenUrl);
  return { CANTON_LOCALNET_KEYCLOAK_HOST: hostname, CANTON_LOCALNET_KEYCLOAK_PORT: port };
}

/** The variables of canton-localnet and its action for a node. */
function slotVariables(node: NodeFacts, name: string): Environment {
  const { ledgerApi, grpc, grpcAdmin, validator, party, user, token, oauth2 } = node;
  const own = `CANTON_LOCALNET_${slotOf({ name })}`;
  const { protocol, port } = new URL(ledgerApi);
  return {
    [`${own}_JSON_API_URL`]: ledgerApi,
    [`${own}_JSON_PORT`]: port,
    ...(grpc && {
      [`${own}_GRPC_URL`]: `${protocol}//${grpc}`,
      [`${own}_GRPC_PORT`]: portOf(grpc),
    }),
    ...(grpcAdmin && { [`${own}_ADMIN_GRPC_URL`]: `${protocol}//${grpcAdmin}` }),
    [`${own}_VALIDATOR_API_URL`]: validator,
    ...(oauth2 && { [`${own}_TOKEN_URL`]: oauth2.tokenUrl }),
    ...(oauth2 === undefined && { [`${own}_HS256_SECRET`]: SECRET, [`${own}_HS256_USER`]: user }),
    [`${own}_AUTH_KIND`]: oauth2 === undefined ? 'hs256' : 'oauth2',
    [`${own}_AUDIENCE`]: AUDIENCE,
    [`${own}_CLIENT_ID`]: oauth2?.clientId ?? user,
    [`${own}_CLIENT_SECRET`]: oauth2?.clientSecret ?? SECRET,
    [`${own}_VALIDATOR_USER_ID`]: user,
    [`${own}_PARTY`]: party,
    [`${own}_JWT`]: token,
  };
}

const portOf = (address: string): string => address.slice(address.lastIndexOf(':') + 1);

function variablesOf(node: NodeFacts, scan: string): Environment {
  const { name, ledgerApi, validator, party, user, token, oauth2 } = node;
  const slot = slotOf(node);
  const own = `CANTON_LOCALNET_${slot}`;
  const numbered = CANTON_LOCALNET_SLOTS[name];
  return {
    ...slotVariables(node, name),
    ...(numbered !== undefined && slotVariables(node, numbered)),
    ...(oauth2 && { [`${own}_AUTH_URL`]: oauth2.tokenUrl }),
    [`${own}_PARTY_ID`]: party,
    [`${own}_USER_ID`]: user,
    [`${own}_LEDGER_JSON_API_URI`]: ledgerApi,
    [`${own}_VALIDATOR_API_URI`]: validator,
    [`${own}_SCAN_API_URI`]: `${scan}/api/scan`,
    [`CANTON_${slot}_JSON_LEDGER_API_URL`]: ledgerApi,
    [`CANTON_${slot}_JWT`]: token,
    [`CANTON_${slot}_PARTY`]: party,
    [`CANTON_PARTICIPANT_JSON_${slot}_PORT`]: new URL(ledgerApi).port,
  };
}

/** Whether the value of a variable grants access. */
export const isSecret = (name: string): boolean => /(?:JWT|TOKEN|SECRET)$/.test(name);
