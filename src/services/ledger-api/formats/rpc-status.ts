/** An error inside a message: the google.rpc.Status of completions and interface views, as JSON (B-GEN-034). */
import type { LedgerError } from '../../../daml/errors/ledger-error.js';
import type { JsStatus, ProtoAny } from '../../../spec/generated/ledger.js';
import {
  message,
  nested,
  plain,
  repeated,
  submessage,
  text,
  uint64,
} from '../../../network/protobuf/messages.js';
import { grpcStatus, type ErrorOrigin } from './grpc-status.js';

const NO_UNKNOWN_FIELDS = { fields: {} };

const Entry = message<{ readonly key: string; readonly value: string }>({
  key: plain(1, text),
  value: plain(2, text),
});
const ErrorInfo = message<{
  readonly reason: string;
  readonly metadata: readonly { readonly key: string; readonly value: string }[];
}>({
  reason: plain(1, text),
  metadata: repeated(
    3,
    nested(() => Entry),
  ),
});
const Duration = message<{ readonly seconds: bigint }>({ seconds: plain(1, uint64) });
const RetryInfo = message<{ readonly delay?: { readonly seconds: bigint } }>({
  delay: submessage(1, () => Duration),
});
const RequestInfo = message<{ readonly requestId: string }>({ requestId: plain(1, text) });
const ResourceInfo = message<{ readonly type: string; readonly name: string }>({
  type: plain(1, text),
  name: plain(2, text),
});

function detail(type: string, bytes: Uint8Array, decoded: Record<string, unknown>): ProtoAny {
  return {
    typeUrl: `type.googleapis.com/google.rpc.${type}`,
    value: Buffer.from(bytes).toString('base64'),
    // The document says that this is a text; a participant sends the decoded message itself.
    valueDecoded: { ...decoded, unknownFields: NO_UNKNOWN_FIELDS } as unknown as string,
    unknownFields: NO_UNKNOWN_FIELDS,
  };
}

/** The details are real protobuf messages, in the order in which a participant lists them. */
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
