/**
 * The pages that a browser gets at a login: the form, or an error. The form's field names are Keycloak's, so test
 * scripts can fill it in.
 */
import type { WireAnswer } from '../answers.js';

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** @param status of an error page; 200 for the login form */
function page(status: number, body: string, cookie?: string): WireAnswer {
  const headers = {
    'content-type': 'text/html;charset=utf-8',
    'cache-control': 'no-store, must-revalidate, max-age=0',
    'content-security-policy': "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
    'referrer-policy': 'no-referrer',
    ...(cookie !== undefined && { 'set-cookie': cookie }),
  };
  const head =
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title></head>';
  return { status, headers, body: `${head}<body>${body}</body></html>` };
}

export interface LoginForm {
  readonly realm: string;
  /** The form's target. */
  readonly action: string;
  readonly username?: string;
  /** The error of the last attempt. */
  readonly error?: string;
}

export function loginPage({ realm, action, username = '', error }: LoginForm, cookie?: string) {
  const message = error === undefined ? '' : `<span id="input-error">${escaped(error)}</span>`;
  return page(
    200,
    `<h1 id="kc-page-title">Sign in to your account</h1><p id="kc-header-wrapper">${escaped(realm)}</p>
<form id="kc-form-login" action="${escaped(action)}" method="post">
<label>Username or email <input id="username" name="username" type="text" autocomplete="username" value="${escaped(username)}"></label>
<label>Password <input id="password" name="password" type="password" autocomplete="current-password"></label>${message}
<input type="hidden" id="id-hidden-input" name="credentialId">
<button id="kc-login" name="login" type="submit">Sign In</button>
</form>`,
    cookie,
  );
}

export function logoutPage(action: string): WireAnswer {
  return page(
    200,
    `<h1 id="kc-page-title">Logging out</h1><p>Do you want to log out?</p>
<form action="${escaped(action)}" method="post"><input id="kc-logout" name="confirmLogout" type="submit" value="Logout"></form>`,
  );
}

export const loggedOutPage = (cookie: string): WireAnswer =>
  page(200, '<h1 id="kc-page-title">You are logged out</h1>', cookie);

export const errorPage = (status: number, error: string): WireAnswer =>
  page(
    status,
    `<h1 id="kc-page-title">We are sorry...</h1><div id="kc-error-message"><p class="instruction">${escaped(error)}</p></div>`,
  );

/** A form that submits itself, for clients that request their answer by POST. */
export function postingPage(
  target: string,
  parameters: Readonly<Record<string, string>>,
  cookie?: string,
): WireAnswer {
  const inputs = Object.entries(parameters).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return page(
    200,
    `<form method="post" action="${escaped(target)}">${inputs.join('')}<noscript><button>Continue</button></noscript></form><script>document.forms[0].submit()</script>`,
    cookie,
  );
}
