/** gRPC as a transport of calls: writes and sends answers. */
import { isPromise } from '../daml/errors/realms.js';
import { callToken } from '../services/authorization/bearer.js';
import type { Answer, Called, Transport } from '../services/calls/call.js';
import { Calls, type Soon } from '../services/calls/calls.js';
import { CallContext, type GrpcWorld } from './context.js';
import { shortName, statusOf } from './status.js';
import { OK, type Call } from './wire/call.js';

/** An answer that is not sent yet. */
export interface Reply extends Answer {
  /** Sends it. @throws GrpcError if the connection already holds too much */
  end(): void;
}

/** An answer of one message. */
export class MessageReply implements Reply {
  readonly status = OK.code;

  constructor(
    private readonly call: Call,
    private readonly bytes: Uint8Array,
  ) {}

  end(): void {
    this.call.end(OK, this.bytes);
  }
}

export type GrpcCalls = Calls<Call, CallContext, Reply>;

/** The status that a client reports for a broken connection, or for a proxy's answer. */
const UNAVAILABLE = 14;

/** The only service of the admin API that starts a trace for a call without one. */
const TRACING: ReadonlySet<string> = new Set(['PingService/Ping']);

/** @param api the API that the port serves */
export function grpcCalls(world: GrpcWorld, api: 'ledger' | 'admin'): GrpcCalls {
  const dropped = (call: Call): Reply => ({ status: UNAVAILABLE, end: () => call.drop() });
  const turnedAway = (call: Call, status: number): Reply => ({
    status: UNAVAILABLE,
    end: () => call.turnAway(status),
  });
  const transport: Transport<Call, CallContext, Reply> = {
    hostHeader: ':authority',
    isMessage: true,
    context: (call, admission) =>
      new CallContext(
        world,
        call,
        admission,
        api === 'ledger' || TRACING.has(shortName(call.target)),
      ),
    tokenOf: ({ header }) => callToken(header),
    failed: (call, _, error, { origin }) => {
      const status = statusOf(error, origin, api, call.target);
      return { status: status.code, end: () => call.end(status) };
    },
    lost: (call, as) => (as === 'reset' ? dropped(call) : turnedAway(call, as)),
    turnedAway: (call, _, status) => turnedAway(call, status),
    given: (call, read, { status = 200, body }) =>
      status < 400 ? read.answer(body) : turnedAway(call, status),
    // A gRPC message cannot arrive in part.
    delivered: (call, reply, delivery) => {
      if (delivery.kind === 'slow') return reply;
      const as = delivery.kind === 'lost' ? delivery.as : 'reset';
      return { ...reply, end: () => transport.lost(call, as).end() };
    },
    // Only JSON supports this fault.
    altered: (reply) => reply,
  };
  return new Calls(world, transport);
}

/** Sends an answer as soon as it exists. */
export function send(calls: GrpcCalls, call: Call, called: Called, reply: Soon<Reply>): void {
  if (isPromise(reply)) void reply.then((answer) => send(calls, call, called, answer));
  else
    try {
      reply.end();
    } catch (error) {
      calls.failed(call, called, error).end();
    }
}
