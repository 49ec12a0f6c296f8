/**
 * Derives a caller's claims from the token (B-AUTH-003 to B-AUTH-012): tries each configured service in order, then
 * the identity provider of the token's issuer, and reads the user's rights. A token that none of them accepts
 * counts as a missing token.
 * NOTE: only the journal records why a token was rejected, partly in Canticle's words, here and in verifier.ts.
 */
import type { JSONWebKeySet } from './jwt.js';
import { userIdError } from '../../daml/model/identifiers.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { permissionDenied } from '../../network/administration/identity-provider.js';
import type { IdentityProviderConfig } from '../../network/administration/identity-provider-store.js';
import type { Participant } from '../../network/participant.js';
import { missingUser } from './authorize.js';
import {
  adminTokenClaims,
  claimsOfUser,
  privilegedClaims,
  type Claims,
  type TokenFacts,
} from './claim-set.js';
import type { AuthOptions, AuthService, RealClock } from './options.js';
import { parseJwt, TokenRefused } from './jwt.js';
import { partyTokenFacts } from './party-tokens.js';
import { callerIn, readPayload, type TokenRules } from './token-format.js';
import { remoteVerifier, verifierOf, type Verifier, type VerifierRules } from './verifier.js';

export class Authenticator {
  private readonly services: readonly {
    readonly service: AuthService;
    /** Absent for tokens of parties, whose keys are on the ledger. */
    readonly verifier?: Verifier;
  }[];
  /** By their URL: a remote key set is fetched once, and again for unknown keys. */
  private readonly providers = new Map<string, Verifier>();

  constructor(
    readonly options: AuthOptions,
    private readonly ownKeys: JSONWebKeySet,
    readonly now: RealClock,
  ) {
    this.services = options.services.map((service) => {
      if (
        service.privileged &&
        service.targetAudience === undefined &&
        service.targetScope === undefined
      )
        throw ledgerError(
          'INVALID_ARGUMENT',
          'A privileged auth service needs a targetAudience or a targetScope.',
        );
      if (service.type === 'party-jwt') return { service };
      return { service, verifier: verifierOf(service, this.ownKeys, this.rules) };
    });
  }

  private get rules(): VerifierRules {
    return { now: this.now, maxTokenLife: this.options.maxTokenLife };
  }

  /**
   * @param rules of the participant's release
   * @returns undefined for a caller without an accepted token
   * @throws LedgerError PERMISSION_DENIED for a user that does not exist or is deactivated
   */
  async authenticate(
    token: string | undefined,
    participant: Participant,
    rules: TokenRules,
  ): Promise<Claims | undefined> {
    if (!token) return undefined;
    if (token === this.options.adminToken) return adminTokenClaims(this.options, participant.id);
    for (const { service, verifier } of this.services) {
      if (verifier === undefined) {
        if (rules.takesPartyTokens !== true) continue;
        const limits = { ...this.rules, ...definedLife(service) };
        const facts = await known(async () => partyTokenFacts(token, participant, limits));
        if (facts !== undefined) return userClaims(participant, facts);
        continue;
      }
      const facts = await known(async () =>
        readPayload(await verifier.verify(token), service, rules),
      );
      if (facts === undefined) continue;
      if (!service.privileged) return userClaims(participant, facts);
      return privilegedClaims(service.accessLevel ?? 'Wildcard', {
        ...facts,
        userId: facts.userId || undefined,
      });
    }
    const facts = await known(() => this.verifyWithProvider(token, participant, rules));
    return facts && userClaims(participant, facts);
  }

  /**
   * The caller that a validator derives from a token, without reading a user (L-AUTH-008): it checks signature,
   * times, audience and name.
   * @returns the user, or the reason why there is none
   */
  async callerOf(
    token: string,
  ): Promise<{ readonly userId: string } | { readonly reason: string }> {
    let reason = 'There is no auth service';
    for (const { service, verifier } of this.services)
      try {
        if (verifier === undefined) continue;
        return { userId: callerIn(await verifier.verify(token), service) };
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
        reason = error.message;
      }
    return { reason };
  }

  private async verifyWithProvider(
    token: string,
    participant: Participant,
    rules: TokenRules,
  ): Promise<Facts> {
    const provider = providerOf(token, participant);
    const payload = await this.verifierOf(provider).verify(token);
    const facts = readPayload(payload, { targetAudience: provider.audience || undefined }, rules);
    return { ...facts, identityProviderId: provider.identityProviderId };
  }

  private verifierOf({ jwksUrl }: IdentityProviderConfig): Verifier {
    let verifier = this.providers.get(jwksUrl);
    if (verifier === undefined)
      this.providers.set(jwksUrl, (verifier = remoteVerifier(jwksUrl, this.rules)));
    return verifier;
  }
}

const definedLife = ({ maxTokenLife }: AuthService) =>
  maxTokenLife === undefined ? {} : { maxTokenLife };

type Facts = TokenFacts & { readonly userId: string };

async function known(read: () => Promise<Facts>): Promise<Facts | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TokenRefused) return undefined;
    throw error;
  }
}

function providerOf(token: string, participant: Participant): IdentityProviderConfig {
  const { iss: issuer } = parseJwt(token).payload;
  const provider =
    typeof issuer === 'string' ? participant.identityProviders.byIssuer(issuer) : undefined;
  if (provider === undefined || provider.isDeactivated)
    throw new TokenRefused(`Unknown issuer ${String(issuer)}`);
  return provider;
}

/** The rights of the user, as they are now. */
function userClaims({ users }: Participant, facts: Facts): Claims {
  const { userId, identityProviderId } = facts;
  const error = userIdError(userId);
  if (error !== undefined) throw missingUser(`token ${error}`);
  const record = users.lookup(userId);
  if (record === undefined)
    throw permissionDenied(`Could not resolve is_deactivated status for user '${userId}'`);
  if (record.user.isDeactivated) throw permissionDenied(`User ${userId} is deactivated`);
  if (record.user.identityProviderId !== (identityProviderId ?? ''))
    throw permissionDenied('User is assigned to another identity provider');
  return claimsOfUser(record.rights.values(), facts);
}
