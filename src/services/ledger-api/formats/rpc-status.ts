/** An error inside a message: the google.rpc.Status of completions and interface views, as JSON (B-GEN-034). */
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { LedgerError } from '../../../daml/errors/ledger-error.js';
import type { JsStatus, ProtoAny } from '../../../spec/generated/ledger.js';
import { grpcStatus, type ErrorOrigin, type GrpcStatus } from './grpc-status.js';

const NO_UNKNOWN_FIELDS = { fields: {} };
const text = (field: number, value: string, writer = new BinaryWriter()): BinaryWriter =>
  value === '' ? writer : writer.uint32((field << 3) | 2).string(value);

function errorInfoBytes({ reason, metadata }: NonNullable<GrpcStatus['info']>): Uint8Array {
  const writer = text(1, reason);
  for (const [key, value] of metadata)
    writer.uint32(26).bytes(text(2, value, text(1, key)).finish());
  return writer.finish();
}

function retryInfoBytes(seconds: number): Uint8Array {
  const delay = new BinaryWriter();
  if (seconds > 0) delay.uint32(8).int64(seconds);
  return new BinaryWriter().uint32(10).bytes(delay.finish()).finish();
}

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
      detail('ErrorInfo', errorInfoBytes(info), {
        reason: info.reason,
        domain: '',
        metadata: Object.fromEntries(info.metadata),
      }),
    );
  if (retrySeconds !== undefined) {
    const retryDelay = { seconds: retrySeconds, nanos: 0, unknownFields: NO_UNKNOWN_FIELDS };
    details.push(detail('RetryInfo', retryInfoBytes(retrySeconds), { retryDelay }));
  }
  if (requestId !== undefined)
    details.push(
      detail('RequestInfo', text(1, requestId).finish(), { requestId, servingData: '' }),
    );
  for (const [resourceType, resourceName] of resources)
    details.push(
      detail('ResourceInfo', text(2, resourceName, text(1, resourceType)).finish(), {
        resourceType,
        resourceName,
        owner: '',
        description: '',
      }),
    );
  return { code, message, details };
}
