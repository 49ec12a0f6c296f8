/**
 * The paths of the documents: each API's OpenAPI document as JSON, the Ledger API's also as YAML, as a participant
 * serves it, with the AsyncAPI document of its streams (B-GEN-005).
 */
import type { Api } from '../spec/api.js';
import { asyncApiDocument, asyncApiYaml } from '../spec/documents/async-documents.js';
import { joinedDocument, openApiDocument, openApiYaml } from '../spec/documents/documents.js';
import type { ReadFixture } from '../spec/message-fixture.js';
import { cantonIn, type Spoken } from '../spec/splice/spoken.js';

interface Document {
  readonly contentType: string;
  readonly text: (spoken: Spoken, readFixture?: ReadFixture) => string;
}

/** Paths of the documents, by API, below the root or the prefix of the Ledger API. */
export const DOCUMENT_PATHS: Readonly<Record<Api, string>> = {
  ledger: '/docs/openapi.json',
  scan: '/api/scan/docs/openapi.json',
  registry: '/registry/docs/openapi.json',
  validator: '/api/validator/docs/openapi.json',
  wallet: '/api/validator/docs/openapi.json',
  names: '/api/validator/docs/openapi.json',
  sv: '/api/sv/docs/openapi.json',
  control: '/canticle/v1/docs/openapi.json',
};

/** All APIs of the server in one document, so that a client can generate one library for them. */
const json = (path: string): Document => ({
  contentType: 'application/json',
  text: (spoken, readFixture) =>
    JSON.stringify(
      joinedDocument(
        Object.entries(DOCUMENT_PATHS)
          .filter(([, place]) => place === path)
          .map(([api]) => openApiDocument(api as Api, spoken, readFixture)),
      ),
    ),
});

const DOCUMENTS: Readonly<Record<string, Document>> = {
  '/docs/openapi': {
    contentType: 'text/plain; charset=UTF-8',
    text: (spoken, readFixture) => openApiYaml('ledger', spoken, readFixture),
  },
  '/docs/asyncapi': {
    contentType: 'text/plain; charset=UTF-8',
    text: (spoken) => asyncApiYaml(cantonIn(spoken)),
  },
  '/docs/asyncapi.json': {
    contentType: 'application/json',
    text: (spoken) => JSON.stringify(asyncApiDocument(cantonIn(spoken))),
  },
  ...Object.fromEntries(
    [...new Set(Object.values(DOCUMENT_PATHS))].map((path) => [path, json(path)]),
  ),
};

const texts = new Map<string, string>();

export interface ServedDocument {
  readonly contentType: string;
  readonly text: string;
}

/** Whether a path has a document. */
export const isDocument = (pathname: string): boolean => Object.hasOwn(DOCUMENTS, pathname);

/**
 * The document at a path. It is made at the first request, because it never changes.
 * @param readFixture reads the examples; without it, the document has no examples
 */
export function documentAt(
  pathname: string,
  spoken: Spoken,
  readFixture?: ReadFixture,
): ServedDocument | undefined {
  const document = isDocument(pathname) ? DOCUMENTS[pathname] : undefined;
  if (document === undefined) return undefined;
  const key = `${JSON.stringify(spoken)} ${pathname}${readFixture === undefined ? '' : ' with examples'}`;
  let text = texts.get(key);
  if (text === undefined) texts.set(key, (text = document.text(spoken, readFixture)));
  return { contentType: document.contentType, text };
}
