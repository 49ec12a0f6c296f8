/**
 * The configuration of authorization: Canton's `auth-services`, with Canton's names. Absent, every caller may do
 * everything.
 */
import type { JSONWebKeySet } from './jwt.js';
import type { AccessLevel, AdminTokenOptions } from './claim-set.js';

interface ServiceOptions {
  /** The audience that a token must name. Without it and without a scope, Canton's own token formats are expected. */
  readonly targetAudience?: string;
  /** The scope that a token must have. */
  readonly targetScope?: string;
  /** Whether each such token has the rights of `accessLevel`, for any user. */
  readonly privileged?: boolean;
  /** `Wildcard` by default. */
  readonly accessLevel?: AccessLevel;
  /**
   * Longest remaining life of a token, in seconds, which then must have an end. By default, the limit of all
   * services.
   */
  readonly maxTokenLife?: number;
}

/** Tokens that external parties sign for their users, from release 3.6 on. Other options have no effect on them. */
export interface PartyTokens extends Pick<ServiceOptions, 'maxTokenLife'> {
  readonly type: 'party-jwt';
}

/** One way to verify a token. */
export type AuthService = ServiceOptions &
  (
    | { readonly type: 'unsafe-jwt-hmac-256'; readonly secret: string }
    /** @property certificate X.509 certificate or public key, as PEM text */
    | {
        readonly type: 'jwt-rs-256-crt' | 'jwt-es-256-crt' | 'jwt-es-512-crt';
        readonly certificate: string;
      }
    /** @property url to fetch the key set from; or the set itself */
    | { readonly type: 'jwt-jwks'; readonly url: string }
    | { readonly type: 'jwt-jwks'; readonly keys: JSONWebKeySet }
    /** Tokens of the issuer that is built in. */
    | { readonly type: 'built-in-issuer' }
    | PartyTokens
  );

/** The issuers whose tokens are accepted, and the limits of tokens. */
export interface AuthOptions extends AdminTokenOptions {
  /** Tried in order; the first that accepts the token decides. */
  readonly services: readonly AuthService[];
  /**
   * A token as Canton's nodes use among themselves: it acts as the participant's own party, with the rights of its
   * claims.
   */
  readonly adminToken?: string;
  /**
   * The longest remaining life of a token, in seconds: the default of services, and the limit for identity
   * providers (B-AUTH-037). Any, by default.
   */
  readonly maxTokenLife?: number;
  /** The number of parties that a user may allocate for itself. 0 by default. */
  readonly maxSelfAllocatedParties?: number;
  /** Milliseconds between two looks at whether the user of an open stream has changed. Canton's 5,000 by default. */
  readonly streamCheckInterval?: number;
}

/** Milliseconds since 1970, real time: external issuers of tokens do not use the ledger's time. */
export type RealClock = () => number;
