/** An error inside a message: the google.rpc.Status of completions and interface views, as JSON (B-GEN-034). */
import { scalaMap } from '../../../daml/errors/scala-text.js';
import type { LedgerError } from '../../../daml/errors/ledger-error.js';
import type { JsStatus, ProtoAny } from '../../../spec/generated/ledger.js';
import { releaseOf, type ApiVersion } from '../../../spec/versions.js';
import { grpcStatus, type ErrorOrigin } from './grpc-status.js';
import { ErrorInfo, RequestInfo, ResourceInfo, RetryInfo } from './rpc-details.js';

const NO_UNKNOWN_FIELDS = Object.freeze({ fields: Object.freeze({}) });
const PRINTED_NO_UNKNOWN_FIELDS = 'UnknownFieldSet(Map())';

/** A detail as an object, and as the text that Scala prints; no text for a kind that the releases with texts do not decode. */
interface Decoded {
  readonly fields: Record<string, unknown>;
  readonly printed?: readonly string[];
}

type MakeDetail = (type: string, bytes: Uint8Array, decoded: Decoded) => ProtoAny;

const base = (type: string, bytes: Uint8Array) => ({
  typeUrl: `type.googleapis.com/google.rpc.${type}`,
  value: Buffer.from(bytes).toString('base64'),
});

const withObject: MakeDetail = (type, bytes, { fields }) => ({
  ...base(type, bytes),
  // The document declares a text, but a participant sends the decoded message.
  valueDecoded: { ...fields, unknownFields: NO_UNKNOWN_FIELDS } as unknown as string,
  unknownFields: NO_UNKNOWN_FIELDS,
});

const withText: MakeDetail = (type, bytes, { printed }) => ({
  ...base(type, bytes),
  unknownFields: NO_UNKNOWN_FIELDS,
  valueDecoded:
    printed === undefined
      ? 'Unknown type for decoding'
      : `${type}(${[...printed, PRINTED_NO_UNKNOWN_FIELDS].join(',')})`,
});

/** The details are real protobuf messages, in the order of a participant. */
export function rpcStatus(
  error: LedgerError,
  origin: ErrorOrigin = {},
  release?: ApiVersion,
): Required<JsStatus> {
  const { code, message, info, retrySeconds, requestId, resources } = grpcStatus(error, origin);
  const detail = releaseOf(release).printsStatusDetails ? withText : withObject;
  const details: ProtoAny[] = [];
  if (info !== undefined) {
    const { reason, metadata } = info;
    const entries = metadata.map(([key, value]) => ({ key, value }));
    details.push(
      detail('ErrorInfo', ErrorInfo.encode({ reason, metadata: entries }), {
        fields: { reason, domain: '', metadata: Object.fromEntries(metadata) },
        printed: [reason, '', scalaMap(metadata)],
      }),
    );
  }
  if (retrySeconds !== undefined) {
    const retryDelay = { seconds: retrySeconds, nanos: 0, unknownFields: NO_UNKNOWN_FIELDS };
    details.push(
      detail('RetryInfo', RetryInfo.encode({ delay: { seconds: BigInt(retrySeconds) } }), {
        fields: { retryDelay },
        printed: [`Some(Duration(${retrySeconds},0,${PRINTED_NO_UNKNOWN_FIELDS}))`],
      }),
    );
  }
  if (requestId !== undefined)
    details.push(
      detail('RequestInfo', RequestInfo.encode({ requestId }), {
        fields: { requestId, servingData: '' },
      }),
    );
  for (const [resourceType, resourceName] of resources)
    details.push(
      detail('ResourceInfo', ResourceInfo.encode({ type: resourceType, name: resourceName }), {
        fields: { resourceType, resourceName, owner: '', description: '' },
      }),
    );
  return { code, message, details };
}
