/**
 * Serves the inspector to a browser: one document, one script, one style sheet, all from this server. The page
 * itself (page/) is an ordinary client of the controls: this file serves its code and does not use the ledger.
 */
import { gunzipSync } from 'node:zlib';
import { escapeHtml } from '../services/pages/html.js';
import type { Page } from '../services/pages/pages.js';
import { asset, type AssetName } from './assets.js';

export interface InspectorRequest {
  /** The URL of this instance, without a slash at its end. */
  readonly root: string;
  /** The `accept-encoding` header. */
  readonly encodings: string | undefined;
}

/** No inline scripts, no other hosts, no frames of other pages. */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<AssetName, string>> = {
  'inspector.js': 'text/javascript; charset=UTF-8',
  'inspector.css': 'text/css; charset=UTF-8',
};

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234f46e5'/%3E%3Cpath d='M11 5.2a4 4 0 1 0 0 5.6' fill='none' stroke='white' stroke-width='2' stroke-linecap='round'/%3E%3C/svg%3E";

/** @param path after `/canticle` @returns undefined if the page has no such file */
export async function serveInspector(
  path: string,
  { root, encodings }: InspectorRequest,
): Promise<Page | undefined> {
  if (path === '' || path === '/') return documentOf(root);
  const name = path.slice(1);
  if (!isAsset(name)) return undefined;
  const packed = await asset(name);
  const headers = {
    'content-type': TYPES[name],
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  };
  if (encodings !== undefined && /\bgzip\b/.test(encodings))
    return { headers: { ...headers, 'content-encoding': 'gzip' }, body: packed };
  return { headers, body: gunzipSync(packed) };
}

const isAsset = (name: string): name is AssetName => Object.hasOwn(TYPES, name);

function documentOf(root: string): Page {
  const at = (name: AssetName): string => escapeHtml(`${root}/canticle/${name}`);
  return {
    headers: {
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
    body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Canticle</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${at('inspector.css')}">
<script defer src="${at('inspector.js')}" data-root="${escapeHtml(root)}"></script>
</head>
<body><div id="app"></div><noscript>This page needs JavaScript. The controls have the same data, below ${escapeHtml(root)}/canticle/v1.</noscript></body></html>
`,
  };
}
