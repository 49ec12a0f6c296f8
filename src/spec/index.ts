/**
 * The exports of the descriptions of APIs, for tests of other layers. Files of src import each file by its path.
 */
export type { Api } from './api.js';
export { APIS } from './apis.js';
export { asyncApiDocument } from './documents/async-documents.js';
export { type StreamId, channels } from './channels.js';
export { READING_RULES } from './decode.js';
export { ADMIN_METHODS } from './grpc-alone.js';
export { joinedDocument, openApiDocument } from './documents/documents.js';
export { type Operation, operation, operationsOf, servedOperations } from './operations.js';
export { Reader } from './reading.js';
export type { ServedIds } from './served.js';
export type { RegistryPreview } from './splice/registry-previews.js';
export { Releases } from './releases/releases.js';
export { contentFor } from './responses.js';
export type { Spoken } from './splice/spoken.js';
export { spliceReading } from './scan/decoding.js';
export { type JsonSchema, type Parameter, type Schemas, refName } from './schema.js';
export { loadValidators, responseError as responseFault } from './validators.js';
export { API_VERSIONS, type ApiVersion, DEFAULT_API_VERSION, releaseOf } from './versions.js';
