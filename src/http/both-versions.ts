/**
 * A port that speaks both versions of HTTP, as nginx does with `http2`. Without TLS the first bytes of a connection
 * tell its version (RFC 9113, 3.4); with TLS the handshake does (RFC 7301). Each connection then continues as on a
 * separate port.
 */
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { tls as ofTls } from './packages.js';
import { secured, type TlsOptions } from '../services/tls.js';

/** The part that differs from every HTTP/1 request. */
const PREFACE = Buffer.from('PRI ');
const HTTP1 = 'http/1.1';
const HTTP2 = 'h2';

/** The handler of HTTP/2 connections. */
export interface OverHttp2 {
  /** Host names that serve HTTP/2 only, in lower case. */
  readonly hosts: readonly string[];
  /** Takes a decrypted connection of which nothing has been read. */
  take(socket: Socket): void;
}

export interface Versions {
  /** A server of HTTPS if the port serves TLS. */
  readonly http1: HttpServer;
  readonly overHttp2: OverHttp2;
  /** Milliseconds within which a connection has to begin. */
  readonly idleTimeout: number;
  readonly tls: TlsOptions | undefined;
}

/** @returns the listening server. NOTE: `closeAllConnections` of a server that does not listen itself has no effect. */
export const serverOfBoth = (versions: Versions): Server =>
  versions.tls === undefined ? plain(versions) : encrypted(versions, versions.tls);

function plain({ http1, overHttp2, idleTimeout }: Versions): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
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
      if (mayBeHttp2) overHttp2.take(socket);
      else http1.emit('connection', socket);
    };
    socket.setTimeout(idleTimeout, idle).on('end', give).on('error', give).on('readable', look);
  });
}

function encrypted({ http1, overHttp2 }: Versions, tls: TlsOptions): Server {
  const ALPNCallback = ({ servername, protocols }: Offer): string | undefined => {
    const isOfHttp2 = overHttp2.hosts.includes(String(servername).toLowerCase());
    // Browsers offer both versions, and all but gRPC is served over HTTP/1.1.
    const known = isOfHttp2 ? [HTTP2, HTTP1] : [HTTP1, HTTP2];
    return known.find((each) => protocols.includes(each));
  };
  return ofTls().createServer({ ...secured(tls), ALPNCallback }, (socket) => {
    if (socket.alpnProtocol === HTTP2) overHttp2.take(socket);
    else http1.emit('secureConnection', socket);
  });
}

/** The protocol that a client offers. The name is false if it calls an address. */
interface Offer {
  readonly servername: string | false;
  readonly protocols: readonly string[];
}
