/**
 * A participant's admin API over gRPC, as far as the model knows what it is about. What is not served answers UNIMPLEMENTED and its
 * name.
 * NOTE: as at a participant that is not told otherwise, nobody is asked for a token.
 */
import { ANYONE } from '../services/authorization/gate.js';
import {
  participantAdmin,
  type AdminContext,
} from '../services/participant-admin/participant-admin.js';
import { ADMIN_METHODS } from '../spec/grpc-alone.js';
import { Answering, type Asked } from './answering.js';
import { CallContext, type GrpcWorld } from './context.js';
import { methodsOf, type MethodDefinition } from './messages/definitions.js';
import { decodeMessage } from './messages/reader.js';
import { encodeMessage } from './messages/writer.js';
import { standardServices, type StandardMethod } from './standard/standard.js';
import { shortName, unknownMethod } from './status.js';
import { OK, type Call } from './wire/call.js';
import { ManyRequests } from './wire/many-requests.js';
import { OneRequest } from './wire/one-request.js';
import type { Answer } from './wire/server.js';

/** Of a method that streams it gives all there is to tell, as a list. What a client streams is a list as well. */
type AdminMethod = (context: AdminContext, message: never) => object;

type Names = typeof ADMIN_METHODS;
/** Of all services: no two have methods of one name. */
type MethodName = {
  [P in keyof Names]: {
    [S in keyof Names[P]]: Names[P][S] extends readonly (infer M)[] ? M : never;
  }[keyof Names[P]];
}[keyof Names];

const METHODS: Readonly<Record<Uncapitalize<MethodName & string>, AdminMethod>> = participantAdmin;

interface Row {
  readonly definition: MethodDefinition;
  readonly method: AdminMethod;
  readonly asked: Asked;
}

function rowsOf(): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const [name, services] of Object.entries(ADMIN_METHODS))
    for (const [service, methods] of Object.entries<readonly string[]>(services))
      for (const definition of methodsOf(`${name}.${service}`)) {
        const { path } = definition;
        const method = path.slice(path.lastIndexOf('/') + 1);
        if (!methods.includes(method)) continue;
        const known =
          METHODS[`${method[0]!.toLowerCase()}${method.slice(1)}` as keyof typeof METHODS];
        const asked = { path, operation: shortName(path), name: shortName(path) };
        rows.set(path, { definition, method: known, asked });
      }
  return rows;
}

/** The one service that begins a trace for a call that names none. */
const TRACING: ReadonlySet<string> = new Set(['PingService/Ping']);

export class AdminPort {
  private readonly rows = rowsOf();
  private readonly standard: ReadonlyMap<string, StandardMethod> = standardServices(
    [...this.rows.keys()],
    false,
  );

  private readonly answering: Answering;

  constructor(private readonly world: GrpcWorld) {
    this.answering = new Answering(world, 'admin');
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
            (bytes) => decodeMessage(input, bytes),
            (all) => this.handle(row, call, all),
          )
        : new OneRequest((bytes) => this.handle(row, call, () => decodeMessage(input, bytes))),
    );
  };

  private handle({ definition, method, asked }: Row, call: Call, read: () => object): void {
    const { answering } = this;
    const context = new CallContext(this.world, call, ANYONE, TRACING.has(asked.name));
    const sent = (result: unknown): (() => void) => {
      const written = (message: object) => encodeMessage(definition.output, message);
      if (!definition.streamsOut) {
        const bytes = written(result as object);
        return () => call.end(OK, bytes);
      }
      const messages = (result as readonly object[]).map(written);
      return () => call.sendAll(messages, OK);
    };
    try {
      const body = read();
      const input = { path: {}, query: {}, body };
      const handle = () => method(context, body as never);
      if (answering.underFaults(asked, call, context, input, { handle, sent })) return;
      sent(handle())();
      answering.answered(asked, call);
    } catch (error) {
      answering.refuse(asked, call, error, context);
    }
  }
}
