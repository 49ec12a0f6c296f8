/** The status that ends a call: a ledger error with its details, as a participant sends it, or the status for a bug. */
import { ProtobufError } from '../daml/codec/protobuf/reading.js';
import { ledgerError, LedgerError } from '../daml/errors/ledger-error.js';
import type { ErrorOrigin } from '../services/ledger-api/formats/grpc-status.js';
import { NotServed, PlainRefusal } from '../services/participant-admin/not-served.js';
import { rpcStatus } from '../services/ledger-api/formats/rpc-status.js';
import { USUAL } from './messages/codec.js';
import type { Status } from './wire/call.js';
import { faultStatus, GrpcError } from './wire/frames.js';
import { UNREADABLE } from './wire/one-request.js';
import { isError } from '../daml/errors/realms.js';

const UNIMPLEMENTED = 12;
const INTERNAL = 13;

export const unknownMethod = (path: string): Status => ({
  code: UNIMPLEMENTED,
  message: `Method not found: ${path.replace(/^\//, '')}`,
});

/** The service without its package, and the method, from a method's path. */
export const shortName = (path: string): string => path.replace(/^.*\./, '');

const notServed = (path: string, what: string): Status => ({
  code: UNIMPLEMENTED,
  message: `${path.replace(/^\//, '')} does not serve ${what}`,
});

/** The Ledger API sends no details for an error that its server finds before it reads a request (B-GRPC-021). */
export function redactedError(): GrpcError {
  const message =
    'An error occurred. Please contact the operator and inquire about the request <no-correlation-id> with tid <no-tid>';
  const { details } = withDetails({ code: INTERNAL, message, details: [] });
  return new GrpcError(INTERNAL, message, details);
}

type RpcStatus = Pick<ReturnType<typeof rpcStatus>, 'code' | 'message' | 'details'>;

const withDetails = (status: RpcStatus): Status => ({
  code: status.code,
  message: status.message,
  details: USUAL.encode('google.rpc.Status', status),
});

/**
 * @param api the API of the port: the Ledger API's services lose some details (B-ERR-004)
 * @param path of the method
 */
export function statusOf(
  error: unknown,
  origin: ErrorOrigin,
  api: 'ledger' | 'admin',
  path: string,
): Status {
  if (error instanceof NotServed) return notServed(path, error.what);
  if (error instanceof PlainRefusal) return { code: error.code, message: error.message };
  if (error instanceof ProtobufError) return UNREADABLE;
  if (error instanceof GrpcError) return faultStatus(error);
  const refusal =
    error instanceof LedgerError
      ? error
      : ledgerError('LEDGER_API_INTERNAL_ERROR', isError(error) ? error.message : String(error));
  if (refusal.details.undetailed && api === 'ledger')
    return withDetails({ code: refusal.grpcCode, message: refusal.details.cause, details: [] });
  const status = rpcStatus(refusal, origin);
  const { code, message } = status;
  return refusal.details.isStatusAlone ? { code, message } : withDetails(status);
}
