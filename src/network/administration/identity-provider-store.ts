/**
 * The identity providers of one participant (B-IDP-001 to B-IDP-008). Users and parties refer to them by id. The
 * default provider has an empty id and is not in this store.
 */
import { ledgerStringError, missingField, requireField } from '../../daml/model/identifiers.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { QUOTED } from '../../daml/errors/logging-context.js';
import { DEFAULT_IDENTITY_PROVIDER, unknownIdentityProvider } from './identity-provider.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import { invalidField } from '../model/request-errors.js';
import { urlError } from './java-url.js';
import { UpdateMask } from './update-mask.js';

/** Canton's `max-identity-providers`. */
const MAX_IDENTITY_PROVIDERS = 16;

export interface IdentityProviderConfig {
  readonly identityProviderId: string;
  readonly isDeactivated: boolean;
  /** The `iss` claim of its tokens; unique among providers. */
  readonly issuer: string;
  readonly jwksUrl: string;
  /** The `aud` claim that its tokens must have; empty for any. */
  readonly audience: string;
}

/** A provider as a request describes it: absent members are empty. */
export type RequestedIdentityProvider = Partial<IdentityProviderConfig>;

const MEMBERS = {
  isDeactivated: 'is_deactivated',
  issuer: 'issuer',
  jwksUrl: 'jwks_url',
  audience: 'audience',
} as const;

/** Every path that a mask may name; the id only identifies the provider. */
const UPDATE_PATHS = [...Object.values(MEMBERS), 'identity_provider_id'];

export class IdentityProviderStore {
  private readonly configs: JournaledMap<string, IdentityProviderConfig>;

  constructor(journal: Journal, participant: string) {
    this.configs = new JournaledMap(journal, `identity-providers/${participant}`);
  }

  /** @throws LedgerError MISSING_FIELD, INVALID_FIELD, IDP_CONFIG_…ALREADY_EXISTS, TOO_MANY_IDENTITY_PROVIDER_CONFIGS */
  create(requested: RequestedIdentityProvider): IdentityProviderConfig {
    const identityProviderId = requireId(requested.identityProviderId);
    const jwksUrl = requireJwksUrl(requested.jwksUrl ?? '');
    const { issuer = '', isDeactivated = false, audience = '' } = requested;
    if (issuer === '') throw missingField('issuer');
    const operation = 'creating identity provider config';
    this.requireFreeIssuer(issuer, identityProviderId, operation);
    if (this.configs.has(identityProviderId)) throw alreadyExists(operation, identityProviderId);
    if (this.configs.size >= MAX_IDENTITY_PROVIDERS)
      throw ledgerError('TOO_MANY_IDENTITY_PROVIDER_CONFIGS', `${operation} failed.`);
    const config = { identityProviderId, isDeactivated, issuer, jwksUrl, audience };
    this.configs.set(identityProviderId, config);
    return config;
  }

  /** Whether a provider exists and accepts tokens. */
  isActive(id: string): boolean {
    return this.configs.get(id)?.isDeactivated === false;
  }

  /** @throws LedgerError IDP_CONFIG_NOT_FOUND */
  get(id: string): IdentityProviderConfig {
    return this.find(requireId(id), 'getting identity provider config');
  }

  /** By id. */
  list(): readonly IdentityProviderConfig[] {
    return this.configs.sortedKeys().map((id) => this.configs.get(id)!);
  }

  /** The provider whose tokens have this issuer. */
  byIssuer(issuer: string): IdentityProviderConfig | undefined {
    return this.list().find((config) => config.issuer === issuer);
  }

  /**
   * Changes the members that the mask names; an empty issuer or URL leaves the old value.
   * @throws LedgerError INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST, IDP_CONFIG_NOT_FOUND,
   * IDP_CONFIG_ISSUER_ALREADY_EXISTS, …
   */
  update(
    requested: RequestedIdentityProvider,
    paths: readonly string[] | undefined,
  ): IdentityProviderConfig {
    const id = requireId(requested.identityProviderId);
    const { isDeactivated = false, issuer = '', audience = '' } = requested;
    const jwksUrl = requested.jwksUrl ? requireJwksUrl(requested.jwksUrl) : '';
    if (paths === undefined) throw missingField('update_mask');
    const mask = UpdateMask.parse(paths, UPDATE_PATHS);
    if (!(mask instanceof UpdateMask)) throw invalidUpdate(id, mask.error);
    const operation = 'updating identity provider config';
    const current = this.find(id, operation);
    const newIssuer = mask.updated(MEMBERS.issuer, issuer, true) || current.issuer;
    this.requireFreeIssuer(newIssuer, id, operation);
    const updated = {
      identityProviderId: id,
      isDeactivated:
        mask.updated(MEMBERS.isDeactivated, isDeactivated, true) ?? current.isDeactivated,
      issuer: newIssuer,
      jwksUrl: mask.updated(MEMBERS.jwksUrl, jwksUrl, true) || current.jwksUrl,
      audience: mask.updated(MEMBERS.audience, audience, audience === '') ?? current.audience,
    };
    this.configs.set(id, updated);
    return updated;
  }

  /**
   * @param isNamedBy whether a user or a party refers to it
   * @throws LedgerError IDP_CONFIG_NOT_FOUND, and INDEX_DB_SQL_TRANSIENT_ERROR while one does (B-IDP-010)
   */
  delete(id: string, isNamedBy: (table: NamingTable, id: string) => boolean): void {
    const config = this.configs.get(requireId(id));
    const naming = config && NAMING_TABLES.find((table) => isNamedBy(table, id));
    if (naming !== undefined) throw stillNamed(naming, id);
    this.find(id, 'deleting identity provider config');
    this.configs.delete(id);
  }

  /** @throws LedgerError INVALID_ARGUMENT for a provider that is not configured (B-PTY-008, B-USR-032). */
  require(id: string): void {
    if (id !== DEFAULT_IDENTITY_PROVIDER && !this.configs.has(id))
      throw unknownIdentityProvider(id);
  }

  private find(id: string, operation: string): IdentityProviderConfig {
    const config = this.configs.get(id);
    if (config !== undefined) return config;
    throw ledgerError('IDP_CONFIG_NOT_FOUND', {
      cause: `${operation} failed for unknown identity provider id="${id}"`,
      resources: [['IDENTITY_PROVIDER_CONFIG', id]],
    });
  }

  private requireFreeIssuer(issuer: string, id: string, operation: string): void {
    const owner = this.byIssuer(issuer);
    if (owner === undefined || owner.identityProviderId === id) return;
    throw ledgerError('IDP_CONFIG_ISSUER_ALREADY_EXISTS', {
      cause: `${operation} failed, as identity provider with issuer "${issuer}" already exists`,
      resources: [['IDENTITY_PROVIDER_CONFIG', issuer]],
    });
  }
}

/** In the order in which the database checks them. */
const NAMING_TABLES = ['users', 'party_records'] as const;
export type NamingTable = (typeof NAMING_TABLES)[number];

/** Constraint names in the database of a sandbox. */
const CONSTRAINTS: Readonly<Record<NamingTable, string>> = {
  users: 'CONSTRAINT_5E23',
  party_records: 'CONSTRAINT_9EF9',
};

/**
 * The error of the database.
 * NOTE: its text ends in the statement, which a participant truncates.
 */
function stillNamed(table: NamingTable, id: string): LedgerError {
  const naming = `PUBLIC.LAPI_${table.toUpperCase()} FOREIGN KEY(IDENTITY_PROVIDER_ID)`;
  const named = `PUBLIC.LAPI_IDENTITY_PROVIDER_CONFIG(IDENTITY_PROVIDER_ID) ('${id}')`;
  return ledgerError('INDEX_DB_SQL_TRANSIENT_ERROR', {
    cause:
      'Processing the request failed due to a transient database error: Referential integrity constraint violation: ' +
      `"${CONSTRAINTS[table]}: ${naming} REFERENCES ${named}"; SQL statement:\n\n         ` +
      'DELETE FROM lapi_identity_provider_config WHERE identity_provi [23503-224]',
    context: {
      metric: `'daml.participant.api.identity_provider_config_store.delete_identity_provider_config'`,
    },
  }).logIn(QUOTED);
}

function alreadyExists(operation: string, id: string): LedgerError {
  return ledgerError('IDP_CONFIG_ALREADY_EXISTS', {
    cause: `${operation} failed, as identity provider "${id}" already exists`,
    resources: [['IDENTITY_PROVIDER_CONFIG', id]],
  });
}

function invalidUpdate(id: string, reason: string): LedgerError {
  return ledgerError('INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST', {
    cause: `Update operation for identity provider config '${id}' failed due to: ${reason}`,
    resources: [['IDENTITY_PROVIDER_CONFIG', id]],
  });
}

function requireId(id = ''): string {
  return requireField(ledgerStringError, id, 'identity_provider_id');
}

function requireJwksUrl(text: string): string {
  if (text === '') throw missingField('jwks_url');
  const error = urlError(text);
  if (error !== undefined) throw invalidField('jwks_url', `Malformed URL: ${error}`);
  return text;
}
