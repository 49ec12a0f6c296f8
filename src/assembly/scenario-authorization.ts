/** Converts the authorization in the head of a scenario to options, and reads its files. */
import type { JSONWebKeySet } from '../services/authorization/jwt.js';
import type { AuthOptions, AuthService } from '../services/authorization/options.js';
import type { ScenarioAuthService, ScenarioDocument } from '../scenario/document.js';
import { ScenarioError } from '../wallet/scenario-error.js';

/**
 * @param readFile reads the bytes of a path relative to the scenario
 * @throws ScenarioError for a missing member of a service, and for a file that is unreadable or not a key
 */
export function scenarioAuthorization(
  { head, placeOf }: ScenarioDocument,
  readFile: (path: string) => Uint8Array,
): AuthOptions | undefined {
  if (head.auth === undefined) return undefined;
  const { services, ...rest } = head.auth;
  return {
    services: services.map((service, index) => {
      const path = ['authorization', 'services', index];
      const error = (reason: string, field: string) =>
        new ScenarioError(reason, [...path, field], placeOf([...path, field]));
      return new ServiceReader(service, readFile, error).read();
    }),
    ...rest,
  };
}

type TextField = 'secret' | 'certificate' | 'url' | 'keys';

class ServiceReader {
  constructor(
    private readonly service: ScenarioAuthService,
    private readonly readFile: (path: string) => Uint8Array,
    private readonly problem: (reason: string, field: string) => ScenarioError,
  ) {}

  read(): AuthService {
    const { secret: _, certificate: _file, url: _url, keys: _keys, ...others } = this.service;
    return { ...others, ...this.known() } as AuthService;
  }

  private known(): AuthService {
    const { type, url } = this.service;
    switch (type) {
      case 'built-in-issuer':
        return { type };
      case 'unsafe-jwt-hmac-256':
        return { type, secret: this.text('secret') };
      case 'jwt-jwks':
        return url === undefined ? { type, keys: this.keySet() } : { type, url };
      default:
        return { type: type as 'jwt-rs-256-crt', certificate: this.pem() };
    }
  }

  private text(field: TextField): string {
    const text = this.service[field];
    if (text === undefined)
      throw this.problem(`The service ${this.service.type} needs '${field}'.`, 'type');
    return text;
  }

  private file(field: TextField): string {
    const path = this.text(field);
    try {
      return Buffer.from(this.readFile(path)).toString('utf8');
    } catch (error) {
      throw this.problem(`Failed to read '${path}': ${(error as Error).message}.`, field);
    }
  }

  private pem(): string {
    const certificate = this.file('certificate');
    if (!certificate.includes('-----BEGIN '))
      throw this.problem(`'${this.service.certificate}' is not a PEM file.`, 'certificate');
    return certificate;
  }

  private keySet(): JSONWebKeySet {
    const text = this.file('keys');
    try {
      const parsed = JSON.parse(text) as JSONWebKeySet;
      if (Array.isArray(parsed.keys)) return parsed;
    } catch {
      // The text is not JSON.
    }
    throw this.problem(`'${this.service.keys}' is not a JSON Web Key Set.`, 'keys');
  }
}
