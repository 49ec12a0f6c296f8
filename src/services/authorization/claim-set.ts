/**
 * The claims of a caller with a token, as in Canton's ledger API server (B-AUTH-017 to B-AUTH-025).
 * They come from a user's rights, or from a token that is privileged by configuration.
 */
import type { Party } from '../../network/model/ids.js';
import type { UserRight } from '../../network/administration/user-rights.js';

export interface Claims {
  readonly isAdmin: boolean;
  readonly isIdentityProviderAdmin: boolean;
  readonly anyParty: { readonly act: boolean; readonly read: boolean; readonly execute: boolean };
  readonly actAs: ReadonlySet<Party>;
  readonly readAs: ReadonlySet<Party>;
  readonly executeAs: ReadonlySet<Party>;
  /** The user that the token names; undefined for a privileged token without a user. */
  readonly userId: string | undefined;
  /** Whether the claims are the rights of a user in user management. */
  readonly isUser: boolean;
  /** The provider of the token; undefined for the default one. */
  readonly identityProviderId: string | undefined;
  /** The only participant that the token is for. */
  readonly participantId: string | undefined;
  /** Milliseconds since 1970, real time. */
  readonly expiresAt: number | undefined;
}

/** The facts that come from the token alone. */
export type TokenFacts = Pick<
  Claims,
  'userId' | 'participantId' | 'expiresAt' | 'identityProviderId'
>;

const NONE: ReadonlySet<Party> = new Set();
const NO_PARTY = { act: false, read: false, execute: false };

export type AccessLevel = 'Admin' | 'Wildcard';

export interface AdminTokenOptions {
  /** Whether the admin token has an administrator's rights. */
  readonly adminClaim?: boolean;
  /** Whether the admin token may act and read as any party. */
  readonly actAsAnyPartyClaim?: boolean;
}

/** The claims of a token that the configuration makes privileged, whether its user exists or not (B-AUTH-012). */
export function privilegedClaims(accessLevel: AccessLevel, facts: TokenFacts): Claims {
  return {
    isAdmin: true,
    isIdentityProviderAdmin: false,
    anyParty: { ...NO_PARTY, act: accessLevel === 'Wildcard' },
    actAs: NONE,
    readAs: NONE,
    executeAs: NONE,
    isUser: false,
    ...facts,
  };
}

const NOBODY: TokenFacts = {
  userId: undefined,
  participantId: undefined,
  expiresAt: undefined,
  identityProviderId: undefined,
};

/** The claims of every caller without configured authorization (B-AUTH-016). */
export const WILDCARD: Claims = privilegedClaims('Wildcard', NOBODY);

/**
 * The claims of the token that nodes use among themselves: it acts as the participant's own party, unless it has
 * more rights (B-AUTH-011).
 */
export function adminTokenClaims(
  { adminClaim = false, actAsAnyPartyClaim = false }: AdminTokenOptions,
  ownParty: Party,
): Claims {
  return {
    ...WILDCARD,
    isAdmin: adminClaim,
    anyParty: { ...NO_PARTY, act: actAsAnyPartyClaim },
    actAs: actAsAnyPartyClaim ? NONE : new Set([ownParty]),
  };
}

export function claimsOfUser(rights: Iterable<UserRight>, facts: TokenFacts): Claims {
  const kinds = new Set<UserRight['kind']>();
  const parties = {
    CanActAs: new Set<Party>(),
    CanReadAs: new Set<Party>(),
    CanExecuteAs: new Set<Party>(),
  };
  for (const right of rights) {
    kinds.add(right.kind);
    if ('party' in right) parties[right.kind].add(right.party);
  }
  return {
    isAdmin: kinds.has('ParticipantAdmin'),
    isIdentityProviderAdmin: kinds.has('IdentityProviderAdmin'),
    anyParty: {
      act: kinds.has('CanActAsAnyParty'),
      read: kinds.has('CanReadAsAnyParty'),
      execute: kinds.has('CanExecuteAsAnyParty'),
    },
    actAs: parties.CanActAs,
    readAs: parties.CanReadAs,
    executeAs: parties.CanExecuteAs,
    isUser: true,
    ...facts,
  };
}

export const isAnyAdmin = ({ isAdmin, isIdentityProviderAdmin }: Claims): boolean =>
  isAdmin || isIdentityProviderAdmin;

export const canActAs = ({ anyParty, actAs }: Claims, party: Party): boolean =>
  anyParty.act || actAs.has(party);

export const canReadAs = ({ anyParty, actAs, readAs }: Claims, party: Party): boolean =>
  anyParty.act || anyParty.read || actAs.has(party) || readAs.has(party);

export const canReadAsAnyParty = ({ anyParty }: Claims): boolean => anyParty.act || anyParty.read;

export const canExecuteAsAnyParty = ({ anyParty }: Claims): boolean =>
  anyParty.act || anyParty.execute;

export const canExecuteAs = (claims: Claims, party: Party): boolean =>
  canExecuteAsAnyParty(claims) || claims.actAs.has(party) || claims.executeAs.has(party);

/** Whether the caller is a user without administration rights: such users have a quota of parties. */
export const isRegularUser = (claims: Claims): boolean => claims.isUser && !isAnyAdmin(claims);

/** Any right for the party will do. */
export const canOperateAs = (claims: Claims, party: Party): boolean =>
  canReadAs(claims, party) || canExecuteAs(claims, party);
