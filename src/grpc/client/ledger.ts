/**
 * A ledger behind a Ledger API over gRPC, asked as one behind the JSON Ledger API is: requests become messages, refusals become the
 * bodies of errors, and Daml values stand as messages have them.
 */
import type { PackageLookup } from '../../daml/model/package.js';
import type { DamlType } from '../../daml/model/types.js';
import type { DamlValue } from '../../daml/model/values.js';
import { ErrorInfo, ResourceInfo } from '../../services/ledger-api/formats/rpc-details.js';
import { methodsOf } from '../messages/definitions.js';
import { decodeMessage } from '../messages/reader.js';
import { encodeMessage } from '../messages/writer.js';
import { translated, validated } from '../values/reader.js';
import { VERBOSE } from '../values/writer.js';
import { Connection, type CallEnd, type ClientTls } from './connection.js';
import { routeOf } from './routes.js';

const LEDGER_API = 'com.daml.ledger.api.v2';
/** What each status of gRPC is called in HTTP; all else is an error of the server. */
const HTTP_STATUS: Readonly<Record<number, number>> = { 3: 400, 5: 404, 7: 403, 16: 401 };
const SERVER_ERROR = 500;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export class GrpcLedger {
  private readonly connection: Connection;

  /** @param maxMessageBytes of what is answered */
  constructor(address: string, token?: string, tls?: ClientTls, maxMessageBytes?: number) {
    this.connection = new Connection(address, token, tls, maxMessageBytes);
  }

  readonly values = {
    write: (packages: PackageLookup, type: DamlType, value: DamlValue): unknown =>
      VERBOSE.value(packages, type, value),
    record: (packages: PackageLookup, type: DamlType, value: DamlValue): unknown =>
      VERBOSE.record(packages, type, value),
    read: (packages: PackageLookup, type: DamlType, given: unknown): DamlValue =>
      translated(packages, type, validated(given, 'value')),
  };

  /** @throws the system's error where nobody answers */
  async send(method: string, path: string, body?: object | Uint8Array): Promise<Answer> {
    const route = routeOf(method, path, body as never);
    const [service, name] = route.method.split('/') as [string, string];
    const full = `${LEDGER_API}.${service}`;
    const definition = methodsOf(full).find((each) => each.path === `/${full}/${name}`)!;
    const end = await this.connection.call(
      definition.path,
      encodeMessage(definition.input, route.message),
    );
    if (!('messages' in end)) return refusalOf(end);
    const answers = end.messages.map((each) => decodeMessage(definition.output, each));
    return { status: 200, body: definition.streamsOut ? answers : answers[0] };
  }

  close(): void {
    this.connection.close();
  }
}

/** `CODE(category,correlation): cause`. */
const WORDS = /^[A-Z][A-Z0-9_]*\(\d+,[^)]*\): /;

function refusalOf({
  code,
  message: told,
  details,
}: Exclude<CallEnd, { messages: unknown }>): Answer {
  const status = HTTP_STATUS[code] ?? SERVER_ERROR;
  const list =
    details === undefined
      ? []
      : (decodeMessage('google.rpc.Status', details)['details'] as readonly {
          readonly typeUrl: string;
          readonly value: string;
        }[]);
  const of = (type: string) =>
    list
      .filter(({ typeUrl }) => typeUrl.endsWith(`google.rpc.${type}`))
      .map(({ value }) => Buffer.from(value, 'base64'));
  const [info] = of('ErrorInfo').map((bytes) => ErrorInfo.decode(bytes));
  const resources = of('ResourceInfo').map((bytes) => {
    const { type, name } = ResourceInfo.decode(bytes);
    return [type, name] as const;
  });
  const context = Object.fromEntries((info?.metadata ?? []).map(({ key, value }) => [key, value]));
  const errorCategory = Number(context['category']);
  const cause = told.replace(WORDS, '');
  return { status, body: { code: info?.reason, cause, resources, context, errorCategory } };
}
