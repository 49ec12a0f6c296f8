/** The flags of authorization, near to Canton's `auth-services` in name: which tokens the Ledger API takes. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { JSONWebKeySet } from '../services/authorization/jwt.js';
import type { AccessLevel } from '../services/authorization/claim-set.js';
import type { AuthOptions, AuthService } from '../services/authorization/options.js';
import { count, fileText } from './flag-values.js';
import { isError } from '../daml/errors/realms.js';

/** What commander collects. */
export interface RawAuthFlags {
  auth: AuthService[];
  targetAudience?: string;
  targetScope?: string;
  adminToken?: string;
  adminClaim?: boolean;
  actAsAnyPartyClaim?: boolean;
  privileged?: boolean;
  accessLevel?: AccessLevel;
  maxTokenLife?: number;
}

const FORMS =
  'unsafe-jwt-hmac-256=SECRET, jwt-rs-256-crt=FILE, jwt-es-256-crt=FILE, jwt-es-512-crt=FILE, jwt-jwks=URL|FILE or built-in-issuer';

export function addAuthFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--auth <service>', `take tokens: ${FORMS}; may be given again`)
        .default([], 'everyone may do everything')
        .argParser(append),
    )
    .option('--target-audience <audience>', 'audience that a token must name')
    .option('--target-scope <scope>', 'scope that a token must have')
    .option('--privileged', 'such tokens may do what --access-level says, whoever they name')
    .addOption(
      new Option('--access-level <level>', 'of privileged tokens; Wildcard by default').choices([
        'Wildcard',
        'Admin',
      ]),
    )
    .option(
      '--max-token-life <seconds>',
      'longest remaining life of a token; any by default',
      count,
    )
    .option('--admin-token <token>', "a token that may act as the participant's own party")
    .option('--admin-claim', 'the admin token may do what an administrator may')
    .option('--act-as-any-party-claim', 'the admin token may act and read as any party');
}

/** Undefined where no service is named: then every caller may do everything. */
export function readAuthFlags({
  auth,
  targetAudience,
  targetScope,
  privileged,
  accessLevel,
  adminToken,
  adminClaim,
  actAsAnyPartyClaim,
  maxTokenLife,
}: RawAuthFlags): AuthOptions | undefined {
  if (auth.length === 0) return undefined;
  return {
    services: auth.map((service) => ({
      ...service,
      targetAudience,
      targetScope,
      privileged,
      accessLevel,
    })),
    adminToken,
    adminClaim,
    actAsAnyPartyClaim,
    maxTokenLife,
  };
}

function append(text: string, previous: AuthService[]): AuthService[] {
  return [...previous, service(text)];
}

function service(text: string): AuthService {
  if (text === 'built-in-issuer') return { type: text };
  const mark = text.indexOf('=');
  const [type, value] = [text.slice(0, mark), text.slice(mark + 1)];
  if (mark < 0 || value === '')
    throw new InvalidArgumentError(`An auth service is one of ${FORMS}.`);
  switch (type) {
    case 'unsafe-jwt-hmac-256':
      return { type, secret: value };
    case 'jwt-rs-256-crt':
    case 'jwt-es-256-crt':
    case 'jwt-es-512-crt':
      return { type, certificate: fileText(value) };
    case 'jwt-jwks':
      return /^https?:\/\//.test(value) ? { type, url: value } : { type, keys: keySet(value) };
    default:
      throw new InvalidArgumentError(`An auth service is one of ${FORMS}.`);
  }
}

function keySet(path: string): JSONWebKeySet {
  try {
    const keys: unknown = JSON.parse(fileText(path));
    if (keys !== null && typeof keys === 'object' && 'keys' in keys && Array.isArray(keys.keys))
      return keys as JSONWebKeySet;
  } catch (error) {
    if (!isError(error, 'SyntaxError')) throw error;
  }
  throw new InvalidArgumentError(`'${path}' is no JSON Web Key Set.`);
}
