/** The scopes of cn-quickstart's clients: the default ones, and the optional ones. */

const DEFAULT = [
  'web-origins',
  'acr',
  'audience_canton_network',
  'roles',
  'profile',
  'basic',
  'email',
];
const OPTIONAL = ['address', 'phone', 'offline_access', 'organization', 'microprofile-jwt'];
const KNOWN = new Set([...DEFAULT, ...OPTIONAL, 'openid', 'party_id', 'service_account']);

const scopesIn = (scope: string): readonly string[] => scope.split(' ').filter(Boolean);

/** The error for a scope; undefined if it is granted. */
export const refusedScope = (scope: string): string | undefined =>
  scopesIn(scope).every((each) => KNOWN.has(each)) ? undefined : `Invalid scopes: ${scope}`;

/** The scope that tokens state for a requested scope. */
export function grantedScope(scope: string): string {
  const wanted = scopesIn(scope);
  const optional = OPTIONAL.filter((each) => wanted.includes(each));
  return [...(wanted.includes('openid') ? ['openid'] : []), 'email', 'profile', ...optional].join(
    ' ',
  );
}

export const includesScope = (scope: string, one: string): boolean => scopesIn(scope).includes(one);
