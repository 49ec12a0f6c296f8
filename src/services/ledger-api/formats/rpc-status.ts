/** An error inside a message: the google.rpc.Status of completions and interface views, as JSON (B-GEN-034). */
import type { LedgerError } from '../../../daml/errors/ledger-error.js';
import type { JsStatus, ProtoAny } from '../../../spec/generated/ledger.js';
import { grpcStatus, type ErrorOrigin } from './grpc-status.js';
import { ErrorInfo, RequestInfo, ResourceInfo, RetryInfo } from './rpc-details.js';

const NO_UNKNOWN_FIELDS = Object.freeze({ fields: Object.freeze({}) });

function detail(type: string, bytes: Uint8Array, decoded: Record<string, unknown>): ProtoAny {
  return {
    typeUrl: `type.googleapis.com/google.rpc.${type}`,
    value: Buffer.from(bytes).toString('base64'),
    // The document declares a text, but a participant sends the decoded message.
    valueDecoded: { ...decoded, unknownFields: NO_UNKNOWN_FIELDS } as unknown as string,
    unknownFields: NO_UNKNOWN_FIELDS,
  };
}

/** The details are real protobuf messages, in the order of a participant. */
export function rpcStatus(error: LedgerError, origin: ErrorOrigin = {}): Required<JsStatus> {
  const { code, message, info, retrySeconds, requestId, resources } = grpcStatus(error, origin);
  const details: ProtoAny[] = [];
  if (info !== undefined)
    details.push(
      detail(
        'ErrorInfo',
        ErrorInfo.encode({
          reason: info.reason,
          metadata: info.metadata.map(([key, value]) => ({ key, value })),
        }),
        {
          reason: info.reason,
          domain: '',
          metadata: Object.fromEntries(info.metadata),
        },
      ),
    );
  if (retrySeconds !== undefined) {
    const retryDelay = { seconds: retrySeconds, nanos: 0, unknownFields: NO_UNKNOWN_FIELDS };
    details.push(
      detail('RetryInfo', RetryInfo.encode({ delay: { seconds: BigInt(retrySeconds) } }), {
        retryDelay,
      }),
    );
  }
  if (requestId !== undefined)
    details.push(
      detail('RequestInfo', RequestInfo.encode({ requestId }), { requestId, servingData: '' }),
    );
  for (const [resourceType, resourceName] of resources)
    details.push(
      detail('ResourceInfo', ResourceInfo.encode({ type: resourceType, name: resourceName }), {
        resourceType,
        resourceName,
        owner: '',
        description: '',
      }),
    );
  return { code, message, details };
}
