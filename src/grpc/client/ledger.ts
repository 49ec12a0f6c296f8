/**
 * A ledger behind the gRPC Ledger API, with the interface of one behind the JSON Ledger API. Requests become
 * messages, and errors become JSON error bodies. Daml values keep the form of the messages.
 */
import type { ApiAnswer, ApiRequest } from '../../client/requests.js';
import type { ClientTls } from '../../client/http-side.js';
import { isBytes } from '../../daml/errors/realms.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { DamlType } from '../../daml/model/types.js';
import type { DamlValue } from '../../daml/model/values.js';
import { ErrorInfo, ResourceInfo } from '../../services/ledger-api/formats/rpc-details.js';
import { USUAL } from '../messages/codec.js';
import { translated, validated } from '../../network/values/reader.js';
import { VERBOSE } from '../../network/values/writer.js';
import { Connection, type CallEnd } from './connection.js';

const LEDGER_API = 'com.daml.ledger.api.v2';
/** The HTTP status for each gRPC status; all others are server errors. */
const HTTP_STATUS: Readonly<Record<number, number>> = { 3: 400, 5: 404, 7: 403, 16: 401 };
const SERVER_ERROR = 500;

export class GrpcLedger {
  private readonly connection: Connection;

  /** @param maxMessageBytes the maximum size of an answer */
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

  /** @throws TypeError for an operation that scripts do not use, the system's error if the connection fails */
  readonly send = async (request: ApiRequest): Promise<ApiAnswer> => {
    const { grpc } = request.operation;
    if (grpc === undefined)
      throw new TypeError(`No method of the Ledger API is ${request.method} ${request.path}.`);
    const [service, name] = grpc.split('/') as [string, string];
    const full = `${LEDGER_API}.${service}`;
    const definition = USUAL.definitions
      .methodsOf(full)
      .find((each) => each.path === `/${full}/${name}`)!;
    const end = await this.connection.call(
      definition.path,
      USUAL.encode(definition.input, messageOf(request)),
    );
    if (!('messages' in end)) return refusalOf(end);
    const answers = end.messages.map((each) => USUAL.decode(definition.output, each));
    return { status: 200, body: definition.streamsOut ? answers : answers[0] };
  };

  close(): void {
    this.connection.close();
  }
}

/** The request in JSON, with the members of its path and query as members of the message. */
const messageOf = ({ id, query, body }: ApiRequest): object =>
  isBytes(body)
    ? { darFile: body, submissionId: '' }
    : { ...(id !== undefined && { userId: id, identityProviderId: '' }), ...query, ...body };

/** `CODE(category,correlation): cause`. */
const WORDS = /^[A-Z][A-Z0-9_]*\(\d+,[^)]*\): /;

function refusalOf({
  code,
  message: statusMessage,
  details,
}: Exclude<CallEnd, { messages: unknown }>): ApiAnswer {
  const status = HTTP_STATUS[code] ?? SERVER_ERROR;
  const list =
    details === undefined
      ? []
      : (USUAL.decode('google.rpc.Status', details)['details'] as readonly {
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
  const cause = statusMessage.replace(WORDS, '');
  return { status, body: { code: info?.reason, cause, resources, context, errorCategory } };
}
