/**
 * A participant's admin API over gRPC, for the services that the model covers. Other methods answer UNIMPLEMENTED
 * with their name.
 * NOTE: it needs no token, as on a participant with the default configuration.
 */
import type { Called, ReadCall } from '../services/calls/call.js';
import {
  participantAdmin,
  type AdminContext,
} from '../services/participant-admin/participant-admin.js';
import { ADMIN_METHODS } from '../spec/grpc-alone.js';
import type { CallContext, GrpcWorld } from './context.js';
import type { Definitions, MethodDefinition } from '../network/protobuf/definitions/definitions.js';
import { releaseOf } from '../spec/versions.js';
import { codecOf, type Codec } from './messages/codec.js';
import { standardServices, type StandardMethod } from './standard/standard.js';
import { shortName, unknownMethod } from './status.js';
import { grpcCalls, MessageReply, send, type GrpcCalls, type Reply } from './transport.js';
import { OK, type Call } from './wire/call.js';
import { ManyRequests } from './wire/many-requests.js';
import { OneRequest } from './wire/one-request.js';
import type { Answer } from './wire/server.js';

/**
 * For a method that streams its answers, it returns all of them as a list. The messages of a client stream are a
 * list, too.
 */
type AdminMethod = (context: AdminContext, message: never) => object;

type Names = typeof ADMIN_METHODS;
/** The methods of all services: their names are unique. */
type MethodName = {
  [P in keyof Names]: {
    [S in keyof Names[P]]: Names[P][S] extends readonly (infer M)[] ? M : never;
  }[keyof Names[P]];
}[keyof Names];

const METHODS: Readonly<Record<Uncapitalize<MethodName & string>, AdminMethod>> = participantAdmin;

interface Row {
  readonly definition: MethodDefinition;
  readonly method: AdminMethod;
  readonly called: Called;
}

/** The served methods of the release, by path. */
function rowsOf(definitions: Definitions): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const [name, services] of Object.entries(ADMIN_METHODS))
    for (const [service, methods] of Object.entries<readonly string[]>(services))
      for (const definition of definitions.methodsOf(`${name}.${service}`)) {
        const { path } = definition;
        const method = path.slice(path.lastIndexOf('/') + 1);
        if (!methods.includes(method)) continue;
        const known =
          METHODS[`${method[0]!.toLowerCase()}${method.slice(1)}` as keyof typeof METHODS];
        const called: Called = { api: 'admin', operationId: shortName(path) };
        rows.set(path, { definition, method: known, called });
      }
  return rows;
}

export class AdminPort {
  private readonly codec: Codec;
  private readonly rows: ReadonlyMap<string, Row>;
  private readonly standard: ReadonlyMap<string, StandardMethod>;
  private readonly calls: GrpcCalls;

  constructor(world: GrpcWorld) {
    this.codec = codecOf(releaseOf(world.apiVersion).definitions);
    this.rows = rowsOf(this.codec.definitions);
    this.standard = standardServices([...this.rows.keys()], this.codec.definitions, false);
    this.calls = grpcCalls(world, 'admin');
  }

  readonly answer: Answer = (path, call) => {
    const standard = this.standard.get(path);
    if (standard !== undefined) return standard(call);
    const row = this.rows.get(path);
    if (row === undefined) return call.end(unknownMethod(path));
    const { input, streamsIn } = row.definition;
    call.listen(
      streamsIn
        ? new ManyRequests(
            (bytes) => this.codec.decode(input, bytes),
            (all) => this.handle(row, call, all),
          )
        : new OneRequest((bytes) => this.handle(row, call, () => this.codec.decode(input, bytes))),
    );
  };

  private handle(row: Row, call: Call, read: () => object): void {
    const { called } = row;
    const reading = { body: () => readCall(this.codec, row, call, read()) };
    send(this.calls, call, called, this.calls.perform(call, called, reading));
  }
}

function readCall(
  codec: Codec,
  { definition, method, called }: Row,
  call: Call,
  body: object,
): ReadCall<CallContext, Reply> {
  const written = (message: object): Uint8Array => codec.encode(definition.output, message);
  return {
    called,
    input: { path: {}, query: {}, body },
    requires: 'unsecured',
    size: 0,
    handle: (context) => method(context, body as never),
    answer: (result) => {
      if (!definition.streamsOut) return new MessageReply(call, written(result as object));
      const messages = (result as readonly object[]).map(written);
      return { status: OK.code, end: () => call.sendAll(messages, OK) };
    },
  };
}
