/**
 * A port at which both versions of HTTP are spoken, as nginx's does where a server of it says `http2`: what a connection begins with says
 * which (RFC 9113, 3.4). Each goes on as if it had come to a port of its own.
 */
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';

/** As far as it differs from every request of the older version. */
const PREFACE = Buffer.from('PRI ');

export interface Versions {
  readonly http1: HttpServer;
  readonly overHttp2: (socket: Socket) => void;
  /** Milliseconds within which a connection has to begin. */
  readonly idleTimeout: number;
}

/**
 * @returns what listens; closing it ends the connections that have not begun, and those of HTTP/1.1. NOTE: `closeAllConnections` of a
 * server that does not listen itself knows of none.
 */
export function serverOfBoth({ http1, overHttp2, idleTimeout }: Versions): Server {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const give = () => socket.destroy();
    const idle = () => http1.emit('timeout', socket);
    let seen = Buffer.alloc(0);
    const look = () => {
      const more = socket.read() as Buffer | null;
      if (more === null) return;
      seen = Buffer.concat([seen, more]);
      const begun = seen.subarray(0, PREFACE.length);
      const mayBeHttp2 = PREFACE.subarray(0, begun.length).equals(begun);
      if (mayBeHttp2 && begun.length < PREFACE.length) return;
      socket.setTimeout(0).off('timeout', idle).off('end', give).off('error', give);
      socket.off('readable', look);
      socket.unshift(seen);
      if (mayBeHttp2) {
        open.delete(socket);
        overHttp2(socket);
      } else http1.emit('connection', socket);
    };
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.setTimeout(idleTimeout, idle).on('end', give).on('error', give).on('readable', look);
  });
  // A WebSocket ends with a word of its own.
  http1.on('upgrade', (_, socket: Socket) => open.delete(socket));
  const close = server.close.bind(server);
  server.close = (done) => {
    for (const socket of open) socket.destroy();
    return close(done);
  };
  return server;
}
