/** The application of cn-quickstart on a LocalNet: the services that its back end needs, and the variables that it reads. */
import { ScenarioError } from '../../wallet/scenario-error.js';
import type { PqsOptions } from '../pqs/pqs-options.js';
import type { Environment } from './environment.js';
import type {
  LocalnetOptions,
  LocalnetUser,
  LocalnetValidatorOptions,
} from './localnet-options.js';
import { validatorsOf } from './nodes.js';
import { realmName, serviceOf } from './realms.js';

/** The host name of cn-quickstart's Keycloak. Each token names it, whichever name the client asked for. */
export const KEYCLOAK_HOST = 'keycloak.localhost';

const SCAN_PORT = 5012;
const SV_PORT = 5014;
const PROVIDER = 'app-provider';
const CLIENT = 'app-user';
const OIDC_CLIENT = 'app-provider-backend-oidc';

/** The users that cn-quickstart's onboarding creates, by node. */
const USERS: Readonly<
  Record<string, Readonly<Record<string, readonly ('CanActAs' | 'CanReadAs')[]>>>
> = {
  [PROVIDER]: { backend: ['CanReadAs', 'CanActAs'], pqs: ['CanReadAs'] },
  [CLIENT]: { pqs: ['CanReadAs'] },
};

/**
 * The options with those that the option `quickstart` implies. Given ones take precedence.
 * @throws ScenarioError if they lack what the application needs
 */
export function withQuickstart(options: LocalnetOptions): LocalnetOptions {
  if (options.quickstart !== true) return options;
  const { auth = 'oauth2', pqs, load, ports, portOffset = 0 } = options;
  if (auth !== 'oauth2')
    throw new ScenarioError("quickstart needs the realms of cn-quickstart: set auth to 'oauth2'.");
  const own = ports === 'localnet';
  return {
    ...(own && { scanPort: SCAN_PORT + portOffset, svPort: SV_PORT + portOffset }),
    ...options,
    auth,
    pqs: pqs || true,
    grpc: true,
    // A saved world has its users.
    ...(load === undefined && { validators: withUsers(validatorsOf(options)) }),
  };
}

function withUsers(
  validators: readonly LocalnetValidatorOptions[],
): readonly LocalnetValidatorOptions[] {
  const missing = Object.keys(USERS).find((name) => validators.every((each) => each.name !== name));
  if (missing !== undefined)
    throw new ScenarioError(`quickstart needs a validator with the name ${missing}.`);
  return validators.map((each) => {
    const { name, users = [] } = each;
    const needed = Object.entries(USERS[name] ?? {}).map(([service, rights]): LocalnetUser => {
      const { id } = serviceOf(name, service);
      return { id, parties: [{ hint: name, rights }] };
    });
    const added = needed.filter(({ id }) => users.every((user) => user.id !== id));
    return { ...each, users: [...added, ...users] };
  });
}

/** The facts of a running LocalNet that the back end needs. */
export interface QuickstartFacts {
  /** `host:port` of the gRPC Ledger API of app-provider. */
  readonly grpc: string;
  readonly registry: string;
  readonly parties: { readonly provider: string; readonly user: string };
  /** URL of Keycloak, without a path. */
  readonly keycloak: string;
  /** URL of the database of app-provider. */
  readonly database: string;
}

/** The URL of a participant's database. @param sqlApis of this process @param pqs the options of SQL, which can name a server */
export function databaseOf(
  sqlApis: Readonly<Record<string, string>>,
  pqs: boolean | PqsOptions | undefined,
): string {
  const name = `pqs-${PROVIDER}`;
  const given = typeof pqs === 'object' ? pqs.url : undefined;
  if (given === undefined) return sqlApis[name]!;
  const url = new URL(given);
  url.pathname = `/${name}`;
  return url.href;
}

/** The variables of the back end of cn-quickstart, and of its script that registers the tenant of app-user. */
export function quickstartEnvironment(facts: QuickstartFacts): Environment {
  const { hostname, port, pathname, username, password } = new URL(facts.database);
  const grpcPort = facts.grpc.lastIndexOf(':');
  const issuerOf = (node: string) => `${facts.keycloak}/realms/${realmName(node)}`;
  const backend = serviceOf(PROVIDER, 'backend');
  return {
    BACKEND_PORT: '8080',
    SPRING_PROFILES_ACTIVE: 'oauth2',
    AUTH_MODE: 'oauth2',
    TEST_MODE: 'off',
    LEDGER_HOST: facts.grpc.slice(0, grpcPort),
    LEDGER_PORT: facts.grpc.slice(grpcPort + 1),
    REGISTRY_BASE_URI: facts.registry,
    POSTGRES_HOST: hostname,
    POSTGRES_PORT: port || '5432',
    POSTGRES_DATABASE: pathname.slice(1),
    POSTGRES_USERNAME: decodeURIComponent(username),
    POSTGRES_PASSWORD: decodeURIComponent(password),
    APP_PROVIDER_PARTY: facts.parties.provider,
    APP_USER_PARTY: facts.parties.user,
    AUTH_APP_PROVIDER_ISSUER_URL: issuerOf(PROVIDER),
    AUTH_APP_PROVIDER_BACKEND_CLIENT_ID: `${PROVIDER}-backend`,
    AUTH_APP_PROVIDER_BACKEND_SECRET: backend.secret,
    AUTH_APP_PROVIDER_BACKEND_USER_ID: backend.id,
    AUTH_APP_PROVIDER_BACKEND_OIDC_CLIENT_ID: OIDC_CLIENT,
    AUTH_APP_USER_ISSUER_URL: issuerOf(CLIENT),
    AUTH_APP_USER_BACKEND_OIDC_CLIENT_ID: OIDC_CLIENT,
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_METRICS_EXPORTER: 'none',
  };
}
