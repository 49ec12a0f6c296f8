/** The Ledger API of a participant over gRPC, for scripts that run against it. */
import { GrpcLedger } from '../grpc/client/ledger.js';

/** @param host without a port */
export const grpcLedger = (host: string, port: number, token?: string): GrpcLedger =>
  new GrpcLedger(`http://${host.includes(':') ? `[${host}]` : host}:${port}`, token);
