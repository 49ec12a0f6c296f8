/** Reads `--auth`, which selects the accepted tokens. The names are similar to those of Canton's `auth-services`. */
import { InvalidArgumentError } from 'commander';
import { isError } from '../../daml/errors/realms.js';
import type { JSONWebKeySet } from '../../services/authorization/jwt.js';
import type { AuthService } from '../../services/authorization/options.js';
import { fileText } from './flag-values.js';

const FORMS =
  'unsafe-jwt-hmac-256=SECRET, jwt-rs-256-crt=FILE, jwt-es-256-crt=FILE, jwt-es-512-crt=FILE, jwt-jwks=URL|FILE, built-in-issuer or party-jwt';

export function authService(text: string): AuthService {
  if (text === 'built-in-issuer' || text === 'party-jwt') return { type: text };
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
  throw new InvalidArgumentError(`'${path}' is not a JSON Web Key Set.`);
}
