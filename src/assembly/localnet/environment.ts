/**
 * A LocalNet as the environment variables that tools of the ecosystem read: cn-quickstart, canton-localnet and its GitHub Action, DevKit,
 * cantonjs, canton-node-sdk. Where a tool has one name for the node that it speaks to, that is a node that the caller chooses; DevKit's is
 * always app-provider.
 */
import { SPLICE_VERSION } from '../../spec/versions.js';
import type { OAuth2Facts } from './realms.js';
import { AUDIENCE, SECRET } from './tokens.js';

/** What is told of one node. URLs are without a slash at their end. */
export interface NodeFacts {
  readonly name: string;
  readonly ledgerApi: string;
  /** `host:port`; absent where it is not served. */
  readonly grpc?: string;
  readonly grpcAdmin?: string;
  /** `…/api/validator`. */
  readonly validator: string;
  readonly party: string;
  /** Ids of users, as tokens name them. */
  readonly user: string;
  readonly walletUser: string;
  /** Of {@link user}. */
  readonly token: string;
  /** Of {@link walletUser}. */
  readonly walletToken: string;
  /** Where and as whom tokens are got by OAuth2; absent where clients sign them. */
  readonly oauth2?: OAuth2Facts;
}

export interface NetworkFacts {
  readonly nodes: readonly NodeFacts[];
  /** Of Scan and the registry, without a path. */
  readonly scan: string;
  /** `…/api/sv`. */
  readonly sv: string;
  readonly dsoParty: string;
}

export type Environment = Readonly<Record<string, string>>;

const PARTY_HINT = 'localnet-localparty-1';

/** @param main the node of names that have no node in them */
export function environmentOf(facts: NetworkFacts, main: NodeFacts): Environment {
  const { nodes, scan, sv, dsoParty } = facts;
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
    // Splice's scripts, and others by the same names.
    JSON_LEDGER_API_URL: ledgerApi,
    LEDGER_JSON_API_URL: ledgerApi,
    SCAN_API_URL: `${scan}/api/scan`,
    VALIDATOR_API_URL: validator,
    CANTON_VALIDATOR_API_URL: validator,
    SV_API_URL: sv,
    // cn-quickstart.
    AUTH_MODE: oauth2 === undefined ? 'shared-secret' : 'oauth2',
    LEDGER_API_AUTH_AUDIENCE: AUDIENCE,
    PARTY_HINT,
    REGISTRY_BASE_URI: scan,
    // canton-localnet and its action.
    CANTON_LOCALNET_PROFILE: main.name,
    CANTON_LOCALNET_AUDIENCE: AUDIENCE,
    CANTON_LOCALNET_SCAN_URL: scan,
    CANTON_LOCALNET_SPLICE_VERSION: SPLICE_VERSION,
    // DevKit and canton-rust-sdk.
    CANTON_INSTANCE: 'localnet',
    CANTON_SPLICE_VERSION: SPLICE_VERSION,
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

/** As variables name a node: `APP_USER`. */
const slotOf = ({ name }: NodeFacts): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '_');

function variablesOf(node: NodeFacts, scan: string): Environment {
  const { ledgerApi, grpc, grpcAdmin, validator, party, user, token, oauth2 } = node;
  const slot = slotOf(node);
  const own = `CANTON_LOCALNET_${slot}`;
  const client = { id: oauth2?.clientId ?? user, secret: oauth2?.clientSecret ?? SECRET };
  return {
    [`${own}_JSON_API_URL`]: ledgerApi,
    ...(grpc && { [`${own}_GRPC_URL`]: `http://${grpc}` }),
    ...(grpcAdmin && { [`${own}_ADMIN_GRPC_URL`]: `http://${grpcAdmin}` }),
    [`${own}_VALIDATOR_API_URL`]: validator,
    ...(oauth2 && { [`${own}_TOKEN_URL`]: oauth2.tokenUrl, [`${own}_AUTH_URL`]: oauth2.tokenUrl }),
    [`${own}_CLIENT_ID`]: client.id,
    [`${own}_CLIENT_SECRET`]: client.secret,
    [`${own}_PARTY`]: party,
    [`${own}_PARTY_ID`]: party,
    [`${own}_USER_ID`]: user,
    [`${own}_JWT`]: token,
    [`${own}_LEDGER_JSON_API_URI`]: ledgerApi,
    [`${own}_VALIDATOR_API_URI`]: validator,
    [`${own}_SCAN_API_URI`]: `${scan}/api/scan`,
    [`CANTON_${slot}_JSON_LEDGER_API_URL`]: ledgerApi,
    [`CANTON_${slot}_JWT`]: token,
    [`CANTON_${slot}_PARTY`]: party,
    [`CANTON_PARTICIPANT_JSON_${slot}_PORT`]: new URL(ledgerApi).port,
  };
}

/** Whether a variable lets its reader in. */
export const isSecret = (name: string): boolean => /(?:JWT|TOKEN|SECRET)$/.test(name);
