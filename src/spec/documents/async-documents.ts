/** The AsyncAPI document of the Ledger API: its WebSocket channels, built from the rows of the operation table. */
import { apiIn } from '../apis.js';
import { channels } from '../channels.js';
import { disabledNotice } from '../deprecated/deprecated-apis.js';
import type { Operation } from '../operations.js';
import { mentioned, refName, type JsonSchema, type Schemas } from '../schema.js';
import type { ApiVersion } from '../versions.js';
import { yamlText } from '../loading/yaml.js';

type Json = Record<string, unknown>;

export interface AsyncApiDocument {
  asyncapi: '2.6.0';
  info: { title: string; version: string; description: string };
  channels: Record<string, Json>;
  components: { schemas: Json; messages: Json; securitySchemes: Json };
}

const ERROR = 'JsCantonError';
const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The messages of a client and of the server: an element or an error. */
function messagesOf({ request, responses }: Operation): {
  sent: string;
  element: string;
  received: string;
} {
  const element = refName(responses['200']!.schema!.items!.$ref!);
  return { sent: refName(request!.schema!.$ref!), element, received: `Either_${ERROR}_${element}` };
}

function channelOf(list: Operation): Json {
  const { sent, received } = messagesOf(list);
  const name = list.operationId.replace(/^post/, '');
  const message = (of: string): Json => ({ $ref: `#/components/messages/${of}` });
  const description = disabledNotice(list, (instead) => instead.replace(/^\w+ /, ''));
  return {
    ...(description === undefined ? {} : { description }),
    subscribe: { operationId: `on${name}`, message: message(received) },
    publish: { operationId: `send${name}`, message: message(sent) },
    bindings: { ws: { method: 'GET' } },
  };
}

/** A list of fixed length, in the JSON schema of AsyncAPI. */
function tupleForm(schema: JsonSchema): JsonSchema | Json {
  const { minItems, maxItems, items } = schema;
  if (minItems === undefined || minItems !== maxItems) return schema;
  return { type: 'array', prefixItems: Array.from({ length: minItems }, () => items) };
}

export function asyncApiDocument(version?: ApiVersion): AsyncApiDocument {
  const { schemas, version: release } = apiIn('ledger', version);
  const lists = channels(version);
  const eithers = new Map<string, JsonSchema>();
  const messages: Json = {};
  for (const { sent, element, received } of lists.map(messagesOf)) {
    eithers.set(received, { oneOf: [ERROR, element].sort().map(schemaRef) });
    for (const name of [sent, received])
      messages[name] = { payload: schemaRef(name), contentType: 'application/json' };
  }
  const all: Schemas = { ...schemas, ...Object.fromEntries(eithers) };
  const used = [...mentioned(all, messages)].sort();
  return {
    asyncapi: '2.6.0',
    info: {
      title: 'JSON Ledger API WebSocket endpoints',
      version: release,
      description: 'What this simulator serves of: JSON Ledger API WebSocket endpoints.',
    },
    channels: Object.fromEntries(lists.map((list) => [list.path, channelOf(list)])),
    components: {
      schemas: Object.fromEntries(used.map((name) => [name, tupleForm(all[name] ?? {})])),
      messages,
      securitySchemes: {
        httpAuth: { type: 'http', scheme: 'bearer' },
        httpApiKeyAuth: { type: 'httpApiKey', name: 'Sec-WebSocket-Protocol', in: 'header' },
      },
    },
  };
}

/** The document as YAML text, in the format of a participant. */
export function asyncApiYaml(version?: ApiVersion): string {
  return yamlText(asyncApiDocument(version));
}
