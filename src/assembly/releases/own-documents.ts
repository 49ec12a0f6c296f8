/** The official documents of the user, which replace those that Canticle carries for a release. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { cantonFacts, type AsyncApiSource } from '../../spec/carrying/canton.js';
import type { OpenApiSource } from '../../spec/carrying/openapi.js';
import { cantonFactsOf, withDocuments } from '../../spec/ledger-api/facts.js';
import { yaml } from '../../spec/loading/yaml.js';
import type { ApiVersion } from '../../spec/versions.js';

/** Bytes of a document: those of 3.6 have some 400,000. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

const ENDINGS = ['yaml', 'yml', 'json'];

/** @param folder with `openapi.yaml`, and `asyncapi.yaml` for the WebSocket channels; or as JSON */
export function releaseWithDocuments(version: ApiVersion, folder: string): ApiVersion {
  const openapi = documentIn(folder, 'openapi') as OpenApiSource | undefined;
  if (openapi === undefined) throw refused(`${folder} has no openapi.yaml or openapi.json`);
  const asyncapi = documentIn(folder, 'asyncapi') as AsyncApiSource | undefined;
  const document = openapi.info.version;
  const channels =
    asyncapi === undefined ? cantonFactsOf(version).channels : { document, source: asyncapi };
  return withDocuments(version, cantonFacts(document, openapi, channels));
}

/** Undefined if the folder has no such file. @throws TypeError if the file is not a document of this kind */
function documentIn(folder: string, kind: 'openapi' | 'asyncapi'): object | undefined {
  const file = ENDINGS.map((ending) => join(folder, `${kind}.${ending}`)).find(existsSync);
  if (file === undefined) return undefined;
  if (statSync(file).size > MAX_DOCUMENT_BYTES)
    throw refused(`${file} has more than ${MAX_DOCUMENT_BYTES} bytes`);
  const document = parsed(file) as Readonly<Record<string, object>> | null;
  const parts = kind === 'openapi' ? ['info', 'paths', 'components'] : ['channels'];
  const isComplete =
    typeof document?.[kind] === 'string' &&
    parts.every((part) => typeof document[part] === 'object' && document[part] !== null);
  if (!isComplete) throw refused(`${file} is not an ${kind} document`);
  return document;
}

function parsed(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  try {
    return text.trimStart().startsWith('{') ? JSON.parse(text) : yaml().parse(text);
  } catch (error) {
    throw refused(`failed to parse ${file}: ${(error as Error).message}`);
  }
}

const refused = (why: string): TypeError =>
  withCallerStack(new TypeError(`Failed to create a Canticle: cantonDocuments: ${why}.`));
