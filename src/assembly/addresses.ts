/** Where a Canticle that listens is to be found. */
import type { Place } from '../http/sites.js';
import type { TlsOptions } from '../services/tls.js';
import type { GrpcOptions } from './grpc/ports.js';

/** What clients of each API are given as its base URL, each without a slash at its end. */
export interface CanticleUrls {
  /** Of the JSON Ledger API: clients add `/v2/…`. */
  readonly ledgerApi: string;
  /** `…/api/scan`. */
  readonly scan: string;
  /** Clients of the token standard add `/registry/…` themselves. */
  readonly registry: string;
  /** `…/api/validator`. */
  readonly validator: string;
  /** `…/canticle/v1`. */
  readonly control: string;
  /** `…/canticle/`: the page that shows the network, for a browser. */
  readonly inspector: string;
  /** `host:port` of the gRPC Ledger API, where the option `grpc` asks for it. */
  readonly grpc?: string;
  /** The same of the admin API, where its port is asked for. */
  readonly grpcAdmin?: string;
}

/** A wildcard address is no address to call. */
export const callable = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;

/** A port to be opened. */
export interface Opening {
  /** How {@link Canticle.ports} and errors call it. */
  readonly name: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly place: Place;
}

export interface PortOptions {
  /**
   * Milliseconds after which a connection over which nothing passes is closed, WebSockets among them: 60,000 by default, as in the
   * server of a participant (`pekko.http.server.idle-timeout`).
   */
  readonly idleTimeout?: number;
  /** By the participant's name; any free one by default. */
  readonly ports?: Readonly<Record<string, number>>;
  /** Whether the Ledger API is served over gRPC as well, or on which ports. No, by default. */
  readonly grpc?: boolean | GrpcOptions;
  /** Certificate and key, as PEM, for every port there is, those of gRPC among them. Without it nothing is encrypted. */
  readonly tls?: TlsOptions;
}
