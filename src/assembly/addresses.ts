/** The URLs of a listening Canticle. */
import type { Place } from '../http/sites.js';
import type { TlsOptions } from '../services/tls.js';
import type { GrpcOptions } from './grpc/ports.js';

/** The base URL of each API, for clients. None ends with a slash. */
export interface CanticleUrls {
  /** Base URL of the JSON Ledger API: clients add `/v2/…`. */
  readonly ledgerApi: string;
  /** `…/api/scan`. */
  readonly scan: string;
  /** Base URL of the token registry: clients of the token standard add `/registry/…`. */
  readonly registry: string;
  /** `…/api/validator`. */
  readonly validator: string;
  /** `…/canticle/v1`. */
  readonly control: string;
  /** `…/canticle/`: the inspector, for a browser. */
  readonly inspector: string;
  /** Base URL of the Wallet Gateway, if the option `walletGateway` enables it. */
  readonly walletGateway?: string;
  /** `…/api/v0/dapp` of the Wallet Gateway: the URL that dApps connect to. */
  readonly dappApi?: string;
  /** `host:port` of the gRPC Ledger API, if the option `grpc` enables it. */
  readonly grpc?: string;
  /** `host:port` of the gRPC admin API, if the option `grpc` sets its port. */
  readonly grpcAdmin?: string;
}

/** Replaces a wildcard address by one that clients can call. */
export const callable = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;

/** A port to open. */
export interface Opening {
  /** Its name in {@link Canticle.ports} and in errors. */
  readonly name: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly place: Place;
}

export interface PortOptions {
  /**
   * Milliseconds after which an idle connection is closed, including WebSockets: 60,000 by default, as in the server of a participant
   * (`pekko.http.server.idle-timeout`).
   */
  readonly idleTimeout?: number;
  /** By the participant's name; any free one by default. */
  readonly ports?: Readonly<Record<string, number>>;
  /** Whether to serve the Ledger API over gRPC too, or on which ports. False by default. */
  readonly grpc?: boolean | GrpcOptions;
  /** Certificate and key, as PEM, for all ports, including gRPC. If undefined, nothing is encrypted. */
  readonly tls?: TlsOptions;
}
