/** The frame of the wallet's pages: style, scripts and headers. A page loads nothing from elsewhere. */
import { createHash } from 'node:crypto';
import { escapeHtml, page } from '../../services/pages/html.js';
import type { WireAnswer } from '../answers.js';

const STYLE = `:root{color-scheme:light dark;--line:#8885;--soft:#8881;--accent:#1f6feb;--bad:#c62828}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:42rem;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.25;margin:.5rem 0 1rem}h2{font-size:1.05rem;margin:1.5rem 0 .5rem}
p{margin:.5rem 0}
ul{margin:0;padding:0;list-style:none}
.card{border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;margin:.5rem 0}
.card>:first-child{margin-top:0}
dl{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.25rem 1rem;margin:.5rem 0}
dt{opacity:.75}dd{margin:0}
code{font:.9em ui-monospace,monospace}
.notice{border-left:.25rem solid var(--accent);background:var(--soft);padding:.5rem .75rem;margin:1rem 0}
.bad{border-color:var(--bad)}
form{margin:1.5rem 0}.buttons{display:flex;flex-wrap:wrap;gap:.75rem}
button{font:inherit;font-weight:600;padding:.65rem 1.25rem;border-radius:.5rem;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer;flex:1 1 8rem}
button.main{background:var(--accent);border-color:var(--accent);color:#fff}
button:disabled{opacity:.5;cursor:default}
button:focus-visible,select:focus-visible,a:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
nav{text-align:right}nav form{margin:.5rem}nav form button{width:100%}[popover]{border:1px solid var(--line);border-radius:.5rem}
.card{display:block}label{display:block;margin:.75rem 0}select,input:not([type=checkbox]){display:block;width:100%;font:inherit;padding:.6rem;margin-top:.25rem}
@media(max-width:26rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}`;

/** Runs on the page of a login. It reads the values from attributes. */
const LOGIN = `const{dataset}=document.body;
if(dataset.token&&window.opener)window.opener.postMessage({type:'SPLICE_WALLET_IDP_AUTH_SUCCESS',token:dataset.token,sessionId:dataset.session},'*');
if(dataset.submit!==undefined)document.forms[0].submit();`;

/** Runs on the page of a request. It closes two seconds after the decision, as in the gateway, and notices a decision of others. */
const REQUEST = `const{dataset}=document.body;
if(dataset.close!==undefined&&window.opener)setTimeout(()=>window.close(),2000);
if(dataset.watch)(async()=>{for(;;){await new Promise(r=>setTimeout(r,500));const a=await fetch(dataset.watch).catch(()=>undefined);if(a&&(await a.text())!=='pending')return location.reload()}})();`;

/** Runs after a logout: it tells the dApp, and closes the page. */
const LOGOUT = `if(window.opener){window.opener.postMessage({type:'SPLICE_WALLET_LOGOUT'},'*');window.close()}`;

const SCRIPTS = { login: LOGIN, request: REQUEST, logout: LOGOUT } as const;

/** The menu of a user with a session. */
const MENU = `<nav><button aria-haspopup="menu" popovertarget="menu">Menu</button><div id="menu" popover>
<form action="/activities/"><button>Activities</button></form><form action="/parties/"><button>Parties</button></form>
<form method="post" action="/logout/"><button>Logout</button></form></div></nav>`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export interface FrameOptions {
  readonly status?: number;
  readonly script?: keyof typeof SCRIPTS;
  /** Whether it has the menu. */
  readonly hasMenu?: boolean;
  /** Attributes of the body for the script. */
  readonly data?: Readonly<Record<string, string>>;
}

/** @param body as HTML */
export function framed(
  title: string,
  body: string,
  { status = 200, script, hasMenu = false, data = {} }: FrameOptions = {},
): WireAnswer {
  const text = script && SCRIPTS[script];
  const attributes = Object.entries(data)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('');
  const document = page(
    title,
    `${hasMenu ? MENU : ''}<main>${body}</main>${text === undefined ? '' : `<script>${text}</script>`}`,
    `<style>${STYLE}</style>`,
  ).replace('\n<body>', `\n<body${attributes}>`);
  const policy = [
    `default-src 'none'`,
    `style-src ${hashOf(STYLE)}`,
    ...(text === undefined ? [] : [`script-src ${hashOf(text)}`, `connect-src 'self'`]),
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: document,
  };
}

/** @param rows texts, which may contain HTML */
export const facts = (...rows: readonly (readonly [name: string, value: string])[]): string =>
  `<dl>${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${value}</dd>`).join('')}</dl>`;

export const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
