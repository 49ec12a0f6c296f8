/** The end of a session (OpenID Connect RP-Initiated Logout): by the browser, or by a client that has a token of it. */
import type { WireAnswer } from '../answers.js';
import { errorPage, loggedOutPage, logoutPage } from './login-pages.js';
import { mayReturnTo, noIdentity, sessionOf, type Browsing } from './login.js';
import type { Realm } from './realm.js';

/** `GET …/protocol/openid-connect/logout`, and the same as POST without a refresh token. */
export function logoutAnswer(realm: Realm, browsing: Browsing, isConfirmed = false): WireAnswer {
  const { parameters, cookie, issuer } = browsing;
  const hint = parameters.get('id_token_hint');
  const claims = hint === null ? undefined : realm.signedBy(hint);
  if (hint !== null && claims?.['typ'] !== 'ID')
    return errorPage(400, 'Invalid parameter: id_token_hint');
  const back = parameters.get('post_logout_redirect_uri');
  const clientId = parameters.get('client_id') ?? (claims && String(claims['azp']));
  if (claims !== undefined && clientId !== claims['azp'])
    return errorPage(400, 'Invalid parameter: client_id');
  const client = clientId === undefined ? undefined : realm.client(clientId);
  if (clientId !== undefined && client === undefined)
    return errorPage(400, 'Invalid parameter: client_id');
  if (back !== null && client === undefined)
    return errorPage(400, 'Missing parameters: id_token_hint');
  if (back !== null && !mayReturnTo(client!, back)) return errorPage(400, 'Invalid redirect uri');

  const session = realm.sessions.of(claims) ?? sessionOf(realm, cookie);
  // Any site can send a browser here, so the page asks for a confirmation if there is no id token of the session.
  if (session !== undefined && claims === undefined && !isConfirmed)
    return logoutPage(`${issuer}/protocol/openid-connect/logout/logout-confirm?${parameters}`);
  if (session !== undefined) realm.sessions.end(session);
  if (back === null) return loggedOutPage(noIdentity(realm));
  const location = new URL(back);
  const state = parameters.get('state');
  if (state !== null) location.searchParams.append('state', state);
  return { status: 302, headers: { location: location.href, 'set-cookie': noIdentity(realm) } };
}
