/**
 * Where the documents stand: each API's OpenAPI document as JSON, the Ledger API's also as YAML, as a participant serves
 * it, with the AsyncAPI document of its streams (B-GEN-005).
 */
import type { Api } from '../spec/api.js';
import { asyncApiDocument, asyncApiYaml } from '../spec/async-documents.js';
import { openApiDocument, openApiYaml } from '../spec/documents.js';
import type { ApiVersion } from '../spec/versions.js';

interface Document {
  readonly contentType: string;
  readonly text: (version: ApiVersion) => string;
}

/** Paths of the documents, by API, below the root or the prefix of the Ledger API. */
export const DOCUMENT_PATHS: Readonly<Record<Api, string>> = {
  ledger: '/docs/openapi.json',
  scan: '/api/scan/docs/openapi.json',
  registry: '/registry/docs/openapi.json',
  validator: '/api/validator/docs/openapi.json',
  control: '/canticle/v1/docs/openapi.json',
};

const json = (api: Api): Document => ({
  contentType: 'application/json',
  text: (version) => JSON.stringify(openApiDocument(api, version)),
});

const DOCUMENTS: Readonly<Record<string, Document>> = {
  '/docs/openapi': {
    contentType: 'text/plain; charset=UTF-8',
    text: (version) => openApiYaml('ledger', version),
  },
  '/docs/asyncapi': {
    contentType: 'text/plain; charset=UTF-8',
    text: (version) => asyncApiYaml(version),
  },
  '/docs/asyncapi.json': {
    contentType: 'application/json',
    text: (version) => JSON.stringify(asyncApiDocument(version)),
  },
  ...Object.fromEntries(
    Object.entries(DOCUMENT_PATHS).map(([api, path]) => [path, json(api as Api)]),
  ),
};

const texts = new Map<string, string>();

export interface ServedDocument {
  readonly contentType: string;
  readonly text: string;
}

/** The document at a path. Each is made once, when first asked for: they never change. */
export function documentAt(pathname: string, version: ApiVersion): ServedDocument | undefined {
  const document = Object.hasOwn(DOCUMENTS, pathname) ? DOCUMENTS[pathname] : undefined;
  if (document === undefined) return undefined;
  const key = `${version} ${pathname}`;
  let text = texts.get(key);
  if (text === undefined) texts.set(key, (text = document.text(version)));
  return { contentType: document.contentType, text };
}
