/** The errors of the gateway, and their form in an answer of JSON-RPC. */
import { isError } from '../../daml/errors/realms.js';
import { isJsonObject } from '../../daml/model/own-members.js';

/** Codes of JSON-RPC, and of EIP-1193. */
export const RPC_CODES = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  unauthorized: 4100,
  rejected: 4001,
} as const;

const STATUS_OF: Readonly<Record<number, number>> = {
  [RPC_CODES.invalidRequest]: 400,
  [RPC_CODES.methodNotFound]: 404,
  [RPC_CODES.invalidParams]: 400,
  [RPC_CODES.unauthorized]: 401,
};

/** An error with its own code. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The gateway's error if a caller without a valid token needs one. */
export const unauthorized = (): RpcError =>
  new RpcError(RPC_CODES.unauthorized, 'User is not connected');

export const rejectedByUser = (): RpcError =>
  new RpcError(RPC_CODES.rejected, 'The user rejected the request.');

/** The participant rejected a request of the gateway. `body` is its answer: JSON, or a text. */
export class LedgerRefused extends Error {
  override readonly name = 'LedgerRefused';

  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(causeOf(body));
  }
}

function causeOf(body: unknown): string {
  if (typeof body === 'string') return body;
  const cause = isJsonObject(body) ? body['cause'] : undefined;
  return typeof cause === 'string' ? cause : JSON.stringify(body);
}

/** The member `error` of an answer. */
export interface RpcFailure {
  /** The status of the HTTP answer. */
  readonly status: number;
  readonly error: { readonly code: number; readonly message?: string; readonly data?: unknown };
}

/** An error as a wallet in a page reports it: with its message. */
export function describedError(error: unknown) {
  const { code, message, data } = failureOf(error).error;
  return {
    code,
    message: message ?? (error as Error).message,
    ...(data !== undefined && { data }),
  };
}

/**
 * NOTE: the gateway writes an error with its own code as the enumerable members of an `Error`, without the message. A
 * client then shows the status of the HTTP answer.
 */
export function failureOf(error: unknown): RpcFailure {
  if (error instanceof RpcError)
    return { status: STATUS_OF[error.code] ?? 500, error: { code: error.code } };
  const message = isError(error) ? error.message : String(error);
  const data = error instanceof LedgerRefused ? error.body : {};
  return { status: 500, error: { code: RPC_CODES.internal, message, data } };
}
