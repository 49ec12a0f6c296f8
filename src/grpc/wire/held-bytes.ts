/**
 * The bytes that the server holds for one connection: unanswered requests, and answers that the client has not
 * read.
 */
import type { Http2Session } from 'node:http2';
import { GrpcError } from './frames.js';

/** The limit of one connection, in bytes. A compressed file of active contracts fits. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;
const RESOURCE_EXHAUSTED = 8;

interface Connection {
  bytes: number;
}

const connections = new WeakMap<Http2Session, Connection>();

/** The bytes of one call. */
export class HeldBytes {
  private own = 0;
  private readonly connection: Connection;

  constructor(session: Http2Session | undefined) {
    let connection = session && connections.get(session);
    if (connection === undefined) {
      connection = { bytes: 0 };
      if (session !== undefined) connections.set(session, connection);
    }
    this.connection = connection;
  }

  /** @param bytes negative to release bytes @throws GrpcError if the connection holds too much */
  add(bytes: number): void {
    this.own += bytes;
    this.connection.bytes += bytes;
    if (bytes > 0 && this.connection.bytes > MAX_HELD_BYTES)
      throw new GrpcError(
        RESOURCE_EXHAUSTED,
        `The calls of a connection may hold ${MAX_HELD_BYTES} bytes in all.`,
      );
  }

  release(): void {
    this.connection.bytes -= this.own;
    this.own = 0;
  }
}
