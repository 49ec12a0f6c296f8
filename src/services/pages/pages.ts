/** The pages for people: the home page, and the documents in a bundled reader. */
import { gunzipSync } from 'node:zlib';
import { DOCUMENT_PATHS } from '../documents.js';
import { homeOf, homePage, type HomeFacts } from './home.js';
import { escapeHtml, page } from './html.js';

/** Reads a file of the reader, compressed by gzip; undefined if the reader is not installed. */
export type ReadReader = (name: string) => Uint8Array | undefined;

export interface PageRequest extends HomeFacts {
  /** The `accept` header. */
  readonly accept: string | undefined;
  /** The `accept-encoding` header. */
  readonly encodings: string | undefined;
}

export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Files of the reader that pages load, and their content types. */
const READER_FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=UTF-8',
  'swagger-ui.css': 'text/css; charset=UTF-8',
};
const READER = '/docs/reader/';
const START = `${READER}start.js`;

/** Pages load files only from this server. The reader also needs inline styles, and pictures in its style sheet. */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const html = (body: string): Page => ({
  headers: {
    'content-type': 'text/html; charset=UTF-8',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
  },
  body,
});

/** @returns undefined if the path has no page */
export function pageAt(
  pathname: string,
  request: PageRequest,
  readReader: ReadReader,
): Page | undefined {
  if (pathname === '/') {
    const home = homeOf(request);
    if (request.accept?.includes('text/html') === true) return html(homePage(home));
    return {
      headers: { 'content-type': 'application/json' },
      body: `${JSON.stringify(home, undefined, 2)}\n`,
    };
  }
  if (pathname === '/docs' || pathname === '/docs/') return html(readerPage(request));
  if (pathname === START) return script(startReader(request));
  if (pathname.startsWith(READER))
    return readerFile(pathname.slice(READER.length), request, readReader);
  return undefined;
}

const script = (body: string): Page => ({
  headers: { 'content-type': 'text/javascript; charset=UTF-8' },
  body,
});

function readerPage({ root }: HomeFacts): string {
  const at = (name: string): string => escapeHtml(`${root}${READER}${name}`);
  return page(
    'Canticle: the documents',
    `<div id="reader"></div>
<script src="${at('swagger-ui-bundle.js')}"></script>
<script src="${at('start.js')}"></script>`,
    `<link rel="stylesheet" href="${at('swagger-ui.css')}">`,
  );
}

/** The reader shows one document at a time; a list of links above it selects the document. */
function startReader({ root, ledgerPrefix }: HomeFacts): string {
  const urls = Object.entries(DOCUMENT_PATHS).map(([api, path]) => ({
    name: api,
    url: root + (api === 'ledger' ? ledgerPrefix : '') + path,
  }));
  return `const documents = ${JSON.stringify(urls)};
const asked = new URLSearchParams(location.search).get('api');
const shown = documents.find(({ name }) => name === asked) ?? documents[0];
const links = document.createElement('nav');
for (const { name } of documents) {
  const link = document.createElement('a');
  link.href = '?api=' + name;
  link.textContent = name;
  link.style.margin = '1rem';
  links.append(link);
}
document.body.prepend(links);
SwaggerUIBundle({ url: shown.url, dom_id: '#reader', deepLinking: true, validatorUrl: null });
`;
}

function readerFile(
  name: string,
  { encodings }: PageRequest,
  readReader: ReadReader,
): Page | undefined {
  const contentType = Object.hasOwn(READER_FILES, name) ? READER_FILES[name] : undefined;
  const packed = contentType === undefined ? undefined : readReader(name);
  if (contentType === undefined || packed === undefined) return undefined;
  const headers = { 'content-type': contentType, vary: 'accept-encoding' };
  if (encodings !== undefined && /\bgzip\b/.test(encodings))
    return { headers: { ...headers, 'content-encoding': 'gzip' }, body: packed };
  return { headers, body: gunzipSync(packed) };
}
