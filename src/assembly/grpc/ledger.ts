/** The Ledger API of a participant over gRPC, for scripts that run against it. */
import type { ClientTls } from '../../client/http-side.js';
import { GrpcLedger } from '../../grpc/client/ledger.js';

/** @param host without a port, and @param tls undefined without encryption */
export const grpcLedger = (
  host: string,
  port: number,
  {
    token,
    tls,
    maxMessageBytes,
  }: {
    readonly token?: string | undefined;
    readonly tls?: ClientTls | undefined;
    readonly maxMessageBytes?: number | undefined;
  } = {},
): GrpcLedger =>
  new GrpcLedger(`${host.includes(':') ? `[${host}]` : host}:${port}`, token, tls, maxMessageBytes);
