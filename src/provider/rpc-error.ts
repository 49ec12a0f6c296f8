/** Errors of JSON-RPC 2.0, as a provider rejects with them. */

/** The parts of an error in a JSON-RPC answer. */
export interface RpcErrorBody {
  /** Such as -32601 (no such method) or 4001 (the user rejected). */
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An error with the code and data of a JSON-RPC answer. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data?: unknown;

  constructor({ code, message, data }: RpcErrorBody) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/** Internal error, for errors without a code. */
const INTERNAL = -32603;

/** The error as data, for a window message. */
export function asRpcError(error: unknown): RpcErrorBody {
  const { code, message, data } = error as Partial<RpcErrorBody>;
  return {
    code: code ?? INTERNAL,
    message: message ?? String(error),
    ...(data !== undefined && { data }),
  };
}
